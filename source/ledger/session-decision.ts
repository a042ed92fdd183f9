import type { StoreRead } from '../storage/json-store.js'
import { hashOf, serialiseState } from '../storage/json-text.js'
import { hasImage, type ImageRecord, type JournalRecord } from './journal.js'

/** What the state file, its backup and the journal together say on opening (reliability.md section 3, table). */
export type Decision =
  | { kind: 'fresh' }
  | { kind: 'clean' }
  /** The journal is one step ahead of the state file. */
  | { kind: 'roll-forward'; last: ImageRecord }
  /** The state file is broken or gone; journal and backup agree on what it was. */
  | { kind: 'restore'; last: ImageRecord; reason: string }
  /** Broken, and there is no journal to ask: the backup is all there is, and a baseline to be confirmed. */
  | { kind: 'promote'; reason: string }
  | { kind: 'adopt' }
  | { kind: 'foreign-edit'; last: ImageRecord }
  | { kind: 'rebuild'; last: ImageRecord; reason: string }
  /** Neither file nor journal can give a state back; nothing may be overwritten. */
  | { kind: 'both-bad'; reason: string }

export interface Evidence {
  main: StoreRead<unknown>
  backup: StoreRead<unknown>
  records: readonly JournalRecord[]
  /** Complete journal lines that could not be used: a state may have been in one of them. */
  lostLines: boolean
}

export function decide({ main, backup, records, lostLines }: Evidence): Decision {
  const images = records.filter(hasImage)
  const last = images.at(-1)
  if (!last) return decideWithoutImages(main, backup, lostLines)
  if (main.kind === 'ok') {
    if (main.hash === last.image.after) return { kind: 'clean' }
    const applies =
      main.hash === last.image.before && hashOf(serialiseState(last.image.state)) === last.image.after
    return applies ? { kind: 'roll-forward', last } : { kind: 'foreign-edit', last }
  }
  if (main.kind === 'missing' && last.image.before === null) return { kind: 'roll-forward', last }
  const reason = reasonOf(main)
  const known = backup.kind === 'ok' && images.some(({ image }) => isIn(image, backup.hash))
  return known ? { kind: 'restore', last, reason } : { kind: 'rebuild', last, reason }
}

function decideWithoutImages(
  main: StoreRead<unknown>,
  backup: StoreRead<unknown>,
  lostLines: boolean,
): Decision {
  if (main.kind === 'ok') return { kind: 'adopt' }
  if (backup.kind === 'ok') return { kind: 'promote', reason: reasonOf(main) }
  if (main.kind === 'missing' && backup.kind === 'missing' && !lostLines) return { kind: 'fresh' }
  return { kind: 'both-bad', reason: reasonOf(main.kind === 'missing' ? backup : main) }
}

function isIn(image: { before: string | null; after: string }, hash: string): boolean {
  return image.before === hash || image.after === hash
}

function reasonOf(read: StoreRead<unknown>): string {
  return read.kind === 'unreadable' ? read.reason : 'it is missing'
}
