import { counted } from '../counted.js'
import { aboutText } from '../durations.js'
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
  if (reason === 'wall')
    return `The agent did not finish within ${aboutText(Math.ceil(wallMs / 1000) * 1000)} and was stopped. limits.wallMinutes in your settings gives it longer.`
  if (reason === 'first') return 'The agent gave no sign of life and was stopped.'
  if (reason === 'tool') return 'A tool of the agent did not come to an end, so the agent was stopped.'
  return 'The agent fell silent and was stopped.'
}

/** Lines that name what went wrong, in most languages: `TypeError: …`, `error[E0308]: …`, `fatal: …`, `panic: …`. */
const namesCause =
  /^\s*(?:uncaught |caused by: ?)?(?:[\w.$]*(?:error|exception)\b(?:\s*[[(][^\])]*[\])])?|fatal|panic)\s*:|\bpanicked at\b/i

const lastLines = 5

/** The end of what a program wrote to stderr, with the line that names the cause where that stands further up. */
function lastWords(stderr: string): string {
  const lines = stderr.trim().split('\n')
  const end = lines.slice(-lastLines)
  if (end.some((line) => namesCause.test(line))) return end.join('\n')
  const cause = lines.findLast((line) => namesCause.test(line))
  return [...(cause === undefined ? [] : [cause.trim()]), ...end].join('\n')
}

/** A program that ended by itself when it should not have, with the cause and the last lines of its stderr. */
export function crashMessage(exit: ChildExit, hasResult = false): string {
  const how = exit.signal ? `ended by ${exit.signal}` : `ended with exit code ${exit.code}`
  const claim = hasResult ? ' although it printed a result' : ''
  const reason = lastWords(exit.stderrTail)
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
    : `${counted(exit.leftovers, 'process', 'processes')} that the agent left behind ${exit.leftovers === 1 ? 'was' : 'were'} ended`
}
