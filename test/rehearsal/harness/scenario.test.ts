import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createSampleProject } from '../../../source/rehearsal/harness/sample-project.js'
import {
  executionResultSchema,
  planResultSchema,
  reviewResultSchema,
  verificationResultSchema,
} from '../../../source/workflows/harness/results.js'
import { createProject, type TestProject } from '../../support/project.js'
import { bundleRehearsal, type Dispatch, type Performance, perform, sessionDir } from './actor.js'

bundleRehearsal()

const one = { number: 1, name: 'Plant list' }
const two = { number: 2, name: 'Watering week' }
const three = { number: 3, name: 'Command line' }

/** Plays every dispatch of the demo in order; `play` may kill and repeat each of them. */
async function playAll(
  project: TestProject,
  play: (dispatch: Dispatch, id: string) => Promise<Performance>,
): Promise<Performance[]> {
  const performances: Performance[] = []
  const next = async (dispatch: Dispatch) => {
    const performance = await play(dispatch, `${String(performances.length + 1).padStart(3, '0')}-play`)
    expect(performance.stderr).toBe('')
    expect(performance.code).toBe(0)
    performances.push(performance)
    return performance.result
  }
  const head = () => project.git('rev-parse', 'HEAD')
  const checkpoint = async (number: number, what: string) => {
    await project.git('add', '-A')
    await project.git('commit', '-q', '-m', `[autopilot] Checkpoint ${number}: ${what}`)
  }
  const resetTasks = () => project.write(`${sessionDir}/state.json`, '{"schemaVersion":1,"progress":{}}\n')

  const starting = await head()
  let base = starting
  await next({ phase: one, expects: 'plan' })
  await next({ phase: one, expects: 'execution', diffBase: base })
  await next({
    phase: one,
    expects: 'execution',
    diffBase: base,
    retry: { task: 'Task 2', attempt: 1, errors: [] },
  })
  await next({ phase: one, expects: 'execution', diffBase: base })
  await next({ phase: one, expects: 'verification', diffBase: base })
  await next({ phase: one, expects: 'review', diffBase: base })

  base = await head()
  await resetTasks()
  await next({ phase: two, expects: 'plan' })
  await next({ phase: two, expects: 'execution', diffBase: base })
  await checkpoint(1, 'order')
  const decided = { type: 'decision', task: 'Task 2', answer: 'by room' }
  await next({ phase: two, expects: 'execution', diffBase: base, checkpointAnswer: decided })
  const rejected = { type: 'human-verify', task: 'Task 3', answer: 'reject', note: 'Rather day by day.' }
  await next({ phase: two, expects: 'execution', diffBase: base, checkpointAnswer: rejected })
  await checkpoint(2, 'week')
  const confirmed = { type: 'human-verify', task: 'Task 3', answer: 'confirm' }
  await next({ phase: two, expects: 'execution', diffBase: base, checkpointAnswer: confirmed })
  await next({ phase: two, expects: 'verification', diffBase: base })
  await next({ phase: two, expects: 'review', diffBase: base })

  base = await head()
  await resetTasks()
  await next({ phase: three, expects: 'plan' })
  await next({ phase: three, expects: 'execution', diffBase: base })
  const { findings } = await next({ phase: three, expects: 'review', diffBase: base })
  const blocking = (findings as { severity: string }[]).filter((finding) => finding.severity === 'blocking')
  await next({ phase: three, expects: 'execution', diffBase: base, findings: blocking })
  await next({ phase: three, expects: 'verification', diffBase: base })
  await next({ phase: three, expects: 'review', diffBase: base })
  await next({ phase: three, expects: 'review', diffBase: starting })
  return performances
}

async function sample(): Promise<TestProject> {
  const project = await createProject({ git: false })
  expect(await createSampleProject(project.dir)).toEqual({
    specPath: 'docs/changes/watering-plan/proposal.md',
  })
  return project
}

const story = (project: TestProject) => project.git('log', '--reverse', '--format=%s')
/** Every committed file with its content, but for the roadmap, which holds the day on which the sample was made. */
const files = async (project: TestProject) =>
  (await project.git('ls-tree', '-r', 'HEAD')).split('\n').filter((line) => !line.endsWith('docs/roadmap.md'))

let calmFiles: string[] | undefined

async function calm(): Promise<string[]> {
  if (calmFiles === undefined) {
    const project = await sample()
    await playAll(project, (dispatch, id) => perform(project, dispatch, { id }))
    calmFiles = await files(project)
  }
  return calmFiles
}

const subjects = [
  'Know the plants by name',
  'Approve the watering plan',
  'feat(list): read one plant with rhythm, last watering and room',
  'feat(days): count days across months and leap years',
  'feat(list): read the whole list and tell bad lines by number',
  'feat(thirst): know who wants water and for how long',
  '[autopilot] Checkpoint 1: order',
  'feat(order): list plants in the chosen order',
  '[autopilot] Checkpoint 2: week',
  'feat(report): tell who is thirsty, where and since when',
  'feat(cli): print the report and the week',
  'docs: show the command in the readme',
  'fix(report): answer kindly when nobody is thirsty',
]

test('the demo is played from the plan to the last review, with real work in the project', async () => {
  const project = await sample()
  const all = await playAll(project, (dispatch, id) => perform(project, dispatch, { id }))
  calmFiles = await files(project)
  // Also holds every result against the shape that autopilot demands.
  const results = all.map((performance) => performance.result)
  const plan = (index: number) => planResultSchema.parse(results[index])
  const execution = (index: number) => executionResultSchema.parse(results[index])
  const verification = (index: number) => verificationResultSchema.parse(results[index])
  const review = (index: number) => reviewResultSchema.parse(results[index])

  expect(plan(0)).toEqual({ planPath: 'docs/plans/2030-04-02-plant-list-plan.md', concerns: [] })
  const first = execution(1)
  expect(first).toMatchObject({ status: 'failed', completed: ['Task 1'], failure: { task: 'Task 2' } })
  expect(first.failure?.error).toMatch(
    /days are counted across months of any length[\s\S]*\d+ !== 29[\s\S]*days\.test\.js:\d+/,
  )
  expect(first.failure?.error).not.toContain(project.dir)
  expect(execution(2)).toMatchObject({ status: 'complete', completed: ['Task 1', 'Task 2'] })
  expect(execution(3)).toEqual({ status: 'complete', completed: ['Task 1', 'Task 2', 'Task 3'] })
  expect(verification(4)).toMatchObject({ verdict: 'pass', gaps: [] })
  expect(review(5)).toMatchObject({
    assessment: 'approve',
    findings: [{ severity: 'note', file: 'src/plant.js' }],
  })

  expect(plan(6).concerns).toHaveLength(1)
  expect(execution(7)).toMatchObject({
    status: 'checkpoint',
    completed: ['Task 1'],
    checkpoint: { type: 'decision', task: 'Task 2', options: ['thirstiest first', 'by room', 'by name'] },
  })
  const grid = execution(8)
  expect(grid).toMatchObject({
    status: 'checkpoint',
    completed: ['Task 1', 'Task 2'],
    checkpoint: { type: 'human-verify', task: 'Task 3' },
  })
  expect(grid.checkpoint?.prompt).toContain('Cactus     .   .   .   .   .   *   .')
  expect(execution(9).checkpoint?.prompt).toContain('2030-04-10  Cactus')
  expect(execution(10)).toEqual({ status: 'complete', completed: ['Task 1', 'Task 2', 'Task 3'] })
  expect(verification(11)).toMatchObject({ verdict: 'pass' })
  expect(review(12)).toMatchObject({
    assessment: 'comment',
    findings: [{ severity: 'warning', file: 'src/week.js' }],
  })

  expect(review(15)).toMatchObject({
    assessment: 'request-changes',
    findings: [{ severity: 'blocking', file: 'src/report.js', line: 10 }],
  })
  expect(execution(16)).toMatchObject({ status: 'complete' })
  expect(verification(17)).toMatchObject({ verdict: 'pass' })
  expect(review(18)).toMatchObject({ assessment: 'approve', findings: [] })
  expect(review(19).findings.map(({ severity }) => severity)).toEqual(['note', 'warning', 'warning'])

  expect((await story(project)).split('\n')).toEqual(subjects)
  expect(await project.git('status', '--porcelain')).toBe('')
  expect(await project.read('src/order.js')).toContain("usualOrder = 'by room'")
  expect(await project.read('docs/decisions/listing-order.md')).toContain('**by room**')
  expect(JSON.parse(await project.read(`${sessionDir}/handoff.json`)).fromSkill).toBe('harness-code-review')
  expect(await project.read(`${sessionDir}/learnings.md`)).toMatch(
    /^- \*\*\d{4}-\d\d-\d\d \[skill:harness-execution\] \[outcome:gotcha\]:\*\* Counting days/m,
  )
  const tests = await promisify(execFile)(process.execPath, ['--test'], {
    cwd: project.dir,
    env: project.env,
  })
  expect(tests.stdout).toMatch(/fail 0/)
  const demo = await promisify(execFile)(
    process.execPath,
    ['bin/windowsill.js', 'plants.txt', '2030-04-05'],
    {
      cwd: project.dir,
      env: project.env,
    },
  )
  expect(demo.stdout).toMatch(/^Thirsty on 2030-04-05\n-+\nFern/)
}, 300_000)

test('an agent that is killed at any moment and dispatched again ends in the same commits and the same tree', async () => {
  const project = await sample()
  let moment = 0
  let kills = 0
  await playAll(project, async (dispatch, id) => {
    const writes = dispatch.expects === 'execution' || dispatch.expects === 'plan'
    for (let attempt = 1; writes && attempt <= 2; attempt += 1) {
      moment += 1
      const killAtLine = 2 + ((moment * 7) % 19)
      const start = await perform(project, dispatch, { id: `${id}-${attempt}-0123abcd`, killAtLine })
      if (start.signal === null) return start
      kills += 1
    }
    return perform(project, dispatch, { id: `${id}-3-0123abcd` })
  })
  expect(kills).toBeGreaterThan(8)
  expect((await story(project)).split('\n')).toEqual(subjects)
  expect(await files(project)).toEqual(await calm())
  expect(await project.git('status', '--porcelain')).toBe('')
}, 300_000)
