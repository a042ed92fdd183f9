import type { ChildExit, StopReason } from './supervisor.js'

// How the end of an agent's process is told to the person; the same words for every backend.

/** Why a program could not be started. */
export function spawnMessage(error: NodeJS.ErrnoException, file: string, cwd: string): string {
  switch (error.code) {
    case 'ENOENT':
      return `The agent program "${file}" was not found (or the directory ${cwd} is missing).`
    case 'EACCES':
      return `The agent program "${file}" may not be executed.`
    case 'E2BIG':
      return `The arguments or the environment of "${file}" are too long for the system.`
    default:
      return `The agent program "${file}" could not be started: ${error.message}`
  }
}

/** Which clock ran out; `wallMs` is the limit of the wall clock. */
export function timeoutMessage(reason: StopReason, wallMs: number): string {
  const minutes = Math.max(1, Math.round(wallMs / 60_000))
  if (reason === 'wall') return `The agent did not finish within ${minutes} min and was stopped.`
  if (reason === 'first') return 'The agent gave no sign of life and was stopped.'
  if (reason === 'tool') return 'A tool of the agent did not come to an end, so the agent was stopped.'
  return 'The agent fell silent and was stopped.'
}

/** A program that ended by itself when it should not have, with the last lines of its stderr. */
export function crashMessage(exit: ChildExit, hasResult = false): string {
  const how = exit.signal ? `ended by ${exit.signal}` : `ended with exit code ${exit.code}`
  const claim = hasResult ? ' although it printed a result' : ''
  const reason = exit.stderrTail.trim().split('\n').slice(-5).join('\n')
  return `The agent ${how}${claim}.${reason === '' ? '' : ` It wrote:\n${reason}`}`
}

/** Said of a line that was too long to keep. */
export function skippedLine(bytes: number): string {
  return `a line of ${Math.ceil(bytes / (1024 * 1024))} MB was too long and is not read`
}

/** Said only of what a program left behind by itself, or of what would not end. */
export function leftoverLine(exit: ChildExit): string | undefined {
  if (exit.unkillable.length > 0) return `processes that could not be ended: ${exit.unkillable.join(', ')}`
  if (exit.stopped || exit.leftovers === 0) return undefined
  return exit.leftovers === 1
    ? 'one process that the agent left behind was ended'
    : `${exit.leftovers} processes that the agent left behind were ended`
}
