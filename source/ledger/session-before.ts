import { join } from 'node:path'
import { backupPath, stampAt } from '../storage/durable-file.js'
import { putSealAside, readSeal } from './seal.js'
import type { SessionOptions } from './session.js'
import type { SessionAsk } from './session-opening.js'

// What is asked before a session is taken, by plain reads: nothing is written before that (docs/durability.md).

/** What only a session leaves behind: with these and without journal and state something was removed. */
const traces = ['logs', 'dispatches']
/** Named beside them; by itself it may be of another tool. */
const handoff = 'handoff.json'

/** A session that was there and is gone, or of which only traces are left. */
export async function lookBefore<T extends object>(
  options: SessionOptions<T>,
): Promise<Extract<SessionAsk<T>, { kind: 'removed' | 'traces' }> | undefined> {
  const { dir, stateFile, backupFile, seal: place } = options
  const journal = join(dir, 'journal.jsonl')
  if (await isThere(journal)) return undefined
  const seal = await readSeal(place)
  const left = await there(dir, [stateFile, ...traces, handoff])
  if (seal.kind === 'unreadable' || (seal.kind === 'ok' && seal.mark.lines > 0)) {
    const startAnew = async () => void (await putSealAside(place))
    if (options.fresh && left.length === 0) {
      await startAnew()
      return undefined
    }
    return { kind: 'removed', path: journal, sealPath: place.path, left, resolve: startAnew }
  }
  const state = join(dir, stateFile)
  const backup = backupFile === undefined ? backupPath(state) : join(dir, backupFile)
  if ((await isThere(state)) || (await isThere(backup))) return undefined
  if (!left.some((name) => traces.includes(name))) return undefined
  return { kind: 'traces', path: dir, left, resolve: async () => {} }
}

async function there(dir: string, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(names.map(async (name) => ((await isThere(join(dir, name))) ? [name] : [])))
  return found.flat()
}

async function isThere(path: string): Promise<boolean> {
  return (await stampAt(path)) !== undefined
}
