import { Problem } from '../problem.js'

/** What writing fails with where the reader has gone away: a pipe that was closed, a terminal that is no longer there. */
const gone = ['EPIPE', 'ECONNRESET', 'EIO', 'ERR_STREAM_DESTROYED']

/** Whether a write failed because nobody reads any more: `autopilot inspect … | head` has had enough, and that is no failure. */
export function isReaderGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && gone.includes(String(error.code))
}

type Writable = Pick<NodeJS.WriteStream, 'write' | 'on' | 'listeners'>

/** Without a listener the failure of a write ends the program with a stack trace, whoever asked for the write. */
const ignored = () => {}

/** Failures of writing are told by the write itself, to whoever asked for it, and by nothing else. */
export function withoutErrors<Stream extends Writable>(stream: Stream): Stream {
  if (!stream.listeners('error').includes(ignored)) stream.on('error', ignored)
  return stream
}

/** Writes a text, and nothing where the reader is gone. Rejects with a Problem ('storage') for any other failure. */
export async function writeOut(stream: Writable, text: string | Uint8Array): Promise<void> {
  const error = await new Promise<unknown>((resolve) => withoutErrors(stream).write(text, resolve))
  if (error && !isReaderGone(error)) throw cannotWrite(error)
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
