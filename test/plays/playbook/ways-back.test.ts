import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { endLines } from '../../../source/workflows/playbook/states/completion.js'
import { playbookWorkflow } from '../../../source/workflows/playbook/workflow.js'
import {
  commitWork,
  executes,
  fileOf,
  honest,
  plans,
  planText,
  rating,
  roadmapOf,
  taskId,
  verification,
} from './roles.js'
import { type Act, type Answers, createStage, type Order, type Played, play } from './stage.js'

// What follows when a phase does not come out right the first time.

const one = { '.planning/ROADMAP.md': roadmapOf(1) }
const slow = { timeout: 240_000 }

/** An executor that writes something else each time. */
const works: Act = async ({ order, nth }, project) => {
  const sha = await commitWork(project, order, { [fileOf(order)]: `try ${nth}\n` })
  return { tasks_completed: '1/1', tasks_failed: '0/1', commit_shas: [sha], evidence: [], deviations: [] }
}
const ugly = (order: Order) => verification(order, { pass: false, failures: ['it is ugly'] })
const givesUp: Act = () => ({
  fixed: false,
  changes: [],
  commits: [],
  remaining_issues: ['it is ugly'],
  failure_categories: [],
})
const scores =
  (...given: number[]): Act =>
  ({ order, nth }) =>
    rating(order, given[nth - 1] ?? 9.4)

const told = ({ events }: Played) =>
  events.filter((event) => !/^(?:step_|checkpoint_|self_audit|run_)/.test(event))
const subjects = async (project: { git(...args: string[]): Promise<string> }) =>
  (await project.git('log', '--format=%s', '--reverse')).split('\n')

test('a failing verification: a debugger, and everybody looks again', slow, async () => {
  const project = await createStage(one)
  const played = await play(project, {
    acts: {
      verification: ({ order, nth }) => (nth === 1 ? ugly(order) : verification(order)),
      debug: async ({ order }, stage) => {
        const sha = await commitWork(stage, order, { [fileOf(order)]: 'nicer\n' })
        return {
          fixed: true,
          changes: ['nicer'],
          commits: [sha],
          remaining_issues: [],
          failure_categories: [],
        }
      },
    },
  })
  expect(told(played)).toEqual(['phase_started', 'task_completed', 'debug_attempt', 'phase_completed'])
  expect(played.order.slice(9, 14)).toEqual(
    ['debug', 'verification', 'judgement', 'judgement-divergence', 'rating'].map((expects) => `1 ${expects}`),
  )
  expect(played.state.phases.phase_1).toMatchObject({ status: 'completed', debug_attempts: 1 })
  expect(played.state._meta.total_retries).toBe(1)
  expect(await subjects(project)).toContain('fix(1): debug 1 - done')
})

test('a score below 7.0: planned once more, from the research on', slow, async () => {
  const project = await createStage(one)
  const played = await play(project, { acts: { rating: scores(5.5), execution: works } })
  expect(told(played)).toEqual([
    'phase_started',
    'task_completed',
    'replan_attempt',
    'task_completed',
    'phase_completed',
  ])
  const again = played.dispatches.filter(({ order }) => order.expects === 'research')[1]
  expect(again?.order.replan).toMatchObject({ score: 5.5 })
  expect(played.state.phases.phase_1).toMatchObject({
    status: 'completed',
    alignment_score: 9.4,
    replan_attempts: 1,
  })
})

test(
  'below the threshold: a cycle that makes it worse is taken back, the second one is not enough',
  slow,
  async () => {
    const project = await createStage(one)
    const played = await play(project, { acts: { rating: scores(8.1, 7.5, 8.3), execution: works } })
    const record = played.state.phases.phase_1
    expect(record).toMatchObject({
      status: 'completed',
      alignment_score: 8.3,
      force_incomplete: true,
      remediation_cycles: 2,
    })
    expect(record?.score_history.map(({ score, cycle }) => [score, cycle])).toEqual([
      [8.1, 0],
      [7.5, 1],
      [8.3, 2],
    ])
    expect(await subjects(project)).toEqual([
      'First commit',
      'feat(1): 01-01 - done',
      'fix(1): R1 - done',
      'rollback: revert to phase 1 checkpoint',
      'fix(1): R2 - done',
      'docs(phase-1): artifacts',
    ])
    expect(await project.read('.autopilot/diagnostics/phase-1-confidence.md')).toContain(
      '**Status:** force_incomplete',
    )
  },
)

test(
  'a cycle that is taken back leaves no report and no task: what is said is what counts',
  slow,
  async () => {
    const project = await createStage(one)
    const played = await play(project, { acts: { rating: scores(8.4, 7.5, 7.2), execution: works } })
    const record = played.state.phases.phase_1
    expect(record?.alignment_score).toBe(8.4)
    expect(record?.steps.rate).toMatchObject({ alignment_score: 8.4 })
    expect(record?.steps.rate.weak).toMatchObject([{ score: 8.4 }])
    expect(Object.keys(record?.steps.execute.tasks ?? {})).toEqual(['01-01'])
    const dir = '.planning/phases/01-part-1'
    expect(await project.read(`${dir}/SCORECARD.md`)).toContain('**Aggregate**: 8.4/10')
    expect(played.views.at(-1)?.findings?.map(({ severity }) => severity)).toContain('8.4/10')
    await expect(readdir(project.path('.autopilot/before-cycle'))).rejects.toThrow('ENOENT')
  },
)

test('from which score on a phase is mended, and not planned anew, is a setting', slow, async () => {
  const limits = { output_degradation_pct: 50 }
  const project = await createStage({
    ...one,
    '.planning/config.json': JSON.stringify({ verification_min_seconds: 0, circuit_breaker: limits }),
  })
  const played = await play(project, { acts: { rating: scores(5.5), execution: works } })
  const names = told(played)
  expect(names).toContain('remediation_started')
  expect(names).not.toContain('replan_attempt')
})

test('a high score that names no place: asked for once more, and then under 7.0', slow, async () => {
  const prose = roadmapOf(1).replace(/ -- verified by.*/, '')
  const plan = planText({ phase: { id: '1' } } as Order, [{ id: '01-01' }]).replace(/ -- verified by.*/, '')
  const files = { '.planning/ROADMAP.md': prose, '.planning/phases/01-part-1/PLAN.md': plan }
  const nowhere = (order: Order) => {
    const card = rating(order, 9.4)
    return { ...card, scorecard: card.scorecard.map((row) => ({ ...row, evidence: 'it looks good' })) }
  }
  const honestly = await play(await createStage(files), {
    acts: { rating: ({ order, nth }) => (nth === 1 ? nowhere(order) : rating(order, 9.4)) },
  })
  const asked = honestly.dispatches.filter(({ order }) => order.expects === 'rating')
  expect(asked.map(({ order }) => order.enforcement?.check)).toEqual([undefined, 'scorecard'])
  expect(asked[1]?.order.enforcement?.reason).toContain('neither a command nor a file and line')
  expect(honestly.state.phases.phase_1).toMatchObject({ status: 'completed', alignment_score: 9.4 })
  const never = await play(await createStage(files), {
    acts: { rating: ({ order }) => nowhere(order), execution: works },
  })
  // The plan that is written anew names commands, by which the phase is shown.
  expect(never.dispatches.find(({ order }) => order.expects === 'plan')?.order.replan).toMatchObject({
    score: 6.9,
  })
  expect(never.notes.join('\n')).toContain('it counts as 6.9')
})

test('debug attempts used up: taken back on a branch of its own, and a person decides', slow, async () => {
  const project = await createStage()
  const played = await play(project, { acts: { verification: ({ order }) => ugly(order), debug: givesUp } })
  expect(played.gates).toEqual(['Q-RESUME'])
  expect(told(played)).toEqual([
    'phase_started',
    'task_completed',
    'debug_attempt',
    'debug_attempt',
    'debug_attempt',
    'rollback_initiated',
    'rollback_completed',
    'phase_failed',
  ])
  expect(played.state._meta.status).toBe('failed')
  expect(await project.git('branch', '--list', 'autopilot-diagnostic-phase-1')).toContain(
    'autopilot-diagnostic-phase-1',
  )
  await expect(project.read('src/part-1.txt')).rejects.toThrow('ENOENT')
  const made = JSON.parse(await project.read('.autopilot/diagnostics/phase-1-postmortem.json')) as Record<
    string,
    unknown
  >
  expect(made).toMatchObject({ phase_id: '1', status: 'failed', root_cause: { step: 'verify' } })
  expect(await project.read('.autopilot/learnings.md')).toContain('### Phase 1 failure')
})

test('the breaker opens after rounds that come to nothing, and one try closes it', slow, async () => {
  const limits = { max_debug_attempts_per_phase: 6, cooldown_minutes: 60 }
  const config = JSON.stringify({ verification_min_seconds: 0, circuit_breaker: limits })
  const project = await createStage({ ...one, '.planning/config.json': config })
  const played = await play(project, {
    acts: { verification: ({ order, nth }) => (nth > 4 ? verification(order) : ugly(order)), debug: givesUp },
    answers: { 'Q-BREAKER': 'override' },
  })
  expect(played.gates).toEqual(['Q-BREAKER'])
  expect(told(played)).toEqual([
    'phase_started',
    'task_completed',
    'debug_attempt',
    'debug_attempt',
    'debug_attempt',
    'circuit_breaker_opened',
    'debug_attempt',
    'circuit_breaker_closed',
    'phase_completed',
  ])
  // The try that the person allowed counts against no limit.
  expect(played.state.phases.phase_1?.debug_attempts).toBe(3)
  expect(played.state.circuit_breaker.state).toBe('closed')
})

test(
  'rounds of a phase that passed in the end are not in a row with those of the next one',
  slow,
  async () => {
    const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(2) })
    const isUgly = ({ phase }: Order, nth: number) => (phase.id === '1' ? nth <= 4 : nth <= 2)
    const seen = new Map<string, number>()
    const played = await play(project, {
      acts: {
        verification: ({ order }) => {
          const nth = (seen.get(order.phase.id) ?? 0) + 1
          seen.set(order.phase.id, nth)
          return isUgly(order, nth) ? ugly(order) : verification(order)
        },
        debug: givesUp,
      },
      answers: { 'Q-RESUME': 'retry' },
    })
    expect(played.gates).toEqual(['Q-RESUME'])
    expect(told(played)).not.toContain('circuit_breaker_opened')
    expect(played.state.phases.phase_2).toMatchObject({ status: 'completed', debug_attempts: 2 })
  },
)

test('a run that the breaker ended goes on by the word of a person, without its question', slow, async () => {
  const limits = { max_debug_attempts_per_phase: 6, no_progress_threshold: 1 }
  const config = JSON.stringify({ verification_min_seconds: 0, circuit_breaker: limits })
  const project = await createStage({ ...one, '.planning/config.json': config })
  const played = await play(project, {
    acts: { verification: ({ order, nth }) => (nth > 5 ? verification(order) : ugly(order)), debug: givesUp },
    answers: { 'Q-BREAKER': 'override', 'Q-RESUME': 'retry' },
  })
  expect(played.gates).toEqual(['Q-BREAKER', 'Q-BREAKER', 'Q-BREAKER', 'Q-RESUME'])
  expect(played.state.circuit_breaker).toMatchObject({ state: 'closed', reopen_count: 0 })
  expect(played.state.phases.phase_1?.status).toBe('completed')
})

test('what the breaker ended is taken back and explained as any other failure', slow, async () => {
  const limits = { max_debug_attempts_per_phase: 6, no_progress_threshold: 1 }
  const config = JSON.stringify({ verification_min_seconds: 0, circuit_breaker: limits })
  const project = await createStage({ ...one, '.planning/config.json': config })
  const before = await project.git('rev-parse', 'HEAD')
  const played = await play(project, {
    acts: { verification: ({ order }) => ugly(order), debug: givesUp },
    answers: { 'Q-BREAKER': 'override', 'Q-RESUME': 'stop' },
  })
  expect(played.gates.at(-1)).toBe('Q-RESUME')
  expect(await project.git('log', '-1', '--format=%s', '--grep=^rollback')).toBe(
    'rollback: revert to phase 1 checkpoint',
  )
  expect(await project.git('diff', '--name-only', before, 'HEAD', '--', ':!.planning')).toBe('')
  const lost = await project.git(
    'diff',
    '--name-only',
    'HEAD',
    'autopilot-diagnostic-phase-1',
    '--',
    ':!.planning',
  )
  expect(lost).not.toBe('')
  expect(await project.read('.autopilot/diagnostics/phase-1-postmortem.json')).toContain(
    '3 tries after a pause failed too; the bound is 3',
  )
  expect(played.state.last_checkpoint_sha).toBe(await project.git('rev-parse', 'HEAD'))
})

const unsure = {
  autonomous_confidence: 4,
  deferral_evidence: [{ criterion: 'x', methods_attempted: ['read'], why_insufficient: 'an opaque library' }],
}

/** Roles that leave the second task of each phase to a person. */
const leftToPerson = {
  execution: works,
  plan: plans((order) => [
    { id: taskId(order, 1) },
    { id: taskId(order, 2), type: 'checkpoint:human-verify' },
  ]),
  verification: ({ order }: Parameters<Act>[0]) => verification(order, unsure),
}

test(
  'gaps that the audit finds: a small one is a fix, a larger one work for an executor, and each is committed',
  slow,
  async () => {
    const project = await createStage(one)
    const small = { requirement: 'R-1', description: 'no note', files: ['notes.md'], lines: 19 }
    const large = { requirement: 'R-2', description: 'no tool', files: ['src/a.txt', 'src/b.txt'], lines: 5 }
    const long = { requirement: 'R-3', description: 'no manual', files: ['manual.md'], lines: 20 }
    const written = (order: Order) => ({ [`${String(order.commitSubject).replace(/\W+/g, '-')}.md`]: 'x\n' })
    const played = await play(project, {
      acts: {
        audit: ({ nth }) => ({ gaps: nth > 1 ? [] : [small, large, long], commands_run: ['cat -> ok'] }),
        execution: (dispatch, stage) =>
          dispatch.order.phase.id === 'run'
            ? executes(written)(dispatch, stage)
            : honest.execution?.(dispatch, stage),
        debug: async ({ order }, stage) => {
          const sha = await commitWork(stage, order, written(order))
          return { fixed: true, changes: [], commits: [sha], remaining_issues: [], failure_categories: [] }
        },
      },
    })
    expect(played.order.filter((step) => step.startsWith('run '))).toEqual([
      'run integration',
      'run audit',
      'run debug',
      'run execution',
      'run execution',
      'run audit',
    ])
    const [built] = played.dispatches.filter(
      ({ order }) => order.phase.id === 'run' && order.expects === 'execution',
    )
    expect(built?.order.task).toMatchObject({ id: 'R-2', files: ['src/a.txt', 'src/b.txt'] })
    expect(built?.prompt).toContain('R-2: no tool')
    const log = (await subjects(project)).filter((subject) => subject.startsWith('fix(audit)'))
    expect(log).toEqual(['R-1', 'R-2', 'R-3'].map((id) => `fix(audit): close ${id} gap - done`))
  },
)

test('an audit whose gaps nobody closes does not look again: it would find the same', slow, async () => {
  const project = await createStage(one)
  const gap = { requirement: 'R-1', description: 'no note', files: ['notes.md'], lines: 3 }
  const played = await play(project, {
    acts: { audit: () => ({ gaps: [gap], commands_run: ['cat -> ok'] }), debug: givesUp },
  })
  expect(played.order.filter((step) => step === 'run audit')).toHaveLength(1)
  const completed = played.state.event_log.find(({ event }) => event === 'self_audit_completed')
  expect(completed?.details).toEqual({ gaps: 1, fixed: 0, rounds: 1 })
})

test('a verdict with issues: mended, and asked about again', slow, async () => {
  const project = await createStage(one)
  const played = await play(project, {
    answers: { 'Q-VERDICT': [{ value: 'issues_found', text: 'the colour is wrong' }, 'pass'] },
    acts: { ...leftToPerson, rating: scores(9.1, 9.7) },
  })
  expect(played.gates).toEqual(['Q-VERDICT', 'Q-VERDICT'])
  expect(played.notes.join('\n')).toMatch(
    /\[PHASE 1\/1\] Complete: 9\.1\/10 \| \S+ \| waits for your verdict ===/,
  )
  const mended = played.dispatches.find(({ order }) => order.remediationCycle === 1)
  expect(mended?.order.remediationFeedback).toMatchObject([
    { deficiency: 'the colour is wrong', source: 'human' },
  ])
  expect(played.state.phases.phase_1).toMatchObject({
    status: 'completed',
    human_verdict: { verdict: 'pass' },
    alignment_score: 9.7,
  })
  expect(await project.read('.autopilot/learnings.md')).toContain('ISSUES_FOUND')
  const [first, second] = played.asked
  expect(first?.body).toEqual([
    'Task 01-02: Make 01-02',
    '  Write the file.',
    '1 of 1 other task passed.',
    'Score: 9.1/10',
  ])
  expect(second?.body.slice(3)).toEqual([
    'Score: 9.7/10',
    '',
    'You said before: issues',
    '  - the colour is wrong',
    '  Cycle 1 has worked on it (9.1 -> 9.7).',
  ])
})

test(
  'verdicts: a cycle that is taken back is told, and none is promised that the phase has not',
  slow,
  async () => {
    const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(2, { 2: 'Nothing' }) })
    const wrong = { value: 'fail', text: 'the colour is wrong' }
    const played = await play(project, {
      answers: { 'Q-VERDICT': [wrong, wrong, wrong, 'pass'] },
      acts: { ...leftToPerson, rating: scores(9.4, 7.5, 9.6) },
    })
    const bodies = played.asked.map(({ body }) => body.join('\n'))
    expect(bodies[0]).toContain('After this one 1 phase more waits.')
    expect(bodies[1]).toContain(
      'Cycle 1 was to mend it and was taken back (9.4 -> 7.5): nothing of it is there.',
    )
    expect(bodies[2]).toContain('Cycle 2 has worked on it (9.4 -> 9.6).')
    expect(bodies[2]?.match(/You said before: fail/g)).toHaveLength(2)
    expect(bodies[3]).not.toContain('You said before')
    const promised = played.asked.map(({ options }) => options[1]?.consequence)
    const mends = 'the phase is mended by what you say, and asked about again'
    const spent = 'the phase fails and is taken back: its cycles of mending are used up'
    expect(promised).toEqual([mends, mends, spent, mends])
    expect(Object.values(played.state.phases).map(({ status }) => status)).toEqual(['failed', 'completed'])
  },
)

/** Phase 1 fails at its third verdict; the others pass. */
const failsAtVerdict = (more: Answers = {}, depends: Record<number, string> = {}) => ({
  files: { '.planning/ROADMAP.md': roadmapOf(2, { 2: 'Nothing', ...depends }) },
  options: {
    answers: {
      'Q-VERDICT': ({ title }) =>
        title.startsWith('Phase 1') ? { value: 'fail', text: 'the colour is wrong' } : 'pass',
      ...more,
    } satisfies Answers,
    acts: leftToPerson,
  },
})

describe('a phase that a person lets fail is taken back', () => {
  test('on top of the others, which stay, and unasked', slow, async () => {
    const { files, options } = failsAtVerdict()
    const project = await createStage(files)
    const played = await play(project, options)
    expect(played.gates).toEqual(['Q-VERDICT', 'Q-VERDICT', 'Q-VERDICT', 'Q-VERDICT'])
    expect(told(played).filter((event) => /rollback/.test(event))).toEqual([
      'rollback_initiated',
      'rollback_completed',
    ])
    await expect(project.read('src/part-1.txt')).rejects.toThrow('ENOENT')
    expect(await project.read('src/part-2.txt')).toContain('try')
    const kept = await project.git('show', 'autopilot-diagnostic-phase-1:src/part-1.txt')
    expect(kept).toContain('try')
    expect(played.state.phases.phase_1).toMatchObject({ status: 'failed', commit_shas: [] })
    expect((await subjects(project)).filter((subject) => subject.startsWith('rollback:'))).toHaveLength(1)
  })

  test.each(['ours', 'leave'])(
    'where others build on it, only if a person says so: %s',
    slow,
    async (said) => {
      const { files, options } = failsAtVerdict({ 'Q-REVERT': said }, { 2: 'Phase 1' })
      const project = await createStage(files)
      const played = await play(project, options)
      const asked = played.asked.find(({ gate }) => gate === 'Q-REVERT')
      expect(asked?.body.at(-1)).toBe('Phase 2 builds on this one.')
      expect(asked?.body.join()).toMatch(/feat\(2\): 02-01/)
      const left = await project.read('src/part-1.txt').catch(() => 'gone')
      expect(left === 'gone').toBe(said === 'ours')
      expect(await project.read('src/part-2.txt')).toContain('try')
      expect(played.state.phases.phase_1?.status).toBe('failed')
    },
  )

  test('exactly once, wherever the program is killed', slow, async () => {
    const { files, options } = failsAtVerdict()
    const whole = await play(await createStage(files), options)
    const at = whole.records.findIndex((record) => JSON.stringify(record).includes('rollback_initiated'))
    expect(at).toBeGreaterThan(0)
    for (const stopAfter of [at + 3, at + 6]) {
      const project = await createStage(files)
      expect((await play(project, { ...options, stopAfter })).stopped).toBe(true)
      const second = await play(project, options)
      expect(second.state.phases.phase_1?.status).toBe('failed')
      expect(second.state.event_log.filter(({ event }) => /rollback/.test(event))).toHaveLength(2)
      expect((await subjects(project)).filter((subject) => subject.startsWith('rollback:'))).toHaveLength(1)
      await expect(project.read('src/part-1.txt')).rejects.toThrow('ENOENT')
      const branches = ['branch', '--list', 'autopilot-diagnostic-*', '--format=%(refname:short)']
      expect(await project.git(...branches)).toBe('autopilot-diagnostic-phase-1')
    }
  })
})

test('--complete: a failed phase takes along what depends on it, and nothing else', slow, async () => {
  const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(3, { 2: 'Nothing', 3: 'Phase 1' }) })
  const played = await play(project, {
    flags: { complete: true },
    acts: {
      research: (dispatch, stage) =>
        dispatch.order.phase.id === '1' ? { failed: 'crash' } : honest.research?.(dispatch, stage),
    },
  })
  const statuses = Object.values(played.state.phases).map(({ status }) => status)
  expect(statuses).toEqual(['failed', 'completed', 'skipped'])
  expect(played.state._meta.status).toBe('completed')
  expect(playbookWorkflow.exitCode?.(played.state)).toBe(1)
  expect(await project.read('.autopilot/completion-report.md')).toContain('autopilot .planning 1,3')
  expect(endLines(played.state).join('\n')).toMatch(/^Phase 1 failed: \S/m)
})

describe('stopped at any record, a run goes on and does nothing twice', () => {
  test.each([12, 46, 80, 96, 97, 98, 131])('after %d records', slow, async (stopAfter) => {
    const project = await createStage(one)
    const first = await play(project, { stopAfter })
    expect(first.stopped).toBe(true)
    const second = await play(project)
    expect(second.state._meta.status).toBe('completed')
    // A dispatch that was under way is asked for again; none that had ended is.
    const all = first.dispatches.length + second.dispatches.length
    expect(all - 11).toBeLessThanOrEqual(1)
    expect(await subjects(project)).toEqual([
      'First commit',
      'feat(1): 01-01 - done',
      'docs(phase-1): artifacts',
    ])
  })
})
