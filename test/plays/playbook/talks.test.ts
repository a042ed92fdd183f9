import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { playbookWorkflow } from '../../../source/workflows/playbook/workflow.js'
import { roadmapOf } from './roles.js'
import { type Act, createStage, type Played, play } from './stage.js'

// People are asked before any phase begins (docs/playbook.md, "Questions first").

const slow = { timeout: 240_000 }
const one = { '.planning/ROADMAP.md': roadmapOf(1) }

/** Two questions about each phase: one with choices, of which the first is recommended, and one without. */
const asks: Act = ({ order }) => ({
  questions: [
    {
      id: 'q1',
      question: `Which colour has part ${order.phase.id}?`,
      why: 'the file says it',
      options: ['red', 'blue'],
      recommendation: 'red, since it is seen',
    },
    { id: 'q2', question: 'For whom is it?', why: 'its words', options: [] },
  ],
})

const kept = async (project: Awaited<ReturnType<typeof createStage>>, name: string) =>
  JSON.parse(await project.read(`.autopilot/${name}`)) as {
    version: string
    phases: Record<string, { phase_name: string; lacks?: string[]; questions: { answer: string | null }[] }>
  }

const told = ({ state }: Played) =>
  state.event_log
    .filter(({ event }) => /^(?:discuss|context_mapping|phase_started|run_completed)/.test(event))
    .map(({ event, phase }) => `${phase ?? '-'} ${event}`)

test(
  '--discuss: one question at a time, before any phase; the answers go to researcher and planner',
  slow,
  async () => {
    const project = await createStage()
    const dir = '.planning/phases/01-part-1'
    await project.commit('context', { [`${dir}/01-CONTEXT.md`]: '# What I know\n\nIt is old.\n' })
    const played = await play(project, {
      flags: { discuss: true },
      acts: { questions: asks },
      answers: {
        'Q-DISCUSS': [
          { value: 'option:1' },
          { value: 'own', text: 'for children' },
          { value: 'open' },
          'enough',
        ],
      },
    })
    expect(played.gates).toEqual(['Q-DISCUSS', 'Q-DISCUSS', 'Q-DISCUSS', 'Q-DISCUSS'])
    const [first] = played.asked
    expect(first?.title).toBe('Phase 1 Part 1: question 1 of 2')
    expect(first?.options.map(({ label }) => label)).toEqual([
      'red',
      'blue',
      'in your words',
      'leave open',
      'enough',
      'stop',
    ])
    // Nothing is recommended but what whoever asks recommends.
    expect(first?.options.filter(({ recommended }) => recommended).map(({ label }) => label)).toEqual(['red'])
    expect(played.asked[1]?.options.some(({ recommended }) => recommended)).toBe(false)
    expect(told(played)).toEqual([
      '1 discuss_session_started',
      '1 discuss_answers_recorded',
      '2 discuss_session_started',
      '2 discuss_answers_recorded',
      '1 phase_started',
      '2 phase_started',
      '- run_completed',
    ])
    const { phases, version } = await kept(project, 'discuss-context.json')
    expect(version).toBe('1.0')
    expect(phases[1]?.questions.map(({ answer }) => answer)).toEqual(['blue', 'for children'])
    expect(phases[2]?.questions.map(({ answer }) => answer)).toEqual([null])
    // The file that was there is the one that is gone on with.
    const context = await project.read(`${dir}/01-CONTEXT.md`)
    expect(context).toMatch(/^# What I know\n\nIt is old\.\n\n## Discussion of run-/)
    expect(context).toContain('**Decided**: blue')
    expect(await readdir(project.path(dir))).not.toContain('CONTEXT.md')
    expect(await project.read('.planning/phases/02-part-2/CONTEXT.md')).toContain('**Left open**')
    const paths = [`${dir}/01-CONTEXT.md`, '.autopilot/discuss-context.json']
    for (const role of ['research', 'plan'])
      expect(
        played.dispatches.find(({ order }) => order.expects === role && order.phase.id === '1')?.order
          .contextPaths,
      ).toEqual(paths)
    expect(await project.git('show', `HEAD:${dir}/01-CONTEXT.md`)).toContain('for children')
  },
)

test(
  '--map alone: looked at and asked about, and nothing is run; answers of other phases stay',
  slow,
  async () => {
    const stub = roadmapOf(3).replace('**Goal**: Part 2 is there', '**Goal**: TBD')
    const project = await createStage({ '.planning/ROADMAP.md': stub })
    const before = { phases: { 3: { phase_name: 'Part 3', questions: [{ answer: 'as it was' }] } } }
    await project.write('.autopilot/context-map.json', JSON.stringify(before))
    const played = await play(project, {
      flags: { map: true },
      selectors: ['1-2'],
      acts: { questions: asks },
      answers: { 'Q-DISCUSS': [{ value: 'option:0' }, 'open', 'enough'] },
    })
    expect(played.order).toEqual(['1 questions', '2 questions'])
    expect(told(played)).toEqual([
      '1 context_mapping_started',
      '1 context_mapping_completed',
      '2 context_mapping_started',
      '2 context_mapping_completed',
      '- run_completed',
    ])
    expect(played.state._meta.status).toBe('completed')
    expect(Object.values(played.state.phases).map(({ status }) => status)).toEqual(
      Array.from({ length: 3 }, () => 'not_started'),
    )
    const { phases } = await kept(project, 'context-map.json')
    expect(phases[1]?.questions.map(({ answer }) => answer)).toEqual(['red', null])
    expect(phases[2]).toMatchObject({ phase_name: 'Part 2', questions: [] })
    expect(phases[2]?.lacks).toContain('no goal')
    expect(phases[3]?.questions[0]?.answer).toBe('as it was')
    expect(playbookWorkflow.doneReport(played.state)).toEqual([
      'Phase 1: 1 of 2 questions answered; it has no project command that checks it.',
      'Phase 2: 0 of 0 questions answered; it has no goal, no project command that checks it.',
      'Answers: .autopilot/context-map.json. No phase was run.',
    ])
    // The next run finds the answers, and no phase is done.
    const next = await play(project, { selectors: ['1'] })
    expect(next.dispatches[0]?.order).toMatchObject({
      expects: 'research',
      contextPaths: ['.autopilot/context-map.json'],
    })
  },
)

test('--map with --complete: all are asked about first, then they run', slow, async () => {
  const project = await createStage()
  const played = await play(project, {
    flags: { map: true, complete: true },
    selectors: [],
    acts: { questions: () => ({ questions: [] }) },
  })
  expect(played.asked).toEqual([])
  expect(played.order.slice(0, 3)).toEqual(['1 questions', '2 questions', '1 research'])
  expect(Object.values(played.state.phases).map(({ status }) => status)).toEqual(['completed', 'completed'])
})

test(
  'a talk that was interrupted goes on with the question that is open, and asks nothing twice',
  slow,
  async () => {
    const project = await createStage(one)
    const options = { flags: { discuss: true }, acts: { questions: asks } }
    const first = await play(project, {
      ...options,
      answers: { 'Q-DISCUSS': [{ value: 'option:0' }, 'stop'] },
    })
    expect(first.stopped).toBe(true)
    const second = await play(project, { ...options, answers: { 'Q-DISCUSS': 'open' } })
    expect(second.asked.map(({ title }) => title)).toEqual(['Phase 1 Part 1: question 2 of 2'])
    expect(second.order).not.toContain('1 questions')
    const { phases } = await kept(project, 'discuss-context.json')
    expect(phases[1]?.questions.map(({ answer }) => answer)).toEqual(['red', null])
  },
)

test('nobody could say what has to be asked: the person says whether to go on without', slow, async () => {
  const project = await createStage(one)
  const played = await play(project, {
    flags: { discuss: true },
    acts: { questions: () => ({ failed: 'crash' }) },
    answers: { 'Q-DISCUSS': ['retry', 'without'] },
  })
  expect(played.gates).toEqual(['Q-DISCUSS', 'Q-DISCUSS'])
  expect(played.order.filter((line) => line === '1 questions')).toHaveLength(4)
  expect(played.state._meta.status).toBe('completed')
})
