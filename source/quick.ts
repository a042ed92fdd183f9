import { exitCodeOf } from './commands/exit-code.js'
import { forStream } from './commands/for-stream.js'
import { sessions, status } from './commands/status.js'
import { problemLines } from './problem.js'
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
    await write(exitCode === 0 ? process.stdout : process.stderr, output)
    return exitCode
  } catch (error) {
    await write(process.stderr, problemLines(error).map(sanitizeLine).join('\n'))
    return exitCodeOf(error)
  }
}

function commandOf(registry: Registry, [word, option, ...more]: readonly string[]) {
  if (more.length > 0) return undefined
  if (word === 'status' && (option === undefined || option === '--json'))
    return () => status(registry, process.cwd(), { json: option === '--json' })
  if (word === 'sessions' && (option === undefined || option === '--json'))
    return () => sessions(registry, process.cwd(), { json: option === '--json' })
  return undefined
}

function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => stream.write(`${forStream(text, stream)}\n`, () => resolve()))
}
