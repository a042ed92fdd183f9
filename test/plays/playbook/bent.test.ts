import { describe, expect, test } from 'vitest'
import type { TestProject } from '../../support/project.js'
import {
  executes,
  fileOf,
  honest,
  judgement,
  plans,
  rating,
  roadmapOf,
  taskId,
  verification,
} from './roles.js'
import { type Act, type Acts, createStage, type Dispatch, type Played, play } from './stage.js'

// Roles that bend what they are held to: plan, roadmap, settings, state, records; and honest ones beside them, in whole runs
// (docs/playbook-checks.md, "Orders").

const slow = { timeout: 240_000 }
type Deed = (dispatch: Dispatch, project: TestProject) => unknown

const roadmap = '.planning/ROADMAP.md'
const files = {
  [roadmap]: roadmapOf(1),
  '.planning/phases/07-later/07-01-PLAN.md': '# Plan\n\n## Task 07-01: later\n',
  '.planning/phases/00-before/00-01-SUMMARY.md': '# Summary\n\nDone.\n',
}
const also =
  (kind: keyof Acts, deed: Deed): Act =>
  async (dispatch, project) => {
    const result = await honest[kind]?.(dispatch, project)
    if (dispatch.nth === 1) await deed(dispatch, project)
    return result
  }
async function run(acts: Acts, answer = 'put-back') {
  const project = await createStage(files)
  const played = await play(project, { acts, answers: { 'Q-TOUCHED': answer } })
  return { played, project }
}
const asked = ({ asked: all }: Played) => all.map(({ gate, body }) => `${gate} ${body.join('\n')}`).join('\n')
const status = ({ state }: Played) => state.phases.phase_1?.status
const replaced =
  (path: (dispatch: Dispatch) => string, from: string | RegExp, to: string): Deed =>
  async (dispatch, at) => {
    const name = path(dispatch)
    const text = await at.read(name)
    expect(text.replace(from, to)).not.toBe(text)
    await at.write(name, text.replace(from, to))
  }
const planOf = ({ order }: Dispatch) => String((order.planPaths as string[])[0])
const inRoadmap = (from: string | RegExp, to: string) => replaced(() => roadmap, from, to)

/** The work is done anew where the phase is planned anew. */
const again: Acts = {
  execution: (dispatch, project) =>
    executes((order) => ({ [fileOf(order)]: `${dispatch.nth}\n` }))(dispatch, project),
}

describe('liars', () => {
  test.each<[string, keyof Acts, Deed, string]>([
    [
      'an executor that weakens the command of its criterion',
      'execution',
      replaced(planOf, /`cat [^`]+`/, '`node -e 0`'),
      'PLAN.md',
    ],
    ['an executor that drops a task', 'execution', replaced(planOf, /<task[\s\S]*<\/task>/, ''), 'PLAN.md'],
    [
      'an executor that calls a criterion of the roadmap another',
      'execution',
      inRoadmap('`test -f src/part-1.txt`', '`true`'),
      roadmap,
    ],
    [
      'an executor that takes a phase out of the roadmap',
      'execution',
      inRoadmap('# Roadmap', '# Roadmap\n\n## Milestone 1 (shipped)\n'),
      roadmap,
    ],
    [
      'an executor that deletes the plan of another phase',
      'execution',
      (_, at) => at.git('rm', '-q', '-f', '.planning/phases/07-later/07-01-PLAN.md'),
      '07-01-PLAN.md',
    ],
    [
      'an executor that gives its task a test of its own',
      'execution',
      ({ order }, at) => at.write(`${String(order.phaseDir)}/tests/task-01-01.sh`, 'echo "PASS: there"\n'),
      'task-01-01.sh',
    ],
    [
      'an executor that lowers the threshold',
      'execution',
      (_, at) => at.write('.planning/config.json', '{"pass_threshold":1,"verification_min_seconds":0}'),
      'config.json',
    ],
    [
      'a verifier that mends what it checks',
      'verification',
      (_, at) => at.write('src/part-1.txt', 'better\n'),
      'src/part-1.txt',
    ],
    [
      'a mini-verifier that changes the plan',
      'mini-verification',
      (_, at) => at.write('.planning/phases/01-part-1/PLAN.md', '# none\n'),
      'PLAN.md',
    ],
    [
      'a rater that writes the scorecard',
      'rating',
      ({ order }, at) => at.write(`${String(order.phaseDir)}/SCORECARD.md`, '10.0\n'),
      'SCORECARD.md',
    ],
    [
      'a judge that writes what was verified',
      'judgement',
      ({ order }, at) => at.write(`${String(order.phaseDir)}/VERIFICATION.md`, 'status: passed\n'),
      'VERIFICATION.md',
    ],
    [
      'a planner that writes the work too',
      'plan',
      (_, at) => at.write('src/part-1.txt', 'x\n'),
      'src/part-1.txt',
    ],
    ['a planner that changes the roadmap', 'plan', inRoadmap('`test -f src/part-1.txt`', '`true`'), roadmap],
    [
      'a researcher that changes the requirements',
      'research',
      (_, at) => at.write('.planning/REQUIREMENTS.md', '# Requirements\n\nNone.\n'),
      'REQUIREMENTS.md',
    ],
  ])('%s is asked about, and put back', slow, async (_, kind, deed, told) => {
    const { played } = await run({ [kind]: also(kind, deed) })
    expect(played.gates).toEqual(['Q-TOUCHED'])
    expect(asked(played)).toContain(told)
    expect(status(played)).toBe('completed')
  })

  test('an executor that calls its phase completed in the state is asked about', slow, async () => {
    const deed = replaced(() => '.autopilot/state.json', '"in_progress"', '"completed"')
    const { played } = await run({ execution: also('execution', deed) })
    expect(played.gates[0]).toBe('Q-EDITED')
  })

  test('a rater of criteria that are not there has rated nothing', slow, async () => {
    const { played } = await run({
      ...again,
      rating: ({ order }) => {
        const card = rating(order, 9.9)
        return { ...card, scorecard: card.scorecard.map((row) => ({ ...row, criterion: 'AC-99' })) }
      },
    })
    expect(played.dispatches.filter(({ order }) => order.expects === 'rating').length).toBeGreaterThan(1)
    expect(played.notes.join('\n')).toContain('which is no criterion')
    expect(status(played)).toBe('failed')
  })

  test('a rater that says more than its card comes to', slow, async () => {
    const { played } = await run({
      ...again,
      rating: ({ order }) => ({ ...rating(order, 5.5), alignment_score: 9.9, score_band: 'excellence' }),
    })
    expect(played.notes.join('\n')).toContain('the rater says 9.9, its card comes to 5.5')
    expect(status(played)).toBe('failed')
  })
})

describe('honest twins', () => {
  test.each<[string, keyof Acts, Deed]>([
    ['an executor that ticks nothing and commits all', 'execution', () => undefined],
    [
      'an executor that lays out its plan anew',
      'execution',
      replaced(planOf, '# Plan: phase 1\n\n', '# Plan: phase 1\n\n\n'),
    ],
    [
      'a judge that commits its report',
      'judgement',
      async ({ order }, at) => {
        await at.git('add', String(order.reportPath))
        await at.git('commit', '-qm', 'docs: report')
      },
    ],
    [
      'a verifier that leaves what its run made',
      'verification',
      (_, at) => at.write('coverage/lcov.info', 'x'),
    ],
  ])('%s is asked nothing', slow, async (_, kind, deed) => {
    const { played } = await run({ [kind]: also(kind, deed) })
    expect(asked(played)).toBe('')
    expect(status(played)).toBe('completed')
  })

  test('a rater that is strict and right, and a judge with another view that proceeds', slow, async () => {
    const { played } = await run({
      plan: plans((order) => [{ id: taskId(order, 1) }]),
      verification: ({ order }) => verification(order),
      rating: ({ order }) => rating(order, 9.1),
      judgement: async ({ order }, project) => {
        await project.write(String(order.reportPath), '# Judge report\n\nI would name it otherwise.\n')
        return { ...judgement, concerns: ['The name says little.'] }
      },
    })
    expect([asked(played), status(played)]).toEqual(['', 'completed'])
  })
})
