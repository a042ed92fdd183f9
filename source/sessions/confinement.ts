import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { type AgentConfinement, confineCommand } from '../agents/confinement.js'
import { makeDirectory } from '../make-directory.js'
import type { Confinement } from '../processes/confine/confinement.js'
import { detectConfinement } from '../processes/confine/detect.js'
import { homePaths } from '../processes/confine/home-paths.js'
import { cachesToMake, hiddenPaths, refusesConfinement } from '../processes/confine/policy.js'
import { mayInjectInput } from '../processes/confine/terminal-injection.js'
import { childEnvironment } from '../processes/environment.js'
import type { Config } from '../project/config.js'
import { readRepositoryConfig } from '../project/git-config.js'
import { userCacheDir, userConfigDir, userStateDir } from '../project/paths.js'

// What agents of a session are kept to, and what is said of it (docs/evidence.md, "Confinement").

export type SessionConfinement =
  | { kind: 'confined'; confinement: AgentConfinement; lines: string[] }
  | { kind: 'unconfined'; reason: string; lines: string[] }

/** Executes nothing of the project, and works before it is trusted. Without a project only what is possible here. */
export async function sessionConfinement(
  root: string | undefined,
  config: Pick<Config, 'confine' | 'confineAllow'>,
  ownPaths: readonly string[],
): Promise<SessionConfinement> {
  if (config.confine === 'off') return await unconfined('it is switched off in your settings')
  const refused = root === undefined ? undefined : refusesConfinement(root)
  if (refused !== undefined) return await unconfined(refused)
  const detected = await detectConfinement()
  if (!detected.works) return await unconfined(detected.reason)
  const home = homedir()
  const autopilotPaths = [userConfigDir(), userStateDir(), userCacheDir()]
  // What is not there cannot be hidden, and could be made from inside.
  for (const path of autopilotPaths.slice(0, 2)) await makeDirectory(path).catch(() => undefined)
  const project = root === undefined ? undefined : await readRepositoryConfig(root)
  const allowed = config.confineAllow
  const confinement: AgentConfinement = {
    tool: detected.tool,
    ...placeOf(root ?? home, project, ownPaths),
    home,
    autopilotPaths,
    allowed,
  }
  const hidden = hiddenPaths({ home, env: childEnvironment(), allowed, autopilotPaths })
  const lines = [
    `Agents are confined (${detected.tool.kind}): they write the project, temporary files, caches and what is their own.`,
    hidden.length === 0
      ? 'Keys, credentials and what autopilot keeps of its own would be hidden from them: none of it is there yet.'
      : `Hidden from them: ${hidden.join(', ')}. To allow one, name it in "confineAllow" of your settings, such as "ssh".`,
  ]
  return { kind: 'confined', confinement, lines }
}

/** Makes what agents may write and a new HOME does not have yet. */
export async function makeCaches(confinement: AgentConfinement | undefined): Promise<void> {
  if (confinement === undefined) return
  const env = childEnvironment()
  const caches = cachesToMake.flatMap((path) => homePaths(confinement.home, env, path))
  for (const path of [...caches, ...confinement.autopilotPaths])
    await makeDirectory(path).catch(() => undefined)
}

/** Sessions and what git executes are read-only; the directories above sessions are mounts, so that none can be moved. */
function placeOf(
  root: string,
  project: { commonDir: string; localRemotes: readonly string[] } | undefined,
  ownPaths: readonly string[],
): Pick<AgentConfinement, 'root' | 'gitDir' | 'readOnly' | 'writable'> {
  const commonDir = project?.commonDir
  // A push to a repository beside this one is a push like any other; nothing but a repository is opened for it.
  const remotes = (project?.localRemotes ?? []).filter(
    (path) => existsSync(join(path, 'objects')) || existsSync(join(path, '.git', 'objects')),
  )
  const hooksThere = remotes
    .flatMap((path) => [join(path, 'hooks'), join(path, '.git', 'hooks')])
    .filter((path) => existsSync(path))
  const ofGit =
    commonDir === undefined ? [] : [join(commonDir, 'hooks'), join(commonDir, 'info', 'attributes')]
  return {
    root,
    ...(commonDir === undefined ? {} : { gitDir: commonDir }),
    readOnly: [...ownPaths.map((path) => join(root, path)), ...ofGit, ...hooksThere],
    writable: [
      ...ownPaths.map((path) => join(root, dirname(path))).filter((path) => path !== root),
      ...remotes,
    ],
  }
}

/** What hooks of our commits are kept to; undefined where nothing confines. */
export function hooksConfinement(
  confinement: AgentConfinement | undefined,
): ((writable: readonly string[]) => Confinement) | undefined {
  if (confinement === undefined) return undefined
  return (writable) => confineCommand(confinement, childEnvironment(), writable)
}

async function unconfined(reason: string): Promise<SessionConfinement> {
  const lines = [`Agents are not confined: ${reason}. They have all your rights.`]
  if (await mayInjectInput())
    lines.push(
      'As root, an agent can press keys in this terminal here (dev.tty.legacy_tiocsti). Run autopilot as another user, or set it to 0.',
    )
  return { kind: 'unconfined', reason, lines }
}
