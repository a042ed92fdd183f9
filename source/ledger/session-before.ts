import { join } from 'node:path'
import { isTooDeep } from '../documents/json-depth.js'
import { backupPath, readVerified, stampAt } from '../storage/durable-file.js'
import { putSealAside, readSeal } from './seal.js'
import type { SessionOptions } from './session.js'
import type { SessionAsk } from './session-opening.js'

// What is asked before a session is taken, by plain reads: nothing is written before that (docs/durability.md).

/** What only a session leaves behind: with these and without journal and state something was removed. */
const traces = ['logs', 'dispatches']
/** Named beside them; by itself it is a trace unless it was left by what comes before a session. */
const handoff = 'handoff.json'
/** Bytes. */
const longestHandoff = 4 * 1024 * 1024
const comesBefore = /plan|brainstorm|research|design|spec/i

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
  const isLeft =
    left.some((name) => traces.includes(name)) || (left.includes(handoff) && (await isOfRun(dir)))
  if (!isLeft) return undefined
  return { kind: 'traces', path: dir, left, resolve: async () => {} }
}

/** A handoff of work that a session does, or one that says nothing of where it is from. */
async function isOfRun(dir: string): Promise<boolean> {
  const file = await readVerified(join(dir, handoff), longestHandoff)
  if (file.kind !== 'ok') return file.kind !== 'missing'
  const { fromSkill } = fieldsOf(parsed(file.bytes.toString('utf8')))
  return typeof fromSkill !== 'string' || !comesBefore.test(fromSkill)
}

function parsed(text: string): unknown {
  try {
    return isTooDeep(text) ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function fieldsOf(value: unknown): { fromSkill?: unknown } {
  return typeof value === 'object' && value !== null ? value : {}
}

async function there(dir: string, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(names.map(async (name) => ((await isThere(join(dir, name))) ? [name] : [])))
  return found.flat()
}

async function isThere(path: string): Promise<boolean> {
  return (await stampAt(path)) !== undefined
}
