import { writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { HarnessState } from '../../../source/workflows/harness/state/state.js'
import { type Act, createStage, decisionsOf, type PlayOptions, planText, play } from './stage.js'

// APPROVE_PLAN (docs/harness.md, "Plan gate").

const planning =
  (tasks: number, checkpoints = 0, concerns: string[] = []): Act =>
  async ({ brief }, project) => {
    await project.write(brief.planPath, planText(tasks, { checkpoints }))
    return { planPath: brief.planPath, concerns }
  }

const one = (complexity: 'low' | 'medium' | 'high' = 'low') => [{ name: 'Box', complexity }]

const signalsOf = (state: HarnessState) =>
  state.decisions.map((entry) => (entry as { signals?: unknown }).signals)

const gateAfter = async (options: PlayOptions, complexity: 'low' | 'medium' | 'high' = 'low') => {
  const project = await createStage(one(complexity))
  return play(project, { ...options, answers: { 'Q-APPROVE': 'stop', ...options.answers } })
}

describe('the five signals', () => {
  test('none: approved by itself, with the report and the signals on record', async () => {
    const project = await createStage(one())
    const played = await play(project, { acts: { plan: planning(3) } })
    expect(played.gates).toEqual(['Q-PR'])
    expect(decisionsOf(played.state)).toEqual(['auto_approved_plan'])
    expect(signalsOf(played.state)[0]).toEqual({
      reviewPlans: false,
      highComplexity: 'low',
      complexityOverride: null,
      plannerConcerns: [],
      taskCount: 3,
      taskThreshold: 15,
    })
    expect(played.reports).toContainEqual([
      'Auto-approved Phase 1: Box',
      '  Review mode: auto',
      '  Complexity: low (no override)',
      '  Planner concerns: none',
      '  Tasks: 3 (threshold: 15)',
    ])
  })

  const report = (played: Awaited<ReturnType<typeof play>>) => played.asked[0]?.body.slice(0, 5)

  test('1: --review-plans', async () => {
    const played = await gateAfter({ flags: { reviewPlans: true } })
    expect(played.gates).toEqual(['Q-APPROVE'])
    expect(report(played)).toEqual([
      'Pausing for review -- Phase 1: Box',
      '  Review mode: manual (--review-plans flag set) (triggered)',
      '  Complexity: low (no override)',
      '  Planner concerns: none',
      '  Tasks: 2 (threshold: 15)',
    ])
  })

  test('2: high complexity, also with a plan made by a person', async () => {
    const project = await createStage(one('high'))
    await play(project, { answers: { 'Q-INTERACTIVE': 'stop' } })
    await project.write('docs/plans/box-plan.md', planText(4))
    const played = await play(project, { answers: { 'Q-APPROVE': 'stop' } })
    expect(played.gates).toEqual(['Q-APPROVE'])
    expect(report(played)?.[2]).toBe('  Complexity: high (triggered)')
    expect(played.state.phases[0]?.complexityOverride).toBeNull()
  })

  test('3: complexity raised by the size of the plan', async () => {
    const played = await gateAfter({ acts: { plan: planning(11) } })
    expect(report(played)?.[2]).toBe('  Complexity override: low -> medium (triggered)')
    expect(signalsOf(played.state)[0]).toMatchObject({ highComplexity: 'low', complexityOverride: 'medium' })
    expect(played.state.phases[0]?.complexityOverride).toBe('medium')
  })

  test('4: concerns of the planner', async () => {
    const played = await gateAfter({ acts: { plan: planning(2, 0, ['too vague', 'no tests']) } })
    expect(report(played)?.[3]).toBe('  Planner concerns: 2 concerns (triggered)')
    expect(played.asked[0]?.body).toContain('Concern: too vague')
  })

  test('5: more than 15 tasks', async () => {
    const played = await gateAfter({ acts: { plan: planning(16) } }, 'medium')
    expect(report(played)?.[4]).toBe('  Tasks: 16 (threshold: 15) (triggered)')
    const fifteen = await createStage(one('medium'))
    expect((await play(fifteen, { acts: { plan: planning(15) } })).gates).toEqual(['Q-PR'])
  })
})

describe('the gate', () => {
  test('yes executes', async () => {
    const project = await createStage(one())
    const played = await play(project, { flags: { reviewPlans: true }, answers: { 'Q-APPROVE': 'yes' } })
    expect(played.asked[0]?.options.map(({ label }) => label)).toEqual([
      'yes',
      'revise',
      'skip phase',
      'stop',
    ])
    expect(decisionsOf(played.state)).toEqual(['approved_plan'])
    expect(played.state.currentState).toBe('DONE')
  })

  test('revise reads the edited file again', async () => {
    const project = await createStage(one())
    let path = ''
    const played = await play(project, {
      flags: { reviewPlans: true },
      acts: {
        plan: async (dispatch, here) => {
          path = dispatch.brief.planPath
          return planning(2)(dispatch, here)
        },
      },
      answers: { 'Q-APPROVE': ['revise', 'yes'] },
    })
    expect(played.gates.filter((gate) => gate === 'Q-APPROVE')).toHaveLength(2)
    expect(decisionsOf(played.state)).toEqual(['revised_plan', 'approved_plan'])
    expect(path).toMatch(/^docs\/plans\/\d{4}-\d\d-\d\d-box-plan\.md$/)
  })

  test('revise: tasks and markers that the edited file has not any more are told', async () => {
    const project = await createStage(one())
    let looks = 0
    const played = await play(project, {
      flags: { reviewPlans: true },
      acts: { plan: planning(3, 2) },
      answers: {
        'Q-APPROVE': (question) => {
          looks += 1
          if (looks > 1) return 'stop'
          const path = /Plan: (\S+)/.exec(question.body.join('\n'))?.[1] ?? ''
          writeFileSync(project.path(path), planText(2, { checkpoints: 1 }))
          return 'revise'
        },
      },
    })
    const [before, after] = played.asked.map(({ body }) => body.join('\n'))
    expect(before).not.toContain('Since')
    expect(after).toContain('Since the plan was shown before:')
    expect(after).toContain('Task 2 (step 2) is not marked human-verify any more.')
    expect(after).toContain('Task 3 (step 3) is gone.')
  })

  test('a plan that changes while the gate is open is shown again and not approved unseen', async () => {
    const project = await createStage(one())
    let shown = 0
    const played = await play(project, {
      flags: { reviewPlans: true },
      answers: {
        'Q-APPROVE': (question) => {
          shown += 1
          if (shown === 1) {
            const path = /Plan: (\S+)/.exec(question.body.join('\n'))?.[1] ?? ''
            writeFileSync(project.path(path), planText(5))
          }
          return 'yes'
        },
      },
    })
    const executed = played.dispatches.find(({ kind }) => kind === 'execution')
    const approved = played.state.decisions.at(-1) as { signals: { taskCount: number } }
    expect(executed?.brief.tasks).toHaveLength(approved.signals.taskCount)
    expect(approved.signals.taskCount).toBe(5)
  })

  test('skip phase: skipped, in history, and on to the next; nothing is executed', async () => {
    const project = await createStage([{ name: 'Box' }, { name: 'List' }])
    const played = await play(project, {
      flags: { reviewPlans: true },
      answers: { 'Q-APPROVE': ['skip', 'yes'] },
    })
    expect(played.state.phases.map(({ status }) => status)).toEqual(['skipped', 'complete'])
    expect(played.state.history).toMatchObject([
      { phase: 0, status: 'skipped', tasksCompleted: 0 },
      { phase: 1, tasksCompleted: 2 },
    ])
    expect(decisionsOf(played.state)).toEqual(['skipped_phase', 'approved_plan'])
    expect(played.dispatches.filter(({ kind }) => kind === 'execution')).toHaveLength(1)
  })

  test('stop is recorded, and the same question comes back', async () => {
    const project = await createStage(one())
    const first = await play(project, { flags: { reviewPlans: true }, answers: { 'Q-APPROVE': 'stop' } })
    expect(first.stopped).toBe(true)
    expect(decisionsOf(first.state)).toEqual(['stopped'])
    expect(first.state).toMatchObject({
      currentState: 'APPROVE_PLAN',
      pendingQuestion: { id: 'Q-APPROVE', options: ['yes', 'revise', 'skip phase', 'stop'] },
    })
    const second = await play(project, { answers: { 'Q-APPROVE': 'yes' } })
    expect(second.asked[0]?.id).toBe(first.asked[0]?.id)
    expect(second.asked[0]?.askedAt).toBe(first.asked[0]?.askedAt)
    expect(decisionsOf(second.state)).toEqual(['stopped', 'approved_plan'])
    expect(second.state.pendingQuestion).toBeUndefined()
    expect(second.dispatches.filter(({ kind }) => kind === 'plan')).toHaveLength(0)
  })

  test('a plan that vanished while the run was stopped is planned anew', async () => {
    const project = await createStage(one())
    const first = await play(project, {
      flags: { reviewPlans: true },
      acts: { plan: planning(12) },
      answers: { 'Q-APPROVE': 'stop' },
    })
    const path = first.state.phases[0]?.planPath ?? ''
    await rm(project.path(path))
    const second = await play(project, { acts: { plan: planning(2) }, answers: { 'Q-APPROVE': 'yes' } })
    expect(second.dispatches[0]?.kind).toBe('plan')
    expect(second.state.phases[0]?.complexityOverride).toBeNull()
    expect(second.state.currentState).toBe('DONE')
  })
})

describe('a plan that is read only in part', () => {
  const partly = `${planText(2)}\n**Task 3: the third, in bold**\n\nDo it too.\n`
  const written =
    (text: string): Act =>
    async ({ brief }, project) => {
      await project.write(brief.planPath, text)
      return { planPath: brief.planPath, concerns: [] }
    }

  test.each(['fast', 'standard'] as const)('never approves itself, at the level %s', async (level) => {
    const project = await createStage(one())
    const played = await play(project, {
      flags: { fast: level === 'fast' },
      acts: { plan: written(partly) },
      answers: { 'Q-APPROVE': 'yes' },
      validate: () => ({ kind: 'pass' }),
    })
    expect(played.gates).toEqual(['Q-APPROVE', 'Q-PR'])
    const line = / {2}Not read as a whole: Line \d+ looks like a task/
    expect(played.asked[0]?.body.join('\n')).toMatch(line)
    expect(played.asked[0]?.body.join('\n')).toMatch(/Line.*(triggered)/s)
    expect(played.reports.flat().join('\n')).toMatch(line)
    expect(played.state.decisions[0]).toMatchObject({
      decision: 'approved_plan',
      lines: [expect.stringContaining('looks like a task')],
    })
  })

  test('another number of tasks than it says opens the gate with both numbers', async () => {
    const text = planText(3).replace('## Tasks', '**Tasks:** 5\n\n## Tasks')
    const played = await gateAfter({ acts: { plan: written(text) } })
    expect(played.gates).toEqual(['Q-APPROVE'])
    expect(played.asked[0]?.body.join('\n')).toMatch(/says 5 tasks, its headings are 3/)
  })

  test('a warning that asks nothing is in the report, and the plan approves itself', async () => {
    const text = planText(3).replace(
      '## Tasks',
      '## Tasks\n\nOverview: [checkpoint:commit], [checkpoint:commit]',
    )
    const project = await createStage(one())
    const played = await play(project, { acts: { plan: written(text) } })
    expect(played.gates).not.toContain('Q-APPROVE')
    expect(played.reports.flat().join('\n')).toMatch(/ {2}Warning: .*marker/)
  })
})

describe('rigor', () => {
  test('fast approves unevaluated, with the title only and the signals on record', async () => {
    const project = await createStage(one())
    const played = await play(project, {
      flags: { fast: true },
      acts: { plan: planning(25, 0, ['worried']) },
      validate: () => ({ kind: 'pass' }),
    })
    expect(played.gates).toEqual(['Q-PR'])
    expect(played.reports).toContainEqual(['Auto-approved Phase 1: Box'])
    expect(decisionsOf(played.state)).toEqual(['auto_approved_plan_fast'])
    expect(signalsOf(played.state)[0]).toMatchObject({ taskCount: 25, plannerConcerns: ['worried'] })
    expect(played.dispatches.map(({ kind }) => kind)).toEqual(['plan', 'execution', 'review', 'final-review'])
    expect(played.dispatches.every(({ brief }) => brief.scratchpadDir === undefined)).toBe(true)
  })

  test('thorough counts as --review-plans', async () => {
    const project = await createStage(one())
    const played = await play(project, {
      flags: { thorough: true },
      answers: { 'Q-SKELETON': 'approve', 'Q-APPROVE': 'yes' },
    })
    expect(played.state).toMatchObject({ rigorLevel: 'thorough', reviewPlans: true })
    expect(signalsOf(played.state)[0]).toMatchObject({ reviewPlans: true })
    expect(played.gates).toEqual(['Q-SKELETON', 'Q-APPROVE', 'Q-PR'])
  })

  test.each(['fast', 'standard', 'thorough'] as const)(
    '0 recognised tasks ask at the level %s',
    async (level) => {
      const project = await createStage(one())
      const played = await play(project, {
        flags: { fast: level === 'fast', thorough: level === 'thorough' },
        acts: { plan: planning(0) },
        answers: { 'Q-SKELETON': 'approve', 'Q-APPROVE': 'stop' },
      })
      const gate = played.asked.at(-1)
      expect(gate?.gate).toBe('Q-APPROVE')
      expect(gate?.options.map(({ label }) => label)).toEqual(['revise', 'skip phase', 'stop'])
      expect(played.dispatches.some(({ kind }) => kind === 'execution')).toBe(false)
    },
  )
})
