// Every command and option that no workflow brings: help, did-you-mean and completions are made of it.

export interface CommandRow {
  /** Empty for a run, which has no word of its own. */
  name: string
  argument?: string
  about: string
  /** What it takes of `optionTable`. */
  options: readonly OptionName[]
  /** It takes the flags of workflows as well. */
  isRun?: boolean
}

export const commandTable: readonly CommandRow[] = [
  {
    name: '',
    argument: '[spec]',
    about: 'run a spec, or choose from sessions and specs',
    options: ['agent', 'plain'],
    isRun: true,
  },
  {
    name: 'demo',
    argument: '[folder]',
    about: 'the sample project with a scripted agent, no account needed',
    options: ['plain', 'workflow'],
    isRun: true,
  },
  { name: 'sessions', about: 'sessions of this project', options: ['json'] },
  { name: 'status', about: 'where every session stands', options: ['json'] },
  {
    name: 'inspect',
    argument: '<file>',
    about: 'how a spec, plan, state, handoff or roadmap is read',
    options: ['json', 'as'],
  },
  { name: 'doctor', about: 'what is here, what is missing, and how to get it', options: ['agent', 'json'] },
  {
    name: 'completions',
    argument: '<shell>',
    about: 'completion script for bash, zsh or fish',
    options: [],
  },
]

export interface OptionRow {
  name: string
  type: 'boolean' | 'string'
  /** What stands behind it. */
  value?: string
  /** What that may be, where it is one of few; a workflow is one of the registry. */
  values?: readonly string[]
  about: string
}

export const optionTable = [
  {
    name: 'agent',
    type: 'string',
    value: '<backend>',
    values: ['claude', 'codex', 'gemini', 'opencode', 'embedded'],
    about:
      'who does the work: claude, codex, gemini, opencode, acp:<program and arguments>, embedded, command:<program and arguments>; default: the first that is found',
  },
  { name: 'plain', type: 'boolean', about: 'lines and numbered questions instead of the full screen' },
  { name: 'json', type: 'boolean', about: 'machine-readable output of status, sessions, inspect and doctor' },
  {
    name: 'as',
    type: 'string',
    value: '<kind>',
    values: ['spec', 'plan', 'state', 'handoff', 'roadmap'],
    about: 'read the file of inspect as this kind: spec, plan, state, handoff, roadmap',
  },
  { name: 'workflow', type: 'string', value: '<name>', about: 'the workflow that the demo shows' },
] as const satisfies readonly OptionRow[]

export type OptionName = (typeof optionTable)[number]['name']

export const shells = ['bash', 'zsh', 'fish'] as const
