import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTemporary } from '../support/temporary.js'
import {
  createSubject,
  doubled,
  openWorkshop,
  outcomeOf,
  records,
  start,
  type Workshop,
} from './crash-run.js'
import { killedAfterEveryLine, killedInEveryLine } from './kills.js'

// SIGKILL at lines of the journal of a complete run, after the line and in the middle of it; each next process resumes and
// is killed further on. From some of these points a copy goes on to the end undisturbed. AUTOPILOT_CRASH_EVERY: kills.ts.

let root = ''
let workshop: Workshop
let expected: Record<string, unknown>

beforeAll(async () => {
  root = await makeTemporary('every-line')
  workshop = await openWorkshop(root)
  const dir = join(root, 'undisturbed')
  await createSubject(workshop, dir)
  const ended = await start(workshop, dir)
  if (ended.code !== 0) throw new Error(`the undisturbed run ended with ${ended.code}: ${ended.stderr}`)
  expected = await outcomeOf(workshop, dir)
}, 120_000)

afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))

test('the undisturbed run holds everything that the kills are to meet', async () => {
  const all = await records(join(root, 'undisturbed'))
  const visited = new Set(all.flatMap((record) => (record.type === 'visit' ? [record.state] : [])))
  expect([...visited].sort()).toEqual([
    'APPROVE_PLAN',
    'ASSESS',
    'DONE',
    'EXECUTE',
    'FINAL_REVIEW',
    'INIT',
    'PHASE_COMPLETE',
    'PLAN',
    'REVIEW',
    'VERIFY',
  ])
  const asked = all.flatMap((record) =>
    record.type === 'asked' ? [(record.question as { gate: string }).gate] : [],
  )
  expect(asked).toEqual(['human-verify', 'decision', 'Q-REVIEW', 'Q-NEXT', 'Q-APPROVE', 'Q-PR'])
  expect(expected.state).toMatchObject({
    currentState: 'DONE',
    history: [{ retriesUsed: 3 }, { retriesUsed: 0 }],
  })
  expect((expected.commits as { subject: string }[]).map(({ subject }) => subject)).toEqual([
    'Approve the seeds',
    'feat: box',
    'feat: sieve',
    '[autopilot] Checkpoint 1: label',
    'feat: label',
    '[autopilot] Checkpoint 2: order',
    'feat: order',
    'fix: work/box.txt',
    'feat: list',
  ])
  expect(doubled(all)).toEqual([])
})

test.concurrent('killed after every line: the same outcome from each, nothing asked or done twice', async () => {
  await killedAfterEveryLine({ workshop, root, expected, create: (dir) => createSubject(workshop, dir) })
})

test.concurrent('killed in the middle of every line, one after the other: the same outcome', async () => {
  await killedInEveryLine({ workshop, root, expected, create: (dir) => createSubject(workshop, dir) })
})
