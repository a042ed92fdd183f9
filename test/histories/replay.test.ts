import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JournalRecord } from '../../source/ledger/journal.js'
import { doubled, openWorkshop, outcomeOf, records, start, type Workshop } from '../crash/crash-run.js'
import type { AnswerRule } from '../crash/driver.js'
import { makeTemporary } from '../support/temporary.js'
import { histories, restoreHistory, restoreProject } from './restore.js'

// Sessions that released versions began are opened by this one and go on to their end; what is stored: readme.md here.
// AUTOPILOT_CRASH_EVERY=1 goes on with each history instead of each sixth (many times as long).

const run = promisify(execFile)

/**
 * How the gates on the way are answered, beside those that the driver knows. What a later version asks more, as whether
 * to begin an interrupted state again, gets its line here; it is not counted as an answer of the recorded session.
 */
const answers: AnswerRule[] = [
  { gate: 'Q-REVISION', answer: { value: 'again' } },
  // Attempts that were counted before the interruption stay counted.
  { gate: 'Q-RETRY', answer: { value: 'fix' } },
  { gate: 'Q-READING', answer: { value: 'use' } },
  { gate: 'Q-VERIFY', answer: { value: 'fix' } },
  {
    gate: 'Q-REVIEW',
    showing: 'work/list.txt',
    answer: { value: 'override', text: 'The list is read by nobody yet.' },
  },
  { gate: 'Q-INTERACTIVE', answer: { value: 'choose', text: 'docs/plans/by-hand.md' } },
  { gate: 'human-action', answer: { value: 'done' } },
  { gate: 'Q-FINAL', answer: { value: 'fix' } },
  // A fix that was made before its state began again: the dispatch that follows finds nothing left to change.
  { gate: 'Q-UNPROVEN', showing: 'nothing has changed since it was sent', answer: { value: 'accept' } },
]

const every = Number(process.env.AUTOPILOT_CRASH_EVERY ?? 6)
const stored = histories()
let root = ''
let workshop: Workshop

beforeAll(async () => {
  root = await makeTemporary('histories')
  workshop = { ...(await openWorkshop(root)), answers }
}, 60_000)

afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))

test('there is a history of every state: within a visit, and before it', () => {
  const states = ['INIT', 'ASSESS', 'PLAN', 'APPROVE_PLAN', 'EXECUTE', 'VERIFY', 'REVIEW', 'PHASE_COMPLETE']
  const all = [...states, 'FINAL_REVIEW', 'DONE'].sort()
  const of = (version: string, kind: string) => [
    ...new Set(
      stored.filter((one) => one.version === version && one.kind === kind).map(({ state }) => state),
    ),
  ]
  for (const version of new Set(stored.map((one) => one.version))) {
    expect(of(version, 'mid-visit').sort()).toEqual(all)
    expect(of(version, 'border').sort()).toEqual(all.filter((state) => state !== 'INIT'))
    expect(of(version, 'finished')).toEqual(['DONE'])
  }
})

describe.each([...new Set(stored.map((one) => one.version))])('sessions of %s', (version) => {
  let finished: Passage

  beforeAll(async () => {
    const { root: dir } = await restoreHistory(`${version}/finished`, join(root, `${version}-reference`))
    finished = await passageOf(dir)
  })

  test('the recorded session was rich: it asked, failed, retried, fixed and overrode', () => {
    expect(gatesOf(finished)).toEqual([
      'Q-READING',
      'Q-APPROVE',
      'human-verify',
      'Q-VERIFY',
      'Q-REVIEW',
      'Q-NEXT',
      'Q-INTERACTIVE',
      'Q-APPROVE',
      'decision',
      'Q-REVIEW',
      'Q-NEXT',
      'human-action',
      'Q-FINAL',
      'Q-PR',
    ])
    expect(finished.committed).toEqual([
      '[autopilot] Checkpoint 1: label',
      '[autopilot] Checkpoint 1: order',
      '[autopilot] Checkpoint 1: print',
    ])
    expect(finished.state).toMatchObject({ history: [{ retriesUsed: 3 }, {}, {}] })
  })

  test('an undisturbed run comes to the same as the recorded session', async () => {
    const dir = join(root, `${version}-undisturbed`)
    await restoreProject(version, dir)
    const ended = await start(workshop, dir)
    expect(ended, ended.stderr).toMatchObject({ code: 0 })
    expect(await passageOf(dir)).toEqual(finished)
  })

  test.concurrent.each(
    stored
      .filter((one) => one.version === version)
      .filter((_, index) => index % every === 0)
      .map((one) => [one.name, one.about] as const),
  )('%s goes on to the end. %s', async (name) => {
    const history = await restoreHistory(name, join(root, name.replace('/', '-')))
    const dir = history.root
    expect(await records(dir)).toHaveLength(history.journalLines)
    const { stdout: before } = await run('git', ['log', '--format=%H'], { cwd: dir })
    expect(before.split('\n')[0]).toBe(history.head)

    const ended = await start(workshop, dir)
    expect(ended, ended.stderr).toMatchObject({ code: 0 })

    const all = await records(dir)
    expect(doubled(all.filter((record) => record.type !== 'answered' || !record.stop))).toEqual([])
    const again = all.some((record) => record.type === 'visit' && record.again !== undefined)
    const unasked = all.filter((record) => record.type === 'note' && record.key === 'leftovers')
    if (!again) expect(unasked).toEqual([])
    const passage = await passageOf(dir, gatesOf(finished))
    if (askedAbout(all, 'Q-RETRY')) {
      // Attempts that were counted before the interruption stay counted, so that the person was asked.
      expect(again).toBe(true)
      expect(passage.state).toMatchObject({ currentState: 'DONE' })
    } else {
      expect(again ? begunAgain(passage) : passage).toEqual(again ? begunAgain(finished) : finished)
    }
    const { stdout: after } = await run('git', ['log', '--format=%H'], { cwd: dir })
    expect(after.endsWith(before)).toBe(true)
    // A journal without a seal is taken over once, and that is recorded.
    expect(all.filter((record) => record.type === 'sealed-from')).toHaveLength(1)
    if (history.kind === 'finished') expect(all).toHaveLength(history.journalLines + 1)
    await rm(dir, { recursive: true, force: true })
  })
})

/** What a session came to and what it took: equal for every way to get there, in this version and in those before. */
interface Passage {
  /** Gates that a person answered, `gate: title`, in order; a stop is no answer. */
  answered: string[]
  /** Dispatches that had an outcome, `persona: title`, in order. */
  dispatched: string[]
  /** Commits that the session says it made, without their ids. */
  committed: string[]
  state: Record<string, unknown>
  commits: unknown
  uncommitted: unknown
  leftovers: unknown
}

/**
 * A state that is begun again dispatches its agents anew, and finds made what was made: nothing more is done, but it
 * may be said twice, or not again.
 */
function begunAgain(passage: Passage): Omit<Passage, 'committed'> {
  const { committed: _said, ...rest } = passage
  const commits = passage.commits as { subject: string; tree: string[] }[]
  return {
    ...rest,
    dispatched: [...new Set(passage.dispatched)],
    // Another plan beside the one that was made before, and another number where a checkpoint was decided before.
    commits: commits.map(({ subject, tree }) => ({
      subject: subject.replace(/Checkpoint \d+/, 'Checkpoint'),
      tree: [...new Set(tree)],
    })),
    state: {
      ...passage.state,
      decisions: [
        ...new Set(
          (passage.state.decisions as { decision: string }[])
            .filter(({ decision }) => decision !== 'accepted_unproven')
            .map((one) => JSON.stringify(one)),
        ),
      ],
    },
  }
}

/** `known`: only these gates count, so that a version may ask more on the way than the one that began. */
async function passageOf(dir: string, known?: readonly string[]): Promise<Passage> {
  const all = await records(dir)
  const outcome = await outcomeOf(workshop, dir)
  const state = outcome.state as Record<string, unknown>
  return {
    answered: answeredGates(all).filter((line) => known?.includes(gateOf(line)) ?? true),
    dispatched: all.flatMap((record) =>
      record.type === 'agent' ? [`${record.persona}: ${record.title}`] : [],
    ),
    committed: all.flatMap((record) =>
      record.type === 'note' && record.kind === 'commit' ? [record.text.replace(/ \([0-9a-f]+\)$/, '')] : [],
    ),
    state: {
      ...Object.fromEntries(
        ['currentState', 'currentPhase', 'finalReview'].map((key) => [key, state[key]]),
      ),
      history: (state.history as object[]).map((entry) => without(entry, timedSince)),
      phases: (state.phases as object[]).map((phase) => without(phase, keptSince)),
      // A gate that was left with a stop notes that; it decides nothing.
      decisions: (state.decisions as { decision: string }[])
        .filter(({ decision }) => decision !== 'stopped')
        .map((entry) => without(entry, toldSince)),
    },
    commits: outcome.commits,
    uncommitted: outcome.uncommitted,
    leftovers: outcome.leftovers,
  }
}

/** What later versions keep of a phase beside the keys of 0.1.0, of one that is over, and what they tell of a decision. */
const keptSince = [
  'baseline',
  'endCommit',
  'findings',
  'approvedPlan',
  'refusedPlan',
  'evidence',
  'timesBefore',
  'specLabel',
  'specText',
]
const timedSince = ['times']
const toldSince = ['task', 'title', 'question', 'lines']

function without(value: object, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
}

const askedAbout = (all: readonly JournalRecord[], gate: string) =>
  all.some((record) => record.type === 'asked' && (record.question as { gate: string }).gate === gate)

const gateOf = (line: string) => line.slice(0, line.indexOf(':'))
const gatesOf = (passage: Passage) => passage.answered.map(gateOf)

function answeredGates(all: readonly JournalRecord[]): string[] {
  const asked = new Map(
    all.flatMap((record) => {
      if (record.type !== 'asked') return []
      const question = record.question as { id: string; gate: string; title: string }
      return [[question.id, `${question.gate}: ${question.title}`] as const]
    }),
  )
  return all.flatMap((record) => {
    if (record.type !== 'answered' || record.stop || record.settled || record.kept) return []
    return asked.get(record.questionId) ?? []
  })
}
