import { expect, test } from 'vitest'
import { executes, fileOf, plans, rating, roadmapOf, type TaskText, taskId, verification } from './roles.js'
import { type Act, type Acts, createStage, type Order, type Played, play } from './stage.js'

// Planners that plan less the second time, in whole runs; and honest ones beside them (docs/playbook-checks.md, "Plan check").

const slow = { timeout: 240_000 }
const own = (order: Order): TaskText => ({ id: taskId(order, 1) })
const other = (order: Order): TaskText => ({ id: taskId(order, 2), files: 'src/other.txt' })
const person = (order: Order): TaskText => ({ id: taskId(order, 3), type: 'checkpoint:human-verify' })
type Version = readonly ((order: Order) => TaskText)[]

/** A planner with another plan each time, the last one from then on. */
const versions =
  (...all: Version[]): Act =>
  (dispatch, project) => {
    const tasks = all[Math.min(dispatch.nth, all.length) - 1] ?? []
    return plans((order) => tasks.map((task) => task(order)))(dispatch, project)
  }
/** A checker that sends the first plan back. */
const objects =
  (description: string): Act =>
  ({ nth }) => {
    const issue = { plan: '01', dimension: 'scope', severity: 'blocker', description, fix_hint: '' }
    return nth === 1
      ? { pass: false, issues: [issue], confidence: 8, blocker_count: 1, warning_count: 0 }
      : { pass: true, issues: [], confidence: 9, blocker_count: 0, warning_count: 0 }
  }
const workers: Acts = {
  execution: (dispatch, project) => {
    const { id } = dispatch.order.task as { id: string }
    return executes((order) => ({ [id.endsWith('01') ? fileOf(order) : 'src/other.txt']: `${id}\n` }))(
      dispatch,
      project,
    )
  },
  verification: ({ order }) =>
    verification(order, {
      autonomous_confidence: 4,
      deferral_evidence: [
        { criterion: 'x', methods_attempted: ['read'], why_insufficient: 'it takes a device' },
      ],
    }),
}
async function run(acts: Acts) {
  const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(1) })
  return play(project, { acts: { ...workers, ...acts }, answers: { 'Q-VERDICT': 'pass' } })
}
const planned = ({ dispatches }: Played) => dispatches.filter(({ order }) => order.expects === 'plan')
const status = ({ state }: Played) => state.phases.phase_1?.status
const gone = 'is gone, with its marker human-verify.'

test(
  'the task of a person is left out after a check: the planner is sent again until it is back',
  slow,
  async () => {
    const check = { 'plan-check': objects('The steps are too large.') }
    const back = await run({ ...check, plan: versions([own, person], [own], [own, person]) })
    expect(planned(back)).toHaveLength(3)
    expect(JSON.stringify(planned(back)[2]?.order.checkerIssues)).toContain(gone)
    expect(back.gates).toEqual(['Q-VERDICT'])
    expect(status(back)).toBe('completed')
    const never = await run({ ...check, plan: versions([own, person], [own]) })
    expect([status(never), never.gates]).toEqual(['failed', []])
    expect(JSON.stringify(never.state.event_log)).toContain(gone)
  },
)

test('it is made a task like any other: that is the same', slow, async () => {
  const auto = (order: Order): TaskText => ({ id: taskId(order, 3), files: 'src/other.txt' })
  const played = await run({
    'plan-check': objects('The steps are too large.'),
    plan: versions([own, person], [own, auto], [own, person]),
  })
  expect(JSON.stringify(planned(played)[2]?.order.checkerIssues)).toContain(
    'is not marked human-verify any more',
  )
  expect(played.gates).toEqual(['Q-VERDICT'])
})

test('it is left out when the phase is planned anew', slow, async () => {
  const played = await run({
    plan: versions([own, person], [own], [own, person]),
    rating: ({ order, nth }) => rating(order, nth === 1 ? 6.1 : 9.4),
    execution: async (dispatch, project) =>
      executes((order) => ({ [fileOf(order)]: `${dispatch.nth}\n` }))(dispatch, project),
  })
  expect(played.events).toContain('replan_attempt')
  expect(planned(played)).toHaveLength(3)
  expect(played.gates).toEqual(['Q-VERDICT'])
})

test('other tasks that are gone are told, to the checker too, and listed at the verdict', slow, async () => {
  const played = await run({
    'plan-check': objects('The steps are too large.'),
    plan: versions([own, other, person], [own, person]),
  })
  expect(planned(played)).toHaveLength(2)
  expect(played.notes.join('\n')).toContain(
    'PLAN: the plan before held more: Task 01-02 (Make 01-02) is gone.',
  )
  expect(played.asked[0]?.body.join('\n')).toContain('plan: Task 01-02 (Make 01-02) is gone.')
  const checks = played.dispatches.filter(({ order }) => order.expects === 'plan-check')
  expect(JSON.stringify(checks[1]?.order.lintIssues)).toContain('Task 01-02 (Make 01-02) is gone.')
  expect(status(played)).toBe('completed')
})

test('honest twins: what the check wants out may go, and more than before is nothing', slow, async () => {
  const wanted = await run({
    'plan-check': objects('Task 01-03 is not needed: a command shows it.'),
    plan: versions([own, person], [own]),
    verification: ({ order }) => verification(order),
  })
  expect([planned(wanted).length, wanted.gates, status(wanted)]).toEqual([2, [], 'completed'])
  const more = await run({
    'plan-check': objects('The steps are too large.'),
    plan: versions([own, person], [own, other, person]),
  })
  expect([planned(more).length, more.gates, status(more)]).toEqual([2, ['Q-VERDICT'], 'completed'])
  expect(more.notes.join('\n')).not.toContain('the plan before held more')
})
