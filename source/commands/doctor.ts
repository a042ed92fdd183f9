import { access, constants } from 'node:fs/promises'
import {
  type AgentOptions,
  type AgentPool,
  type DetectedAgent,
  detectAll,
  lookAll,
  openAgents,
} from '../agents/pool.js'
import { makeDirectory } from '../make-directory.js'
import { Problem, problemLines } from '../problem.js'
import { runCommand } from '../processes/commands.js'
import { findOnPath } from '../processes/find-program.js'
import type { Config } from '../project/config.js'
import { findProjectRoot, userConfigDir } from '../project/paths.js'
import { sessionConfinement } from '../sessions/confinement.js'
import { loadProjectConfig } from '../sessions/project-config.js'
import { projectTrust } from '../sessions/project-trust.js'
import { ownPathsOf, programsOf } from '../sessions/session.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import { hangingRows } from '../terminal/width.js'
import { terminalMode } from '../ui/terminal-mode.js'
import type { Check, Registry } from '../workflows/workflow.js'
import { type CommandOutput, printableJson } from './command-output.js'

/**
 * `autopilot doctor [--json]`: what is here, what is missing, and how to get it. Exit code 0 when a run could start
 * here, 1 when something is missing that every run needs.
 */
export async function doctor(
  registry: Registry,
  cwd: string,
  { agent, json }: { agent: string | undefined; json: boolean },
): Promise<CommandOutput> {
  const checks = await allChecks(registry, cwd, agent)
  const ready = checks.every((check) => check.ok || !check.needed)
  const exitCode = ready ? 0 : 1
  if (json) return { exitCode, output: printableJson({ ready, checks: checks.map(jsonOf) }), isAnswer: true }
  const { isTTY, columns = 80 } = process.stdout
  const width = isTTY ? columns - 1 : Number.POSITIVE_INFINITY
  const rows = checks.flatMap(({ name, ok, text, todo, needed }) => [
    ...hangingRows(
      `${ok ? 'ok  ' : needed ? 'MISS' : 'note'}  ${name.padEnd(10)}  `,
      sanitizeLine(text),
      width,
    ),
    ...(ok || todo === undefined ? [] : hangingRows(' '.repeat(18), sanitizeLine(todo), width)),
  ])
  const last = ready ? 'A run could start here.' : 'A run could not start here: see what is missing above.'
  return { exitCode, output: [...rows, last].join('\n'), isAnswer: true }
}

function jsonOf({ name, ok, text, needed = false, todo }: Check) {
  return { name, ok, needed, text, ...(ok || todo === undefined ? {} : { todo }) }
}

async function allChecks(registry: Registry, cwd: string, agentOption: string | undefined): Promise<Check[]> {
  const workflows = await Promise.all(registry.map((entry) => entry.load()))
  const personas = workflows.flatMap((workflow) => Object.keys(workflow.personas))
  const root = await findProjectRoot(cwd)
  const config =
    root === undefined
      ? undefined
      : await loadProjectConfig(root, registry).catch((error: unknown) => error as Error)
  const usable = config instanceof Error ? undefined : config
  const options = { ...agentNamed(agentOption), personas }
  const trust =
    root !== undefined && usable
      ? await trustCheck(root, { ...options, config: usable }, programsOf(registry))
      : undefined
  // In a project that is not trusted nothing is started: what is there is found by looking.
  const mayStart = root === undefined || trust?.ok === true
  const agents = mayStart
    ? await agentChecks({ ...options, config: usable ?? {} })
    : looks({ ...options, config: usable ?? {} })
  return [
    nodeCheck(),
    await gitCheck(mayStart),
    terminalCheck(),
    projectCheck(root),
    await configDirCheck(),
    ...configChecks(config),
    ...(trust ? [trust] : []),
    await confinementCheck(root, usable, registry),
    ...agents,
    ...(await Promise.all(workflows.map((workflow) => workflow.checks(usable)))).flat(),
  ]
}

function projectCheck(root: string | undefined): Check {
  return {
    name: 'project',
    needed: true,
    ok: root !== undefined,
    text: root ?? 'not inside a git repository',
    todo: 'Change into the project, or run `git init` and make a first commit.',
  }
}

function nodeCheck(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const ok = major > 20 || (major === 20 && minor >= 19)
  return {
    name: 'node',
    needed: true,
    ok,
    text: `${process.versions.node} (20.19 or newer is needed)`,
    todo: 'Install a current Node: nodejs.org, or your version manager.',
  }
}

async function gitCheck(mayStart: boolean): Promise<Check> {
  const path = await findOnPath('git')
  const base = {
    name: 'git',
    needed: true,
    todo: 'Install git 2.36 or newer: git-scm.com, or your package manager.',
  }
  if (!path) return { ...base, ok: false, text: 'not found on PATH (2.36 or newer is needed)' }
  if (!mayStart) return { ...base, ok: true, text: `${path} (2.36 or newer is needed; ${notStarted})` }
  const result = await runCommand(['git', '--version'], { cwd: '/', timeoutMs: 10_000, outputCap: 1000 })
  const found = /(\d{1,9})\.(\d{1,9})/.exec(result.stdout)
  const [major, minor] = [Number(found?.[1] ?? 0), Number(found?.[2] ?? 0)]
  return {
    ...base,
    ok: major > 2 || (major === 2 && minor >= 36),
    text: `${result.stdout.trim()} (2.36 or newer is needed)`,
  }
}

function terminalCheck(): Check {
  const mode = terminalMode()
  if (mode.kind === 'plain')
    return mode.input === 'none'
      ? { name: 'terminal', ok: false, text: `none here, so no question could be answered: ${mode.reason}` }
      : { name: 'terminal', ok: true, text: `lines instead of the full screen: ${mode.reason}` }
  const { columns = 80, rows = 24 } = process.stdout
  return {
    name: 'terminal',
    ok: columns >= 60 && rows >= 15,
    text: `${columns}x${rows}, ${mode.unicode ? 'unicode' : 'ascii'}, ${mode.color ? 'colour' : 'no colour'} (60x15 or more is needed)`,
  }
}

async function configDirCheck(): Promise<Check> {
  const dir = userConfigDir()
  const writable = await makeDirectory(dir)
    .then(() => access(dir, constants.W_OK))
    .then(
      () => true,
      () => false,
    )
  return {
    name: 'settings',
    needed: true,
    ok: writable,
    text: writable ? dir : `${dir} cannot be written`,
    todo: `Make it yours: chown and chmod u+rwx ${dir}`,
  }
}

function configChecks(config: Config | Error | undefined): Check[] {
  if (!(config instanceof Error)) return []
  return [{ name: 'config', needed: true, ok: false, text: problemLines(config).join(' ') }]
}

function agentNamed(agentOption: string | undefined): { agentOption?: string } {
  return agentOption ? { agentOption } : {}
}

async function trustCheck(
  root: string,
  options: AgentOptions & { config: Config },
  programs: readonly string[],
): Promise<Check> {
  try {
    const { trusted } = await projectTrust(root, options.config, openAgents(options), programs)
    return {
      name: 'trust',
      ok: trusted,
      text: trusted ? 'this project is trusted' : 'asked at the first run',
    }
  } catch {
    return { name: 'trust', ok: false, text: 'not known before an agent is named' }
  }
}

const getAgent =
  'Install one of the backends above, or name another with --agent. `autopilot demo` needs none.'

const notStarted = 'nothing is started before this project is trusted'

async function confinementCheck(
  root: string | undefined,
  config: Config | undefined,
  registry: Registry,
): Promise<Check> {
  const { confine = 'auto', confineAllow = [] } = config ?? {}
  const found = await sessionConfinement(root, { confine, confineAllow }, ownPathsOf(registry))
  return found.kind === 'confined'
    ? { name: 'confine', ok: true, text: `agents run in ${found.confinement.tool.program}` }
    : { name: 'confine', ok: false, text: found.lines.join(' ') }
}

function looks(options: AgentOptions): Check[] {
  const rows = lookAll().map(backendCheck)
  try {
    const agents = openAgents(options)
    const personas = options.personas.map((persona) => ({
      name: 'persona',
      ok: true,
      text: `${persona}: ${agents.forPersona(persona).label} (${notStarted})`,
    }))
    return [...rows, ...personas]
  } catch (error) {
    return [...rows, noAgent(error)]
  }
}

function backendCheck({ usage, about, found, detection, missing }: DetectedAgent): Check {
  const version = detection ? ` (${detection.version})` : ''
  return {
    name: 'backend',
    ok: found !== false,
    text: `${usage}: ${about}${version}${missing ? ` - ${missing.what}` : ''}`,
    ...(missing ? { todo: missing.todo } : {}),
  }
}

function noAgent(error: unknown): Check {
  // What is to be done is told for this place, where a person reads what was looked for already.
  const text = error instanceof Problem ? `${error.what} ${error.why}` : problemLines(error).join(' ')
  return { name: 'persona', needed: true, ok: false, text, todo: getAgent }
}

async function agentChecks(options: AgentOptions): Promise<Check[]> {
  const backends = await detectAll({ config: options.config })
  const rows = backends.map(backendCheck)
  try {
    const agents = openAgents(options)
    return [...rows, ...(await Promise.all(options.personas.map((persona) => personaCheck(persona, agents))))]
  } catch (error) {
    return [...rows, noAgent(error)]
  }
}

/** Which backend a persona would get, and whether its program is really there. */
async function personaCheck(persona: string, agents: AgentPool): Promise<Check> {
  const backend = agents.forPersona(persona)
  const found = await backend.detect().catch(() => undefined)
  const missing = found === undefined ? ' - its program was not found' : ''
  const login = found?.auth === 'missing' ? ' - not signed in' : ''
  const version = found?.version ? ` (${found.version})` : ''
  return {
    name: 'persona',
    needed: true,
    todo: login === '' ? getAgent : 'Start that program by itself once and sign in.',
    ok: found !== undefined && found.auth !== 'missing',
    text: `${persona}: ${backend.label}${version}${missing}${login}`,
  }
}
