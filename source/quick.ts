import { fstatSync, writeSync } from 'node:fs'
import { exitCodeOf } from './commands/exit-code.js'
import { forStream } from './commands/for-stream.js'
import { sessions, status } from './commands/status.js'
import { workingDirectory } from './commands/working-directory.js'
import { writeOut } from './commands/write-out.js'
import { cannotWrite, isReaderGone, problemLines } from './problem.js'
import { sanitizeLine } from './terminal/sanitize.js'
import type { Registry } from './workflows/workflow.js'

// The commands that scripts and prompts ask for often. They load what they need and nothing that other
// commands share with them (scripts/build.js).

/**
 * Runs `status` or `sessions`, with or without `--json`. The exit code, or undefined for every other command line, wrong ones
 * included.
 */
export async function quickCommand(registry: Registry, argv: readonly string[]): Promise<number | undefined> {
  const command = commandOf(registry, argv)
  if (command === undefined) return undefined
  try {
    const { exitCode, output } = await command()
    await write(exitCode === 0 ? 'stdout' : 'stderr', output)
    return exitCode
  } catch (error) {
    await write('stderr', problemLines(error).map(sanitizeLine).join('\n'))
    return exitCodeOf(error)
  }
}

function commandOf(registry: Registry, [word, option, ...more]: readonly string[]) {
  if (more.length > 0) return undefined
  if (word === 'status' && (option === undefined || option === '--json'))
    return () => status(registry, workingDirectory(), { json: option === '--json' })
  if (word === 'sessions' && (option === undefined || option === '--json'))
    return () => sessions(registry, workingDirectory(), { json: option === '--json' })
  return undefined
}

const descriptors = { stdout: 1, stderr: 2 }

/** To a file or a pipe at once: making Node's stream for it takes about as long as the command itself. */
async function write(name: 'stdout' | 'stderr', text: string): Promise<void> {
  const rest = mayBeTerminal(descriptors[name])
    ? `${forStream(text, process[name])}\n`
    : writtenAtOnce(descriptors[name], Buffer.from(`${text}\n`))
  if (rest.length > 0) await writeOut(process[name], rest)
}

function mayBeTerminal(fd: number): boolean {
  const stats = fstatSync(fd)
  return !stats.isFile() && !stats.isFIFO() && !stats.isSocket()
}

/**
 * Writes what the reader takes and returns the rest: what does not fit into a pipe that never waits is for the stream, and
 * nothing where nobody reads any more. Throws a Problem ('storage') for any other failure.
 */
function writtenAtOnce(fd: number, bytes: Buffer): Buffer {
  let done = 0
  try {
    while (done < bytes.length) done += writeSync(fd, bytes, done)
  } catch (error) {
    if (isReaderGone(error)) return Buffer.alloc(0)
    if (!mayWriteLater(error)) throw cannotWrite(error)
  }
  return bytes.subarray(done)
}

const mayWriteLater = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EAGAIN'
