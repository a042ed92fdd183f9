import { writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { Question } from '../../../source/view/question.js'
import type { TestProject } from '../../support/project.js'
import { type Act, createStage, decisionsOf, type Played, planText, play, sessionDir } from './stage.js'

// A plan that a person changes, tests that are gone, an executor that is blocked, and a checkpoint that was rejected
// (docs/evidence.md, "Plan and spec", "Tests", "Claims").

const box = [{ name: 'Box' }]
const textOf = (question: Question | undefined) => [question?.title, ...(question?.body ?? [])].join('\n')
const asked = (played: Played, gate: string) => played.asked.filter((question) => question.gate === gate)
const executions = (played: Played) => played.dispatches.filter(({ kind }) => kind === 'execution')
const allDone: Act = ({ brief }) => ({
  status: 'complete',
  completed: (brief.tasks ?? []).map(({ id }) => id),
})

describe('a plan that a person changes after its execution began', () => {
  const planned: Act = async ({ brief }, project) => {
    await project.write(brief.planPath, planText(2, { checkpoints: 1 }))
    return { planPath: brief.planPath, concerns: [] }
  }

  /** The person edits the plan while a checkpoint is open. */
  function edited(project: TestProject, text: () => string, answer: string) {
    let path = ''
    const execution: Act = (dispatch, at) => {
      path =
        dispatch.brief.phase.number === 1
          ? project.path(planPathOf(dispatch.brief.planPath, path, project))
          : path
      return allDone(dispatch, at)
    }
    return play(project, {
      acts: { plan: planned, execution },
      answers: {
        'human-verify': () => {
          writeFileSync(path, text())
          return 'confirm'
        },
        'Q-PLAN-CHANGED': answer,
      },
    })
  }

  /** The file that the person edits is the plan, also where the executor reads a copy. */
  const planPathOf = (read: string, known: string, project: TestProject) =>
    read.startsWith(sessionDir) ? known.slice(project.dir.length + 1) : read

  test('taken over: its difference and what it means are shown, what was added is executed and counted', async () => {
    const project = await createStage(box)
    const played = await edited(project, () => planText(3), 'take')
    const [question] = asked(played, 'Q-PLAN-CHANGED')
    expect(textOf(question)).toContain('Would be executed in addition: Task 3: step 3')
    expect(textOf(question)).toContain('Would no longer ask you: Task 1')
    expect(textOf(question)).toContain('+### Task 3: step 3')
    expect(
      executions(played)
        .at(-1)
        ?.brief.tasks?.map(({ id, status }) => [id, status]),
    ).toEqual([
      ['1', 'complete'],
      ['2', 'complete'],
      ['3', 'pending'],
    ])
    expect(played.state.history).toMatchObject([{ tasksCompleted: 3 }])
    expect(decisionsOf(played.state)).toContain('plan_changed')
  })

  test('kept: the approved text is executed and counted, the file stays, and the same is not asked again', async () => {
    const project = await createStage(box)
    const played = await edited(project, () => planText(3), 'keep')
    expect(asked(played, 'Q-PLAN-CHANGED')).toHaveLength(1)
    expect(played.state.history).toMatchObject([{ tasksCompleted: 2 }])
    expect(await project.read(played.state.phases[0]?.planPath ?? '')).toBe(planText(3))
    const verified = played.dispatches.find(({ kind }) => kind === 'verification')
    expect(decisionsOf(played.state)).toContain('plan_change_refused')
    expect(verified).toBeDefined()
  })

  test('another layout of the same is no change', async () => {
    const project = await createStage(box)
    const played = await edited(
      project,
      () => `${planText(2, { checkpoints: 1 }).replaceAll('\n\n', '\n\n\n')}\n`,
      'stop',
    )
    expect(asked(played, 'Q-PLAN-CHANGED')).toEqual([])
    expect(played.state.currentState).toBe('DONE')
  })
})

describe('fewer tests', () => {
  const counts = (executed: number) =>
    `# tests ${executed}\n# pass ${executed}\n# fail 0\n# skipped 0\n# todo 0\n`

  test('fewer than at the start of the phase: asked; have them put back sends the executor with the list', async () => {
    const project = await createStage(box)
    const played = await play(project, {
      tests: (nth) => counts(nth === 2 ? 3 : 5),
      answers: { 'Q-TESTS': 'fix' },
    })
    const [question, ...more] = asked(played, 'Q-TESTS')
    expect(more).toEqual([])
    expect(textOf(question)).toMatch(/5.*3|3.*5/s)
    expect(executions(played)).toHaveLength(2)
    expect(JSON.stringify(executions(played)[1]?.brief.findings)).toContain('Put the tests back')
    expect(played.state.phases[0]?.evidence?.tests).toMatchObject({ counts: { executed: 5 } })
  })

  test('a file of tests that is gone is asked by its name; accepted, it is on record and named', async () => {
    const project = await createStage(box, {
      'test/box.test.js': "test('box', () => {})\ntest('lid', () => {})\n",
    })
    const played = await play(project, {
      tests: () => 'ok\n',
      acts: {
        execution: async (dispatch, at) => {
          await project.git('rm', '-q', 'test/box.test.js')
          await project.git('commit', '-qm', 'tidy')
          return allDone(dispatch, at)
        },
      },
      answers: { 'Q-TESTS': 'accept' },
    })
    expect(textOf(asked(played, 'Q-TESTS')[0])).toContain('test/box.test.js')
    expect(decisionsOf(played.state)).toContain('accepted_fewer_tests')
    expect(played.reports.flat().join('\n')).toContain('Accepted loss of tests')
  })

  test('as many as before, and more: nothing is asked', async () => {
    const project = await createStage(box)
    const played = await play(project, { tests: (nth) => counts(4 + nth) })
    expect(asked(played, 'Q-TESTS')).toEqual([])
    expect(played.state.currentState).toBe('DONE')
  })
})

describe('a blocked executor', () => {
  const blockedOnce: Act = (dispatch, project) =>
    dispatch.nth === 1
      ? { status: 'blocked', completed: [], failure: { task: 'Task 1', error: 'no network' } }
      : allDone(dispatch, project)

  test('a message goes with the next order, and so does the reason', async () => {
    const project = await createStage(box)
    const played = await play(project, {
      acts: { execution: blockedOnce },
      answers: { 'Q-AGENT': { value: 'retry', text: 'the proxy is on port 3128' } },
    })
    expect(played.asked[0]?.options.map(({ label }) => label)).toEqual([
      'retry the step',
      'revise plan',
      'skip phase',
      'stop',
    ])
    const again = executions(played)[1]
    expect(again?.prompt).toContain('the proxy is on port 3128')
    expect(again?.prompt).toContain('no network')
    expect(again?.brief.note).toContain('the proxy is on port 3128')
    expect(played.state.history).toMatchObject([{ tasksCompleted: 2 }])
  })

  test('back to the plan gate, and from there on', async () => {
    const project = await createStage(box)
    const played = await play(project, {
      acts: { execution: blockedOnce },
      answers: { 'Q-AGENT': 'plan', 'Q-APPROVE': 'yes' },
    })
    expect(played.gates).toEqual(['Q-AGENT', 'Q-APPROVE', 'Q-PR'])
    expect(decisionsOf(played.state)).toContain('revise_plan_after_block')
    expect(played.state.history).toMatchObject([{ tasksCompleted: 2 }])
  })

  test('skipped: the phase is, with the reason on record', async () => {
    const project = await createStage(box)
    const played = await play(project, {
      acts: { execution: blockedOnce },
      answers: { 'Q-AGENT': 'skip', 'Q-ROADMAP': 'leave' },
    })
    expect(played.state.phases[0]?.status).toBe('skipped')
    expect(played.state.history).toMatchObject([{ status: 'skipped', tasksCompleted: 0 }])
    expect(played.state.decisions).toContainEqual(
      expect.objectContaining({ decision: 'skipped_phase', rationale: 'Task 1: no network' }),
    )
  })
})

describe('a rejected checkpoint', () => {
  const planned: Act = async ({ brief }, project) => {
    await project.write(brief.planPath, planText(2, { checkpoints: 1 }))
    return { planPath: brief.planPath, concerns: [] }
  }

  test('is asked again after the fix, with what was said and what has changed since', async () => {
    const project = await createStage(box)
    const execution: Act = async (dispatch, at) => {
      if (dispatch.brief.checkpointAnswer?.answer === 'reject')
        await at.write('src/lid.ts', `lid ${dispatch.nth}\n`)
      return allDone(dispatch, at)
    }
    const played = await play(project, {
      acts: { plan: planned, execution },
      answers: {
        'human-verify': [{ value: 'reject', text: 'the lid is missing' }, 'confirm'],
      },
    })
    const [first, second, ...more] = asked(played, 'human-verify')
    expect(more).toEqual([])
    expect(textOf(first)).not.toContain('You rejected it')
    expect(textOf(second)).toContain('You rejected it: the lid is missing')
    expect(textOf(second)).toContain('Changed since:\n  src/lid.ts')
    expect(executions(played)[1]?.prompt).toContain('the lid is missing')
    expect(decisionsOf(played.state).filter((word) => word.startsWith('checkpoint_'))).toEqual([
      'checkpoint_rejected',
      'checkpoint_confirmed',
    ])
  })

  test('a fix that changed nothing is unproven before anybody is asked again', async () => {
    const project = await createStage(box)
    const execution: Act = (dispatch, at) => {
      const done = allDone(dispatch, at) as object
      return dispatch.nth === 2 ? { ...done, idle: true } : done
    }
    const played = await play(project, {
      acts: { plan: planned, execution },
      answers: {
        'human-verify': [{ value: 'reject', text: 'the lid is missing' }, 'confirm'],
        'Q-UNPROVEN': 'retry',
      },
    })
    expect(played.gates.filter((gate) => gate !== 'Q-PR')).toEqual([
      'human-verify',
      'Q-UNPROVEN',
      'human-verify',
    ])
    expect(executions(played)).toHaveLength(3)
  })
})

describe('work that a person has confirmed', () => {
  const lid = 'export const lid = 1\n'
  const plan = (also: string) =>
    `# Plan: seeds\n\n## Tasks\n\n### Task 1: lid [checkpoint:human-verify]\n\n**Files:** src/lid.ts\n\nMake it.\n\n### Task 2: box\n\n**Files:** src/box.ts${also}\n\nMake it.\n`

  test.each([
    ['is another when all is done: it is shown, and nobody approved it', 'export const lid = 2\n', '', false],
    ['was taken away and comes as another file', undefined, '', false],
    ['was laid out and commented: it stays approved', '// The lid.\nexport  const lid = 1\n', '', true],
    ['is gone on with by a task that names it too', 'export const lid = 2\n', ', src/lid.ts', true],
    ['stays as it was', lid, '', true],
  ] as const)('%s', async (_, later, also, approved) => {
    const project = await createStage(box)
    const execution: Act = async (dispatch, at) => {
      if (dispatch.nth === 1) {
        await at.write('src/lid.ts', lid)
        return {
          status: 'checkpoint',
          completed: [],
          checkpoint: { type: 'human-verify', task: 'Task 1', prompt: 'Does it close?' },
        }
      }
      await at.write('src/box.ts', 'export const box = 1\n')
      if (later === undefined) {
        await rm(at.path('src/lid.ts'))
        await at.write('src/lids.ts', lid)
      } else await at.write('src/lid.ts', later)
      return allDone(dispatch, at)
    }
    const played = await play(project, {
      acts: {
        plan: async ({ brief }, at) => {
          await at.write(brief.planPath, plan(also))
          return { planPath: brief.planPath, concerns: [] }
        },
        execution,
      },
      answers: { 'human-verify': 'confirm', 'Q-UNPROVEN': 'accept' },
    })
    expect(played.state.phases[0]?.evidence?.tasks['1']?.includes('approved')).toBe(approved)
    expect(asked(played, 'human-verify')).toHaveLength(1)
  })
})
