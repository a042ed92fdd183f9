import { Problem } from './problem.js'

// Outputs that take no more: quietly where nobody reads, told where what there was to say did not arrive.

/** What writing fails with where the reader has gone away: a pipe that was closed, a terminal that is no longer there. */
const gone = ['EPIPE', 'ECONNRESET', 'EIO', 'ERR_STREAM_DESTROYED']

/** Whether a write failed because nobody reads any more: `autopilot inspect … | head` has had enough, and that is no failure. */
export function isReaderGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && gone.includes(String(error.code))
}

/** The failure of an output as a person is told it. */
export function cannotWrite(error: unknown): Problem {
  return new Problem({
    code: 'storage',
    what: `The output cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
    why: 'What the command has to say did not arrive as a whole.',
    todo: 'Write it to a place that takes it, and run the command again.',
    cause: error,
  })
}
