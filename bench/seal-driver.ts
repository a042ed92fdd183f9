import { fstatSync, lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { continueJournal } from '../source/ledger/journal.js'
import { createChain } from '../source/ledger/journal-chain.js'
import { noLineBefore } from '../source/ledger/journal-line.js'
import type { JournalFact } from '../source/ledger/journal-record.js'
import { scanJournal } from '../source/ledger/journal-scan.js'
import { openSeal, readSeal } from '../source/ledger/seal.js'
import { hashOf } from '../source/storage/json-text.js'

// Runs in a process of its own: `node seal-driver.mjs <directory>`, which gets a result.json.

const root = process.argv[2] ?? ''
const key = Buffer.alloc(32, 7)
const place = { path: join(root, 'state', 'seal.json'), key }
mkdirSync(join(root, 'state'))

/** As in a run: of ten facts three are borders, and one of them is a reply of 2 KB. */
function factOf(index: number): JournalFact {
  const at = { visit: 1, key: `k${index}` }
  if (index % 10 === 3)
    return {
      type: 'dispatched',
      ...at,
      attempt: 1,
      dispatchId: `d${index}`,
      persona: 'p',
      title: 't',
      phase: '1',
    }
  if (index % 10 === 6) {
    const reply = { ok: true, text: 'x'.repeat(2000) }
    return { type: 'agent', ...at, dispatchId: `d${index}`, reply, persona: 'p', title: 't', phase: '1' }
  }
  if (index % 10 === 9)
    return { type: 'answered', ...at, questionId: `q${index}`, answer: { value: 'yes' }, stop: false }
  return { type: 'step', ...at, result: { text: 'a result of a step', index } }
}

const path = join(root, 'journal.jsonl')
const nothing = { size: 0, lines: 0, last: noLineBefore, from: 0 }
const seal = await openSeal(place, { kind: 'missing' }, nothing)
const scan = await scanJournal(path, () => undefined, undefined, createChain(key, nothing))
const journal = await continueJournal(path, scan, { lockId: 'l', epoch: 1, key, seal })

/** The same append without chain and seal: line, checks of the file, append, sync. */
const barePath = join(root, 'bare.jsonl')
const bare = await open(barePath, 'a', 0o600)
let size = 0
async function appendBare(index: number): Promise<void> {
  const header = { v: 2, id: crypto.randomUUID(), rev: index, epoch: 1, lockId: 'l' }
  const text = `${JSON.stringify({ ...header, at: new Date().toISOString(), ...factOf(index) })}\n`
  JSON.parse(text)
  const [there, ours] = [lstatSync(barePath, { bigint: true }), fstatSync(bare.fd, { bigint: true })]
  if (there.ino !== ours.ino || ours.size !== BigInt(size)) throw new Error('replaced')
  await bare.appendFile(Buffer.from(text))
  await bare.datasync()
  size += Buffer.byteLength(text)
  hashOf(Buffer.from(text))
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await action()
  return performance.now() - start
}

const rounds = 200
const block = 10
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const times = { bare: [] as number[], sealed: [] as number[] }
for (let round = 0; round < rounds; round += 1) {
  const facts = Array.from({ length: block }, (_, at) => round * block + at)
  const sealed = async () => {
    for (const index of facts) await journal.append(factOf(index))
  }
  const plain = async () => {
    for (const index of facts) await appendBare(index)
  }
  // Each goes first as often as the other.
  if (round % 2 === 0) times.sealed.push((await timed(sealed)) / block)
  times.bare.push((await timed(plain)) / block)
  if (round % 2 === 1) times.sealed.push((await timed(sealed)) / block)
}
await journal.close()
await bare.close()

const read = await readSeal(place)
if (read.kind !== 'ok') throw new Error(read.kind)
const checks: number[] = []
for (let round = 0; round < 5; round += 1) {
  const chain = createChain(key, read.mark)
  checks.push(
    await timed(async () => {
      const { end } = await scanJournal(path, () => undefined, undefined, chain)
      if (chain.finding(end)) throw new Error('the chain does not hold')
    }),
  )
}
writeFileSync(
  join(root, 'result.json'),
  JSON.stringify({
    bareMs: median(times.bare),
    sealedMs: median(times.sealed),
    ratio: median(times.sealed.map((sealed, round) => sealed / (times.bare[round] ?? 1))),
    lines: read.mark.lines,
    bytes: statSync(path).size,
    checkMs: median(checks),
  }),
)
