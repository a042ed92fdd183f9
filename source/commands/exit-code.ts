import { fullDisk, Problem } from '../problem.js'

/** 2 for what the person can type differently, 3 for a session that is open elsewhere or has no room, 1 for everything else. */
export function exitCodeOf(error: unknown): number {
  if (fullDisk(error)) return 3
  if (!(error instanceof Problem)) return 1
  if (error.code === 'usage' || error.code === 'outside') return 2
  return error.code === 'locked' ? 3 : 1
}
