import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLifecycleState } from '../../source/documents/lifecycle-edit.js'
import type { JournalRecord } from '../../source/ledger/journal.js'
import { makeTemporary } from '../support/temporary.js'
import { doubled, openWorkshop, records, start, type Workshop } from './crash-run.js'
import { killedAfterEveryLine, killedInEveryLine, type Subject } from './kills.js'

// A short life of a project, killed at lines of its journal, after the line and in the middle of it: the same final file
// but for times, no gate twice. AUTOPILOT_CRASH_EVERY: kills.ts.

const run = promisify(execFile)
const worker = fileURLToPath(new URL('../fixtures/fake-agents/lifecycle-worker.mjs', import.meta.url))
const statePath = '_docs/_autopilot_state.md'

/** What must happen once hangs on these lines, and so does what an agent left. */
const telling: readonly JournalRecord['type'][] = ['intent', 'asked', 'answered', 'agent', 'merged']

/** A failed run and a failed retry, a gate of the worker, an edit of its own, a test that is gone, a boundary, each kind of row. */
const flowFile = `version: 1
flows:
  existing-code:
    afterDone: {flow: existing-code, step: 2}
    steps:
      - {id: 2, name: Test Spec, done: {exists: 02_document/tests/traceability-matrix.md}}
      - {id: 3, name: Decompose Tests, boundaryAfter: true, done: {all: [{exists: 02_tasks/_dependencies_table.md}, {task: test}]}}
      - {id: 4, name: Implement Tests, done: {exists: 03_implementation/implementation_report_tests.md}}
      - {id: 5, name: Run Tests, done: {row: true}}
      - {id: 6, name: Refactor, optional: true, done: {exists: 04_refactoring/*/FINAL_report.md}}
      - {id: 12, name: Deploy, done: {exists: 04_deploy/reports/deploy_status_report.md}}
`

let root = ''
let workshop: Workshop
let expected: Record<string, unknown>

const journalOf = (dir: string) => join(dir, '.autopilot/lifecycle/journal.jsonl')
const recordsOf = (dir: string) => records(dir, journalOf(dir))

beforeAll(async () => {
  root = await makeTemporary('lifecycle')
  workshop = {
    ...(await openWorkshop(root)),
    input: '_docs',
    agent: `${worker} --fail "Test Spec" --mend 2 --edit "Decompose Tests" --forget "Implement Tests" test_main.py`,
    answers: [
      { gate: 'Q-ADOPT', answer: { value: 'adopt' } },
      { gate: 'Q-BRIEF', answer: { value: 'text', text: 'A box' } },
      { gate: 'Q-WORKER', answer: { value: 'A', text: 'for now' } },
      { gate: 'Q-BOUNDARY', answer: { value: 'B' } },
      { gate: 'Q-TESTS', answer: { value: 'accept' } },
      { gate: 'Q-CONFIRM', answer: { value: 'confirm' } },
      { gate: 'Q-OPTIONAL', answer: { value: 'skip', text: 'nothing to mend' } },
      { gate: 'Q-DEPLOY', answer: { value: 'deploy' } },
      { gate: 'Q-LOOP', answer: { value: 'close' } },
    ],
  }
  const dir = join(root, 'undisturbed')
  await createProject(dir)
  const ended = await start(workshop, dir)
  if (ended.code !== 0) throw new Error(`the undisturbed run ended with ${ended.code}: ${ended.stderr}`)
  expected = await outcomeOf(dir)
}, 180_000)

afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))

async function createProject(dir: string): Promise<void> {
  const git = (...args: string[]) => run('git', args, { cwd: dir, env: workshop.env })
  const files = {
    'main.py': 'print(1)\n',
    'test_main.py': 'def test_one():\n    assert True\n',
    '_docs/_autopilot_flow.yaml': flowFile,
    [statePath]: newLifecycleState('existing-code', 2, 'Test Spec'),
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), text)
  }
  await git('init', '-q', '-b', 'main')
  await git('config', 'user.name', 'Test Person')
  await git('config', 'user.email', 'person@example.invalid')
  await git('add', '-A')
  await git('commit', '-q', '-m', 'A project')
}

const timeless = (text: string) =>
  text.replace(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)/g, 'TIME').replace(/\d{4}-\d\d-\d\d/g, 'DATE')

/** What a run comes to, without times and the hashes that hang on them. */
async function outcomeOf(dir: string): Promise<Record<string, unknown>> {
  const git = async (...args: string[]) =>
    (await run('git', args, { cwd: dir, env: workshop.env })).stdout.trimEnd()
  return {
    state: timeless(await readFile(join(dir, statePath), 'utf8')),
    commits: (await git('log', '--reverse', '--name-only', '--format=%s')).split('\n'),
    uncommitted: await git('status', '--porcelain', '--untracked-files=all'),
  }
}

const gatesOf = (all: readonly JournalRecord[]) =>
  all.flatMap((record) => (record.type === 'asked' ? [(record.question as { gate: string }).gate] : []))

const subject = (): Subject => ({
  workshop,
  root,
  expected,
  create: createProject,
  journal: journalOf,
  outcome: outcomeOf,
  telling,
  wrongIn: (all) => gatesTwice(all),
})

/** A question is answered once in each visit; the same one asked again after a kill has no second answer. */
function gatesTwice(all: readonly JournalRecord[]): string[] {
  const gates = new Map(
    all.flatMap((record) =>
      record.type === 'asked'
        ? [[`${record.visit} ${record.key}`, (record.question as { gate: string }).gate] as const]
        : [],
    ),
  )
  const answered = all.flatMap((record) =>
    record.type === 'answered' ? [gates.get(`${record.visit} ${record.key}`) ?? 'a gate nobody asked'] : [],
  )
  return JSON.stringify(answered) === JSON.stringify(gatesMet) ? [] : [`answered: ${answered.join(', ')}`]
}

const gatesMet = [
  'Q-BRIEF',
  'Q-WORKER',
  'Q-BOUNDARY',
  'Q-TESTS',
  'Q-CONFIRM',
  'Q-OPTIONAL',
  'Q-DEPLOY',
  'Q-LOOP',
]

test('the undisturbed run meets everything that the kills are to meet', async () => {
  const all = await recordsOf(join(root, 'undisturbed'))
  expect(gatesOf(all)).toEqual(gatesMet)
  expect(expected.state).toContain('- two batches (agent)\n')
  expect(expected.state).toContain('step: done\n')
  expect(expected.state).toMatch(/Q-TESTS.*test_main\.py/)
  expect(expected.state).toContain('| 6 | Refactor | DATE | skipped: nothing to mend |')
  expect(doubled(all)).toEqual([])
})

test.concurrent('killed after every line: the same file from each, nothing asked or done twice', async () => {
  await killedAfterEveryLine(subject())
})

test.concurrent('killed in the middle of every line: the same file', async () => {
  await killedInEveryLine(subject())
})
