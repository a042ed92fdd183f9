import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Confinement } from '../processes/confine/confinement.js'
import { type ConfinementFacts, planConfinement } from '../processes/confine/policy.js'
import { directoriesToMake, ownDirectoriesOf } from './own-directories.js'
import { agentFolders, mirrorSession, type NotTaken, readOnlyRecords } from './session-mirror.js'

/** What is the same for every dispatch of a session: how it is confined, and what of the project is read-only. */
export type AgentConfinement = Omit<ConfinementFacts, 'cwd' | 'env' | 'ownPaths' | 'binds'>

export interface ConfinedDispatch {
  confinement: Confinement
  /** After the agent is gone. */
  finish(): Promise<NotTaken>
}

export interface ConfinedRequest {
  /** Id of the backend. */
  backend: string
  cwd?: string | undefined
  env: Readonly<Record<string, string>>
  /** Absolute. */
  sessionDir: string
  dispatchId: string
  /** Names in the session directory that are ours, such as that of the state file. */
  records: readonly string[]
}

/** Confines one dispatch: copies of the session's files in their place, its records read-only. */
export async function confineDispatch(
  session: AgentConfinement,
  request: ConfinedRequest,
): Promise<ConfinedDispatch> {
  const { sessionDir, env } = request
  const own = join(sessionDir, 'dispatches', request.dispatchId)
  const mirror = await mirrorSession({
    sessionDir,
    copies: join(own, 'session'),
    records: request.records,
  })
  for (const name of request.backend === 'embedded' ? agentFolders : [])
    await mkdir(join(sessionDir, name), { recursive: true, mode: 0o700 })
  for (const path of directoriesToMake(request.backend))
    await mkdir(join(session.home, path), { recursive: true, mode: 0o700 }).catch(() => undefined)
  const within = (names: readonly string[]) => names.map((name) => join(sessionDir, name))
  const confinement = planConfinement({
    ...session,
    ...(request.cwd === undefined ? {} : { cwd: request.cwd }),
    env,
    ownPaths: ownDirectoriesOf(request.backend, env),
    readOnly: [...session.readOnly, ...within(readOnlyRecords)],
    writable: [...(session.writable ?? []), ...within(agentFolders)],
    binds: [{ path: sessionDir, source: mirror.copies }],
  })
  return {
    confinement,
    async finish() {
      const left = await mirror.finish()
      if (left.ours.length + left.odd.length === 0) await rm(own, { recursive: true, force: true })
      return left
    },
  }
}

/** What a command with the project's influence is kept to: tests, validate, hooks of commits. */
export function confineCommand(
  session: AgentConfinement,
  env: Readonly<Record<string, string>>,
  writable: readonly string[] = [],
): Confinement {
  const all = [...(session.writable ?? []), ...writable]
  return planConfinement({ ...session, env, ownPaths: [], binds: [], writable: all })
}
