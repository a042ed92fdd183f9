import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JournalRecord } from '../../source/ledger/journal.js'
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
import type { AnswerRule } from './driver.js'
import { killedAfterEveryLine, killedInEveryLine } from './kills.js'

// A run in which agents overstep, once put back and once accepted, a checkpoint is rejected, and a person changes the plan,
// killed at lines of its journal. AUTOPILOT_CRASH_EVERY: kills.ts.

const spec = `# Seeds

## Implementation Order

### Phase 1: Seed box
<!-- complexity: low -->

Tasks: box; label ?human-verify; lid
Oversteps: harness-task-executor AGENTS.md; harness-code-reviewer docs/guide.md
`

const files = { 'AGENTS.md': 'Be kind.\n', 'docs/guide.md': '# Guide\n' }

/** The person adds a task to the plan, once. */
const extraTask =
  'for f in docs/plans/*seed-box*; do grep -q \'Task 4\' "$f" || printf \'\\n### Task 4: string\\n\\nWrite it down.\\n\' >> "$f"; done'

const answers: AnswerRule[] = [
  { gate: 'Q-TOUCHED', showing: 'AGENTS.md', answer: { value: 'accept' } },
  { gate: 'Q-TOUCHED', showing: 'docs/guide.md', answer: { value: 'put-back' } },
  {
    gate: 'human-verify',
    showing: 'You rejected it',
    answer: { value: 'confirm' },
    before: extraTask,
  },
  { gate: 'human-verify', answer: { value: 'reject', text: 'the ink runs' } },
  { gate: 'Q-PLAN-CHANGED', answer: { value: 'take' } },
]

let root = ''
let workshop: Workshop
let expected: Record<string, unknown>
const create = (dir: string) => createSubject(workshop, dir, { spec, files })

beforeAll(async () => {
  root = await makeTemporary('overstepped')
  workshop = { ...(await openWorkshop(root)), answers }
  const dir = join(root, 'undisturbed')
  await create(dir)
  const ended = await start(workshop, dir)
  if (ended.code !== 0) throw new Error(`the undisturbed run ended with ${ended.code}: ${ended.stderr}`)
  expected = await outcomeOf(workshop, dir)
}, 120_000)

afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))

/** Whatever was put back was put back once. */
function wrongIn(all: readonly JournalRecord[]): string[] {
  const told = all.filter((record) => record.type === 'note' && record.text.startsWith('Put back: '))
  return told.length === 1 ? [] : [`put back ${told.length} times`]
}

test('the undisturbed run holds everything that the kills are to meet', async () => {
  const all = await records(join(root, 'undisturbed'))
  const asked = all.flatMap((record) =>
    record.type === 'asked' ? [(record.question as { gate: string }).gate] : [],
  )
  expect(asked.filter((gate) => gate !== 'Q-PR').sort()).toEqual([
    'Q-PLAN-CHANGED',
    'Q-TOUCHED',
    'Q-TOUCHED',
    'human-verify',
    'human-verify',
  ])
  expect(expected.state).toMatchObject({ currentState: 'DONE', history: [{ tasksCompleted: 4 }] })
  const words = (expected.state as { decisions: { decision: string }[] }).decisions.map(
    ({ decision }) => decision,
  )
  for (const word of ['accepted_changes', 'checkpoint_rejected', 'checkpoint_confirmed', 'plan_changed'])
    expect(words.filter((one) => one === word)).toHaveLength(1)
  expect([...doubled(all), ...wrongIn(all)]).toEqual([])
})

test.concurrent('killed after every line: the same end from each, nothing asked, done or put back twice', () =>
  killedAfterEveryLine({ workshop, root, expected, create, wrongIn }))

test.concurrent('killed in the middle of every line, one after the other: the same end', () =>
  killedInEveryLine({ workshop, root, expected, create, wrongIn }))
