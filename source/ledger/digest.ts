import type { Pane } from '../view/panes.js'
import type { Question } from '../view/question.js'
import { noTimes, type Times } from '../view/times.js'
import { addUsage, noUsage, type Usage } from '../view/usage.js'
import type { TimelineEntry } from '../view/view.js'
import type { JournalRecord } from './journal-record.js'
import { isKeptMessage } from './messages.js'
import { createClock } from './session-clock.js'
import { timelineEntry } from './timeline.js'
import { type ReplyUsage, usageOfReply } from './usage.js'

// What lists and screens need of a whole journal, followed record by record, so that nobody keeps the records
// (docs/durability.md).

/** One dispatch as lists and panes show it. */
export interface DispatchDigest {
  id: string
  persona: string
  title: string
  /** Id of the phase. */
  phase: string
  attempt: number
  cwd?: string
  status: Pane['status']
  /** ISO times. */
  startedAt: string
  endedAt?: string
  /** What its agent used in all, once it has ended. */
  usage?: Usage
}

/** The time since a process last took the session. */
export interface LastRun {
  /** ISO times; `endedAt` is that of its last record, without what was mended afterwards. */
  openedAt: string
  endedAt: string
  /** It ended with a stop, not with its death. */
  stopped: boolean
  /** How many entries of the timeline it has made. */
  facts: number
}

export interface Digest {
  readonly usage: Usage
  readonly usageByPhase: ReadonlyMap<string, Usage>
  /** The newest entries, oldest first. */
  readonly timeline: readonly TimelineEntry[]
  /** Questions that wait for an answer, in the order in which they were asked. One answered with a stop is still open. */
  readonly questions: readonly Question[]
  /** The transition that ended the workflow is in the journal. */
  readonly finished: boolean
  /** The newest state was taken over from another hand, not reached by a transition. */
  readonly adopted: boolean
  /** Where the time went up to the newest record. */
  readonly times: Times
  /** Time at work by id of the phase, in milliseconds: that of the agents at work, else of the last that worked. */
  readonly workByPhase: ReadonlyMap<string, number>
  /** How many dispatches there were by id of the phase, all of them. */
  readonly dispatchesByPhase: ReadonlyMap<string, number>
  /** The last ones, oldest first. */
  readonly dispatches: readonly DispatchDigest[]
  /** Markers of the last processes, oldest first. */
  readonly runIds: readonly string[]
  /** The `--agent` of the last process that was given one. */
  readonly agent: string | null
  /** What the person wants the next dispatch to know, oldest first. */
  readonly messages: readonly string[]
  /** Name of the workflow that wrote the last visit; null in journals of 0.1.0. */
  readonly workflow: string | null
  /** What the session is about, while its first state is not there yet. */
  readonly subject: string | null
  readonly lastRun: LastRun | null
  /** ISO time of the newest record; null in an empty journal. */
  readonly lastAt: string | null
}

export const timelineKept = 500
export const dispatchesKept = 20
const runIdsKept = 3

/** A digest in the making. */
export interface DigestFold {
  readonly digest: Digest
  /** For the summary file: everything that is needed to go on from here. */
  readonly open: readonly OpenQuestion[]
  take(record: JournalRecord): void
}

export interface OpenQuestion {
  key: string
  aside: boolean
  question: Question
}

type Growing = { -readonly [Key in keyof Digest]: Digest[Key] } & {
  timeline: TimelineEntry[]
  usageByPhase: Map<string, Usage>
  workByPhase: Map<string, number>
  dispatchesByPhase: Map<string, number>
}

export function createDigest(from?: Pick<DigestFold, 'digest' | 'open'>): DigestFold {
  const digest: Growing = from
    ? {
        ...from.digest,
        timeline: [...from.digest.timeline],
        usageByPhase: new Map(from.digest.usageByPhase),
        workByPhase: new Map(from.digest.workByPhase),
        dispatchesByPhase: new Map(from.digest.dispatchesByPhase),
      }
    : emptyDigest()
  let open: OpenQuestion[] = [...(from?.open ?? [])]
  const clock = createClock(digest)
  Object.defineProperty(digest, 'times', { enumerable: true, get: () => clock.times })

  return {
    digest,
    get open() {
      return open
    },
    take(record) {
      clock.take(open, record)
      const answered = open.find(({ key }) => record.type === 'answered' && key === record.key)
      digest.lastAt = record.at
      const asked = questionsAfter(open, record)
      if (asked !== open) digest.questions = asked.map(({ question }) => question)
      open = asked
      takeSession(digest, record)
      takeDispatch(digest, record)
      const entry = timelineEntry(record, answered?.question)
      if (!entry) return
      digest.timeline.push(entry)
      if (digest.timeline.length > timelineKept) digest.timeline.shift()
      if (digest.lastRun) digest.lastRun = { ...digest.lastRun, facts: digest.lastRun.facts + 1 }
    },
  }
}

function emptyDigest(): Growing {
  return {
    usage: noUsage,
    usageByPhase: new Map(),
    timeline: [],
    questions: [],
    finished: false,
    adopted: false,
    times: noTimes,
    workByPhase: new Map(),
    dispatchesByPhase: new Map(),
    dispatches: [],
    runIds: [],
    agent: null,
    messages: [],
    workflow: null,
    subject: null,
    lastRun: null,
    lastAt: null,
  }
}

function takeSession(digest: Growing, record: JournalRecord): void {
  const { lastRun } = digest
  switch (record.type) {
    case 'opened':
      digest.runIds = [...digest.runIds, record.runId].slice(-runIdsKept)
      digest.agent = record.agent ?? digest.agent
      digest.lastRun = { openedAt: record.at, endedAt: record.at, stopped: false, facts: 0 }
      digest.dispatches = digest.dispatches.map((one) =>
        one.status === 'running' ? { ...one, status: 'stopped' as const } : one,
      )
      return
    case 'visit':
      digest.workflow = record.workflow ?? digest.workflow
      break
    case 'transition':
      digest.finished = record.finished === true
      digest.adopted = false
      break
    case 'adopted':
      digest.finished = false
      digest.adopted = true
      return
    case 'recovered':
      return
    case 'note':
      if (record.key === 'subject' || record.key === 'spec') digest.subject ??= record.text
      if (isKeptMessage(record)) digest.messages = [...digest.messages, record.text]
      break
    case 'dispatched':
      digest.messages = []
      break
    case 'interrupted':
      if (lastRun) digest.lastRun = { ...lastRun, stopped: true }
      break
  }
  if (digest.lastRun) digest.lastRun = { ...digest.lastRun, endedAt: record.at }
}

function takeDispatch(digest: Growing, record: JournalRecord): void {
  if (record.type === 'dispatched') {
    const { dispatchId: id, persona, title, phase, attempt, cwd, at } = record
    const begun: DispatchDigest = { id, persona, title, phase, attempt, status: 'running', startedAt: at }
    digest.dispatchesByPhase.set(phase, (digest.dispatchesByPhase.get(phase) ?? 0) + 1)
    digest.dispatches = [...digest.dispatches, cwd ? { ...begun, cwd } : begun].slice(-dispatchesKept)
    return
  }
  if (record.type !== 'agent' && record.type !== 'spent') return
  const used = record.type === 'agent' ? usageOfReply(record.reply as ReplyUsage) : record.usage
  digest.usage = addUsage(digest.usage, used)
  digest.usageByPhase.set(record.phase, addUsage(digest.usageByPhase.get(record.phase) ?? noUsage, used))
  const status = record.type === 'agent' ? paneStatusOf(record.reply as EndedReply) : ('stopped' as const)
  digest.dispatches = digest.dispatches.map((one) =>
    one.id === record.dispatchId ? { ...one, status, endedAt: record.at, usage: used } : one,
  )
}

/** The part of a recorded reply that says how its pane ends. */
export interface EndedReply {
  ok: boolean
  error?: string
  result?: unknown
}

/** How the pane of a finished dispatch ends. What the person ended is no failure. */
export function paneStatusOf(reply: EndedReply): 'ok' | 'failed' | 'stopped' {
  const { status } = (reply.result ?? {}) as { status?: unknown }
  if (reply.ok) return status === 'failed' || status === 'blocked' ? 'failed' : 'ok'
  return reply.error === 'aborted' ? 'stopped' : 'failed'
}

function questionsAfter(open: OpenQuestion[], record: JournalRecord): OpenQuestion[] {
  switch (record.type) {
    case 'asked': {
      const asked = {
        key: record.key,
        aside: record.aside === true,
        question: record.question as Question,
      }
      // 0.1.0 had one question at a time, and did not say which of them an agent had asked.
      if (record.v === 1) return [asked]
      const others = open.filter(({ key }) => key !== record.key)
      return others.length === open.length
        ? [...open, asked]
        : open.map((one) => (one.key === record.key ? asked : one))
    }
    case 'answered':
      return record.stop ? open : open.filter(({ key }) => key !== record.key)
    // What an agent asked died with its process.
    case 'opened':
      return open.filter(({ aside }) => !aside)
    case 'visit':
    case 'transition':
    case 'adopted':
      return open.length > 0 ? [] : open
    default:
      return open
  }
}
