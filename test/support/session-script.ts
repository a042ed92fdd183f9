import { join } from 'node:path'
import { z } from 'zod'
import { openJournal } from '../../source/ledger/journal.js'
import { openSessionStore, type SessionStore } from '../../source/ledger/session-store.js'
import { Problem } from '../../source/problem.js'
import { jsonCodec } from '../../source/storage/json-codec.js'
import { acquireLock } from '../../source/storage/lock.js'
import { openStateStore } from '../../source/storage/state-store.js'
import { sealIn, testKey } from './seal.js'

// What the fault runs do to a session directory: a few transitions, each acknowledged when it is safe.

export const scriptSchema = z.looseObject({ rev: z.int().nonnegative() })
export type ScriptState = z.infer<typeof scriptSchema>

export const stateFile = 'state.json'

export function scriptState(rev: number): ScriptState {
  return { rev, text: `state ${rev} `.repeat(20) }
}

export function openScript(dir: string) {
  return openSessionStore({
    dir,
    root: join(dir, '..'),
    stateFile,
    codec: jsonCodec(scriptSchema),
    version: 'test',
    seal: sealIn(dir),
  })
}

/** `steps` transitions on top of what is there. A full disk is retried once, everything else is thrown. */
export async function runScript(
  dir: string,
  steps: number,
  acknowledge: (rev: number) => void,
): Promise<void> {
  const opening = await openScript(dir)
  if (opening.kind !== 'ready') throw new Error(`not ready: ${opening.kind}`)
  const { store } = opening
  try {
    const start = store.state?.rev ?? 0
    // A session that opened has its last state safe, also one that was only in the journal before.
    acknowledge(start)
    for (let rev = start + 1; rev <= start + steps; rev++) {
      await store.append({ type: 'visit', visit: rev, state: 'WORK' })
      await saveOrRetry(store, rev)
      acknowledge(rev)
    }
  } finally {
    await store.close()
  }
}

async function saveOrRetry(store: SessionStore<ScriptState>, rev: number): Promise<void> {
  const fact = { type: 'transition', visit: rev, from: 'WORK', to: 'WORK' } as const
  try {
    await store.saveImage(fact, scriptState(rev))
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'disk-full') throw error
    if (store.behind) await store.retry()
    else await store.saveImage(fact, scriptState(rev))
  }
}

/** The negative control: the state file first, the journal after it. The fault runs must find this wrong. */
export async function runStateFirst(
  dir: string,
  steps: number,
  acknowledge: (rev: number) => void,
): Promise<void> {
  const acquired = await acquireLock(dir, { version: 'test' })
  if (acquired.kind !== 'held') throw new Error('locked')
  const { lock } = acquired
  const journal = await openJournal(join(dir, 'journal.jsonl'), {
    lockId: lock.lockId,
    epoch: lock.epoch,
    key: testKey,
  })
  try {
    const main = await openStateStore({
      path: join(dir, stateFile),
      codec: jsonCodec(scriptSchema),
      root: dir,
    })
    const start = main.data?.rev ?? 0
    for (let rev = start + 1; rev <= start + steps; rev++) {
      const next = main.prepare(scriptState(rev))
      const image = { before: main.hash, after: next.hash, state: next.value }
      await main.commit(next)
      await journal.append({ type: 'transition', visit: rev, from: 'WORK', to: 'WORK', image })
      acknowledge(rev)
    }
  } finally {
    await journal.close()
    await lock.release()
  }
}
