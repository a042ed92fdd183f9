import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JournalRecord } from '../../source/ledger/journal.js'
import { makeTemporary } from '../support/temporary.js'
import {
  agentsGone,
  copyProject,
  createSubject,
  doubled,
  openWorkshop,
  outcomeOf,
  records,
  start,
  type Workshop,
} from './crash-run.js'

// SIGKILL at every line of the journal of a complete run, after the line and in the middle of it; each next process
// resumes and is killed one line further. From many of these points a copy goes on to the end undisturbed.
// AUTOPILOT_CRASH_EVERY=1 sends a copy from every line instead (many times as long).

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

const every = Number(process.env.AUTOPILOT_CRASH_EVERY ?? 40)

/** Lines from which a copy is always sent on: what must happen once hangs on them. */
const telling: readonly JournalRecord['type'][] = ['intent', 'answered']

/** At most this many copies run to their end at once. */
const parallel = 2

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
  const dir = join(root, 'after')
  await createSubject(workshop, dir)
  const kills = { marks: join(root, 'after.marks'), modes: 'after' }
  const failures: string[] = []
  const copies = new Set<Promise<void>>()
  let killed = 0

  const goOn = async (copy: string, point: string) => {
    const ended = await start(workshop, copy)
    const all = await records(copy)
    const wrong = ended.code === 0 ? [...doubled(all), ...differences(await outcomeOf(workshop, copy))] : []
    if (ended.code !== 0) wrong.push(`ended with ${ended.code ?? ended.signal}: ${ended.stderr}`)
    failures.push(...wrong.map((line) => `after ${point}: ${line}`))
    await rm(copy, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }

  for (;;) {
    const ended = await start(workshop, dir, kills)
    if (ended.signal !== 'SIGKILL') {
      expect(ended, ended.stderr).toMatchObject({ code: 0 })
      break
    }
    killed += 1
    await agentsGone(dir)
    const last = (await records(dir)).at(-1)
    if (killed % every !== 0 && !(last && telling.includes(last.type))) continue
    const copy = join(root, `copy-${killed}`)
    await copyProject(dir, copy)
    const task: Promise<void> = goOn(
      copy,
      `line ${killed}, ${last?.type} ${JSON.stringify(last).slice(0, 300)}`,
    )
      .catch((error: unknown) => void failures.push(`line ${killed}: ${String(error)}`))
      .finally(() => copies.delete(task))
    copies.add(task)
    if (copies.size >= parallel) await Promise.race(copies)
  }
  await Promise.all(copies)

  expect(failures).toEqual([])
  expect(doubled(await records(dir))).toEqual([])
  expect(await outcomeOf(workshop, dir)).toEqual(expected)
  const facts = (await records(join(root, 'undisturbed'))).length
  expect(killed).toBeGreaterThanOrEqual(facts)
})

test.concurrent('killed in the middle of every line, one after the other: the same outcome', async () => {
  const dir = join(root, 'half')
  await createSubject(workshop, dir)
  const kills = { marks: join(root, 'half.marks'), modes: 'half' }
  let killed = 0
  for (;;) {
    const ended = await start(workshop, dir, kills)
    if (ended.signal !== 'SIGKILL') {
      expect(ended, ended.stderr).toMatchObject({ code: 0 })
      break
    }
    killed += 1
    await agentsGone(dir)
  }
  expect(doubled(await records(dir))).toEqual([])
  expect(await outcomeOf(workshop, dir)).toEqual(expected)
  expect(killed).toBeGreaterThanOrEqual((await records(join(root, 'undisturbed'))).length)
})

/** The parts of an outcome that are not as in the undisturbed run. */
function differences(outcome: Record<string, unknown>): string[] {
  return Object.keys(expected).flatMap((part) => {
    const found = JSON.stringify(outcome[part])
    const wanted = JSON.stringify(expected[part])
    return found === wanted ? [] : [`${part} is ${found} instead of ${wanted}`]
  })
}
