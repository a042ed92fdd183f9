import { readdir, rename } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { playbookEntry } from '../../../source/workflows/playbook/entry.js'
import { playbookPlace } from '../../../source/workflows/playbook/places.js'
import { checkSelectors } from '../../../source/workflows/playbook/selection/answers.js'
import { endLines } from '../../../source/workflows/playbook/states/completion.js'
import { playbookWorkflow } from '../../../source/workflows/playbook/workflow.js'
import {
  commitWork,
  executes,
  fileOf,
  plans,
  rates,
  rating,
  roadmapOf,
  taskId,
  verification,
} from './roles.js'
import { type Act, createStage, type Played, play } from './stage.js'

// What becomes of a run that is over, and what the next one knows of it (docs/playbook.md, "The next run").

const slow = { timeout: 240_000 }
const moved = ['dispatches', 'journal.jsonl', 'logs', 'state.json']
const phasesOf = (played: Played) => [...new Set(played.order.map((line) => line.split(' ')[0]))]

test(
  'a finished run goes to the archive with its figures beside it; the next begins anew',
  slow,
  async () => {
    const project = await createStage()
    const first = await play(project, { selectors: ['1'] })
    const id = first.state._meta.run_id
    expect(endLines(first.state)).toContain('Not in this run: 2. Go on with: autopilot .planning 2')
    expect(first.archived).toBe(`.autopilot/archive/${id}`)
    expect(await readdir(project.path(`.autopilot/archive/${id}`))).toEqual(expect.arrayContaining(moved))
    const left = await readdir(project.path('.autopilot'))
    for (const name of [...moved, 'state.json.backup', 'summary.json']) expect(left).not.toContain(name)
    expect(await readdir(project.path('.autopilot/archive'))).toContain('metrics.json')

    const second = await play(project, { selectors: ['1', '2'] })
    expect(second.asked).toEqual([])
    expect(phasesOf(second)).toEqual(['2', 'run'])
    expect(second.state.phases.phase_1).toMatchObject({
      status: 'completed',
      alignment_score: 9.4,
      carried_from: id,
      score_history: [{ score: 9.4 }],
    })
    const skipped = second.state.event_log.filter(({ event }) => event === 'phase_skipped')
    expect(skipped).toMatchObject([{ phase: '1', details: { reason: 'already_completed' } }])
    expect(endLines(second.state).join()).not.toContain('Not in this run')
    expect(endLines(second.state)[0]).toBe('1 phase completed, 0 failed, 0 skipped; average score 9.4.')
    const figures = JSON.parse(await project.read('.autopilot/archive/metrics.json')) as object[]
    expect(figures).toMatchObject([
      { run_id: id, phases_attempted: 1 },
      { run_id: second.state._meta.run_id, phases_attempted: 1, phases_succeeded: 1 },
    ])
  },
)

test('--force after a completed run: from zero, with the score of before in the history', slow, async () => {
  const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(1) })
  await play(project)
  const again = await play(project, {
    flags: { force: true },
    selectors: ['1'],
    acts: { rating: rates(9.2), execution: executes((order) => ({ [fileOf(order)]: 'better\n' })) },
  })
  expect(again.order).toContain('1 research')
  const began = again.state.event_log.find(({ event }) => event === 'force_reexecution_started')
  expect(began).toMatchObject({ phase: '1', details: { old_score: 9.4 } })
  const { phase_1: record } = again.state.phases
  expect(record?.score_history.map(({ score, flag }) => [score, flag])).toEqual([
    [9.4, 'initial'],
    [9.2, 'force'],
  ])
  expect(record?.carried_from).toBeUndefined()
})

test(
  'a failed run, answered with "new run": archived as it is; completed phases stay completed',
  slow,
  async () => {
    const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(3) })
    const failing = { research: () => ({ failed: 'crash' as const }) }
    await play(project, { selectors: ['1'] })
    const failed = await play(project, {
      acts: failing,
      answers: { 'Q-RESUME': 'new', 'Q-AGENT': 'stop' },
    })
    expect(failed.gates.at(-1)).toBe('Q-RESUME')
    expect(failed.archived).toBe(`.autopilot/archive/${failed.state._meta.run_id}`)
    expect(failed.state._meta.status).toBe('failed')
    const anew = await play(project, { selectors: [], answers: { 'Q-PICK': 'all' } })
    expect(anew.gates).toEqual(['Q-PICK'])
    expect(phasesOf(anew)).toEqual(['2', '3', 'run'])
    expect(anew.state._meta.status).toBe('completed')
  },
)

test(
  'killed before a finished run was archived, or half-way: it is archived, and nobody is asked',
  slow,
  async () => {
    const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(3) })
    const first = await play(project, { selectors: ['1'], diesAtEnd: true })
    expect(first.state._meta.status).toBe('completed')
    const second = await play(project, { selectors: ['2'] })
    expect(second.asked).toEqual([])
    const ids = [first, second].map(({ state }) => state._meta.run_id)
    // The state goes last.
    for (const name of ['state.json', 'state.json.backup'])
      await rename(project.path(`${second.archived}/${name}`), project.path(`.autopilot/${name}`))
    const third = await play(project, { selectors: ['3'] })
    expect(third.asked).toEqual([])
    expect(phasesOf(third)).toEqual(['3', 'run'])
    for (const id of ids)
      expect(await readdir(project.path(`.autopilot/archive/${id}`))).toEqual(expect.arrayContaining(moved))
  },
)

test(
  'which phases: they stand there as they were left, and what is done already is asked about once more',
  slow,
  async () => {
    const project = await createStage()
    await play(project, { selectors: ['1'] })
    const typed = ['1', 'status', '1 2'].map((text) => ({ value: 'named', text }))
    const second = await play(project, { selectors: [], answers: { 'Q-PICK': typed } })
    expect(second.gates).toEqual(['Q-PICK', 'Q-PICK', 'Q-PICK'])
    expect(second.asked[1]?.body[0]).toContain('Already completed: 1.')
    expect(second.asked[2]?.body[0]).toContain("'status' names no phases")
    expect(phasesOf(second)).toEqual(['2', 'run'])
    const machine = await playbookWorkflow.machine({ ...second.tools, place: playbookPlace })
    const { phases, state } = machine.view(undefined)
    expect(state).toBe('INIT')
    expect(phases.map(({ id, status, facts }) => [id, status, facts[0]?.text])).toEqual([
      ['1', 'complete', '9.4'],
      ['2', 'complete', '9.4'],
    ])
  },
)

test('resume: no run, and one that is finished already', slow, async () => {
  const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(1) })
  await expect(checkSelectors(project.dir, ['resume'], {})).rejects.toThrow('No run found.')
  const played = await play(project)
  await expect(checkSelectors(project.dir, ['resume'], {})).rejects.toThrow(
    `The last run is already finished: ${played.state._meta.run_id}.`,
  )
})

test(
  '--quality and --gaps after a completed run: only the cycles, from what the archive knows',
  slow,
  async () => {
    // No command shows the criterion, so triage could not tell that the phase is done.
    const prose = roadmapOf(1).replace(/ -- verified by.*/, '')
    const plan = [
      '<task id="01-01" type="auto" complexity="simple">',
      '<name>Make it</name>',
      '<files>src/part-1.txt</files>',
      '<action>Write it.</action>',
      '<verify>',
      '- Somebody reads it',
      '</verify>',
      '<done>It is there.</done>',
      '</task>',
    ]
    const project = await createStage({
      '.planning/ROADMAP.md': prose,
      '.planning/phases/01-part-1/PLAN.md': `${plan.join('\n')}\n`,
    })
    let written = 0
    const mends = executes((order) => {
      written += 1
      return { [fileOf(order)]: `better ${written}\n` }
    })
    await play(project, { acts: { rating: rates(9.1) } })
    const raised = await play(project, {
      flags: { quality: true },
      selectors: [],
      acts: { rating: ({ order, nth }) => rating(order, nth === 1 ? 9.3 : 9.6), execution: mends },
    })
    expect(raised.gates).toEqual([])
    // What is completed is neither researched nor planned nor built anew: it is looked at, and then mended.
    const working = (line: string) => /research|plan|execution| verification|rating/.test(line)
    const cycle = ['1 execution', '1 verification', '1 rating']
    expect(raised.order.filter(working)).toEqual(['1 verification', '1 rating', ...cycle])
    expect(raised.state.phases.phase_1).toMatchObject({ status: 'completed', alignment_score: 9.6 })
    expect(endLines(raised.state)).toContain('Phase 1: 9.1 -> 9.6')
    expect(raised.state._meta.pass_threshold).toBe(9.5)
    // Before this run has come to it, what an earlier one did is not what is done of this one.
    const [begun] = raised.views.filter(({ state }) => state === 'PHASE')
    expect(begun?.phases[0]).toMatchObject({ status: 'pending', facts: [{ text: '9.1 good' }] })
    const closed = await play(project, {
      flags: { gaps: true },
      selectors: ['1'],
      acts: { rating: ({ order, nth }) => rating(order, nth === 1 ? 9.6 : 9.8), execution: mends },
    })
    expect(closed.order.filter(working)).toEqual(raised.order.filter(working))
    const { phase_1: record } = closed.state.phases
    expect(record).toMatchObject({ status: 'completed', alignment_score: 9.8, gaps_exhausted: false })
    expect(record?.score_history.map(({ flag }) => flag)).toEqual(
      expect.arrayContaining(['initial', 'quality', 'gaps']),
    )
    // Nothing is left to close from 9.8 on.
    await expect(play(project, { flags: { gaps: true }, selectors: ['1'] })).rejects.toThrow(
      'Already completed: 1.',
    )
  },
)

test(
  'a phase that cannot be raised fails in this run, and stays what an earlier one has completed',
  slow,
  async () => {
    const project = await createStage()
    await play(project, { acts: { rating: rates(9.1) } })
    const before = await project.read('src/part-1.txt')
    const ugly: Act = ({ order }) =>
      verification(order, order.phase.id === '1' ? { pass: false, failures: ['it is ugly'] } : {})
    const tries: Act = async ({ order, nth }, stage) => ({
      fixed: false,
      changes: [],
      commits: [await commitWork(stage, order, { [fileOf(order)]: `try ${nth}\n` })],
      remaining_issues: ['it is ugly'],
      failure_categories: [],
    })
    const raised = await play(project, {
      flags: { gaps: true },
      selectors: [],
      acts: { verification: ugly, debug: tries, rating: rates(9.8) },
    })
    // The one that depends on it is raised all the same: what it builds on is there as it was.
    expect(raised.gates).toEqual([])
    const statuses = Object.values(raised.state.phases).map(({ status }) => status)
    expect(statuses).toEqual(['failed', 'completed'])
    expect(playbookWorkflow.exitCode?.(raised.state)).toBe(1)
    expect(await project.read('src/part-1.txt')).toBe(before)
    const lines = endLines(raised.state)
    expect(lines).toContain('Phase 1 was not raised: it stays completed as it was (9.1/10).')
    expect(lines.join('\n')).not.toContain('Run them with')
    // The next run knows it as completed, with its score and its steps.
    const next = await play(project, {
      flags: { gaps: true },
      selectors: ['1'],
      acts: { rating: rates(9.8) },
    })
    expect(next.records.length).toBeGreaterThan(0)
    const { phase_1: record } = next.state.phases
    expect(record).toMatchObject({ status: 'completed', alignment_score: 9.8 })
    expect(record?.raised_from).toBeUndefined()
    expect(next.order).not.toContain('1 plan')
    expect(record?.score_history[0]).toMatchObject({ score: 9.1, flag: 'initial' })
  },
)

test(
  '--gaps on a phase that only the roadmap knows as done: it is looked at, not done anew',
  slow,
  async () => {
    const roadmap = roadmapOf(1)
      .replace('- [ ]', '- [x]')
      .replace(/ -- verified by.*/, '')
    const project = await createStage({ '.planning/ROADMAP.md': roadmap, 'src/part-1.txt': 'there\n' })
    const raised = await play(project, {
      flags: { gaps: true },
      selectors: ['1'],
      acts: { rating: rates(9.8) },
    })
    expect(raised.gates).toEqual([])
    expect(raised.order).toEqual([
      ...['verification', 'judgement', 'judgement-divergence', 'rating'].map((expects) => `1 ${expects}`),
      ...raised.order.slice(4),
    ])
    expect(raised.state.phases.phase_1).toMatchObject({ status: 'completed', alignment_score: 9.8 })
  },
)

test(
  '--gaps on what a person has passed: nobody is asked again before something is changed',
  slow,
  async () => {
    const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(1) })
    const unsure = {
      autonomous_confidence: 4,
      deferral_evidence: [
        { criterion: 'x', methods_attempted: ['read'], why_insufficient: 'an opaque library' },
      ],
    }
    const acts = {
      plan: plans((order) => [
        { id: taskId(order, 1) },
        { id: taskId(order, 2), type: 'checkpoint:human-verify' },
      ]),
      verification: ({ order }: Parameters<Act>[0]) => verification(order, unsure),
    }
    const answers = { 'Q-VERDICT': 'pass' }
    const first = await play(project, { acts: { ...acts, rating: rates(9.1) }, answers })
    expect(first.gates).toEqual(['Q-VERDICT'])
    let written = 0
    const mends = executes((order) => {
      written += 1
      return { [fileOf(order)]: `better ${written}\n` }
    })
    const raised = await play(project, {
      flags: { gaps: true },
      selectors: ['1'],
      answers,
      acts: { ...acts, rating: ({ order, nth }) => rating(order, nth === 1 ? 9.1 : 9.8), execution: mends },
    })
    // What is asked at the end is about what the cycle has changed.
    expect(raised.gates).toEqual(['Q-VERDICT'])
    expect(raised.asked[0]?.body.join(' ')).toContain('01-02')
    expect(raised.state.phases.phase_1).toMatchObject({ status: 'completed', alignment_score: 9.8 })
    expect(raised.state.event_log.map(({ event }) => event)).toContain('gaps_iteration_completed')

    const nothing = await play(project, {
      flags: { quality: true },
      selectors: ['1'],
      acts: { ...acts, rating: rates(9.8) },
    })
    expect(nothing.gates).toEqual([])
    expect(nothing.state.phases.phase_1).toMatchObject({ status: 'completed', alignment_score: 9.8 })
  },
)

test('flags that exclude each other: refused, and the next run says so once', slow, async () => {
  const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(2) })
  const flags = { force: true, quality: true }
  const refuse = () => playbookEntry.refused?.(project.dir, flags)
  // No directory is made for a command that began nothing.
  await refuse()
  expect(await readdir(project.dir)).not.toContain('.autopilot')
  await play(project, { selectors: ['1'] })
  await refuse()
  const { state } = await play(project, { selectors: ['2'] })
  const told = state.event_log.filter(({ event }) => event === 'flag_mutual_exclusivity_error')
  expect(told.map(({ details }) => details.flags)).toEqual([['--force', '--quality']])
  expect(await readdir(project.path('.autopilot'))).not.toContain('refused-flags.jsonl')
})

test('a person was meant to look, and the verifier is sure enough', slow, async () => {
  const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(1) })
  const played = await play(project, {
    acts: {
      plan: plans((order) => [
        { id: taskId(order, 1) },
        { id: taskId(order, 2), type: 'checkpoint:human-verify' },
      ]),
    },
  })
  expect(played.gates).toEqual([])
  const told = played.state.event_log.filter(({ event }) => event === 'autonomous_resolution_success')
  expect(told).toMatchObject([{ phase: '1', details: { confidence: 9, threshold: 6, tasks: ['01-02'] } }])
})
