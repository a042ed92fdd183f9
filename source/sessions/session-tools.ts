import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type AgentConfinement, confineCommand } from '../agents/confinement.js'
import type { AgentPool } from '../agents/pool.js'
import { runCommand } from '../processes/commands.js'
import { childEnvironment } from '../processes/environment.js'
import { type Config, projectConfigName } from '../project/config.js'
import { type Git, openGit } from '../project/git.js'
import type { GitCalls } from '../project/git-calls.js'
import { userStateDir } from '../project/paths.js'
import { personalPlaces } from '../project/personal-places.js'
import { testCommand } from '../project/test-command.js'
import { agreedItems, describeSubject, type TrustSubject, trust } from '../project/trust.js'
import { TrustChanged } from '../run/trust-changed.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import type { GivenFlags } from '../workflows/flags.js'
import type { Place } from '../workflows/place.js'
import type { SessionTools } from '../workflows/tools.js'
import { hooksConfinement } from './confinement.js'
import { projectTrust } from './project-trust.js'

export interface ToolParts {
  root: string
  subject: string
  place: Place
  flags: GivenFlags
  selectors?: readonly string[]
  config: Config
  agents: AgentPool
  /** Directories of all workflows' sessions. */
  ownPaths: readonly string[]
  /** Programs that some workflow starts, as the trust question named them. */
  programs: readonly string[]
  /** Everything that runs comes with this program, so nothing is compared with what was trusted. */
  trusted: boolean
  runId: string
  /** Is told the command of the project that is under way, and that none is any more. */
  onCommand?: (text: string | undefined) => void
  /** Where calls of git are told while they are under way. */
  calls?: GitCalls
  confinement?: AgentConfinement | undefined
}

/** The tools that a session gives to its workflow, whichever it is. */
export function sessionTools(parts: ToolParts): SessionTools {
  const { root, config, agents, runId } = parts
  const watch = parts.trusted ? undefined : trustWatch(parts)
  const { confinement } = parts
  const command = commandsOf(parts, watch?.guard)
  const git: Git = openGit(root, {
    ownPaths: parts.ownPaths,
    ...(watch ? { guard: watch.guard } : {}),
    ...(parts.calls ? { calls: parts.calls } : {}),
    confineHooks: hooksConfinement(confinement),
  })
  return {
    root,
    subject: parts.subject,
    place: parts.place,
    flags: parts.flags,
    ...(parts.selectors ? { selectors: parts.selectors } : {}),
    config,
    git,
    backendFor: (persona) => agents.forPersona(persona),
    ...(agents.fallback ? { fallback: agents.fallback } : {}),
    modelFor: (persona) => agents.modelFor(persona),
    permissionsFor: (persona) => config.personas[persona]?.permissions ?? config.permissions ?? 'ask',
    limits: config.limits,
    ...watch,
    ...(confinement ? { confinement } : {}),
    environment: childEnvironment(allowed(config)),
    runId,
    snapshots: snapshotsOf(parts),
    command,
    now: () => new Date(),
  }
}

function commandsOf(
  { root, runId, confinement, onCommand }: ToolParts,
  guard: (() => Promise<void>) | undefined,
): SessionTools['command'] {
  const open: (readonly string[])[] = []
  const tell = () => onCommand?.(open.at(-1)?.join(' '))
  return async (argv, { isOfProject = false, env: extra, cwd = '.', ...limits }) => {
    const env = childEnvironment({ ...extra, AUTOPILOT_RUN_ID: runId })
    const confined = isOfProject && confinement ? confineCommand(confinement, env) : undefined
    open.push(argv)
    tell()
    try {
      const where = { cwd: join(root, cwd), env, guard, confinement: confined }
      return await runCommand([...argv], { ...where, ...limits })
    } finally {
      open.splice(open.indexOf(argv), 1)
      tell()
    }
  }
}

/** Snapshots lie with what autopilot keeps of the project; in a project of its own, the demo, with the session. */
function snapshotsOf(parts: ToolParts): SessionTools['snapshots'] {
  const { root, place, config, agents, programs, ownPaths, trusted, runId } = parts
  const name = createHash('sha256').update(root).digest('hex').slice(0, 32)
  const store = trusted
    ? join(root, place.sessionDir, 'snapshots')
    : join(userStateDir(), 'projects', name, 'snapshots')
  return {
    place: { root, store, ownPaths, mark: { name: 'AUTOPILOT_RUN_ID', value: runId } },
    ownPaths,
    personal: personalPlaces({
      home: homedir(),
      env: childEnvironment(allowed(config)),
      isConfined: parts.confinement !== undefined,
    }),
    async commands() {
      const tests = await testCommand(root, config)
      return [...(config.validate ? [config.validate] : []), ...(tests ? [tests] : [])]
    },
    async trusted() {
      const settings = [...config.projectFiles, projectConfigName]
      if (trusted) return settings
      const { subject } = await projectTrust(root, config, agents, programs)
      const files = subject.items.filter(({ kind }) => ['program', 'script', 'config', 'hook'].includes(kind))
      return [...settings, ...files.map(({ detail }) => detail)]
    },
  }
}

function trustWatch({ root, config, agents, programs }: ToolParts) {
  // What the person agreed to is remembered here: a record on disk may be written by somebody else meanwhile.
  const agreed = new Set<string>()
  const look = async () => {
    const { subject, trusted } = await projectTrust(root, config, agents, programs)
    if (agreed.size === 0 && trusted) agreed.add(subject.hash)
    return { subject, isAgreed: agreed.has(subject.hash) }
  }
  const agree = async (subject: TrustSubject) => {
    await trust(subject)
    agreed.add(subject.hash)
  }
  const linesOf = async (subject: TrustSubject) =>
    describeSubject(subject, await agreedItems(subject.root)).map(sanitizeLine)
  return {
    guard: async () => {
      const { subject, isAgreed } = await look()
      if (!isAgreed) throw new TrustChanged(subject.hash, await linesOf(subject), () => agree(subject))
    },
    changedPrograms: async () => {
      const { subject, isAgreed } = await look()
      return isAgreed ? null : { hash: subject.hash, lines: await linesOf(subject) }
    },
    trustAgain: async () => await agree((await look()).subject),
  }
}

/** Variables that the user's configuration hands on to agents beside the usual ones. */
function allowed(config: Config): Record<string, string> {
  return Object.fromEntries(
    config.environment.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
