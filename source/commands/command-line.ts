import meow from 'meow'
import { hangingRows } from '../terminal/width.js'
import { version } from '../version.js'
import { type FlagTable, type GivenFlags, typedFlag } from '../workflows/flags.js'
import type { Registry } from '../workflows/workflow.js'
import { type CommandRow, commandTable, type OptionRow, optionTable } from './command-table.js'
import { foreignOption, noAgentNamed, noValue, tooManyArguments, unknownOption } from './usage-problems.js'

/** A command line as it was read: words, the options of every command, and the flags of workflows. */
export interface CommandLine {
  input: readonly string[]
  agent: string | undefined
  json: boolean
  /** Lines instead of the full screen. */
  plain: boolean
  /** Of `inspect`. */
  as: string | undefined
  /** Of `demo`. */
  workflow: string | undefined
  /** Only those that were given. */
  flags: GivenFlags
}

const sharedOptions = Object.fromEntries(optionTable.map(({ name, type }) => [name, { type }]))

/** How many words commands take, their own name included; what follows the input of a run is for its workflow. */
const argumentsOf: Readonly<Record<string, number>> = {
  inspect: 2,
  demo: 2,
  status: 1,
  sessions: 1,
  doctor: 1,
  completions: 2,
}

/** Reads the command line. Throws a Problem ('usage'). */
export function readCommandLine(registry: Registry, argv: readonly string[]): CommandLine {
  const ofWorkflows: FlagTable = Object.assign({}, ...registry.map((entry) => entry.flags))
  const cli = meow({
    importMeta: { url: new URL('../dist/cli.js', import.meta.url).href } as ImportMeta,
    argv,
    // Both are printed as any other answer is (command.ts), so that one which cannot be written is told.
    autoHelp: false,
    autoVersion: false,
    description: false,
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
  const { agent, json, plain, as, workflow } = given as {
    agent?: string
    json?: boolean
    plain?: boolean
    as?: string
    workflow?: string
  }
  if (agent !== undefined && agent.trim() === '') throw noAgentNamed()
  const empty = [...Object.entries(ofWorkflows), ...Object.entries(sharedOptions)].find(
    ([name, { type }]) => type === 'string' && given[name] !== undefined && String(given[name]).trim() === '',
  )
  if (empty) throw noValue(typedFlag(empty[0]))
  const [command = ''] = cli.input
  const row = rowOf(command)
  const taken = [...row.options, ...(row.isRun ? Object.keys(ofWorkflows) : [])]
  const foreign = Object.keys(given).find((name) => isGiven(given[name]) && !taken.includes(name))
  if (foreign !== undefined) throw foreignOption({ row, word: command }, foreign, taken)
  const most = argumentsOf[command]
  if (most !== undefined && cli.input.length > most) throw tooManyArguments(cli.input, most - 1)
  return {
    input: cli.input,
    agent,
    json: json === true,
    plain: plain === true,
    as,
    workflow,
    flags: givenOf(ofWorkflows, given),
  }
}

/** What is not the name of a command is what a run works on. */
function rowOf(command: string): CommandRow {
  const isNamed = ({ name }: CommandRow) => name !== '' && name === command
  const [run, ...others]: readonly CommandRow[] = commandTable
  return others.find(isNamed) ?? (run as CommandRow)
}

/** `--no-fast` counts as not given. */
function isGiven(value: unknown): value is true | string {
  return value === true || typeof value === 'string'
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

/** Flags of workflows that were given. */
function givenOf(table: FlagTable, values: Readonly<Record<string, unknown>>): GivenFlags {
  const given: Record<string, boolean | string> = {}
  for (const name of Object.keys(table)) {
    const value = values[name]
    if (isGiven(value)) given[name] = value
  }
  return given
}

const widestHelp = 100

const about = 'Drives coding agents through an approved spec and stops only where a human must decide.'

interface HelpRow {
  left: string
  about: string
}

const columnOf = (rows: readonly HelpRow[]) => Math.max(...rows.map(({ left }) => left.length)) + 2

function helpRows(rows: readonly HelpRow[], width: number, column: number): string[] {
  return rows.flatMap(({ left, about }) => hangingRows(`    ${left.padEnd(column)}`, about, width))
}

/** The help, for a terminal of that many columns; as wide as it is where there is none. */
export function helpText(registry: Registry, columns = widestHelp): string {
  const width = Math.min(columns, widestHelp) - 1
  const usages = registry.flatMap(({ usage }) => (usage ? [{ name: '', ...usage }] : []))
  const [run, ...others]: readonly CommandRow[] = commandTable
  const commands = [...(run ? [run] : []), ...usages, ...others].map(({ name, argument = '', about }) => ({
    left: `$ ${['autopilot', name, argument].filter((word) => word !== '').join(' ')}`,
    about,
  }))
  const shared: readonly OptionRow[] = optionTable
  const options = [
    ...shared.map(({ name, value = '', about }) => ({
      left: `${typedFlag(name)} ${value}`.trimEnd(),
      about,
    })),
    { left: '--help, --version', about: '' },
  ]
  const ofWorkflows = registry.map(({ name: workflow, flags }) => ({
    workflow,
    rows: Object.entries(flags).map(([name, { value = '', about }]) => ({
      left: `${typedFlag(name)} ${value}`.trimEnd(),
      about,
    })),
  }))
  const column = columnOf([...options, ...ofWorkflows.flatMap(({ rows }) => rows)])
  const codes = '0 finished or closed, 1 failed, 2 wrong usage, 3 stopped and resumable'
  return [
    '',
    ...hangingRows('  ', about, width),
    '',
    '  Usage',
    ...helpRows(commands, width, columnOf(commands)),
    '',
    '  Options',
    ...helpRows(options, width, column),
    ...ofWorkflows.flatMap(({ workflow, rows }) => [
      '',
      `  Options of the workflow ${workflow}`,
      ...helpRows(rows, width, column),
    ]),
    '',
    '  Exit codes',
    ...hangingRows('    ', codes, width),
    '',
  ].join('\n')
}
