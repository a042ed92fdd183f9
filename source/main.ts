import { exitCodeOf } from './commands/exit-code.js'
import { problemLines } from './problem.js'
import { version } from './version.js'
import type { Registry } from './workflows/workflow.js'

// argv to one command, and its exit code: 0 finished or closed, 1 failed, 2 wrong usage, 3 stopped and resumable.
// Commands are imported when they are chosen. Those that are asked for often are recognised before the reader of
// options is loaded, so that they start about as fast as Node itself.

/** Runs the command line `argv` (without program and script); sets the exit code of the process. */
export async function main(registry: Registry, argv = process.argv.slice(2)): Promise<void> {
  try {
    process.exitCode = (await quickCommand(registry, argv)) ?? (await fullCommand(registry, argv))
  } catch (error) {
    process.stderr.write(`${problemLines(error).join('\n')}\n`)
    process.exitCode = exitCodeOf(error)
  }
}

/** The exit code of a command that needs no options to be read; undefined for all others. */
async function quickCommand(registry: Registry, argv: readonly string[]): Promise<number | undefined> {
  const [word, option, ...more] = argv
  if (more.length > 0) return undefined
  if (word === '--version' && option === undefined) return print({ exitCode: 0, output: version })
  if (word === 'status' && (option === undefined || option === '--json')) {
    const { status } = await import('./commands/status.js')
    return print(await status(registry, process.cwd(), { json: option === '--json' }))
  }
  if (word === 'sessions' && option === undefined) {
    const { sessions } = await import('./commands/status.js')
    return print(await sessions(registry, process.cwd()))
  }
  return undefined
}

async function fullCommand(registry: Registry, argv: readonly string[]): Promise<number> {
  const { readCommandLine } = await import('./commands/command-line.js')
  const { input, agent, json, as, workflow, flags } = readCommandLine(registry, argv)
  const [command, argument] = input
  const cwd = process.cwd()
  switch (command) {
    case 'inspect': {
      const { inspect } = await import('./commands/inspect.js')
      return print(await inspect(registry, argument, { json, as }))
    }
    case 'status':
      return print(await (await import('./commands/status.js')).status(registry, cwd, { json }))
    case 'sessions':
      return print(await (await import('./commands/status.js')).sessions(registry, cwd))
    case 'doctor':
      return print(await (await import('./commands/doctor.js')).doctor(registry, cwd, agent))
    case 'demo': {
      const { demo } = await import('./commands/demo.js')
      const named = { ...(argument ? { dir: argument } : {}), ...(workflow ? { workflow } : {}) }
      return demo({ registry, cwd, flags, ...named })
    }
    default: {
      const { run } = await import('./commands/run.js')
      return run({
        registry,
        cwd,
        flags,
        ...(command ? { input: command } : {}),
        ...(agent ? { agent } : {}),
      })
    }
  }
}

async function print({ exitCode, output }: { exitCode: number; output: string }): Promise<number> {
  const stream = exitCode === 0 ? process.stdout : process.stderr
  await new Promise<void>((resolve) => stream.write(`${output}\n`, () => resolve()))
  return exitCode
}
