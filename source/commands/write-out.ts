import { cannotWrite, isReaderGone } from '../problem.js'

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
