/** Stable names of the failures that callers branch on; everything else is told to the user as it is. */
export type ProblemCode =
  | 'usage'
  | 'not-found'
  | 'outside'
  | 'repository'
  | 'unreadable'
  | 'newer-version'
  | 'unknown-workflow'
  | 'both-bad'
  | 'locked'
  | 'fenced'
  | 'foreign-edit'
  | 'disk-full'
  | 'storage-dead'
  | 'storage'
  | 'agent'
  | 'git'
  | 'trust'

/** The three parts that every error shown to a person has. */
export interface ProblemParts {
  code: ProblemCode
  what: string
  why: string
  todo: string
  cause?: unknown
}

/** A failure that a person is told about: what happened, why it matters, what to do. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly what: string
  readonly why: string
  readonly todo: string

  constructor(parts: ProblemParts) {
    super(parts.what, parts.cause === undefined ? undefined : { cause: parts.cause })
    this.name = 'Problem'
    this.code = parts.code
    this.what = parts.what
    this.why = parts.why
    this.todo = parts.todo
  }
}

/** A file that is not what it has to be: a person can put it right, and it is looked at again. */
export function isFileProblem(error: unknown): error is Problem {
  return error instanceof Problem && ['unreadable', 'outside', 'not-found'].includes(error.code)
}

/** A failure for want of room on a disk, as a Problem; undefined for any other. */
export function fullDisk(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error.code === 'disk-full' ? error : undefined
  const { code, path } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown
    path?: unknown
  }
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return undefined
  return new Problem({
    code: 'disk-full',
    what: `The disk is full${typeof path === 'string' ? `: ${path} could not be written` : ''}.`,
    why: 'Finished work is kept as it is; nothing new starts before there is room.',
    todo: 'Free some space on this disk, then retry.',
    cause: error,
  })
}

/** The lines in which a failure is shown, whatever was thrown. */
export function problemLines(thrown: unknown): string[] {
  const error = fullDisk(thrown) ?? thrown
  if (error instanceof Problem) return [error.what, error.why, error.todo]
  const message = error instanceof Error ? error.message : String(error)
  return [
    message,
    'This was not expected, so autopilot does not go on by itself.',
    'Start autopilot again to resume; if it repeats, report it with the session journal.',
  ]
}
