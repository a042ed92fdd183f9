import { stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { closest } from '../closest.js'
import { Problem } from '../problem.js'
import { hiddenByName } from '../processes/confine/policy.js'
import { splitArgv } from '../processes/split-argv.js'
import { userConfigDir } from './paths.js'
import { readPlain } from './snapshot/plain-read.js'

// Settings of the user and of the project. What a project may never set: docs/durability.md, "Trust".

/** Name of the project's file, in its root. */
export const projectConfigName = '.autopilot.json'

const rigor = z.enum(['fast', 'standard', 'thorough'])
const text = z.string().trim().min(1)
const command = z.union([text, z.array(z.string()).min(1)])

const limits = z.strictObject({
  /** Longest time of one dispatch, whatever it does. */
  wallMinutes: z.number().positive().optional(),
  /** Longest silence of an agent. */
  idleMinutes: z.number().positive().optional(),
  /** Turns of one dispatch. */
  turns: z.int().positive().optional(),
  /** US dollars of one dispatch, one phase, one run. */
  usd: z.number().positive().optional(),
  phaseUsd: z.number().positive().optional(),
  runUsd: z.number().positive().optional(),
  /** Tokens, in and out, of one dispatch, one phase, one run. */
  tokens: z.int().positive().optional(),
  phaseTokens: z.int().positive().optional(),
  runTokens: z.int().positive().optional(),
  /** Longest wait for a usage limit to reset before somebody is asked. */
  maxWaitHours: z.number().nonnegative().optional(),
  /** Longest run of the tests of the project. */
  testMinutes: z.number().positive().optional(),
})

/** What an agent does without asking (docs/agents.md, "Permissions"; see PermissionPolicy). */
const permissions = z.enum(['ask', 'edits', 'all'])

const persona = z.strictObject({
  agent: text.optional(),
  model: text.optional(),
  permissions: permissions.optional(),
})

const userFile = z.strictObject({
  $schema: z.string().optional(),
  agent: text.optional(),
  /** Backend that can be switched to when a usage limit is met. */
  fallbackAgent: text.optional(),
  permissions: permissions.optional(),
  personas: z.record(text, persona).optional(),
  validate: command.optional(),
  /** The command that runs the tests; null for a project that has none. */
  test: z.union([command, z.null()]).optional(),
  rigor: rigor.optional(),
  limits: limits.optional(),
  /** Whether the system keeps agents to what they may do: `auto` where it can. */
  confine: z.enum(['auto', 'off']).optional(),
  /** Program and arguments that are started when the run needs its person, with the event as JSON on stdin. */
  notify: z.array(text).min(1).optional(),
  /** Keys of the run screen that are to be others, by what they do: docs/terminal.md "Keys". */
  keys: z.record(text, z.union([text, z.array(text).min(1)])).optional(),
  /** What confined agents get all the same: names such as `ssh`, and paths (absolute or `~/`) that they may write. */
  confineAllow: z.array(text).optional(),
  /** Names of variables that agents get beside the allow-list. Their values are never stored. */
  environment: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'not a name of a variable')).optional(),
})

const projectFile = z.strictObject({
  $schema: z.string().optional(),
  validate: command.optional(),
  /** The command that runs the tests; null for a project that has none. */
  test: z.union([command, z.null()]).optional(),
  rigor: rigor.optional(),
})

export type PersonaConfig = z.infer<typeof persona>
export type LimitConfig = z.infer<typeof limits>

/** The settings in force, those of the project before those of the user where a project may set them. */
export interface Config {
  /** Backend of every persona that names none: `claude`, `command:<argv>`, ... */
  agent?: string | undefined
  fallbackAgent?: string | undefined
  /** Policy of every persona that names none. */
  permissions?: 'ask' | 'edits' | 'all' | undefined
  personas: Record<string, PersonaConfig>
  /** Arguments of the command that checks the project. Runs only in a trusted project. */
  validate?: string[] | undefined
  /** Arguments of the command that runs the tests; null: none is run. Absent: found in the manifest. */
  test?: string[] | null | undefined
  rigor?: 'fast' | 'standard' | 'thorough' | undefined
  limits: LimitConfig
  environment: string[]
  confine: 'auto' | 'off'
  confineAllow: string[]
  /** Of the user's settings only, since it runs in every project. */
  notify?: readonly string[] | undefined
  /** Keys by what they do, of the user's settings only. */
  keys?: Readonly<Record<string, string | readonly string[]>> | undefined
  /** Absolute paths of the files of the project that were read; they belong to what is trusted. */
  projectFiles: string[]
}

/** Reads both files; a missing one is empty. Throws a Problem that names file and key. Executes nothing. */
export async function loadConfig(root: string): Promise<Config> {
  const userPath = join(userConfigDir(), 'config.json')
  const projectPath = join(root, projectConfigName)
  await refuseOpenToOthers(userPath)
  const user = parseWith(userFile, await readSettings(userPath), userPath) ?? {}
  const projectSettings = await readSettings(projectPath)
  refuseForeignKeys(projectSettings, projectPath)
  const project = parseWith(projectFile, projectSettings, projectPath)
  return {
    agent: user.agent,
    fallbackAgent: user.fallbackAgent,
    permissions: user.permissions,
    personas: user.personas ?? {},
    validate: argvOf(project?.validate, projectPath) ?? argvOf(user.validate, userPath),
    ...testOf(project?.test, projectPath, testOf(user.test, userPath)),
    rigor: project?.rigor ?? user.rigor,
    limits: user.limits ?? {},
    environment: user.environment ?? [],
    confine: user.confine ?? 'auto',
    confineAllow: user.confineAllow ?? [],
    notify: user.notify,
    keys: user.keys,
    projectFiles: project ? [projectPath] : [],
  }
}

/** Settings that widen rights: what others can write would be their will and not that of the user. */
async function refuseOpenToOthers(path: string): Promise<void> {
  const facts = await stat(path).catch(() => undefined)
  if (!facts || process.platform === 'win32') return
  const { uid } = userInfo()
  const isOthers = facts.uid !== uid && facts.uid !== 0
  if (!isOthers && (facts.mode & 0o022) === 0) return
  throw new Problem({
    code: 'trust',
    what: `${path} ${isOthers ? 'belongs to another user' : 'can be written by other users'}.`,
    why: 'It chooses the programs that run in your name and what agents may do.',
    todo: 'Look at it, then correct it (chmod 600, your own user).',
  })
}

async function readSettings(path: string): Promise<unknown> {
  const code = await stat(path).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  )
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
  const content = (await readPlain(path))?.toString('utf8')
  if (content === undefined) throw unreadable(path, 'it is no file that can be read')
  try {
    const value: unknown = JSON.parse(content.replace(/^\uFEFF/, ''))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch (error) {
    throw unreadable(path, `it is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  throw unreadable(path, 'it is not a JSON object')
}

function parseWith<Shape>(schema: z.ZodType<Shape>, value: unknown, path: string): Shape | undefined {
  if (value === undefined) return undefined
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  // All at once: nobody wants to start as often as there are mistakes.
  throw unreadable(path, parsed.error.issues.flatMap((issue) => faultsOf(schema, issue)).join('; '))
}

type Issue = z.core.$ZodIssue

/** What is wrong at a place, in words. */
function faultsOf(schema: unknown, issue: Issue): string[] {
  const place = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(schema, place, key))
  const wanted = [...new Set(wantedIn(issue))]
  const why = wanted.length > 0 ? `${wanted.join(' or ')} is expected` : issue.message
  return [`the key ${place.join('.')} does not fit: ${why}`]
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

/** What would have fitted. */
function wantedIn(issue: Issue): string[] {
  switch (issue.code) {
    case 'invalid_type':
      return [kinds[issue.expected] ?? issue.expected]
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value))
    case 'invalid_union':
      return issue.errors.flatMap((errors) => errors.flatMap(wantedIn))
    default:
      return []
  }
}

/** The keys of a schema with their places: `limits`, `limits.runUsd`, `personas.*.model`. */
function placesOf(schema: unknown, place: readonly string[] = []): string[][] {
  if (schema instanceof z.ZodOptional) return placesOf(schema.unwrap(), place)
  if (schema instanceof z.ZodRecord) return placesOf(schema.valueType, [...place, '*'])
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).flatMap(([key, inner]) => {
    const here = [...place, key]
    return [here, ...placesOf(inner, here)]
  })
}

/** A key that is none, with the one that was most likely meant: of the same place first, else of another one. */
function unknownKey(schema: unknown, place: readonly string[], key: string): string {
  const isHere = (known: readonly string[]) =>
    known.length === place.length + 1 && place.every((part, at) => known[at] === part || known[at] === '*')
  const known = placesOf(schema)
  const here = known.filter(isHere).flatMap((one) => one.slice(-1))
  const near = closest(key, here)
  const elsewhere = known.filter((one) => !one.includes('*'))
  const other = closest(
    key,
    elsewhere.map((one) => one.at(-1) ?? ''),
  )
  const meant = near === undefined ? elsewhere.find((one) => one.at(-1) === other) : [...place, near]
  const told = `the key ${[...place, key].join('.')} is not known`
  return meant === undefined
    ? `${told}; ${place.length === 0 ? 'there are' : `${place.join('.')} has`} ${here.join(', ')}`
    : `${told} (did you mean ${meant.join('.')}?)`
}

const ownedByUser = new Set([
  ...Object.keys(userFile.shape),
  'env',
  'baseUrl',
  'shell',
  'trust',
  'autoApprove',
])

function refuseForeignKeys(settings: unknown, path: string): void {
  if (typeof settings !== 'object' || settings === null) return
  const key = Object.keys(settings).find((each) => ownedByUser.has(each) && !(each in projectFile.shape))
  if (key === undefined) return
  throw new Problem({
    code: 'trust',
    what: `${path} sets ${key}, which a project may not set.`,
    why: 'Whoever can change the project could choose the programs that run in your name.',
    todo: `Remove ${key} there, or set it in ${join(userConfigDir(), 'config.json')}.`,
  })
}

function testOf(
  value: string | string[] | null | undefined,
  path: string,
  otherwise: Pick<Config, 'test'> = {},
): Pick<Config, 'test'> {
  if (value === undefined) return otherwise
  return { test: value === null ? null : argvOf(value, path, 'test') }
}

function argvOf(value: string | string[] | undefined, path: string, key = 'validate'): string[] | undefined {
  if (value === undefined) return undefined
  const argv = typeof value === 'string' ? splitArgv(value) : value
  if (argv.length > 0 && argv[0] !== '') return argv
  throw unreadable(path, `the key ${key} names no program`)
}

function unreadable(path: string, reason: string): Problem {
  return new Problem({
    code: 'unreadable',
    what: `The settings in ${path} cannot be used: ${reason}.`,
    why: 'Going on without them would run something else than you set.',
    todo: 'Correct the file, or move it away to go on with the defaults.',
  })
}

/** Settings of the user that widen what agents may do, each with its value: part of what is trusted. */
export function wideningSettings(config: Config): { label: string; detail: string }[] {
  const { permissions, personas, environment, limits, confine, confineAllow } = config
  const found: { label: string; detail: string }[] = []
  const add = (label: string, detail: string) => found.push({ label, detail })
  if (permissions !== undefined && permissions !== 'ask') add('permissions', permissions)
  for (const [name, own] of Object.entries(personas))
    if (own.permissions !== undefined) add(`permissions of ${name}`, own.permissions)
  if (environment.length > 0) add('environment', environment.join(', '))
  for (const [name, limit] of Object.entries(limits)) add(`limits.${name}`, String(limit))
  if (confine === 'off') add('confine', 'off: agents have all your rights')
  if (confineAllow.length > 0) add('confineAllow', confineAllow.map(told).join(', '))
  return found
}

function told(name: string): string {
  const warning = hiddenByName.find((each) => each.name === name)?.warning
  return warning === undefined ? name : `${name} (${warning})`
}
