import { writeFileSync } from 'node:fs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Question } from '../../../source/view/question.js'
import { qDecision, qHumanVerify } from '../../../source/workflows/harness/questions/execute.js'
import { qPlanFile } from '../../../source/workflows/harness/questions/plan.js'
import { qFinal } from '../../../source/workflows/harness/questions/review.js'
import { harnessView } from '../../../source/workflows/harness/view.js'
import {
  type Act,
  createStage,
  decisionsOf,
  planText,
  play,
  sessionFile,
  slug,
  specPath,
  specText,
} from './stage.js'

// What the screen says is so (docs/harness.md, "Questions").

const recommended = ({ options }: Pick<Question, 'options'>) =>
  options.filter((option) => option.recommended).map(({ label }) => label)

describe('a skipped phase', () => {
  const skipFirst = async () => {
    const project = await createStage([{ name: 'Box' }, { name: 'List' }])
    const played = await play(project, {
      flags: { reviewPlans: true },
      answers: { 'Q-APPROVE': ['skip', 'yes'] },
    })
    return { project, played }
  }

  test('is called skipped in the question, the totals, the learnings and at the end', async () => {
    const { project, played } = await skipFirst()
    const next = played.asked.find(({ gate }) => gate === 'Q-NEXT')
    expect(next?.title).toMatch(/^Phase 1 skipped\. Next: Phase 2: List/)
    const report = played.reports.flat().join('\n')
    expect(report).toContain('1 of 2 phases was skipped')
    expect(report).not.toContain('All phases complete')
    expect(await project.read('.harness/learnings.md')).toContain(
      'Executed 1 phases, 2 tasks, 0 retries, 1 skipped',
    )
    expect(await sessionFile(project, 'summary.md')).not.toContain('All phases complete')
    expect(await sessionFile(project, 'handoff.json')).toContain('1 skipped')
  })

  test('shows what was not done of it as skipped', async () => {
    const { played } = await skipFirst()
    const state = { ...played.state, currentPhase: 0, currentState: 'PHASE_COMPLETE' as const }
    const { steps } = harnessView(state, { specPath, slug }, 'Seeds')
    expect(steps.filter(({ status }) => status === 'skipped').map(({ id }) => id)).toEqual([
      'EXECUTE',
      'VERIFY',
      'REVIEW',
    ])
  })
})

describe('the plan gate', () => {
  test('says that checkpoints raised the complexity', async () => {
    const project = await createStage([{ name: 'Box' }])
    const played = await play(project, {
      acts: {
        plan: async ({ brief }, here) => {
          await here.write(brief.planPath, planText(5, { checkpoints: 4 }))
          return { planPath: brief.planPath, concerns: [] }
        },
      },
      answers: { 'Q-APPROVE': 'stop' },
    })
    const body = played.asked[0]?.body.join('\n')
    expect(body).toContain('4 checkpoints: more than expected')
    expect(body).not.toContain('5 tasks: more')
  })

  test('shows the text that is approved, whatever becomes of the file', async () => {
    const project = await createStage([{ name: 'Box' }])
    const played = await play(project, { flags: { reviewPlans: true }, answers: { 'Q-APPROVE': 'stop' } })
    const [plan] = played.asked[0]?.evidence ?? []
    expect(await project.read(plan?.path ?? '')).toBe(planText(2))
    expect(plan?.path).not.toBe(played.state.phases[0]?.planPath)
  })

  test('keeps its decision when the run is stopped by a key there', async () => {
    const project = await createStage([{ name: 'Box' }])
    const first = await play(project, { flags: { reviewPlans: true }, quitAt: 'Q-APPROVE' })
    expect(first.stopped).toBe(true)
    expect(decisionsOf(first.state)).toEqual(['stopped'])
    const second = await play(project, { answers: { 'Q-APPROVE': 'yes' } })
    expect(decisionsOf(second.state)).toEqual(['stopped', 'approved_plan'])
  })
})

describe('questions', () => {
  test('recommend nothing that nobody recommended, and no option of a plan looks like ours', () => {
    const decision = qDecision('Task 1', ['Which?'], ['stop', 'go round'])
    expect(decision.options.map(({ label }) => label)).toEqual([
      '"stop" (of the plan)',
      'go round',
      'something else',
      'stop',
    ])
    expect(decision.options[0]).toMatchObject({ value: 'option:stop' })
    expect(decision.options[0]?.stops).toBeUndefined()
    for (const question of [
      decision,
      qHumanVerify('Task 1', []),
      qPlanFile('Phase 1: Box', ['a.md', 'b.md'], true),
    ])
      expect(recommended(question)).toEqual([])
  })

  test('after three fix cycles "fix" says what it does, and is not recommended', () => {
    expect(recommended(qFinal([], 2))).toEqual(['fix'])
    expect(recommended(qFinal([], 3))).toEqual([])
    expect(qFinal([], 3).options[0]?.consequence).toContain('no agent is sent any more')
  })

  test('"edit the spec and retry" reads the spec again at once', async () => {
    const project = await createStage('# Seeds\n\n## Ideas\n\nProse.\n')
    const played = await play(project, {
      answers: {
        'Q-READING': [
          () => {
            writeFileSync(project.path(specPath), specText([{ name: 'Mended' }]))
            return 'retry'
          },
        ],
      },
    })
    expect(played.gates.filter((gate) => gate === 'Q-READING')).toHaveLength(1)
    expect(played.state.phases.map(({ name }) => name)).toEqual(['Mended'])
  })
})

describe('on resume', () => {
  test('the summary of another phase is not shown', async () => {
    const project = await createStage([{ name: 'Box' }, { name: 'List' }])
    await play(project, { flags: { reviewPlans: true }, answers: { 'Q-APPROVE': ['yes', 'stop'] } })
    const played = await play(project, { answers: { 'Q-APPROVE': 'stop' } })
    expect(played.reports.flat().join('\n')).not.toContain('**Phase:** 1 of 2')
  })

  test('flags that do not count are told, also before the first state', async () => {
    const project = await createStage('# Seeds\n\n## Ideas\n\nProse.\n')
    await play(project, { answers: { 'Q-READING': 'stop' } })
    const played = await play(project, { flags: { thorough: true }, answers: { 'Q-READING': 'stop' } })
    expect(played.reports.flat().join('\n')).toContain('do not count')
  })
})

describe('the end', () => {
  test('tells what became of the learnings, and leaves the time to the closing page', async () => {
    const project = await createStage([{ name: 'Box' }])
    const old = Array.from({ length: 31 }, (_, index) => `- **2030-01-01 [skill:x]:** entry ${index}\n`)
    await project.write('.harness/learnings.md', `# Learnings\n\n${old.join('\n')}`)
    const played = await play(project)
    const report = played.reports.at(-1)?.join('\n') ?? ''
    // How long it took is told once, by the closing page, when nobody is waited for any more.
    expect(report).not.toContain('Time:')
    expect(report).toMatch(/Promoted \d+ learnings? to global, \d+ kept in the session/)
    expect(report).toContain('harness learnings prune')
    expect(played.state.history[0]).toMatchObject({ times: { workMs: expect.any(Number) } })
  })
})

describe('two phases in a row that have used up their retries', () => {
  test('are called that, and are asked about once in a phase', async () => {
    const project = await createStage([{ name: 'Box' }, { name: 'List' }])
    // Task 1 of both phases, then task 2 of the second: a first try and three retries each.
    const execution: Act = ({ brief, nth }) => {
      const all = (brief.tasks ?? []).map(({ id }) => id)
      if (nth <= 4 || (nth >= 6 && nth <= 9))
        return { status: 'failed', completed: [], failure: { task: 'Task 1', error: `error ${nth}` } }
      if (nth >= 10 && nth <= 13)
        return { status: 'failed', completed: ['1'], failure: { task: 'Task 2', error: `error ${nth}` } }
      return { status: 'complete', completed: all }
    }
    const played = await play(project, {
      acts: { execution },
      answers: { 'Q-RETRY': 'fix', 'Q-TWOFAIL': 'continue' },
    })
    expect(played.gates).toEqual(['Q-RETRY', 'Q-NEXT', 'Q-TWOFAIL', 'Q-RETRY', 'Q-RETRY', 'Q-PR'])
    expect(played.asked.find(({ gate }) => gate === 'Q-TWOFAIL')?.title).toBe(
      'Two phases in a row have used up their retries',
    )
  })
})

describe('the time of a phase', () => {
  afterEach(() => void vi.useRealTimers())
  const later = (hours: number) => vi.setSystemTime(Date.now() + hours * 3_600_000)

  test('is told apart as work and waiting for a person, in its report and when all is done', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const project = await createStage([{ name: 'Box' }])
    const played = await play(project, {
      flags: { reviewPlans: true },
      acts: {
        execution: ({ brief }) => {
          later(2)
          return { status: 'complete', completed: (brief.tasks ?? []).map(({ id }) => id) }
        },
      },
      answers: {
        'Q-APPROVE': () => {
          later(3)
          return 'yes'
        },
      },
    })
    const times = /Time: 2h 0m at work, 3h 0m waiting for you/
    expect(played.reports.flat().join('\n')).toMatch(times)
    const again = await play(project, { askFirst: () => ({ value: 'close' }) })
    expect(again.asked[0]?.body.join('\n')).toMatch(times)
  })
})
