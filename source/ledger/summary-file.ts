import { rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { counted } from '../counted.js'
import { type SealKey, sealHolds, sealOf } from '../secrets/hmac.js'
import { readVerified, stampAt, temporaryPath } from '../storage/durable-file.js'
import type { Question } from '../view/question.js'
import { usageSchema } from '../view/summary.js'
import { createDigest, type Digest, type DigestFold } from './digest.js'
import { continueChain, type Finding } from './journal-chain.js'
import { followJournal } from './journal-follow.js'
import { hasImage, type JournalRecord } from './journal-record.js'
import { type JournalEnd, scanJournal, stillEndsWith } from './journal-scan.js'
import { readSeal, type SealPlace, type SealRead } from './seal.js'

// summary.json beside the journal: what lists show, so that no list reads a whole journal. It is a copy that is worth
// nothing by itself: it counts only where it fits the journal, and is made anew where it does not (docs/durability.md).

const fileName = 'summary.json'
const mostBytes = 1024 * 1024
/** Entries of the timeline that lists can show of a session; the screen reads the others from the journal. */
const timelineInFile = 12

const text = z.string()
const count = z.number()
const yesNo = z.boolean()
const countByPhase = z.array(z.tuple([text, count]))
const status = z.enum(['running', 'suspended', 'ok', 'failed', 'stopped'])

const summarySchema = z.object({
  v: z.literal(5),
  journal: z.object({
    size: count,
    lines: count,
    lastHash: text,
    lastSize: count,
    rev: count,
    epoch: count,
    chain: text,
  }),
  digest: z.object({
    usage: usageSchema,
    usageByPhase: z.array(z.tuple([text, usageSchema])),
    workByPhase: countByPhase,
    dispatchesByPhase: countByPhase,
    timeline: z.array(
      z.object({
        at: text,
        text,
        kind: z.enum(['state', 'agent', 'gate', 'commit', 'note', 'warning']),
        answered: z.optional(
          z.object({
            chosen: text,
            gate: text,
            title: text,
            note: z.optional(text),
          }),
        ),
      }),
    ),
    open: z.array(
      z.object({
        key: text,
        aside: yesNo,
        question: z.looseObject({
          id: text,
          gate: text,
          title: text,
          body: z.array(text),
        }),
      }),
    ),
    finished: yesNo,
    adopted: yesNo,
    times: z.object({ workMs: count, waitingMs: count, awayMs: count }),
    dispatches: z.array(
      z.object({
        id: text,
        persona: text,
        title: text,
        phase: text,
        attempt: count,
        cwd: z.optional(text),
        status,
        startedAt: text,
        endedAt: z.optional(text),
        usage: z.optional(usageSchema),
      }),
    ),
    runIds: z.array(text),
    agent: z.nullable(text),
    messages: z.array(text),
    workflow: z.nullable(text),
    subject: z.nullable(text),
    lastRun: z.nullable(z.object({ openedAt: text, endedAt: text, stopped: yesNo, facts: count })),
    lastAt: z.nullable(text),
  }),
  /** Which state file it was described from; null if there was none. */
  stateFile: z.nullable(text),
  described: z.optional(z.unknown()),
})

/** What a summary says of a journal: a copy, which later records do not change. */
export interface SummaryContent {
  journal: JournalEnd
  digest: unknown
}

/** Of a journal whose records up to its end have been followed. */
export function summaryOf(fold: DigestFold, end: JournalEnd): SummaryContent {
  const { timeline, usageByPhase, workByPhase, dispatchesByPhase, questions: _open, ...digest } = fold.digest
  return {
    journal: { ...end },
    digest: {
      ...digest,
      timeline: timeline.slice(-timelineInFile),
      usageByPhase: [...usageByPhase],
      workByPhase: [...workByPhase],
      dispatchesByPhase: [...dispatchesByPhase],
      open: fold.open,
    },
  }
}

export interface SummaryPlace {
  /** Of the session: what was not sealed with it is not believed. */
  key: SealKey
  /** Absolute path of the state file. */
  statePath: string
  /** What the workflow says of its state, as plain data for lists. */
  described?: unknown
}

/** Replaces the summary. Not synced: after a power cut it fits no journal, and is made anew. Never fails. */
export async function writeSummary(
  dir: string,
  content: SummaryContent,
  { key, statePath, described }: SummaryPlace,
): Promise<void> {
  const path = join(dir, fileName)
  const temporary = temporaryPath(path)
  try {
    const told = { v: 5, ...content, stateFile: await stampText(statePath), described }
    const text = JSON.stringify(told)
    await writeFile(temporary, `${text}\n${sealOf(key, text)}\n`, { flag: 'wx', mode: 0o600 })
    await rename(temporary, path)
  } catch {
    await unlink(temporary).catch(() => undefined)
  }
}

export interface DigestReading {
  digest: Digest
  /** What the workflow said of its state; undefined if the state has changed since. */
  described?: unknown
  /** Lines for a person about what was passed over in the part of the journal that was read. */
  problems: string[]
  /** The journal is not the one that was sealed here, in one sentence; the session asks when it is opened. */
  foreign?: string
  /** A state was saved, whether or not its file is there now. */
  hasState: boolean
  /** Bytes of journal that were read beside its end. */
  read: number
}

/**
 * What lists need of a session, by a short read where the summary is ours and fits the journal; the records behind it
 * are read too, and the whole journal where it does not fit. Changes nothing. Undefined for a session without a
 * journal. `statePath` is that of the state file: without it nothing is said of the state. Problems: as `scanJournal`.
 */
export async function readDigest(
  dir: string,
  place: SealPlace | undefined,
  statePath?: string,
): Promise<DigestReading | undefined> {
  const path = join(dir, 'journal.jsonl')
  const seal = place && (await readSeal(place))
  const mark = seal?.kind === 'ok' ? seal.mark : undefined
  const summary = place && mark && (await readSummary(dir, place.key))
  const fits = summary !== undefined && (await stillEndsWith(path, summary.end))
  const begun = fits ? summary : undefined
  const { scan, chain, fold } = await followRest(path, { place, seal }, begun)
  if (scan.missing) return undefined
  const foreign = foreignIn(chain?.finding(scan.end) ?? (chain ? undefined : unsealed))
  const known = fits && !fold.stateChanged && statePath !== undefined
  const described =
    known && (await stampText(statePath)) === summary.stateFile ? summary.described : undefined
  return {
    digest: fold.digest.digest,
    problems: scan.problems,
    hasState: fold.stateChanged || (begun !== undefined && begun.stateFile !== null),
    read: scan.end.size - (begun?.end.size ?? 0),
    ...(foreign === undefined ? {} : { foreign }),
    ...(described === undefined ? {} : { described }),
  }
}

/** The records behind a summary; without one all of them. */
async function followRest(
  path: string,
  { place, seal }: { place: SealPlace | undefined; seal: SealRead | undefined },
  summary: Summary | undefined,
) {
  const begin = () => {
    const digest = createDigest(summary?.fold)
    return {
      digest,
      stateChanged: false,
      take(record: JournalRecord) {
        digest.take(record)
        if (hasImage(record)) this.stateChanged = true
      },
    }
  }
  if (place && !summary) return followJournal(path, { key: place.key, seal }, begin)
  const fold = begin()
  const mark = seal?.kind === 'ok' ? seal.mark : undefined
  const chain = place && summary && continueChain(place.key, mark, summary.end)
  const scan = await scanJournal(path, (record) => fold.take(record), summary?.end, chain)
  return { scan, chain, fold }
}

const unsealed: Finding = { kind: 'unsealed', reason: 'nothing was sealed on this machine' }

/** For a list: nothing is decided here. */
function foreignIn(finding: Finding | undefined): string | undefined {
  switch (finding?.kind) {
    case 'unsealed':
      return `The journal is of another version, machine or place: ${finding.reason}.`
    case 'foreign':
      return `The journal holds ${counted(finding.lines.length, 'line')} that autopilot did not write.`
    case 'damaged':
      return `The journal is damaged. ${finding.what}`
    default:
      return undefined
  }
}

interface Summary {
  end: JournalEnd
  fold: Pick<DigestFold, 'digest' | 'open'>
  stateFile: string | null
  described: unknown
}

/** Tells one version of a file from another without reading it; null if it is not there. */
async function stampText(path: string): Promise<string | null> {
  const stamp = await stampAt(path)
  return stamp ? `${stamp.ino}-${stamp.size}-${stamp.mtimeNs}` : null
}

/** Undefined if it is missing, not ours or of another version. */
async function readSummary(dir: string, key: SealKey): Promise<Summary | undefined> {
  const file = await readVerified(join(dir, fileName), mostBytes).catch(() => undefined)
  if (file?.kind !== 'ok') return undefined
  const [text = '', seal] = file.bytes.toString('utf8').split('\n', 2)
  if (!sealHolds(key, text, seal)) return undefined
  const value: unknown = JSON.parse(text)
  const checked = summarySchema.safeParse(value)
  if (!checked.success) return undefined
  const { journal, digest, described, stateFile } = checked.data
  const { open: found, usageByPhase, workByPhase, dispatchesByPhase, ...plain } = digest
  const open = found.map((one) => ({ ...one, question: one.question as unknown as Question }))
  const questions = open.map(({ question }) => question)
  const maps = {
    usageByPhase: new Map(usageByPhase),
    workByPhase: new Map(workByPhase),
    dispatchesByPhase: new Map(dispatchesByPhase),
  }
  const whole = { ...plain, ...maps, questions } as Digest
  return { end: journal, fold: { digest: whole, open }, stateFile, described }
}
