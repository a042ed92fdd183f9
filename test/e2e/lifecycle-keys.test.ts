import { existsSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { addCompleted, newLifecycleState, setCurrent } from '../../source/documents/lifecycle-edit.js'
import { readLifecycleState } from '../../source/documents/lifecycle-state.js'
import { createProject, type TestProject } from '../support/project.js'
import { openTerminal } from '../support/terminal.js'
import { answer, eventually, seenGate, waitForGate } from './journey.js'

// The life of a project by keys alone, with an agent program of the person's own.

const statePath = '_docs/_autopilot_state.md'
const agent = fileURLToPath(new URL('../fixtures/fake-agents/lifecycle-worker.mjs', import.meta.url))
const long = 120_000

const state = async (project: TestProject) => readLifecycleState(await project.read(statePath))

function open(project: TestProject, ...flags: string[]) {
  const command = ['command:', process.execPath, agent, ...flags].join(' ').replace(': ', ':')
  const argv = ['_docs', '--agent', command]
  return openTerminal({ argv, cwd: project.dir, env: project.env, cols: 110, rows: 40 })
}

async function withFiles(text: string, paths: string[]): Promise<TestProject> {
  const files = Object.fromEntries(paths.map((path) => [path, 'x\n']))
  return createProject({ files: { ...files, [statePath]: text } })
}

const at = (flow: string, step: number, name: string, rows: [number, string][] = []) =>
  rows.reduce(
    (text, [id, title]) =>
      addCompleted(text, { step: id, name: title, completed: '2026-03-01', outcome: 'done' }),
    newLifecycleState(flow, step, name),
  )

const researched = [
  '_docs/00_problem/problem.md',
  '_docs/00_problem/restrictions.md',
  '_docs/00_problem/acceptance_criteria.md',
  '_docs/00_problem/input_data/sizes.csv',
  '_docs/01_solution/solution.md',
]

test('greenfield from an empty folder: init, brief, to the boundary, A, quit, back, Implement', async () => {
  const project = await createProject({ git: false })
  const flags = ['--wait', 'Implement']
  const first = open(project, ...flags)
  await waitForGate(first, 'Q-TRUST', long)
  await answer(first, { choose: 'yes' })
  const init = await waitForGate(first, 'Q-INIT')
  expect(init.title).toBe('Make a git repository here?')
  expect(existsSync(project.path('.git'))).toBe(false)
  await answer(first, { choose: 'init' })
  await waitForGate(first, 'Q-START', long)
  expect(first.screen()).toContain('It would begin at step 1 Problem')
  await answer(first, { choose: 'start' })
  await waitForGate(first, 'Q-BRIEF', long)
  await answer(first, { choose: 'say it', text: 'A box with a lid' })
  await waitForGate(first, 'Q-OPTIONAL', long)
  await answer(first, { choose: 'skip', text: 'no screens' })
  const boundary = await waitForGate(first, 'Q-BOUNDARY', long)
  expect(boundary.options.map((label) => label.slice(0, 2))).toEqual(['A)', 'B)', 'st'])
  for (const line of ['Tasks: 2', 'Estimated batches: 2', 'Complexity points: 5'])
    expect(first.screen()).toContain(line)
  expect(await project.read('_docs/00_problem/problem.md')).toBe('A box with a lid\n')
  await first.press('a')
  await eventually(async () => (existsSync(project.path('.waiting')) ? true : undefined), 'the worker', long)
  await first.press('q')
  expect((await first.exit).code).toBe(3)
  expect(await state(project)).toMatchObject({
    current: { flow: 'greenfield', step: 6, name: 'Implement', status: 'in_progress' },
    lastSession: { reason: 'user paused', endedAt: 'Step 6 Implement' },
  })

  await writeFile(project.path('.go'), '')
  const second = open(project, ...flags)
  await waitForGate(second, 'Q-CONFIRM', long)
  await second.press('q')
  expect((await second.exit).code).toBe(3)
  const after = await state(project)
  expect(after.completed.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['Problem', 'Problem is done afresh'],
    ['Research', 'Research is done'],
    ['Plan', 'Plan is done'],
    ['UI Design', 'skipped: no screens'],
    ['Decompose', 'Decompose is done'],
    ['Implement', 'Implement is done afresh'],
  ])
  expect((await project.git('log', '--reverse', '--format=%s')).split('\n')).toEqual([
    '[autopilot] First commit: what was there',
    '[autopilot] Step 1: Problem',
    '[autopilot] Step 2: Research',
    '[autopilot] Step 3: Plan',
    '[autopilot] Step 4: UI Design',
    '[autopilot] Step 5: Decompose',
    '[autopilot] Step 6: Implement',
  ])
})

test('a step that fails four times: blocked, blocked on entry, reset, mended', async () => {
  const project = await withFiles(at('existing-code', 2, 'Test Spec', [[1, 'Document']]), [
    '_docs/02_document/FINAL_report.md',
    'main.py',
  ])
  const flags = ['--fail', '"Test Spec"']
  const first = open(project, ...flags)
  await waitForGate(first, 'Q-TRUST', long)
  await answer(first, { choose: 'yes' })
  await waitForGate(first, 'Q-ADOPT', long)
  await answer(first, { choose: 'go on' })
  await waitForGate(first, 'Q-BLOCKED', long)
  expect(first.screen()).toContain('Blocker: Step 2 Test Spec failed after 3 retries: no data in run 4')
  await first.press('q')
  await first.exit
  const failed = await state(project)
  expect(failed.current).toMatchObject({ status: 'failed', retryCount: 3 })
  expect(failed.retryLog).toHaveLength(3)

  await writeFile(project.path('.mended'), '')
  const second = open(project, ...flags)
  await waitForGate(second, 'Q-BLOCKED', long)
  expect((await state(project)).current.status).toBe('failed')
  await answer(second, { choose: 'reset' })
  await waitForGate(second, 'Q-BOUNDARY', long)
  await second.press('q')
  await second.exit
  expect(await state(project)).toMatchObject({
    current: { step: 4, name: 'Implement Tests', status: 'not_started', retryCount: 0 },
    retryLog: [],
    blockers: [],
  })
})

describe('drift', () => {
  const rows: [number, string][] = [
    [1, 'Problem'],
    [2, 'Research'],
  ]

  test('folders later: their position is taken, what was passed over has its row', async () => {
    const project = await withFiles(at('greenfield', 1, 'Problem'), researched)
    const terminal = open(project, '--wait', 'Plan')
    await waitForGate(terminal, 'Q-TRUST', long)
    await answer(terminal, { choose: 'yes' })
    await waitForGate(terminal, 'Q-ADOPT', long)
    await answer(terminal, { choose: 'go on' })
    const drift = await waitForGate(terminal, 'Q-DRIFT', long)
    expect(drift.options).toEqual(['folders', 'state file', 'stop'])
    await answer(terminal, { choose: 'folders' })
    await eventually(
      async () => (existsSync(project.path('.waiting')) ? true : undefined),
      'the worker',
      long,
    )
    await terminal.press('q')
    await terminal.exit
    const after = await state(project)
    expect(after.current).toMatchObject({ step: 3, name: 'Plan' })
    expect(after.completed.map(({ outcome }) => outcome)).toEqual(['found in folders', 'found in folders'])
  })

  test('folders earlier: the state file is kept, and it is not asked again', async () => {
    const project = await withFiles(at('greenfield', 3, 'Plan', rows), researched.slice(0, 4))
    for (const round of [1, 2]) {
      const terminal = open(project, '--wait', 'Plan')
      if (round === 1) {
        await waitForGate(terminal, 'Q-TRUST', long)
        await answer(terminal, { choose: 'yes' })
        await waitForGate(terminal, 'Q-ADOPT', long)
        await answer(terminal, { choose: 'go on' })
        await waitForGate(terminal, 'Q-DRIFT', long)
        expect(terminal.screen()).toContain('missing _docs/01_solution/solution.md')
        await answer(terminal, { choose: 'state file' })
      }
      await eventually(
        async () => (existsSync(project.path('.waiting')) ? true : undefined),
        'the worker',
        long,
      )
      expect(seenGate(terminal.screen())).toBeUndefined()
      await terminal.press('q')
      await terminal.exit
      await project.git('clean', '-fq', '--', '.waiting')
    }
    expect((await state(project)).current).toMatchObject({ step: 3, name: 'Plan' })
  })
})

test('a flow file that a link leads to: drift in its steps, told once, and gone on with where it is not named', async () => {
  const steps = [
    '{id: 1, name: Dough, done: {exists: dough.md}}',
    '{id: 1.5, name: Rest, done: {exists: rest.md}}',
  ]
  const flow = `version: 1\nflows:\n  bakery:\n    steps:\n      - ${steps.join('\n      - ')}\n      - {id: 2, name: Oven, done: {exists: oven.md}}\n`
  const project = await createProject({
    files: {
      'flow.yaml': flow,
      [statePath]: at('bakery', 1, 'Dough'),
      '_docs/dough.md': 'x',
      '_docs/rest.md': 'x',
    },
  })
  await symlink(project.dir, join(project.root, 'way'))
  const command = ['command:', process.execPath, agent, '--wait', 'Oven'].join(' ').replace(': ', ':')
  const named = ['--flow-file', join(project.root, 'way', 'flow.yaml')]
  for (const flags of [named, []]) {
    const argv = ['_docs', '--agent', command, ...flags]
    const terminal = openTerminal({ argv, cwd: project.dir, env: project.env, cols: 80, rows: 24 })
    if (flags === named) {
      await waitForGate(terminal, 'Q-TRUST', long)
      await answer(terminal, { choose: 'yes' })
      await waitForGate(terminal, 'Q-ADOPT', long)
      await answer(terminal, { choose: 'go on' })
    }
    await waitForGate(terminal, 'Q-DRIFT', long)
    expect(terminal.screen()).toContain('folders: bakery 2 Oven, not_started')
    expect(terminal.screen()).not.toContain('Flags count only')
    await terminal.press('q')
    expect((await terminal.exit).code).toBe(3)
  }
  expect(await project.read('.autopilot/lifecycle/settings.json')).toBe('{"flowFile":"flow.yaml"}\n')
})

test('an edit during a step: what an agent may change stays, the rest is put back and asked about', async () => {
  const project = await withFiles(at('greenfield', 3, 'Plan'), researched)
  const terminal = open(project, '--wait', 'Plan')
  await waitForGate(terminal, 'Q-TRUST', long)
  await answer(terminal, { choose: 'yes' })
  await waitForGate(terminal, 'Q-ADOPT', long)
  await answer(terminal, { choose: 'go on' })
  await eventually(async () => (existsSync(project.path('.waiting')) ? true : undefined), 'the worker', long)
  const text = await project.read(statePath)
  const edited = setCurrent(text, { subStep: { id: '2', name: 'Architecture' } }).replace(
    '- none',
    '- it rains',
  )
  await project.write(statePath, `${edited}\n## Own\n- words\n`)
  // The sub-step is shown while the worker is still at it.
  await terminal.waitFor('Architecture', { timeoutMs: long })
  await writeFile(project.path('.go'), '')
  await waitForGate(terminal, 'Q-TOUCHED', long)
  expect(terminal.screen()).toContain('Blockers: + - it rains')
  await answer(terminal, { choose: 'put back' })
  await waitForGate(terminal, 'Q-OPTIONAL', long)
  await terminal.press('q')
  await terminal.exit
  const after = await project.read(statePath)
  expect(readLifecycleState(after)).toMatchObject({
    blockers: [],
    completed: [{ name: 'Plan' }],
    unknownSections: ['Own'],
  })
  expect(after).toContain('- words (agent)')
  expect(existsSync(join(project.dir, '_docs/02_document/FINAL_report.md'))).toBe(true)
})
