import type { StoreRead } from '../storage/state-store.js'
import type { ImageChain } from './image-chain.js'

/** What the state file, its backup and the journal together say on opening (docs/durability.md). */
export type Decision =
  | { kind: 'fresh' }
  | { kind: 'clean' }
  /** The journal is one step ahead of the state file. */
  | { kind: 'roll-forward'; state: unknown }
  /** The state file is broken or gone; journal and backup agree on what it was. */
  | { kind: 'restore'; state: unknown; reason: string }
  /** Broken, and there is no journal to ask: the backup is all there is, and a baseline to be confirmed. */
  | { kind: 'promote'; reason: string }
  | { kind: 'adopt' }
  | { kind: 'foreign-edit'; state: unknown }
  | { kind: 'rebuild'; state: unknown; reason: string }
  /** Neither file nor journal can give a state back; nothing may be overwritten. */
  | { kind: 'both-bad'; reason: string }

export interface Evidence {
  main: StoreRead<unknown>
  backup: StoreRead<unknown>
  images: ImageChain
  /** Complete journal lines that could not be used: a state may have been in one of them. */
  lostLines: boolean
  /** Hash of the file that a state would become; undefined if it cannot become one. */
  hashOf(state: unknown): string | undefined
}

export function decide(evidence: Evidence): Decision {
  const { main, backup, images } = evidence
  const last = images.last?.image
  if (!last) return decideWithoutImages(evidence)
  if (main.kind === 'ok' && main.hash === last.after) return { kind: 'clean' }
  const state = newestState(evidence)
  if (main.kind === 'ok') {
    if (state === undefined) return { kind: 'adopt' }
    const applies = main.hash === last.before && evidence.hashOf(state) === last.after
    return applies ? { kind: 'roll-forward', state } : { kind: 'foreign-edit', state }
  }
  const reason = reasonOf(main)
  if (state === undefined) return { kind: 'both-bad', reason }
  if (main.kind === 'missing' && last.before === null) return { kind: 'roll-forward', state }
  const known = backup.kind === 'ok' && images.knows(backup.hash)
  return known ? { kind: 'restore', state, reason } : { kind: 'rebuild', state, reason }
}

/** From the journal alone, or where a line of it was lost, from a file that it goes on from. */
function newestState({ main, backup, images }: Evidence): unknown {
  if (images.state !== undefined) return images.state
  for (const file of [main, backup]) {
    if (file.kind !== 'ok') continue
    const state =
      file.hash === images.last?.image.after ? file.value : images.rollForward(file.hash, file.value)
    if (state !== undefined) return state
  }
  return undefined
}

function decideWithoutImages({ main, backup, lostLines }: Evidence): Decision {
  if (main.kind === 'ok') return { kind: 'adopt' }
  if (backup.kind === 'ok') return { kind: 'promote', reason: reasonOf(main) }
  if (main.kind === 'missing' && backup.kind === 'missing' && !lostLines) return { kind: 'fresh' }
  return { kind: 'both-bad', reason: reasonOf(main.kind === 'missing' ? backup : main) }
}

function reasonOf(read: StoreRead<unknown>): string {
  return read.kind === 'unreadable' ? read.reason : 'it is missing'
}
