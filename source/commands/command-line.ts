import meow from 'meow'
import { version } from '../version.js'
import { type FlagTable, type GivenFlags, typedFlag } from '../workflows/flags.js'
import type { Registry } from '../workflows/workflow.js'
import { noAgentNamed, tooManyArguments, unknownOption } from './usage-problems.js'

/** A command line as it was read: words, the options of every command, and the flags of workflows. */
export interface CommandLine {
  input: readonly string[]
  agent: string | undefined
  json: boolean
  /** Of `inspect`. */
  as: string | undefined
  /** Of `demo`. */
  workflow: string | undefined
  /** Only those that were given. */
  flags: GivenFlags
}

const sharedOptions = {
  agent: { type: 'string' },
  json: { type: 'boolean' },
  as: { type: 'string' },
  workflow: { type: 'string' },
} as const

/** How many words commands take, their own name included; what follows the input of a run is for its workflow. */
const argumentsOf: Readonly<Record<string, number>> = {
  inspect: 2,
  demo: 2,
  status: 1,
  sessions: 1,
  doctor: 1,
}

/** Reads the command line; prints help and ends the program there. Throws a Problem ('usage'). */
export function readCommandLine(registry: Registry, argv: readonly string[]): CommandLine {
  const ofWorkflows: FlagTable = Object.assign({}, ...registry.map((entry) => entry.flags))
  const cli = meow(helpText(registry), {
    importMeta: { url: new URL('../dist/cli.js', import.meta.url).href } as ImportMeta,
    argv,
    version,
    description: 'Drives coding agents through an approved spec and stops only where a human must decide.',
    pkg: { name: 'autopilot', version },
    // Told in our own words, with what there is.
    allowUnknownFlags: true,
    flags: {
      ...Object.fromEntries(Object.entries(ofWorkflows).map(([name, { type }]) => [name, { type }])),
      ...sharedOptions,
    },
  })
  const given = cli.flags as Record<string, unknown>
  const known = [...Object.keys(ofWorkflows), ...Object.keys(sharedOptions), 'help', 'version']
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) throw unknownOption(typedAs(argv, unknown), known.map(typedFlag))
  const { agent, json, as, workflow } = given as {
    agent?: string
    json?: boolean
    as?: string
    workflow?: string
  }
  if (agent !== undefined && agent.trim() === '') throw noAgentNamed()
  const [command = ''] = cli.input
  const most = argumentsOf[command]
  if (most !== undefined && cli.input.length > most) throw tooManyArguments(cli.input)
  return { input: cli.input, agent, json: json === true, as, workflow, flags: givenOf(ofWorkflows, given) }
}

/** A flag as it stands on the command line. */
function typedAs(argv: readonly string[], name: string): string {
  const typed = argv.map((word) => word.replace(/=.*$/s, ''))
  return typed.find((word) => camelCase(word) === name) ?? (name.length === 1 ? `-${name}` : typedFlag(name))
}

function camelCase(word: string): string | undefined {
  if (!word.startsWith('-')) return undefined
  return word
    .replace(/^-+(?:no-)?/, '')
    .replace(/-([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** Flags of workflows that were given; `--no-fast` counts as not given. */
function givenOf(table: FlagTable, values: Readonly<Record<string, unknown>>): GivenFlags {
  const given: Record<string, boolean | string> = {}
  for (const name of Object.keys(table)) {
    const value = values[name]
    if (value === true || typeof value === 'string') given[name] = value
  }
  return given
}

function helpText(registry: Registry): string {
  const rows = registry.flatMap(({ flags }) =>
    Object.entries(flags).map(([name, { about }]) => `    ${typedFlag(name).padEnd(18)}  ${about}`),
  )
  return `
  Usage
    $ autopilot [spec]              run a spec, or choose from sessions and specs
    $ autopilot .planning [phases]  run phases of a roadmap: 3, 2.1, 3-7, 3,5,8, all, next, resume, status
    $ autopilot demo [folder]       the sample project with a scripted agent, no account needed
    $ autopilot sessions            sessions of this project
    $ autopilot status              where every session stands
    $ autopilot inspect <file>      how a spec, plan, state, handoff or roadmap is read
    $ autopilot doctor              what is here and what is missing

  Options
    --agent <backend>   who does the work: claude, codex, gemini, opencode, acp:<program and arguments>,
                        embedded, command:<program and arguments>; default: the first that is found
${rows.join('\n')}
    --json              machine-readable output of status and inspect
    --as <kind>         read the file of inspect as this kind: spec, plan, state, handoff, roadmap
    --workflow <name>   the workflow that the demo shows
    --help, --version

  Exit codes
    0 finished or closed, 1 failed, 2 wrong usage, 3 stopped and resumable
`
}
