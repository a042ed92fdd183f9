import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createDigest } from '../../source/ledger/digest.js'
import type { JournalRecord } from '../../source/ledger/journal-record.js'
import { historyOf, samplesIn } from '../../source/sessions/history.js'
import { openSession } from '../../source/sessions/open-session.js'
import { gardenPlace } from '../fourth/places.js'
import { firstState } from '../fourth/state.js'
import { gardenWorkflow } from '../fourth/workflow.js'
import { inTemporary } from '../support/temporary.js'

// Facts of the forecast: docs/terminal.md "Forecast".

const minute = 60_000
const start = Date.parse('2030-04-02T09:00:00.000Z')

function digestOf(records: [atMinute: number, record: object][]) {
  const fold = createDigest()
  records.forEach(([at, record], index) => {
    const head = {
      v: 2,
      id: `${index}`,
      rev: index,
      epoch: 1,
      at: new Date(start + at * minute).toISOString(),
    }
    fold.take({ ...head, ...record } as unknown as JournalRecord)
  })
  return fold.digest
}

const begun = (id: string, phase: string) => ({
  type: 'dispatched',
  visit: 1,
  key: id,
  attempt: 1,
  dispatchId: id,
  persona: 'p',
  title: '',
  phase,
})
const ended = (id: string, phase: string, tokens: number) => ({
  type: 'agent',
  visit: 1,
  key: id,
  dispatchId: id,
  persona: 'p',
  title: '',
  phase,
  reply: { ok: true, usage: { inputTokens: tokens, outputTokens: 0 } },
})

describe('time at work by phase', () => {
  test('is that of the agents at work, shared by those of several phases, without waiting', () => {
    const asked = { type: 'asked', visit: 1, key: 'q', question: { id: 'q', options: [] } }
    const answered = { type: 'answered', visit: 1, key: 'q', questionId: 'q', stop: false }
    const { workByPhase } = digestOf([
      [0, { type: 'opened', version: '1', pid: 1, runId: 'r' }],
      [1, begun('a', '1')],
      [5, ended('a', '1', 10)],
      // Commands and records between agents belong to the last one.
      [7, asked],
      [60, { ...answered, answer: { answer: { value: 'yes' } } }],
      [60, begun('b', '2')],
      [60, begun('c', '3')],
      [70, ended('b', '2', 10)],
      [72, ended('c', '3', 10)],
    ])
    expect(Object.fromEntries([...workByPhase].map(([id, ms]) => [id, ms / minute]))).toEqual({
      1: 6,
      2: 5,
      3: 7,
    })
  })
})

describe('what a session tells of its phases', () => {
  const digest = digestOf([
    [0, begun('a', '1')],
    [5, ended('a', '1', 100)],
    [5, begun('b', '2')],
    [9, ended('b', '2', 200)],
  ])
  const phase = (id: string, status: string, tasks?: number) => ({
    id,
    number: 1,
    name: '',
    status,
    facts: [],
    ...(tasks ? { tasks: Array.from({ length: tasks }, () => ({ id: '', facts: [] })) } : {}),
  })

  test('the state says which are done, and how many tasks they had', () => {
    expect(
      samplesIn(digest, [phase('1', 'completed', 3), phase('2', 'in_progress'), phase('3', 'complete')]),
    ).toEqual([{ workMs: 5 * minute, tokens: 100, tasks: 3 }])
  })

  test('without it all phases of a finished session count, and none of another', () => {
    expect(samplesIn(digest, undefined)).toEqual([])
    expect(samplesIn({ ...digest, finished: true }, undefined)).toHaveLength(2)
  })
})

test('archived sessions of the project are read, the own one is not, and what is no journal is passed over', async () => {
  await inTemporary('history', async (root) => {
    await mkdir(join(root, 'docs'))
    const session = { root, workflow: gardenWorkflow, place: gardenPlace }
    const opened = await openSession(session, async () => 'quit')
    if (opened.kind !== 'ready') throw new Error('not opened')
    const { store } = opened
    await store.append({ type: 'opened', version: '1.0.0', pid: 1, runId: 'r' })
    await store.append({ type: 'visit', visit: 1, state: 'INIT', workflow: 'garden', revision: 1 })
    const [bed] = firstState('Herbs').beds
    const id = bed?.id ?? ''
    const meta = { visit: 1, key: 'a', persona: 'digger', title: 'Dig', phase: id }
    await store.append({ type: 'dispatched', ...meta, attempt: 1, dispatchId: 'd' })
    await new Promise((resolve) => setTimeout(resolve, 5))
    const reply = { ok: true, usage: { inputTokens: 70, outputTokens: 7, usd: 0.5 } }
    await store.append({ type: 'agent', ...meta, dispatchId: 'd', reply })
    const state = firstState('Herbs')
    const dug = { ...state, beds: state.beds.map((one) => (one.id === id ? { ...one, done: true } : one)) }
    await store.saveImage({ type: 'transition', visit: 1, from: 'INIT', to: 'DIG' }, dug)
    await store.close()

    const places = async () => [gardenPlace]
    expect(await historyOf({ ...session, places })).toEqual({ samples: [], sessions: 0 })

    const archive = join(root, gardenWorkflow.archiveDir)
    await mkdir(join(archive, 'empty'), { recursive: true })
    await rename(join(root, gardenPlace.sessionDir), join(archive, 'garden-2030-04-02'))
    await rename(
      join(root, gardenPlace.stateFile),
      join(archive, 'garden-2030-04-02', gardenPlace.stateFile.split('/').at(-1) ?? ''),
    ).catch(() => undefined)
    const { samples, sessions } = await historyOf({ ...session, places })
    expect(sessions).toBe(1)
    expect(samples).toMatchObject([{ tokens: 77, usd: 0.5 }])
    expect(samples[0]?.workMs).toBeGreaterThan(0)
  })
})
