import { join } from 'node:path'
import { counted } from '../counted.js'
import { Problem } from '../problem.js'
import { readVerified, writeDurable } from '../storage/durable-file.js'
import type { Lock, LockOwner } from '../storage/lock.js'
import { freeReserve, keepReserve } from '../storage/reserve.js'
import type { Prepared } from '../storage/state-store.js'
import type { Journal } from './journal.js'
import type { ForeignLine } from './journal-chain.js'
import type { FactWithoutImage, JournalFact, JournalRecord } from './journal-record.js'
import type { SessionOptions, SessionStore } from './session.js'
import {
  editDuringRun,
  edited,
  type OpenSessionAsk,
  type SessionAsk,
  type Settling,
} from './session-opening.js'
import { createSummaries, type Summaries } from './summaries.js'

// What is written to a session while it is open: one thing at a time, journal first (docs/durability.md).

export interface WriterParts<T extends object> extends Settling<T> {
  options: SessionOptions<T>
  lock: Lock
  tookOver: LockOwner | undefined
  journal: Journal
  close(): Promise<void>
}

/** An image that is in the journal and not yet in the state file. */
interface Pending<T> {
  next: Prepared<T>
  before: string | null
  record: JournalRecord
}

interface Writing<T extends object> {
  parts: WriterParts<T>
  state: T | undefined
  /** Hash of the state file as this session left it. */
  ours: string | null
  pending: Pending<T> | undefined
  /** After the disk failed once nothing is written any more, not even what would seem to work. */
  dead: Problem | undefined
  summaries: Summaries<T>
  /** The disk has room that it can be given back; it was made when the session was opened. */
  hasReserve: boolean
}

/** Lists show what these facts change; the summary is written after each of them. */
const shown: ReadonlySet<JournalFact['type']> = new Set([
  'opened',
  'asked',
  'answered',
  'dispatched',
  'agent',
  'spent',
  'transition',
  'adopted',
])

export function createSessionWriter<T extends object>(parts: WriterParts<T>): SessionStore<T> {
  const { main, fold, lock, options } = parts
  const writing: Writing<T> = {
    parts,
    state: main.data,
    ours: main.hash,
    pending: undefined,
    dead: undefined,
    summaries: createSummaries(parts),
    hasReserve: true,
  }
  const opened = main.read
  let queue: Promise<unknown> = Promise.resolve()

  /** One write at a time: the next one must see the hash that the last one left. */
  function inTurn<Result>(action: () => Promise<Result>): Promise<Result> {
    const done = queue.then(() => unlessDead(writing, action))
    queue = done.catch(() => undefined)
    return done
  }

  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    await queue
    // Where that fails the journal has it, and the next start puts it right.
    await main.durable().catch(() => undefined)
    if (!writing.dead) writing.summaries.tell(writing.state)
    await writing.summaries.told()
    await parts.close()
  }

  return {
    get state() {
      return writing.state
    },
    digest: fold.digest.digest,
    get visit() {
      return fold.visit
    },
    lock,
    tookOver: parts.tookOver,
    opened,
    notices: parts.notices,
    get behind() {
      return writing.pending !== undefined
    },
    append: async (fact) => {
      if ('image' in fact && fact.image) throw new Error('a record with a state goes through saveImage')
      return inTurn(() => appendFact(writing, fact))
    },
    saveImage: (fact, next) => inTurn(() => saveImage(writing, fact, next)),
    retry: () => inTurn(() => catchUp(writing)),
    freeReserve: () => {
      writing.hasReserve = false
      return freeReserve(options.dir)
    },
    foreignEdit: () => inTurn(() => foreignEdit(writing)),
    backupOnce: async (name, bytes) => {
      const path = join(options.dir, name)
      if ((await readVerified(path)).kind === 'missing')
        await writeDurable(path, bytes, { beforeRename: lock.check })
    },
    // Once: who closes again must not write where an archive has put everything away.
    close: () => (closing ??= close()),
  }
}

async function unlessDead<T extends object, Result>(
  writing: Writing<T>,
  action: () => Promise<Result>,
): Promise<Result> {
  if (writing.dead) throw writing.dead
  try {
    return await action()
  } catch (error) {
    if (error instanceof Problem && error.code === 'storage-dead') writing.dead = error
    throw error
  }
}

async function appendFact<T extends object>(writing: Writing<T>, fact: JournalFact): Promise<JournalRecord> {
  const record = await writing.parts.append(fact)
  if (shown.has(fact.type)) writing.summaries.tell(writing.state)
  return record
}

async function saveImage<T extends object>(
  writing: Writing<T>,
  fact: FactWithoutImage,
  state: T,
): Promise<JournalRecord> {
  const { main } = writing.parts
  if (writing.pending) throw stillBehind(main.path)
  const staging = await main.begin()
  const looked = expectOnDisk(writing, [writing.ours])
  const before = writing.ours
  let next: Prepared<T>
  let record: JournalRecord
  try {
    try {
      next = main.prepare(state)
    } finally {
      // Also where the state cannot be saved: somebody's edit is told first.
      await looked
    }
    // It goes to the disk while its record does; the file itself changes only after the record.
    if (!main.holds(next)) await staging.write(next)
    record = await recordOf(writing, fact, next)
  } catch (error) {
    await staging.drop()
    throw error
  }
  if (next.hash === before) await staging.drop()
  writing.pending = { next, before, record }
  writing.state = next.value
  await save(writing)
  if (shown.has(fact.type)) writing.summaries.tell(writing.state)
  return record
}

async function recordOf<T extends object>(
  { parts, ours: before }: Writing<T>,
  fact: FactWithoutImage,
  { hash, bytes, value: state }: Prepared<T>,
): Promise<JournalRecord> {
  const image = parts.fold.images.next(before, { hash, bytes: bytes.length, state })
  // A file may be one step behind its journal after a power cut, and no more.
  await parts.main.durable()
  return parts.append({ ...fact, image } as JournalFact)
}

/** Puts what is in the journal only into the file, after a save that failed there. */
async function catchUp<T extends object>(writing: Writing<T>): Promise<JournalRecord | undefined> {
  const { pending } = writing
  if (pending) await expectOnDisk(writing, [pending.before, pending.next.hash])
  return save(writing)
}

async function save<T extends object>(writing: Writing<T>): Promise<JournalRecord | undefined> {
  const { pending, parts } = writing
  if (!pending) return undefined
  // What says the same already is not written again. Its record is durable, so the directory of the file may follow.
  if (pending.next.hash !== pending.before) {
    await parts.main.put(pending.next)
    void unlessDead(writing, parts.main.durable).catch(() => undefined)
  }
  settled(writing)
  if (!writing.hasReserve) await keepReserve(parts.options.dir)
  writing.hasReserve = true
  return pending.record
}

function settled<T extends object>(writing: Writing<T>): void {
  const { main } = writing.parts
  writing.pending = undefined
  writing.state = main.data
  writing.ours = main.hash
}

/** The file must hold one of these versions (hashes); another is somebody else's work. */
async function expectOnDisk<T extends object>(
  { parts: { main } }: Writing<T>,
  hashes: (string | null)[],
): Promise<void> {
  if (hashes.includes(main.hash) && (await main.statMatches())) return
  const hash = await main.hashOnDisk()
  if (hash === undefined || !hashes.includes(hash)) throw edited(main.path)
  await main.restamp()
}

async function foreignEdit<T extends object>(writing: Writing<T>): Promise<OpenSessionAsk<T> | undefined> {
  const { pending, parts } = writing
  await parts.main.durable()
  if (!(await parts.journal.isOurs()))
    return { kind: 'journal-changed', path: join(parts.options.dir, 'journal.jsonl') }
  const lines = await parts.journal.foreign()
  if (lines.length > 0) return foreignRecords(writing, lines)
  if (pending && (await parts.main.hashOnDisk()) === pending.before) return undefined
  const ask = await editDuringRun(parts)
  if (ask) return andThen(ask, () => settled(writing))
  if (pending) settled(writing)
  return undefined
}

/** Records of another hand: never acted on, kept beside the journal once the person has seen them. */
function foreignRecords<T extends object>(
  { parts }: Writing<T>,
  lines: readonly ForeignLine[],
): SessionAsk<T> {
  const path = join(parts.options.dir, 'journal.jsonl')
  const resolve = async () => {
    const kept = await parts.journal.cutForeign()
    const text = `${counted(lines.length, 'line')} that something else wrote into the journal ${lines.length === 1 ? 'was cut off; it is' : 'were cut off; they are'} kept in ${kept}.`
    await parts.append({ type: 'recovered', text })
  }
  return { kind: 'foreign-records', path, lines, resolve }
}

function andThen<T>(ask: SessionAsk<T>, after: () => void): SessionAsk<T> {
  switch (ask.kind) {
    case 'foreign-edit':
      return { ...ask, resolve: (choice, instead) => ask.resolve(choice, instead).then(after) }
    case 'rebuild':
    case 'adopt':
      return { ...ask, resolve: () => ask.resolve().then(after) }
    default:
      return ask
  }
}

function stillBehind(path: string): Problem {
  return new Problem({
    code: 'disk-full',
    what: `The last step is not in ${path} yet.`,
    why: 'Steps are saved one after the other, so the next one has to wait.',
    todo: 'Free some space on this disk, then retry.',
  })
}
