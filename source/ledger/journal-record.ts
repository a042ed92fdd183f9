import type { TimelineEntry, Usage } from '../view/view.js'
import { isPatch, type Patch } from './json-patch.js'

// The facts of journal.jsonl, as they are in memory and on disk (docs/durability.md).

/**
 * A change of the state file. Hashes are sha256 hex of its bytes; `before` is null if there was no file. A full image
 * holds the whole new state, the others what changed since the image before.
 */
export type Image = { before: string | null; after: string } & ({ state: unknown } | { patch: Patch })

/** What a run tells its journal. `visit` counts the calls of state functions, `key` names a step within one. */
export type JournalFact =
  /** A process took the session. */
  | {
      type: 'opened'
      version: string
      pid: number
      runId: string
      /** Value of `--agent`, for the next time. */
      agent?: string
    }
  | {
      type: 'visit'
      visit: number
      /** Name of the state, or id of the interlude. */
      state: string
      interlude?: boolean
      /** Number of the visit of another revision that this one begins again. */
      again?: number
      /** Who wrote the visit; absent in journals of 0.1.0. */
      workflow?: string
      revision?: number
      version?: string
    }
  | { type: 'step'; visit: number; key: string; result: unknown }
  /** Written before an effect that must not happen twice. */
  | { type: 'intent'; visit: number; key: string; intent: unknown }
  | {
      type: 'dispatched'
      visit: number
      key: string
      attempt: number
      dispatchId: string
      persona: string
      title: string
      /** Id of the phase. */
      phase: string
      /** Where it works, if not in the project itself. */
      cwd?: string
      /** What the person told this dispatch at its beginning. */
      messages?: string[]
      /** What was seen of the project before it began (docs/evidence.md, "Snapshots"). */
      before?: unknown
    }
  /** The conversation id of a running dispatch, as soon as it is known. */
  | { type: 'session'; visit: number; key: string; sessionId: string }
  /** A finished dispatch. */
  | {
      type: 'agent'
      visit: number
      key: string
      dispatchId: string
      reply: unknown
      persona: string
      title: string
      phase: string
      cwd?: string
      /** What it has left in the project. */
      left?: unknown
    }
  /** What a dispatch used that was stopped before it had an outcome. */
  | {
      type: 'spent'
      visit: number
      key: string
      dispatchId: string
      phase: string
      usage: Usage
      /** What it has left in the project. */
      left?: unknown
    }
  | {
      type: 'asked'
      visit: number
      key: string
      question: unknown
      /** Asked beside the state function: by a working agent, or by the run itself. Never replayed. */
      aside?: boolean
      image?: Image
    }
  | {
      type: 'answered'
      visit: number
      key: string
      questionId: string
      answer: unknown
      stop: boolean
      /** Nobody had to be asked. */
      settled?: boolean
      /** Given in the visit that this one begins again. */
      kept?: boolean
      aside?: boolean
      image?: Image
    }
  /** The state changed inside a visit. */
  | { type: 'update'; visit: number; key: string; image: Image }
  | { type: 'transition'; visit: number; from: string; to: string; finished?: boolean; image: Image }
  | { type: 'note'; visit?: number; key?: string; kind: TimelineEntry['kind']; text: string }
  /** Something broken was mended while opening. */
  | { type: 'recovered'; text: string; image?: Image }
  /** A state file of another hand was taken over as it is. */
  | { type: 'adopted'; image: Image }
  /** An edit of another hand that the open visit goes on with. */
  | { type: 'merged'; image: Image }
  | { type: 'held'; text?: string }
  | { type: 'released'; text?: string }
  | { type: 'interrupted'; text?: string; image?: Image }
  | { type: 'closed'; text?: string }
  /** From here on every line is sealed; what was before was taken over as it stood. `hash`: sha256 hex of those bytes. */
  | { type: 'sealed-from'; hash: string; size: number }

export interface JournalHeader {
  /** 1 in journals of 0.1.0, which hold full images only. */
  v: 1 | 2
  /** Unique; a second record of the same id is ignored. */
  id: string
  /** Counts the records of a journal from 1. */
  rev: number
  epoch: number
  lockId: string
  /** ISO time. */
  at: string
  /** sha256 hex of the line before, and the seal of this one; absent in lines from before there were seals. */
  prev?: string
  mac?: string
}

export type JournalRecord = JournalHeader & JournalFact

type FactWithImage = Extract<JournalFact, { image?: Image }>
/** A fact whose image the session store computes. */
export type FactWithoutImage = FactWithImage extends infer Fact
  ? Fact extends unknown
    ? Omit<Fact, 'image'>
    : never
  : never
export type ImageRecord = JournalRecord & { image: Image }

type Kind = 'number' | 'string' | 'boolean' | 'present'

/** Fields that each type must have; what else a record holds is kept. */
const fields: Record<JournalFact['type'], Record<string, Kind>> = {
  opened: { version: 'string', pid: 'number', runId: 'string' },
  visit: { visit: 'number', state: 'string' },
  step: { visit: 'number', key: 'string' },
  intent: { visit: 'number', key: 'string' },
  dispatched: { visit: 'number', key: 'string', attempt: 'number', dispatchId: 'string', persona: 'string' },
  session: { visit: 'number', key: 'string', sessionId: 'string' },
  agent: { visit: 'number', key: 'string', reply: 'present' },
  spent: { visit: 'number', key: 'string', dispatchId: 'string', usage: 'present' },
  asked: { visit: 'number', key: 'string', question: 'present' },
  answered: { visit: 'number', key: 'string', questionId: 'string', answer: 'present', stop: 'boolean' },
  update: { visit: 'number', key: 'string', image: 'present' },
  transition: { visit: 'number', from: 'string', to: 'string', image: 'present' },
  note: { kind: 'string', text: 'string' },
  recovered: { text: 'string' },
  adopted: { image: 'present' },
  merged: { image: 'present' },
  held: {},
  released: {},
  interrupted: {},
  closed: {},
  'sealed-from': { hash: 'string', size: 'number' },
}

export function hasImage(record: JournalRecord): record is ImageRecord {
  return 'image' in record && record.image !== undefined
}

/** The fields that a record of its type must have are there; what else it holds is kept. */
export function isFact(record: Record<string, unknown>): boolean {
  if (typeof record.type !== 'string' || !Object.hasOwn(fields, record.type)) return false
  const needed = fields[record.type as JournalFact['type']]
  for (const name in needed) {
    const kind = needed[name]
    if (kind === 'present' ? record[name] === undefined : typeof record[name] !== kind) return false
  }
  return record.image === undefined || isImage(record.image)
}

function isImage(value: unknown): value is Image {
  if (typeof value !== 'object' || value === null) return false
  const image = value as Record<string, unknown>
  if ((image.before !== null && typeof image.before !== 'string') || typeof image.after !== 'string')
    return false
  if ('state' in image) return typeof image.state === 'object' && image.state !== null
  return isPatch(image.patch)
}
