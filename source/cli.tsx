import meow from 'meow'
import { exitCodeOf } from './commands/exit-code.js'
import type { CommandOutput } from './commands/inspect.js'
import { noAgentNamed, tooManyArguments } from './commands/usage-problems.js'
import { problemLines } from './problem.js'
import { version } from './version.js'

// argv to one command, and its exit code: 0 finished or closed, 1 failed, 2 wrong usage, 3 stopped and resumable.
// Commands are imported when they are chosen, so that those without a screen start without Ink.

const help = `
  Usage
    $ autopilot [spec]              run a spec, or choose from sessions and specs
    $ autopilot demo [folder]       the sample project with a scripted agent, no account needed
    $ autopilot sessions            sessions of this project
    $ autopilot status              where every session stands
    $ autopilot inspect <file>      how a spec, plan, state, handoff or roadmap is read
    $ autopilot doctor              what is here and what is missing

  Options
    --agent <backend>   who does the work: claude, codex, gemini, opencode, acp:<program and arguments>,
                        embedded, command:<program and arguments>; default: the first that is found
    --fast              less rigor: plans are approved by themselves, validate command only
    --thorough          more rigor: outlines and plans are always approved by you
    --review-plans      every plan is approved by you
    --json              machine-readable output of status and inspect
    --help, --version

  Exit codes
    0 finished or closed, 1 failed, 2 wrong usage, 3 stopped and resumable
`

const cli = meow(help, {
  importMeta: { url: new URL('../dist/cli.js', import.meta.url).href } as ImportMeta,
  version,
  description: 'Drives coding agents through an approved spec and stops only where a human must decide.',
  pkg: { name: 'autopilot', version },
  allowUnknownFlags: false,
  flags: {
    agent: { type: 'string' },
    fast: { type: 'boolean', default: false },
    thorough: { type: 'boolean', default: false },
    reviewPlans: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

async function main(): Promise<number> {
  const [command, argument] = cli.input
  const { agent, fast, thorough, reviewPlans, json } = cli.flags
  const cwd = process.cwd()
  const flags = { fast, thorough, reviewPlans }
  if (agent !== undefined && agent.trim() === '') throw noAgentNamed()
  const most = command === 'inspect' || command === 'demo' ? 2 : 1
  if (cli.input.length > most) throw tooManyArguments(cli.input)
  switch (command) {
    case 'inspect':
      return print((await import('./commands/inspect.js')).inspect(argument, { json }))
    case 'status':
      return print((await import('./commands/status.js')).status(cwd, { json }))
    case 'sessions':
      return print((await import('./commands/status.js')).sessions(cwd))
    case 'doctor':
      return print((await import('./commands/doctor.js')).doctor(cwd, agent))
    case 'demo':
      return (await import('./commands/demo.js')).demo({ cwd, flags, ...(argument ? { dir: argument } : {}) })
    default: {
      const { run } = await import('./commands/run.js')
      return run({ cwd, flags, ...(command ? { spec: command } : {}), ...(agent ? { agent } : {}) })
    }
  }
}

async function print(command: Promise<CommandOutput>): Promise<number> {
  const { exitCode, output } = await command
  const stream = exitCode === 0 ? process.stdout : process.stderr
  await new Promise<void>((resolve) => stream.write(`${output}\n`, () => resolve()))
  return exitCode
}

main()
  .catch((error: unknown) => {
    process.stderr.write(`${problemLines(error).join('\n')}\n`)
    return exitCodeOf(error)
  })
  .then((exitCode) => {
    process.exitCode = exitCode
  })
