import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { openSessionStore, type SessionStore } from '../source/ledger/session-store.js'
import { jsonCodec } from '../source/ledger/state-codec.js'
import { readDigest } from '../source/ledger/summary-file.js'

// Runs in a process of its own: `node journal-driver.mjs <directory>`, which gets a result.json.

const codec = jsonCodec(z.looseObject({ at: z.string() }))

/** A plan of 600 tasks and a log of 500 decisions: about 100 KB. */
function stateOf(count: number): object {
  const tasks = Array.from({ length: 600 }, (_, id) => ({
    id: `${id}`,
    title: `Task ${id} of a plan that says what is to be done`,
    status: id < count % 600 ? 'complete' : 'pending',
  }))
  const decisions = Array.from({ length: 500 }, (_, id) => ({
    phase: id % 7,
    decision: 'approved',
    note: `reason ${id}`,
  }))
  return { at: `STATE ${count}`, count, tasks, decisions }
}

const sealOf = (dir: string) => ({ path: `${dir}.seal/seal.json`, key: Buffer.alloc(32, 7) })

async function open(dir: string): Promise<SessionStore<{ at: string }>> {
  const seal = sealOf(dir)
  const options = { dir, root: join(dir, '..'), stateFile: 'state.json', codec, version: 'bench', seal }
  const opening = await openSessionStore<{ at: string }>(options)
  if (opening.kind !== 'ready') throw new Error(opening.kind)
  return opening.store
}

/** Of every 12 facts one is an image; of every 10 images one is a transition. */
async function fact(store: SessionStore<{ at: string }>, index: number): Promise<void> {
  const visit = Math.floor(index / 120) + 1
  if (index % 120 === 0) {
    await store.append({
      type: 'visit',
      visit,
      state: 'WORK',
      workflow: 'bench',
      revision: 1,
      version: 'bench',
    })
  } else if (index % 120 === 119) {
    await store.saveImage(
      { type: 'transition', visit, from: 'WORK', to: 'WORK' },
      stateOf(index) as { at: string },
    )
  } else if (index % 12 === 11) {
    await store.saveImage({ type: 'update', visit, key: `update-${index}` }, stateOf(index) as { at: string })
  } else if (index % 12 === 5) {
    const meta = { visit, key: `agent-${index}`, persona: 'worker', title: `Work ${index}`, phase: '1' }
    const reply = { ok: true, text: 'x'.repeat(200), usage: { inputTokens: 10, outputTokens: 1 } }
    await store.append({ type: 'agent', ...meta, dispatchId: `d${index}`, reply })
  } else {
    await store.append({
      type: 'step',
      visit,
      key: `step-${index}`,
      result: { text: 'a result of a step', index },
    })
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Bytes that this process has read and written so far, by all system calls; undefined where nobody counts them. */
function transferred(): { read: number; written: number } | undefined {
  try {
    const text = readFileSync('/proc/self/io', 'utf8')
    const of = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1])
    return { read: of('rchar'), written: of('wchar') }
  } catch {
    return undefined
  }
}

const root = process.argv[2] ?? ''
const facts = 12_000
const block = 1_000
const old = join(root, 'old')
const fresh = join(root, 'fresh')

let store = await open(old)
for (let index = 0; index < facts - block; index += 1) await fact(store, index)
await store.close()

// The last thousand of a long session and the first thousand of another, in turn, so that both meet the same machine.
store = await open(old)
const young = await open(fresh)
const times: Record<'first' | 'last', number[]> = { first: [], last: [] }
const bytes = { first: { read: 0, written: 0 }, last: { read: 0, written: 0 } }
async function timed(
  which: 'first' | 'last',
  of: SessionStore<{ at: string }>,
  index: number,
): Promise<void> {
  const before = transferred()
  const start = performance.now()
  await fact(of, index)
  times[which].push(performance.now() - start)
  const after = transferred()
  if (!before || !after) return
  bytes[which].read += after.read - before.read
  bytes[which].written += after.written - before.written
}
for (let index = 0; index < block; index += 1) {
  await timed('first', young, index)
  // The same kinds of facts in both, under numbers that are new to the long one.
  await timed('last', store, 12_000 + index)
}
await store.close()
await young.close()

const path = join(old, 'journal.jsonl')
const journalBytes = statSync(path).size
const openings: number[] = []
for (let round = 0; round < 7; round += 1) {
  const start = performance.now()
  store = await open(old)
  openings.push(performance.now() - start)
  await store.close()
}
const digests: number[] = []
for (let round = 0; round < 21; round += 1) {
  const start = performance.now()
  await readDigest(old, sealOf(old))
  digests.push(performance.now() - start)
}
const whole: number[] = []
for (let round = 0; round < 7; round += 1) {
  rmSync(join(old, 'summary.json'), { force: true })
  const start = performance.now()
  await readDigest(old, sealOf(old))
  whole.push(performance.now() - start)
}
writeFileSync(
  join(root, 'result.json'),
  JSON.stringify({
    facts: readFileSync(path, 'utf8').split('\n').length - 1,
    journalBytes,
    resumeMs: median(openings),
    digestMs: median(digests),
    wholeMs: median(whole),
    time: median(times.last) / median(times.first),
    written: bytes.last.written / bytes.first.written,
    read: bytes.last.read / bytes.first.read,
  }),
)
