import { hasImage, type Image, type ImageRecord, type JournalRecord } from './journal-record.js'
import { applyPatch, diffJson } from './json-patch.js'

// The states of a session as its journal tells them: full images now and then, patches between (docs/durability.md).

/** Every so many images one is full at the latest, so that a damaged line loses little. */
const imagesBetween = 100

export interface ImageChain {
  /** The newest image; its state is known unless a line before it was lost. */
  readonly last: ImageRecord | undefined
  readonly state: unknown
  /** Hashes of every state file that the journal knows of. */
  knows(hash: string): boolean
  /** The newest state, made from an older one whose bytes had this hash; undefined if no way leads there. */
  rollForward(hash: string | null, state: unknown): unknown
  take(record: JournalRecord): void
  /** What to write for a state whose file will have these bytes. */
  next(before: string | null, after: { hash: string; bytes: number; state: unknown }): Image
}

/** Follows the images of a journal, in memory no more than the newest state and the patches since the last full one. */
export function createImageChain(): ImageChain {
  const hashes = new Set<string>()
  let last: ImageRecord | undefined
  let state: unknown
  /** Images since the last full one, that one included. */
  let recent: Image[] = []
  let patchBytes = 0

  return {
    get last() {
      return last
    },
    get state() {
      return state
    },
    knows: (hash) => hashes.has(hash),
    rollForward(hash, from) {
      const at = recent.findLastIndex((image) => image.before === hash)
      return at < 0 ? undefined : applyAll(recent.slice(at), from)
    },
    take(record) {
      if (!hasImage(record)) return
      const { image } = record
      if (image.before !== null) hashes.add(image.before)
      hashes.add(image.after)
      const follows = last === undefined || last.image.after === image.before
      state = 'state' in image ? image.state : follows ? applied(state, image) : undefined
      if ('state' in image) {
        recent = [image]
        patchBytes = 0
      } else {
        recent = follows ? [...recent, image] : [image]
        patchBytes += JSON.stringify(image.patch).length
      }
      last = record
    },
    next(before, { hash, bytes, state: to }) {
      const full: Image = { before, after: hash, state: to }
      if (state === undefined || last?.image.after !== before || recent.length >= imagesBetween) return full
      const patch = diffJson(state, to) ?? { keys: {} }
      const size = JSON.stringify(patch).length
      return patchBytes + size > bytes ? full : { before, after: hash, patch }
    },
  }
}

/** A patch that does not fit leaves a state that nobody knows, as a lost line does. */
function applied(state: unknown, image: Extract<Image, { patch: unknown }>): unknown {
  if (state === undefined) return undefined
  try {
    return applyPatch(state, image.patch)
  } catch {
    return undefined
  }
}

function applyAll(images: readonly Image[], from: unknown): unknown {
  let state: unknown = from
  for (const image of images) state = 'state' in image ? image.state : applied(state, image)
  return state
}
