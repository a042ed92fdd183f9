import type { AgentPool } from '../agents/pool.js'
import { runCommand } from '../processes/commands.js'
import { childEnvironment } from '../processes/environment.js'
import type { Config } from '../project/config.js'
import { type Git, openGit } from '../project/git.js'
import { describeSubject, trust } from '../project/trust.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import type { GivenFlags } from '../workflows/flags.js'
import type { Place } from '../workflows/place.js'
import type { SessionTools } from '../workflows/tools.js'
import { projectTrust } from './project-trust.js'

export interface ToolParts {
  root: string
  subject: string
  place: Place
  flags: GivenFlags
  config: Config
  agents: AgentPool
  /** Directories of all workflows' sessions. */
  ownPaths: readonly string[]
  /** Everything that runs comes with this program, so nothing is compared with what was trusted. */
  trusted: boolean
  runId: string
}

/** The tools that a session gives to its workflow, whichever it is. */
export function sessionTools(parts: ToolParts): SessionTools {
  const { root, config, agents, runId } = parts
  const git: Git = openGit(root, { ownPaths: parts.ownPaths })
  return {
    root,
    subject: parts.subject,
    place: parts.place,
    flags: parts.flags,
    config,
    git,
    backendFor: (persona) => agents.forPersona(persona),
    ...(agents.fallback ? { fallback: agents.fallback } : {}),
    modelFor: (persona) => agents.modelFor(persona),
    permissionsFor: (persona) => config.personas[persona]?.permissions ?? config.permissions ?? 'ask',
    limits: config.limits,
    ...(parts.trusted ? {} : trustWatch(root, config, agents)),
    environment: childEnvironment(allowed(config)),
    runId,
    command: (argv, limits) =>
      runCommand([...argv], { cwd: root, env: childEnvironment({ AUTOPILOT_RUN_ID: runId }), ...limits }),
    now: () => new Date(),
  }
}

function trustWatch(root: string, config: Config, agents: AgentPool) {
  return {
    changedPrograms: async () => {
      const { subject, trusted } = await projectTrust(root, config, agents)
      return trusted ? null : { hash: subject.hash, lines: describeSubject(subject).map(sanitizeLine) }
    },
    trustAgain: async () => trust((await projectTrust(root, config, agents)).subject),
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
