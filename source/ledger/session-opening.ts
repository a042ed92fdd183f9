import { Problem } from '../problem.js'
import { writeDurable } from '../storage/durable-file.js'
import { hashOf } from '../storage/json-text.js'
import type { StateCodec } from '../storage/state-codec.js'
import type { StateStore, StoreRead } from '../storage/state-store.js'
import type { Finding, ForeignLine } from './journal-chain.js'
import type { JournalFact, JournalRecord } from './journal-record.js'
import { decide } from './session-decision.js'
import type { SessionFold } from './session-fold.js'

// Makes state file and journal agree again, or says what a person must decide (docs/durability.md).

/** A decision for a person. Nothing has been changed; after `resolve` the session can go on. */
export type SessionAsk<T> =
  /** The state file is not what autopilot wrote last. Texts are complete files, for a diff. */
  | {
      kind: 'foreign-edit'
      path: string
      expected: unknown
      expectedText: string
      found: T
      foundText: string
      /** An agent was at work when the state was saved last, so the edit may be its own. */
      atWork: boolean
      /**
       * accept: go on from the file as it is, and begin the open visit anew. restore: put our state back; the edited file
       * is kept beside it. merge: go on from the file, in the open visit, or from `instead`, which is made of it.
       */
      resolve(choice: 'accept' | 'restore' | 'merge', instead?: T): Promise<void>
    }
  /** State file and backup are both unusable; the journal has the whole last state. */
  | { kind: 'rebuild'; path: string; reason: string; state: unknown; resolve(): Promise<void> }
  /** A state file without a journal: of another tool, or from before autopilot. */
  | { kind: 'adopt'; path: string; found: T; foundText: string; resolve(): Promise<void> }
  /** The journal is not what was sealed, or has no seal here. `proceed` does what it takes to go on. */
  | { kind: 'journal'; path: string; sealPath: string; finding: Finding }
  /** Something else has written into the journal while the session was open. `resolve` cuts it off. */
  | { kind: 'foreign-records'; path: string; lines: readonly ForeignLine[]; resolve(): Promise<void> }
  /** There was a session, and its journal is gone. `left`: names of what is still there. `resolve`: start anew. */
  | { kind: 'removed'; path: string; sealPath: string; left: readonly string[]; resolve(): Promise<void> }
  /** Something of a session is there, but neither journal nor state. `path`: of its directory. */
  | { kind: 'traces'; path: string; left: readonly string[]; resolve(): Promise<void> }

/** The same while a session is open, when the journal itself may not be what this process has written. */
export type OpenSessionAsk<T> = SessionAsk<T> | { kind: 'journal-changed'; path: string }

export interface Settling<T> {
  main: StateStore<T>
  codec: StateCodec<T>
  fold: SessionFold
  /** Complete journal lines that could not be read. */
  lostLines: number
  /** Writes a fact into the journal, and follows it. */
  append(fact: JournalFact): Promise<JournalRecord>
  /** Grows by one sentence for everything that was mended. */
  notices: string[]
}

type Readable<T> = Extract<StoreRead<T>, { kind: 'ok' }>

/** Does what needs no person. Returns the question that is left, if any. Problem('both-bad') if nothing can be saved. */
export async function settle<T extends object>(parts: Settling<T>): Promise<SessionAsk<T> | undefined> {
  const { main, fold, notices } = parts
  const backup = await main.backup()
  const decision = decide({
    main: main.read,
    backup,
    images: fold.images,
    lostLines: parts.lostLines > 0,
    hashOf: (state) => hashOfState(parts, state),
  })
  switch (decision.kind) {
    case 'fresh':
    case 'clean':
      return undefined
    case 'roll-forward':
      await main.commit(main.prepare(decision.state as T))
      notices.push('The last step was in the journal but not yet in the state file; it was added.')
      return undefined
    case 'restore':
      await putBack(parts, decision.state, `The state file was restored because ${decision.reason}.`)
      return undefined
    case 'promote':
      return promoteAsk(parts, backup, decision.reason)
    case 'adopt':
      return adoptAsk(parts, readable(main))
    case 'foreign-edit':
      return editAsk(parts, decision.state, readable(main))
    case 'rebuild':
      return rebuildAsk(parts, decision.state, decision.reason)
    case 'both-bad':
      throw bothBad(main, decision.reason)
  }
}

/** What to ask when the state file changed while the session was open; undefined if it is as we wrote it. */
export async function editDuringRun<T extends object>(
  parts: Settling<T>,
): Promise<SessionAsk<T> | undefined> {
  const { main, fold } = parts
  const { last } = fold.images
  if (!last) return undefined
  const state = fold.images.state ?? main.data
  const read = await main.load()
  if (read.kind !== 'ok') {
    const reason = read.kind === 'missing' ? 'it was removed' : read.reason
    return rebuildAsk(parts, state, reason)
  }
  return read.hash === last.image.after ? undefined : editAsk(parts, state, read)
}

/** Undefined for a state that cannot be written: nothing rolls forward to it. */
function hashOfState<T>({ codec }: Settling<T>, state: unknown): string | undefined {
  try {
    return hashOf(codec.write(state as T))
  } catch {
    return undefined
  }
}

/** Journal first: the state that is put back becomes a record of its own, then the file. */
async function putBack<T extends object>(parts: Settling<T>, state: unknown, text: string): Promise<void> {
  const { main, notices } = parts
  const next = main.prepare(state as T)
  let said = text
  if (main.read.kind === 'unreadable') said += ` The broken file is kept as ${await main.quarantine()}.`
  const before = main.read.kind === 'ok' ? main.read.hash : null
  await parts.append({
    type: 'recovered',
    text: said,
    image: { before, after: next.hash, state: next.value },
  })
  await main.commit(next)
  notices.push(said)
}

/** After the journal was cut back to what holds: its newest state becomes the state again, the other one is kept. */
export async function goBack<T extends object>(parts: Settling<T>): Promise<void> {
  const { main, fold } = parts
  const { state, last } = fold.images
  if (state === undefined || !last) return
  let text = `The session went back to ${last.at}, the newest record that holds.`
  if (main.read.kind === 'ok' && main.read.hash !== last.image.after)
    text += ` The state file as it was is kept as ${await main.keepCopy(main.read.bytes, 'edited')}.`
  await putBack(parts, state, text)
}

/** The same of a backup whose file is broken: nothing is put in its place before the person has said so. */
function promoteAsk<T extends object>(
  parts: Settling<T>,
  backup: StoreRead<T>,
  reason: string,
): SessionAsk<T> {
  if (backup.kind !== 'ok') throw bothBad(parts.main, reason)
  const resolve = async () => {
    await promote(parts, backup, reason)
    await adopt(parts, readable(parts.main))
  }
  return { ...adoptAsk(parts, backup), resolve }
}

async function promote<T extends object>(
  parts: Settling<T>,
  backup: Readable<T>,
  reason: string,
): Promise<void> {
  const { main, notices } = parts
  let text = `The state file was restored from its backup because ${reason}.`
  if (main.read.kind === 'unreadable') text += ` The broken file is kept as ${await main.quarantine()}.`
  await writeDurable(main.path, backup.bytes, { readers: main.readers })
  await main.load()
  await parts.append({ type: 'recovered', text })
  notices.push(text)
}

function adoptAsk<T extends object>(
  parts: Settling<T>,
  found: Readable<T>,
): Extract<SessionAsk<T>, { kind: 'adopt' }> {
  const foundText = found.bytes.toString('utf8')
  return {
    kind: 'adopt',
    path: parts.main.path,
    found: found.value,
    foundText,
    resolve: () => adopt(parts, found),
  }
}

function editAsk<T extends object>(parts: Settling<T>, expected: unknown, found: Readable<T>): SessionAsk<T> {
  const { main } = parts
  return {
    kind: 'foreign-edit',
    path: main.path,
    expected,
    expectedText: parts.codec.write(expected as T).toString('utf8'),
    found: found.value,
    foundText: found.bytes.toString('utf8'),
    atWork: parts.fold.visit.atWork,
    resolve: async (choice, instead) => {
      if (choice === 'merge' && instead !== undefined) return mergeInto(parts, found, instead)
      if (choice !== 'restore') return adopt(parts, found, choice === 'merge' ? 'merged' : 'adopted')
      await sameAsShown(main, found)
      const kept = await main.keepCopy(found.bytes, 'edited')
      await putBack(
        parts,
        expected,
        `The state file had been edited and was put back; the edited one is kept as ${kept}.`,
      )
    },
  }
}

function rebuildAsk<T extends object>(parts: Settling<T>, state: unknown, reason: string): SessionAsk<T> {
  return {
    kind: 'rebuild',
    path: parts.main.path,
    reason,
    state,
    resolve: () => putBack(parts, state, `The state file was rebuilt from the journal because ${reason}.`),
  }
}

/** The file stays byte for byte as it is and becomes the state from which the journal goes on. */
async function adopt<T extends object>(
  parts: Settling<T>,
  found: Readable<T>,
  type: 'adopted' | 'merged' = 'adopted',
): Promise<void> {
  await sameAsShown(parts.main, found)
  const image = { before: found.hash, after: found.hash, state: found.value }
  await parts.append({ type, image })
}

/** What was made of the file is the state from then on. Journal first, then the file, as with every save. */
async function mergeInto<T extends object>(parts: Settling<T>, found: Readable<T>, state: T): Promise<void> {
  const { main } = parts
  await sameAsShown(main, found)
  const next = main.prepare(state)
  const image = { before: found.hash, after: next.hash, state: next.value }
  await parts.append({ type: 'merged', image })
  await main.commit(next)
}

/** A decision holds for the bytes that were shown, and for no others. */
async function sameAsShown<T extends object>(main: StateStore<T>, found: Readable<T>): Promise<void> {
  if ((await main.hashOnDisk()) !== found.hash) throw editedMeanwhile(main.path)
  await main.restamp()
}

function readable<T extends object>(main: StateStore<T>): Readable<T> {
  if (main.read.kind !== 'ok') throw bothBad(main, 'it changed while it was read')
  return main.read
}

export function edited(path: string): Problem {
  return new Problem({
    code: 'foreign-edit',
    what: `${path} was changed by something else while the session was open.`,
    why: 'Saving now would overwrite that change without anybody having seen it.',
    todo: 'Look at the change, then accept it or put the state of the session back.',
  })
}

function editedMeanwhile(path: string): Problem {
  return new Problem({
    code: 'foreign-edit',
    what: `${path} was changed again after it was shown.`,
    why: 'The decision was about what was shown, so nothing was changed.',
    todo: 'Close what else edits this file, then open the session again.',
  })
}

function bothBad(
  { path, backupPath }: Pick<StateStore<object>, 'path' | 'backupPath'>,
  reason: string,
): Problem {
  return new Problem({
    code: 'both-bad',
    what: `The state of this session cannot be read: ${path}: ${reason}, and ${backupPath} does not help.`,
    why: 'Its journal holds no state either. Nothing was changed, so that whatever can be saved is still there.',
    todo: 'Repair or restore one of the two files, or move the session directory away to begin anew.',
  })
}
