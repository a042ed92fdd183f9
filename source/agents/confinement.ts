import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '../make-directory.js'
import type { Confinement } from '../processes/confine/confinement.js'
import { homePaths } from '../processes/confine/home-paths.js'
import { type ConfinementFacts, planConfinement } from '../processes/confine/policy.js'
import { directoriesToMake, ownDirectoriesOf } from './own-directories.js'
import { agentFolders, mirrorSession, type NotTaken, readOnlyRecords } from './session-mirror.js'

/** What is the same for every dispatch of a session: how it is confined, and what of the project is read-only. */
export type AgentConfinement = Omit<
  ConfinementFacts,
  'cwd' | 'env' | 'ownPaths' | 'binds' | 'instead' | 'hidden'
>

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
  sight?: Sight
  /** The conversation that it goes on in. */
  resumed?: string
}

/** What a dispatch sees of the project and of its session. */
export interface Sight {
  pinned: readonly PinnedFile[]
  /** Of the session it sees its own order and its own conversation, and nothing of what others did or said. */
  isBlind: boolean
}

/** A file that a dispatch can only read, and how it sees it. */
export interface PinnedFile {
  /** Absolute. */
  path: string
  /** What it sees in its place; null for an empty file. */
  content: Buffer | null
}

/** Confines one dispatch: copies of the session's files in their place, its records read-only. */
export async function confineDispatch(
  session: AgentConfinement,
  request: ConfinedRequest,
): Promise<ConfinedDispatch> {
  const { sessionDir, env, sight = seesAll } = request
  const own = join(sessionDir, 'dispatches', request.dispatchId)
  const mirror = await mirrorSession({
    sessionDir,
    copies: join(own, 'session'),
    records: request.records,
    startsEmpty: sight.isBlind,
  })
  for (const name of request.backend === 'embedded' ? agentFolders : [])
    await makeDirectory(join(sessionDir, name))
  for (const path of directoriesToMake(request.backend).flatMap((one) => homePaths(session.home, env, one)))
    await makeDirectory(path).catch(() => undefined)
  const within = (names: readonly string[]) => names.map((name) => join(sessionDir, name))
  const confinement = planConfinement({
    ...session,
    ...(request.cwd === undefined ? {} : { cwd: request.cwd }),
    env,
    ownPaths: ownDirectoriesOf(request.backend, env),
    readOnly: [
      ...session.readOnly,
      ...within(sight.isBlind ? [`dispatches/${request.dispatchId}.json`] : readOnlyRecords),
    ],
    hidden: sight.isBlind ? await talksOfOthers(sessionDir, request.resumed) : [],
    instead: await writePinned(sight.pinned, join(own, 'pinned')),
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

const seesAll: Sight = { pinned: [], isBlind: false }

/** What agents that come with autopilot keep of conversations, but for the one that goes on. Absolute paths. */
async function talksOfOthers(sessionDir: string, resumed = ''): Promise<string[]> {
  const [talks, outputs] = await Promise.all(
    agentFolders.map(async (name) => {
      const names = await readdir(join(sessionDir, name)).catch((): string[] => [])
      return names.map((one) => ({ one, path: join(sessionDir, name, one) }))
    }),
  )
  const isOwn = (name: string, mark: string) => resumed !== '' && name.includes(mark)
  return [
    ...(talks ?? []).filter(({ one }) => !isOwn(one, resumed)),
    ...(outputs ?? []).filter(({ one }) => !isOwn(one, resumed.slice(0, 8))),
  ].map(({ path }) => path)
}

/** Writes what is seen in the place of other files, and says where it lies. */
async function writePinned(
  files: readonly PinnedFile[],
  directory: string,
): Promise<{ path: string; source?: string }[]> {
  const instead: { path: string; source?: string }[] = []
  for (const [index, { path, content }] of files.entries()) {
    if (content === null) {
      instead.push({ path })
      continue
    }
    await makeDirectory(directory)
    const source = join(directory, String(index))
    await writeFile(source, content, { mode: 0o600 })
    instead.push({ path, source })
  }
  return instead
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
