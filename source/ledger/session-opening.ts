import { Problem } from '../problem.js'
import { backupPath, writeDurable } from '../storage/durable-file.js'
import type { JsonStore, StoreRead } from '../storage/json-store.js'
import { hashOf, serialiseState } from '../storage/json-text.js'
import { hasImage, type ImageRecord, type Journal } from './journal.js'
import { decide } from './session-decision.js'

// Makes state file and journal agree again, or says what a person must decide (reliability.md sections 1 and 3).

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
      /** accept: go on from the file as it is. restore: put our state back; the edited file is kept beside it. */
      resolve(choice: 'accept' | 'restore'): Promise<void>
    }
  /** State file and backup are both unusable; the journal has the whole last state. */
  | { kind: 'rebuild'; path: string; reason: string; state: unknown; resolve(): Promise<void> }
  /** A state file without a journal: of another tool, or from before autopilot. */
  | { kind: 'adopt'; path: string; found: T; foundText: string; resolve(): Promise<void> }

export interface Settling<T> {
  main: JsonStore<T>
  journal: Journal
  /** Grows by one sentence for everything that was mended. */
  notices: string[]
}

type Readable<T> = Extract<StoreRead<T>, { kind: 'ok' }>

/** Does what needs no person. Returns the question that is left, if any. Problem('both-bad') if nothing can be saved. */
export async function settle<T extends object>(parts: Settling<T>): Promise<SessionAsk<T> | undefined> {
  const { main, journal, notices } = parts
  const backup = await main.backup()
  const lostLines = journal.lostLines > 0
  const decision = decide({ main: main.read, backup, records: journal.records, lostLines })
  switch (decision.kind) {
    case 'fresh':
    case 'clean':
      return undefined
    case 'roll-forward':
      await main.commit(decision.last.image.state as T)
      notices.push('The last step was in the journal but not yet in the state file; it was added.')
      return undefined
    case 'restore':
      await putBack(parts, decision.last, `The state file was restored because ${decision.reason}.`)
      return undefined
    case 'promote':
      await promote(parts, backup, decision.reason)
      return adoptAsk(parts, readable(main))
    case 'adopt':
      return adoptAsk(parts, readable(main))
    case 'foreign-edit':
      return editAsk(parts, decision.last, readable(main))
    case 'rebuild':
      return rebuildAsk(parts, decision.last, decision.reason)
    case 'both-bad':
      throw bothBad(main.path, decision.reason)
  }
}

/** What to ask when the state file changed while the session was open; undefined if it is as we wrote it. */
export async function editDuringRun<T extends object>(
  parts: Settling<T>,
): Promise<SessionAsk<T> | undefined> {
  const { main, journal } = parts
  const last = journal.records.filter(hasImage).at(-1)
  if (!last) return undefined
  const read = await main.load()
  if (read.kind !== 'ok') {
    const reason = read.kind === 'missing' ? 'it was removed' : read.reason
    return rebuildAsk(parts, last, reason)
  }
  return read.hash === last.image.after ? undefined : editAsk(parts, last, read)
}

/** Journal first: the state that is put back becomes a record of its own, then the file. */
async function putBack<T extends object>(parts: Settling<T>, last: ImageRecord, text: string): Promise<void> {
  const { main, journal, notices } = parts
  let said = text
  if (main.read.kind === 'unreadable') said += ` The broken file is kept as ${await main.quarantine()}.`
  const before = main.read.kind === 'ok' ? main.read.hash : null
  const { state } = last.image
  const after = hashOf(serialiseState(state))
  await journal.append({ type: 'recovered', text: said, image: { before, after, state } })
  await main.commit(state as T)
  notices.push(said)
}

async function promote<T extends object>(
  parts: Settling<T>,
  backup: StoreRead<T>,
  reason: string,
): Promise<void> {
  const { main, journal, notices } = parts
  if (backup.kind !== 'ok') throw bothBad(main.path, reason)
  let text = `The state file was restored from its backup because ${reason}.`
  if (main.read.kind === 'unreadable') text += ` The broken file is kept as ${await main.quarantine()}.`
  await writeDurable(main.path, backup.bytes)
  await main.load()
  await journal.append({ type: 'recovered', text })
  notices.push(text)
}

function adoptAsk<T extends object>(parts: Settling<T>, found: Readable<T>): SessionAsk<T> {
  const foundText = found.bytes.toString('utf8')
  return {
    kind: 'adopt',
    path: parts.main.path,
    found: found.value,
    foundText,
    resolve: () => adopt(parts, found),
  }
}

function editAsk<T extends object>(parts: Settling<T>, last: ImageRecord, found: Readable<T>): SessionAsk<T> {
  const { main } = parts
  return {
    kind: 'foreign-edit',
    path: main.path,
    expected: last.image.state,
    expectedText: serialiseState(last.image.state).toString('utf8'),
    found: found.value,
    foundText: found.bytes.toString('utf8'),
    resolve: async (choice) => {
      if (choice === 'accept') return adopt(parts, found)
      await sameAsShown(main, found)
      const kept = await main.keepCopy(found.bytes, 'edited')
      await putBack(
        parts,
        last,
        `The state file had been edited and was put back; the edited one is kept as ${kept}.`,
      )
    },
  }
}

function rebuildAsk<T extends object>(parts: Settling<T>, last: ImageRecord, reason: string): SessionAsk<T> {
  return {
    kind: 'rebuild',
    path: parts.main.path,
    reason,
    state: last.image.state,
    resolve: () => putBack(parts, last, `The state file was rebuilt from the journal because ${reason}.`),
  }
}

/** The file stays byte for byte as it is and becomes the state from which the journal goes on. */
async function adopt<T extends object>(parts: Settling<T>, found: Readable<T>): Promise<void> {
  await sameAsShown(parts.main, found)
  const image = { before: found.hash, after: found.hash, state: found.value }
  await parts.journal.append({ type: 'adopted', image })
}

/** A decision holds for the bytes that were shown, and for no others. */
async function sameAsShown<T extends object>(main: JsonStore<T>, found: Readable<T>): Promise<void> {
  if ((await main.hashOnDisk()) !== found.hash) throw editedMeanwhile(main.path)
  await main.restamp()
}

function readable<T extends object>(main: JsonStore<T>): Readable<T> {
  if (main.read.kind !== 'ok') throw bothBad(main.path, 'it changed while it was read')
  return main.read
}

function editedMeanwhile(path: string): Problem {
  return new Problem({
    code: 'foreign-edit',
    what: `${path} was changed again after it was shown.`,
    why: 'The decision was about what was shown, so nothing was changed.',
    todo: 'Close what else edits this file, then open the session again.',
  })
}

function bothBad(path: string, reason: string): Problem {
  return new Problem({
    code: 'both-bad',
    what: `The state of this session cannot be read: ${path}: ${reason}, and ${backupPath(path)} does not help.`,
    why: 'Its journal holds no state either. Nothing was changed, so that whatever can be saved is still there.',
    todo: 'Repair or restore one of the two files, or move the session directory away to begin anew.',
  })
}
