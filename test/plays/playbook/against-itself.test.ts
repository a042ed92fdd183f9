import { expect, test } from 'vitest'
import type { TestProject } from '../../support/project.js'
import { commitWork, executes, fileOf, honest, plans, roadmapOf, taskId, verification } from './roles.js'
import { type Act, type Acts, createStage, type Dispatch, type Played, play } from './stage.js'

// Results that let something pass and name beside it what does not hold, in whole runs; and honest ones beside them
// (docs/playbook-checks.md, "Results").

const slow = { timeout: 240_000 }
const files = {
  '.planning/ROADMAP.md': roadmapOf(1),
  'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
  'test/adds.test.js': "import test from 'node:test'\ntest('adds', () => {})\n",
}

type Made = Record<string, unknown>
/** Does what it should, and says something more of it: the first time, or always. */
const says =
  (kind: keyof Acts, more: (dispatch: Dispatch) => object, times = 1): Act =>
  async (dispatch, project) => {
    const made = (await honest[kind]?.(dispatch, project)) as Made
    return dispatch.nth <= times ? { ...made, ...more(dispatch) } : made
  }
const mends: Act = async ({ order, nth }: Dispatch, project: TestProject) => {
  const sha = await commitWork(project, order, { [fileOf(order)]: `mended ${nth}\n` })
  return { fixed: true, changes: ['it'], commits: [sha], remaining_issues: [], failure_categories: [] }
}
const run = async (acts: Acts) => play(await createStage(files), { acts: { debug: mends, ...acts } })
const sentFor = ({ dispatches }: Played) =>
  dispatches.filter(({ order }) => order.expects === 'debug').map(({ order }) => JSON.stringify(order.issues))
const status = ({ state }: Played) => state.phases.phase_1?.status
const criterionOf = ({ order }: Dispatch) => (order.criteria as { id: string }[])[0]?.id ?? ''
const ok = { status: true, detail: '' }

/** By who says it: what stands beside the claim, and what a debugger is told. */
const liars: Record<string, [keyof Acts, (dispatch: Dispatch) => object, string]> = {
  'a verifier whose own check is red': [
    'verification',
    () => ({
      automated_checks: { compile: ok, lint: ok, build: ok, test: { status: false, detail: '1 of 2' } },
    }),
    'the verifier says that test fails: 1 of 2',
  ],
  'a verifier whose own command failed': [
    'verification',
    (dispatch) => ({
      execution_results: [
        {
          criterion: criterionOf(dispatch),
          command: 'node app.js',
          exit_code: 1,
          output: '',
          assessment: 'fail',
        },
      ],
    }),
    'the verifier ran node app.js: fail',
  ],
  'a verifier whose own command did not end': [
    'verification',
    (dispatch) => ({
      execution_results: [
        {
          criterion: criterionOf(dispatch),
          command: 'node app.js',
          exit_code: null,
          output: '',
          assessment: 'timeout',
        },
      ],
    }),
    'the verifier ran node app.js: timeout',
  ],
  'a mini-verifier whose own gate is red': [
    'mini-verification',
    () => ({ gate_validation: { compile: 'skipped', lint: 'skipped', test: 'fail' } }),
    'the mini-verifier says that test fails',
  ],
  'an executor that calls its task failed': [
    'execution',
    () => ({ tasks_failed: '1/1' }),
    'the executor itself says that 1/1 failed',
  ],
  'an executor that calls nothing complete': [
    'execution',
    () => ({ tasks_completed: '0/1' }),
    'the executor itself says that 0/1 is complete',
  ],
}

test.each(Object.entries(liars))('%s: a debugger is sent for it', slow, async (_, [kind, more, told]) => {
  const played = await run({ [kind]: says(kind, more) })
  expect(sentFor(played)).toEqual([expect.stringContaining(told)])
  expect(status(played)).toBe('completed')
})

test('who stays with it does not pass', slow, async () => {
  const [kind, more] = liars['a verifier whose own command failed'] ?? []
  if (!kind || !more) throw new Error('there is no such liar')
  const played = await run({ [kind]: says(kind, more, 9) })
  expect([status(played), played.state.phases.phase_1?.debug_attempts]).toEqual(['failed', 3])
})

test(
  'of many tasks in one conversation it is those that the executor says nothing more of',
  slow,
  async () => {
    const numbers = Array.from({ length: 9 }, (_, at) => at + 1)
    const nameOf = (number: number) => `src/made-${number}.txt`
    const played = await run({
      plan: plans((order) => numbers.map((number) => ({ id: taskId(order, number), files: nameOf(number) }))),
      execution: async (dispatch, project) => {
        const made = Object.fromEntries(numbers.map((number) => [nameOf(number), 'x\n']))
        const tasks = dispatch.order.tasks as { id: string }[]
        await commitWork(project, { ...dispatch.order, commitSubject: 'feat(1): all of them ' }, made)
        return {
          tasks_completed: '8/9',
          tasks_failed: '1/9',
          commit_shas: [],
          evidence: tasks
            .filter(({ id }) => !id.endsWith('-07'))
            .map(({ id }) => ({
              task_id: id,
              criteria_met: [`there -- ${nameOf(1)}:1`],
              commands_run: ['cat'],
            })),
          deviations: [],
        }
      },
    })
    const debugged = played.dispatches.filter(({ order }) => order.expects === 'debug' && order.task)
    expect(debugged.map(({ order }) => (order.task as { id: string }).id)).toEqual(['01-07'])
    expect(sentFor(played)[0]).toContain('the executor itself says that 1/9 failed')
  },
)

test(
  'a debugger that calls it mended and names what is left is told of, and not one that names nothing',
  slow,
  async () => {
    const red = (dispatch: Dispatch) => ({ failures: dispatch.nth === 1 ? ['a word is wrong'] : [] })
    const debugs =
      (left: string[]): Act =>
      async (dispatch, project) => ({ ...((await mends(dispatch, project)) as Made), remaining_issues: left })
    const left = await run({ verification: says('verification', red), debug: debugs(['the title is wrong']) })
    expect(left.notes.join('\n')).toContain(
      'it is called mended, and it names what is left: the title is wrong',
    )
    const none = await run({ verification: says('verification', red), debug: debugs(['None.']) })
    expect(none.notes.join('\n')).not.toContain('it names what is left')
    expect([status(left), status(none)]).toEqual(['completed', 'completed'])
  },
)

test('honest twins: checks that the project does not have, and a task that was there', slow, async () => {
  const none = { status: false, detail: 'there is no such script' }
  const played = await run({
    verification: ({ order }) =>
      verification(order, {
        automated_checks: { compile: none, lint: none, build: { status: 'n/a', detail: '' }, test: ok },
        execution_results: [
          { criterion: 'x', command: 'grep -c TODO src', exit_code: 1, output: '0', assessment: 'pass' },
        ],
      }),
    'mini-verification': says('mini-verification', () => ({
      gate_validation: { compile: 'missing', lint: 'fail', test: 'pass' },
    })),
    execution: async (dispatch, project) => ({
      ...((await executes((order) => ({ [fileOf(order)]: 'x\n' }))(dispatch, project)) as Made),
      tasks_completed: ' 1/1 ',
      tasks_failed: '0 / 1',
    }),
  })
  expect([sentFor(played), played.gates, status(played)]).toEqual([[], [], 'completed'])
})
