import { chmod } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { readPlan } from '../../../source/documents/plan.js'
import { taskViews } from '../../../source/workflows/harness/execution/tasks.js'
import type { TestProject } from '../../support/project.js'
import { statesOf } from '../../support/states.js'
import {
  type Act,
  crash,
  createStage,
  decisionsOf,
  type Played,
  planText,
  play,
  sessionFile,
} from './stage.js'

// EXECUTE (docs/harness.md, "Execution", "Commits").

const box = [{ name: 'Box' }]
const two = [{ name: 'Box' }, { name: 'List' }]

const failing =
  (task: string, times: number): Act =>
  ({ nth, brief }) =>
    nth <= times
      ? {
          status: 'failed',
          completed: [],
          failure: { task, error: `error ${nth} in src/box.ts`, fixAttempted: `fix ${nth}` },
        }
      : { status: 'complete', completed: (brief.tasks ?? []).map(({ id }) => id) }

const executions = (played: Played) => played.dispatches.filter(({ kind }) => kind === 'execution')
const subjects = async (project: TestProject) =>
  (await project.git('log', '--reverse', '--format=%s')).split('\n')

const budgetsOf = (played: Played) =>
  statesOf<Played['state']>(played.records).flatMap(({ record, state }) =>
    record.type === 'update' && /^(attempt|described)-/.test(record.key) ? [state.retryBudget] : [],
  )

describe('the retry budget', () => {
  test('one retry mends the task: it is sent alone, with the error, and counts for the phase', async () => {
    const project = await createStage(box)
    const played = await play(project, { acts: { execution: failing('Task 2', 1) } })
    const [first, retry] = executions(played)
    expect(first?.brief.retry).toBeUndefined()
    expect(retry?.brief).toMatchObject({
      attempt: 2,
      startTask: '2',
      retry: { task: 'Task 2', attempt: 1, errors: ['error 1 in src/box.ts'] },
    })
    expect(retry?.prompt).toContain('error 1 in src/box.ts')
    expect(played.state.phases[0]).toMatchObject({ retriesUsed: 1, taskRetries: { 'Task 2': 1 } })
    const { tasks } = readPlan(planText(2))
    const complete = Object.fromEntries(tasks.map(({ id }) => [id, 'complete' as const]))
    expect(taskViews(tasks, complete, { ...played.state, currentPhase: 0 })).toMatchObject([
      { id: '1', retries: 0 },
      { id: '2', retries: 1, status: 'complete' },
    ])
    expect(played.state.history).toMatchObject([{ retriesUsed: 1 }])
    expect(played.state.retryBudget).toEqual({ maxAttempts: 3, currentTask: null })
  })

  test('three attempts are told more each time, and each is on record', async () => {
    const project = await createStage(box, {
      'src/box.ts': "import { lid } from './lid.js'\n",
      '.harness/learnings.md':
        '# Learnings\n\n- **2030-01-01 [skill:harness-execution] [outcome:gotcha]:** error in the step of a box\n',
    })
    const plan: Act = async ({ brief }, here) => {
      await here.write(
        brief.planPath,
        '# Plan: box\n\n## Tasks\n\n### Task 1: step of a box\n\n**Files:** src/box.ts\n\nFold it twice.\n',
      )
      return { planPath: brief.planPath, concerns: [] }
    }
    const execution: Act = async (dispatch, here) => {
      if (dispatch.nth > 3) await here.write('src/box.ts', "import { lid } from './lid.js'\nlid()\n")
      return failing('Task 1', 3)(dispatch, here)
    }
    const played = await play(project, { acts: { plan, execution } })
    const contexts = executions(played).map(({ brief }) => brief.retry?.context)
    expect(contexts[0]).toBeUndefined()
    expect(contexts[1]).toBe('')
    expect(contexts[2]).toContain("src/box.ts\n```\nimport { lid } from './lid.js'")
    expect(contexts[2]).toContain('error in the step of a box')
    expect(contexts[2]).not.toContain('Fold it twice.')
    expect(contexts[3]).toContain('src/box.ts: ./lid.js')
    expect(contexts[3]).toContain('Fold it twice.')
    expect(executions(played).map(({ brief }) => brief.retry?.errors.length ?? 0)).toEqual([0, 1, 2, 3])
    const last = budgetsOf(played).at(-1)?.currentTask
    expect(last).toMatchObject({
      name: 'Task 1',
      attemptsUsed: 3,
      attempts: [
        { error: 'error 1 in src/box.ts', fix: 'fix 2', result: 'failed' },
        { error: 'error 2 in src/box.ts', fix: 'fix 3', result: 'failed' },
        { error: 'error 3 in src/box.ts', result: 'failed' },
      ],
    })
    expect(played.state.phases[0]?.retriesUsed).toBe(3)
    expect(played.gates).toEqual(['Q-PR'])
  })

  test('the budget is gone: recovery commit, failures.md, all attempts shown; fixed by hand it is fresh again', async () => {
    const project = await createStage(box)
    const execution: Act = async (dispatch, here) => {
      await here.write('src/half.ts', `half ${dispatch.nth}\n`)
      return failing('Task 2', 4)(dispatch, here)
    }
    const played = await play(project, { acts: { execution }, answers: { 'Q-RETRY': 'fix' } })
    expect(executions(played)).toHaveLength(5)
    expect(await subjects(project)).toContain('[autopilot][recovery] Phase 1: Box — recovery at task 2')
    const failures = (await project.read('.harness/failures.md')).split('\n')
    expect(failures[0]).toBe('# Failures')
    expect(failures.filter((line) => line.startsWith('- '))).toEqual([
      expect.stringMatching(
        /^- \*\*\d{4}-\d\d-\d\d \[skill:harness-autopilot\] \[type:dead-end\]:\*\* Task 2: .+ \| .+ \| .+$/,
      ),
    ])
    const gate = played.asked.find((question) => question.gate === 'Q-RETRY')
    expect(gate?.options.map(({ label }) => label)).toEqual([
      'fix manually and continue',
      'revise plan',
      'stop',
    ])
    expect(gate?.body.slice(0, 5)).toEqual([
      'Task 2 - FAILED (budget exhausted)',
      'Tried before the first: fix 1',
      'Attempt 1: fix 2 -> error 2 in src/box.ts',
      'Attempt 2: fix 3 -> error 3 in src/box.ts',
      'Attempt 3: fix 4 -> error 4 in src/box.ts',
    ])
    expect(executions(played).at(-1)?.brief).toMatchObject({ startTask: '2' })
    expect(executions(played).at(-1)?.brief.retry).toBeUndefined()
    expect(played.state.history).toMatchObject([{ retriesUsed: 3 }])
  })

  test('the budget is gone: revise plan goes back to the gate, with a fresh budget', async () => {
    const project = await createStage(box)
    const played = await play(project, {
      acts: { execution: failing('Task 1', 4) },
      answers: { 'Q-RETRY': 'revise', 'Q-APPROVE': 'yes' },
    })
    // The person gets to edit it: the gate asks although no signal fires.
    expect(played.gates).toEqual(['Q-RETRY', 'Q-APPROVE', 'Q-PR'])
    const states = played.records.flatMap((record) => (record.type === 'visit' ? [record.state] : []))
    expect(states.slice(3, 6)).toEqual(['APPROVE_PLAN', 'EXECUTE', 'APPROVE_PLAN'])
    expect(executions(played).at(-1)?.brief.retry).toBeUndefined()
    expect(played.state.currentState).toBe('DONE')
  })

  test('what was complete before the plan is revised stays complete, also when the executor writes no records', async () => {
    const project = await createStage(box)
    const execution: Act = ({ brief, nth }) =>
      nth <= 4
        ? { status: 'failed', completed: ['1'], failure: { task: 'Task 2', error: `error ${nth}` } }
        : { status: 'complete', completed: (brief.tasks ?? []).map(({ id }) => id) }
    const played = await play(project, {
      acts: { execution },
      answers: { 'Q-RETRY': 'revise', 'Q-APPROVE': 'yes' },
    })
    const last = executions(played).at(-1)?.brief
    expect(last?.tasks?.map(({ status }) => status)).toEqual(['complete', 'pending'])
    expect(last?.startTask).toBe('2')
  })

  test('stop at the budget question: asked again on resume, nothing recorded twice', async () => {
    const project = await createStage(box)
    const execution: Act = async (dispatch, here) => {
      await here.write('src/half.ts', 'half\n')
      return failing('Task 2', 4)(dispatch, here)
    }
    const first = await play(project, { acts: { execution }, answers: { 'Q-RETRY': 'stop' } })
    expect(first.stopped).toBe(true)
    const second = await play(project, { answers: { 'Q-RETRY': 'fix' } })
    expect(second.gates).toEqual(['Q-RETRY', 'Q-PR'])
    expect(executions(second)).toHaveLength(1)
    expect((await project.read('.harness/failures.md')).match(/^- /gm)).toHaveLength(1)
    expect((await subjects(project)).filter((subject) => subject.includes('[recovery]'))).toHaveLength(1)
    expect(decisionsOf(second.state).filter((word) => word === 'retry_budget_exhausted')).toHaveLength(1)
  })

  test('a second phase in a row: review the spec is offered first', async () => {
    const project = await createStage(two)
    const execution: Act = ({ brief, nth }) =>
      [1, 2, 3, 4, 6, 7, 8, 9].includes(nth)
        ? { status: 'failed', completed: [], failure: { task: 'Task 1', error: `error ${nth}` } }
        : { status: 'complete', completed: (brief.tasks ?? []).map(({ id }) => id) }
    const played = await play(project, {
      acts: { execution },
      answers: { 'Q-RETRY': 'fix', 'Q-TWOFAIL': 'continue' },
    })
    expect(played.gates).toEqual(['Q-RETRY', 'Q-NEXT', 'Q-TWOFAIL', 'Q-RETRY', 'Q-PR'])
    const gate = played.asked.find((question) => question.gate === 'Q-TWOFAIL')
    expect(gate?.options.map(({ label, stops }) => [label, stops === true])).toEqual([
      ['review the spec', true],
      ['continue', false],
    ])
  })

  test('another task that fails begins its own budget', async () => {
    const project = await createStage(box)
    const execution: Act = ({ nth, brief }) => {
      const all = (brief.tasks ?? []).map(({ id }) => id)
      if (nth === 1) return { status: 'failed', completed: [], failure: { task: 'Task 1', error: 'one' } }
      if (nth === 2) return { status: 'complete', completed: ['1'] }
      if (nth === 3) return { status: 'failed', completed: ['1'], failure: { task: 'Task 2', error: 'two' } }
      return { status: 'complete', completed: all }
    }
    const played = await play(project, { acts: { execution } })
    expect(executions(played).map(({ brief }) => brief.retry?.attempt)).toEqual([undefined, 1, undefined, 1])
    expect(played.state.history).toMatchObject([{ retriesUsed: 2 }])
  })
})

describe('checkpoints', () => {
  const checkpoint =
    (type: string, options?: string[]): Act =>
    async ({ nth, brief }, project) => {
      if (nth > 1) return { status: 'complete', completed: (brief.tasks ?? []).map(({ id }) => id) }
      await project.write('src/seen.ts', 'look\n')
      return {
        status: 'checkpoint',
        completed: ['Task 1'],
        checkpoint: { type, task: 'Task 2', prompt: 'Look at it', ...(options ? { options } : {}) },
      }
    }

  test('human-verify, confirmed: committed, answered, and the work goes on', async () => {
    const project = await createStage(box)
    const played = await play(project, {
      acts: { execution: checkpoint('human-verify') },
      answers: { 'human-verify': 'confirm' },
    })
    expect(played.asked[0]?.options.map(({ label }) => label)).toEqual(['confirm', 'reject', 'stop'])
    expect(await subjects(project)).toEqual(['First commit', '[autopilot] Checkpoint 1: step 2'])
    expect(await project.git('show', '--name-only', '--format=', 'HEAD')).toContain('src/seen.ts')
    expect(executions(played)[1]?.brief).toMatchObject({
      startTask: '2',
      checkpointAnswer: { type: 'human-verify', task: 'Task 2', answer: 'confirm' },
      tasks: [
        { id: '1', status: 'complete' },
        { id: '2', status: 'pending' },
      ],
    })
    expect(decisionsOf(played.state)).toContain('checkpoint_confirmed')
  })

  test('human-verify, rejected: the note becomes an order to fix, nothing is committed', async () => {
    const project = await createStage(box)
    const played = await play(project, {
      acts: { execution: checkpoint('human-verify') },
      answers: { 'human-verify': { value: 'reject', text: 'the lid is missing' } },
    })
    expect(executions(played)[1]?.brief.checkpointAnswer).toEqual({
      type: 'human-verify',
      task: 'Task 2',
      answer: 'reject',
      note: 'the lid is missing',
    })
    expect(executions(played)[1]?.prompt).toContain('the lid is missing')
    expect(await subjects(project)).toEqual(['First commit'])
    expect(played.state.decisions).toContainEqual(
      expect.objectContaining({ decision: 'checkpoint_rejected', rationale: 'the lid is missing' }),
    )
  })

  test('decision: an option of the plan, or own words', async () => {
    const byOption = await createStage(box)
    const chosen = await play(byOption, {
      acts: { execution: checkpoint('decision', ['by name', 'by age']) },
      answers: { decision: (question) => question.options[1]?.value ?? '' },
    })
    expect(chosen.asked[0]?.options.map(({ label }) => label)).toEqual([
      'by name',
      'by age',
      'something else',
      'stop',
    ])
    expect(executions(chosen)[1]?.brief.checkpointAnswer?.answer).toBe('by age')
    expect(chosen.state.decisions).toContainEqual(
      expect.objectContaining({
        decision: 'checkpoint_decision',
        choice: 'by age',
        // Which task it was about, and what was asked.
        task: '2',
        title: expect.stringMatching(/\S/),
        question: 'Look at it',
      }),
    )
    const inWords = await createStage(box)
    const told = await play(inWords, {
      acts: { execution: checkpoint('decision') },
      answers: { decision: { value: 'other', text: 'by smell' } },
    })
    expect(executions(told)[1]?.brief.checkpointAnswer?.answer).toBe('by smell')
  })

  test('human-action: done goes on', async () => {
    const project = await createStage(box)
    const played = await play(project, {
      acts: { execution: checkpoint('human-action') },
      answers: { 'human-action': 'done' },
    })
    expect(executions(played)[1]?.brief.checkpointAnswer).toMatchObject({ answer: 'done' })
    expect(decisionsOf(played.state)).toContain('checkpoint_done')
  })

  test('what the person had uncommitted is asked about, once per phase, and session files never enter', async () => {
    const project = await createStage(box, { 'mine.txt': 'first\n' })
    await project.write('mine.txt', 'changed by me\n')
    const execution: Act = async ({ nth, brief }, here) => {
      if (nth === 1) await here.write('mine.txt', 'changed by both\n')
      await here.write(`src/${nth}.ts`, 'x\n')
      return nth > 2
        ? { status: 'complete', completed: (brief.tasks ?? []).map(({ id }) => id) }
        : {
            status: 'checkpoint',
            completed: [],
            checkpoint: { type: 'human-action', task: 'Task 1', prompt: 'go' },
          }
    }
    const played = await play(project, {
      acts: { execution },
      answers: { 'Q-TOUCHED': 'mine', 'Q-DIRTY': 'leave', 'human-action': 'done' },
    })
    expect(played.gates).toEqual(['Q-TOUCHED', 'human-action', 'Q-DIRTY', 'human-action', 'Q-PR'])
    expect(await project.git('show', 'HEAD:mine.txt')).toBe('first')
    expect(await project.git('ls-files', '.harness/sessions')).toBe('')
    expect(await subjects(project)).toEqual([
      'First commit',
      '[autopilot] Checkpoint 1: step 1',
      '[autopilot] Checkpoint 2: step 1',
    ])
  })

  test('a hook that refuses is a question; without hooks only on that answer', async () => {
    const project = await createStage(box)
    await project.write('.git/hooks/pre-commit', '#!/bin/sh\necho no good >&2\nexit 1\n')
    await chmod(project.path('.git/hooks/pre-commit'), 0o755)
    const played = await play(project, {
      acts: { execution: checkpoint('human-verify') },
      answers: { 'human-verify': 'confirm', 'Q-COMMIT': ['retry', 'no-hooks'] },
    })
    const gates = played.asked.filter((question) => question.gate === 'Q-COMMIT')
    expect(gates.map(({ options }) => options.map(({ label }) => label))).toEqual([
      ['retry', 'commit without hooks', 'leave uncommitted', 'stop'],
      ['retry', 'commit without hooks', 'leave uncommitted', 'stop'],
    ])
    expect(gates[0]?.body.join('\n')).toContain('no good')
    expect(await subjects(project)).toEqual(['First commit', '[autopilot] Checkpoint 1: step 2'])
  })
})

describe('what an executor claims', () => {
  const idle: Act = ({ brief }) => ({
    status: 'complete',
    completed: (brief.tasks ?? []).map(({ id }) => id),
    idle: true,
  })

  test('complete without a commit or a changed file: the person decides', async () => {
    const project = await createStage(box)
    const execution: Act = (dispatch, here) =>
      dispatch.nth === 1 ? idle(dispatch, here) : { status: 'complete', completed: ['1', '2'] }
    const answers = { 'Q-UNPROVEN': { value: 'retry', text: 'Look at the lid.' } }
    const played = await play(project, { acts: { execution }, answers })
    expect(played.gates).toEqual(['Q-UNPROVEN', 'Q-PR'])
    expect(executions(played)).toHaveLength(2)
    // What was doubted is open again, and the agent is told.
    const again = executions(played)[1]
    expect(again?.brief.tasks?.map(({ status }) => status)).toEqual(['pending', 'pending'])
    expect(again?.brief.note).toContain('Task 2 (step 2): nothing shows it.')
    expect(again?.prompt).toContain('Task 2 (step 2): nothing shows it.')
    expect(again?.prompt).toContain('Look at the lid.')
    expect(played.state.currentState).toBe('DONE')
  })

  test('accepted as it is: recorded, and on to verification', async () => {
    const project = await createStage(box)
    const played = await play(project, { acts: { execution: idle }, answers: { 'Q-UNPROVEN': 'accept' } })
    expect(executions(played)).toHaveLength(1)
    expect(decisionsOf(played.state)).toContain('accepted_unproven')
  })

  test('another branch, or a start commit that is gone from history, is a doubt', async () => {
    const project = await createStage(box)
    const execution: Act = async (dispatch, here) => {
      await here.git('checkout', '-q', '-b', 'elsewhere')
      await here.git('commit', '-q', '--amend', '--allow-empty', '-m', 'rewritten')
      return idle(dispatch, here)
    }
    const answers = { 'Q-TOUCHED': 'accept', 'Q-UNPROVEN': 'accept' }
    const played = await play(project, { acts: { execution }, answers })
    const body = played.asked.find(({ gate }) => gate === 'Q-UNPROVEN')?.body.join(' ') ?? ''
    expect(body).toContain('HEAD is now on elsewhere')
    expect(body).toContain('no longer in the history')
  })

  test('complete, but a task is missing: a question, and the open task is sent again', async () => {
    const project = await createStage(box)
    const execution: Act = ({ nth }) => ({ status: 'complete', completed: nth === 1 ? ['1'] : ['1', '2'] })
    const played = await play(project, { acts: { execution }, answers: { 'Q-AGENT': 'retry' } })
    expect(played.asked[0]?.body).toEqual(['Task 2 (step 2) is not reported complete.'])
    expect(played.gates).toEqual(['Q-AGENT', 'Q-PR'])
  })

  test('complete, but its own state.json and handoff say otherwise', async () => {
    const project = await createStage(box)
    const execution: Act = async ({ nth, brief }, here) => {
      const open = nth === 1
      await here.write(
        '.harness/sessions/changes--seeds--proposal/state.json',
        JSON.stringify({
          schemaVersion: 1,
          progress: { 'Task 1': 'complete', 'Task 2': open ? 'in_progress' : 'complete' },
          blockers: open ? [{ id: 'b1', description: 'no key', status: 'open' }] : [],
        }),
      )
      await here.write(
        '.harness/sessions/changes--seeds--proposal/handoff.json',
        JSON.stringify({
          fromSkill: 'harness-execution',
          summary: 's',
          pendingTasks: open ? ['Task 2'] : [],
        }),
      )
      return { status: 'complete', completed: (brief.tasks ?? []).map(({ id }) => id) }
    }
    const played = await play(project, { acts: { execution }, answers: { 'Q-AGENT': 'retry' } })
    expect(played.asked[0]?.body).toEqual([
      'Task 2 (step 2) is reported complete, state.json says in_progress.',
      'Open blocker in state.json: no key',
      'The handoff still lists as pending: Task 2',
    ])
    // What was doubted is open again, and the agent is told.
    const again = executions(played)[1]
    expect(again?.brief.tasks?.map(({ status }) => status)).toEqual(['complete', 'pending'])
    expect(again?.prompt).toContain('Task 2 (step 2) is reported complete, state.json says in_progress.')
    expect(again?.prompt).toContain('Open blocker in state.json: no key')
    expect(played.state.currentState).toBe('DONE')
  })

  test('the records that it left out are written from its result', async () => {
    const project = await createStage(box)
    const played = await play(project, {
      acts: { verification: () => crash('stop here') },
      answers: { 'Q-AGENT': 'stop' },
    })
    expect(played.stopped).toBe(true)
    expect(JSON.parse(await sessionFile(project, 'state.json')).progress).toEqual({
      'Task 1': 'complete',
      'Task 2': 'complete',
    })
    expect(JSON.parse(await sessionFile(project, 'handoff.json'))).toMatchObject({
      fromSkill: 'harness-execution',
    })
  })

  test('an agent that fails is a question; retry dispatches it again', async () => {
    const project = await createStage(box)
    const execution: Act = ({ nth, brief }) =>
      nth === 1
        ? crash('exit code 1')
        : { status: 'complete', completed: (brief.tasks ?? []).map(({ id }) => id) }
    const played = await play(project, { acts: { execution }, answers: { 'Q-AGENT': 'retry' } })
    expect(played.asked[0]?.options.map(({ label }) => label)).toEqual(['retry the step', 'stop'])
    expect(played.state.history).toMatchObject([{ retriesUsed: 0 }])
  })

  test('blocked is a question with the reason', async () => {
    const project = await createStage(box)
    const execution: Act = ({ nth, brief }) =>
      nth === 1
        ? { status: 'blocked', completed: [], failure: { task: 'Task 1', error: 'no network' } }
        : { status: 'complete', completed: (brief.tasks ?? []).map(({ id }) => id) }
    const played = await play(project, { acts: { execution }, answers: { 'Q-AGENT': 'retry' } })
    expect(played.asked[0]?.body).toEqual(['Task 1: no network'])
  })
})

test('a plan that changed after its approval opens the gate again before the first task', async () => {
  const project = await createStage(box)
  const first = await play(project, {
    flags: { reviewPlans: true },
    acts: { execution: () => crash('stop here') },
    answers: { 'Q-APPROVE': 'yes', 'Q-AGENT': 'stop' },
  })
  const path = first.state.phases[0]?.planPath ?? ''
  await project.write(path, planText(3))
  const answers = { 'Q-AGENT': 'retry', 'Q-APPROVE': 'yes' }
  const second = await play(project, { leftovers: 'expected', answers })
  const executed = executions(second).at(-1)
  expect(second.state.currentState).toBe('DONE')
  expect(second.state.history).toMatchObject([{ tasksCompleted: executed?.brief.tasks?.length }])
})

test('the task state of the phase before is archived and reset', async () => {
  const project = await createStage(two)
  await play(project)
  const archived = JSON.parse(await sessionFile(project, 'archive/state-before-phase-2.json'))
  expect(archived.progress).toEqual({ 'Task 1': 'complete', 'Task 2': 'complete' })
})
