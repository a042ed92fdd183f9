import { access, constants } from 'node:fs/promises'
import { type AgentOptions, type AgentPool, detectAll, lookAll, openAgents } from '../agents/pool.js'
import { problemLines } from '../problem.js'
import { runCommand } from '../processes/commands.js'
import { findOnPath } from '../processes/find-program.js'
import type { Config } from '../project/config.js'
import { findProjectRoot, userConfigDir } from '../project/paths.js'
import { sessionConfinement } from '../sessions/confinement.js'
import { loadProjectConfig } from '../sessions/project-config.js'
import { projectTrust } from '../sessions/project-trust.js'
import { ownPathsOf, programsOf } from '../sessions/session.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import { terminalMode } from '../ui/terminal-mode.js'
import type { Check, Registry } from '../workflows/workflow.js'
import type { CommandOutput } from './command-output.js'

/** `autopilot doctor`: what is here and what is missing. Exit code 1 when something that is always needed is missing. */
export async function doctor(
  registry: Registry,
  cwd: string,
  agentOption: string | undefined,
): Promise<CommandOutput> {
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
  const needed = [nodeCheck(), await gitCheck(mayStart)]
  const checks: Check[] = [
    ...needed,
    terminalCheck(),
    { name: 'project', ok: root !== undefined, text: root ?? 'not inside a git repository' },
    await configDirCheck(),
    ...configChecks(config),
    ...(trust ? [trust] : []),
    await confinementCheck(root, usable, registry),
    ...(mayStart
      ? await agentChecks({ ...options, config: usable ?? {} })
      : looks({ ...options, config: usable ?? {} })),
    ...(await Promise.all(workflows.map((workflow) => workflow.checks(usable)))).flat(),
  ]
  const output = checks.map((check) =>
    sanitizeLine(`${check.ok ? 'ok  ' : 'MISS'}  ${check.name.padEnd(10)}  ${check.text}`),
  )
  return { exitCode: needed.every((check) => check.ok) ? 0 : 1, output: output.join('\n') }
}

function nodeCheck(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const ok = major > 20 || (major === 20 && minor >= 19)
  return { name: 'node', ok, text: `${process.versions.node} (20.19 or newer is needed)` }
}

async function gitCheck(mayStart: boolean): Promise<Check> {
  const path = await findOnPath('git')
  if (!path) return { name: 'git', ok: false, text: 'not found on PATH (2.36 or newer is needed)' }
  if (!mayStart) return { name: 'git', ok: true, text: `${path} (2.36 or newer is needed; ${notStarted})` }
  const result = await runCommand(['git', '--version'], { cwd: '/', timeoutMs: 10_000, outputCap: 1000 })
  const found = /(\d{1,9})\.(\d{1,9})/.exec(result.stdout)
  const [major, minor] = [Number(found?.[1] ?? 0), Number(found?.[2] ?? 0)]
  return {
    name: 'git',
    ok: major > 2 || (major === 2 && minor >= 36),
    text: `${result.stdout.trim()} (2.36 or newer is needed)`,
  }
}

function terminalCheck(): Check {
  const mode = terminalMode()
  if (mode.kind === 'plain')
    return { name: 'terminal', ok: false, text: `no full screen here: ${mode.reason}` }
  const { columns = 80, rows = 24 } = process.stdout
  return {
    name: 'terminal',
    ok: columns >= 60 && rows >= 15,
    text: `${columns}x${rows}, ${mode.unicode ? 'unicode' : 'ascii'}, ${mode.color ? 'colour' : 'no colour'} (60x15 or more is needed)`,
  }
}

async function configDirCheck(): Promise<Check> {
  const dir = userConfigDir()
  const writable = await access(dir, constants.W_OK).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  )
  return { name: 'settings', ok: writable, text: writable ? dir : `${dir} cannot be written` }
}

function configChecks(config: Config | Error | undefined): Check[] {
  if (!(config instanceof Error)) return []
  return [{ name: 'config', ok: false, text: problemLines(config).join(' ') }]
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
  const rows = lookAll().map(({ usage, about, found }) => ({
    name: 'backend',
    ok: found !== false,
    text: `${usage}: ${about}`,
  }))
  try {
    const agents = openAgents(options)
    const personas = options.personas.map((persona) => ({
      name: 'persona',
      ok: true,
      text: `${persona}: ${agents.forPersona(persona).label} (${notStarted})`,
    }))
    return [...rows, ...personas]
  } catch (error) {
    return [...rows, { name: 'persona', ok: false, text: problemLines(error).join(' ') }]
  }
}

async function agentChecks(options: AgentOptions): Promise<Check[]> {
  const backends = await detectAll({ config: options.config })
  const rows = backends.map((backend) => ({
    name: 'backend',
    ok: backend.found !== false,
    text: `${backend.usage}: ${backend.about}${backend.detection ? ` (${backend.detection.version})` : ''}`,
  }))
  try {
    const agents = openAgents(options)
    return [...rows, ...(await Promise.all(options.personas.map((persona) => personaCheck(persona, agents))))]
  } catch (error) {
    return [...rows, { name: 'persona', ok: false, text: problemLines(error).join(' ') }]
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
    ok: found !== undefined && found.auth !== 'missing',
    text: `${persona}: ${backend.label}${version}${missing}${login}`,
  }
}
