import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Difference } from '../../project/snapshot/difference.js'
import type { RecordPlace } from '../../project/snapshot/protected.js'
import { readOwner } from '../../storage/lock.js'
import type { Place } from '../place.js'

// Where records lie that decide something (docs/evidence.md, "What is compared").

/** What autopilot itself writes while an agent works, and what agents may fill as they like. */
const freeInSession = [
  'dispatches',
  'logs',
  'conversations',
  'outputs',
  'scratchpad',
  'snapshots',
  'left',
  'put-back',
  'put-aside',
  'summary.json',
]
const journal = 'journal.jsonl'

/** Records of this session, of others, and of other tools beside them. `ownPaths`: directories of all sessions. */
export async function recordPlaces(
  root: string,
  place: Pick<Place, 'sessionDir'>,
  ownPaths: readonly string[],
): Promise<RecordPlace[]> {
  const others: RecordPlace[] = []
  const inside: string[] = []
  for (const directory of ownPaths) {
    for (const name of await foldersIn(join(root, directory))) {
      const path = `${directory}/${name}`
      if (path === place.sessionDir) continue
      if (directory === place.sessionDir) {
        // Of a session that lies beside other sessions, what is no session belongs to itself.
        if (!(await isSession(join(root, path)))) continue
        inside.push(name)
      }
      others.push({
        directory: join(root, path),
        whose: 'other-session',
        growing: [journal],
        free: freeInSession,
      })
    }
  }
  const own: RecordPlace = {
    directory: join(root, place.sessionDir),
    whose: 'own',
    growing: [journal],
    free: [...freeInSession, 'worktrees', ...inside],
  }
  const homes = [...new Set(ownPaths.map((path) => path.split('/')[0] ?? path))].filter(
    (home) => home !== place.sessionDir,
  )
  const tools = homes.map((home): RecordPlace => {
    const below = ownPaths.filter((path) => path.startsWith(`${home}/`))
    return {
      directory: join(root, home),
      whose: 'other-tool',
      free: below.map((path) => path.slice(home.length + 1)),
    }
  })
  return [own, ...others, ...tools]
}

async function isSession(directory: string): Promise<boolean> {
  const names = await readdir(directory).catch(() => [] as string[])
  return names.includes(journal) || names.includes('lock.json')
}

async function foldersIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

/**
 * Without what other programs do in their own sessions meanwhile: a session that a live process has taken is its matter
 * (docs/durability.md, "The lock").
 */
export async function withoutLiveSessions(
  root: string,
  differences: readonly Difference[],
  ownPaths: readonly string[],
): Promise<Difference[]> {
  const live = new Map<string, boolean>()
  const kept: Difference[] = []
  for (const difference of differences) {
    const session = difference.traits.includes('other-session')
      ? sessionOf(difference.name, ownPaths)
      : undefined
    if (session !== undefined && !live.has(session)) {
      const owner = await readOwner(join(root, session)).catch(() => undefined)
      live.set(session, owner?.liveness === 'alive')
    }
    if (session === undefined || !live.get(session)) kept.push(difference)
  }
  return kept
}

function sessionOf(path: string, ownPaths: readonly string[]): string | undefined {
  const directory = ownPaths.find((own) => path.startsWith(`${own}/`))
  if (directory === undefined) return undefined
  return `${directory}/${path.slice(directory.length + 1).split('/')[0]}`
}
