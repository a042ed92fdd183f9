import { problemLines } from '../problem.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import { version } from '../version.js'
import type { Registry } from '../workflows/workflow.js'
import { askedAbout } from './asked-about.js'
import type { CommandLine } from './command-line.js'
import type { CommandOutput } from './command-output.js'
import { exitCodeOf } from './exit-code.js'
import { forStream } from './for-stream.js'
import { inputAndSelectors } from './input-and-selectors.js'
import { workingDirectory } from './working-directory.js'
import { withoutErrors, writeOut } from './write-out.js'

// Commands are imported when they are chosen, so that those without a screen start without Ink.

/** Runs one command line; its exit code. What is thrown is told on stderr. */
export async function runCommandLine(registry: Registry, argv: readonly string[]): Promise<number> {
  withoutErrors(process.stdout)
  withoutErrors(process.stderr)
  try {
    return await runCommand(registry, argv)
  } catch (error) {
    const text = problemLines(error).map(sanitizeLine).join('\n')
    process.stderr.write(`${forStream(text, process.stderr)}\n`)
    return exitCodeOf(error)
  }
}

/** Whoever reads options is loaded only if there are any. */
async function lineOf(registry: Registry, argv: readonly string[]): Promise<CommandLine> {
  if (argv.length < 2 && argv.every((word) => !word.startsWith('-')))
    return {
      input: argv,
      agent: undefined,
      json: false,
      plain: false,
      as: undefined,
      workflow: undefined,
      flags: {},
    }
  return (await import('./command-line.js')).readCommandLine(registry, argv)
}

/** The help in the width of the terminal. */
async function help(registry: Registry): Promise<CommandOutput> {
  const { helpText } = await import('./command-line.js')
  return { exitCode: 0, output: helpText(registry, process.stdout.columns || undefined).trimEnd() }
}

async function runCommand(registry: Registry, argv: readonly string[]): Promise<number> {
  const about = askedAbout(argv)
  if (about === 'version') return print(Promise.resolve({ exitCode: 0, output: version }))
  if (about === 'help') return print(help(registry))
  const { input, agent, json, plain, as, workflow, flags } = await lineOf(registry, argv)
  const [command, argument] = input
  const cwd = workingDirectory()
  switch (command) {
    case 'inspect':
      return print((await import('./inspect.js')).inspect(registry, argument, { json, as }))
    case 'status':
      return print((await import('./status.js')).status(registry, cwd, { json }))
    case 'sessions':
      return print((await import('./status.js')).sessions(registry, cwd, { json }))
    case 'doctor':
      return print((await import('./doctor.js')).doctor(registry, cwd, { agent, json }))
    case 'completions':
      return print(import('./completions.js').then(({ completions }) => completions(registry, argument)))
    case 'demo': {
      const { demo } = await import('./demo.js')
      const named = { ...(argument ? { dir: argument } : {}), ...(workflow ? { workflow } : {}) }
      return demo({ registry, cwd, flags, plain, ...named })
    }
    default: {
      const { withEarlyScreen } = await import('./open-screen.js')
      return await withEarlyScreen({ plain, isWanted: input.length < 2 }, async (screen) => {
        const { start } = await import('./start.js')
        return start({
          registry,
          cwd,
          flags,
          plain,
          screen,
          startDemo: async () => (await import('./demo.js')).demo({ registry, cwd, flags, plain }),
          ...(await inputAndSelectors(registry, cwd, input, flags)),
          ...(agent ? { agent } : {}),
        })
      })
    }
  }
}

async function print(command: Promise<CommandOutput>): Promise<number> {
  const { exitCode, output, isAnswer } = await command
  const stream = exitCode === 0 || isAnswer ? process.stdout : process.stderr
  await writeOut(stream, `${forStream(output, stream)}\n`)
  return exitCode
}
