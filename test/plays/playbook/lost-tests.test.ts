import { expect, test } from 'vitest'
import type { CommandResult } from '../../../source/processes/commands.js'
import type { TestProject } from '../../support/project.js'
import { commitWork, executes, fileOf, plans, planText, roadmapOf, taskId } from './roles.js'
import { type Acts, createStage, type Dispatch, type Played, type PlayOptions, play } from './stage.js'

// Tests that are gone or show less since a phase began, in whole runs (docs/playbook-checks.md, "Tests that are gone").

const slow = { timeout: 240_000 }
const cases = (...names: string[]) =>
  ["import test from 'node:test'", ...names.map((name) => `test('${name}', () => {})`), ''].join('\n')
const manifest = (script: string) => JSON.stringify({ type: 'module', scripts: { test: script } })
const files = {
  '.planning/ROADMAP.md': roadmapOf(1),
  'package.json': manifest('node --test'),
  'test/list.test.js': cases('adds', 'sorts'),
}

/** An executor that does its task, and changes these files too. */
const also = (more: Record<string, string>): Acts => ({
  execution: executes((order) => ({ [fileOf(order)]: 'done\n', ...more })),
})
const gaveUp = { fixed: false, changes: [], commits: [], remaining_issues: ['it'], failure_categories: [] }
const run = async (acts: Acts, more: PlayOptions = {}, project?: TestProject) =>
  play(project ?? (await createStage(files)), {
    acts: { debug: () => gaveUp, ...acts },
    answers: { 'Q-TESTS': 'accept', 'Q-TOUCHED': 'mine' },
    ...more,
  })
const asked = ({ asked: all }: Played) => all.filter(({ gate }) => gate === 'Q-TESTS')
const status = ({ state }: Played) => state.phases.phase_1?.status
const debugs = ({ dispatches }: Played) => dispatches.filter(({ order }) => order.expects === 'debug')

test.each([
  [
    'a case that is gone',
    { 'test/list.test.js': cases('adds') },
    'test/list.test.js: 1 test case fewer: sorts',
  ],
  [
    'a case that is skipped',
    { 'test/list.test.js': cases('adds', 'sorts').replace("test('sorts'", "test.skip('sorts'") },
    'test/list.test.js: 1 more test marked to be skipped',
  ],
  [
    'a script that passes whatever happens',
    { 'package.json': manifest('node --test || true') },
    'the script "test" was "node --test" and is "node --test || true", which passes whatever happens',
  ],
  ['another script', { 'package.json': manifest('node readme.js') }, 'the script "test" was "node --test"'],
])('%s: a debugger first, then a person, by name', slow, async (_, more, told) => {
  const project = await createStage({ ...files, 'readme.js': '' })
  const played = await run(also(more), {}, project)
  const [first] = debugs(played)
  expect(JSON.stringify(first?.order.issues)).toContain('Tests are gone: ')
  expect(asked(played)).toHaveLength(1)
  expect(asked(played)[0]?.body.join('\n')).toContain(told)
  expect(debugs(played)).toHaveLength(1)
  expect(status(played)).toBe('completed')
  const decisions = JSON.stringify(played.state._meta.decisions)
  expect(decisions).toContain('accepted_fewer_tests')
  expect(played.reports.join('\n') + (await reportOf(project))).toContain('## Accepted')
})

async function reportOf(project: TestProject): Promise<string> {
  const name = (await project.git('ls-files', '-o', '--', '.autopilot'))
    .split('\n')
    .find((path) => /completion-\d{4}-\d\d-\d\d\.md$/.test(path))
  return name === undefined ? '' : project.read(name)
}

test('fewer that are executed, where no file of tests says so', slow, async () => {
  const project = await createStage({
    ...files,
    'test/list.test.js':
      "import test from 'node:test'\nimport { names } from '../lib/names.js'\nfor (const one of names) test(one, () => {})\n",
    'lib/names.js': "export const names = ['adds', 'sorts']\n",
  })
  const played = await run(also({ 'lib/names.js': "export const names = ['adds']\n" }), {}, project)
  expect(asked(played)[0]?.body.join('\n')).toContain('1 test was executed, 2 at the start of the phase.')
})

test('put back by the debugger: nobody is asked', slow, async () => {
  const played = await run({
    ...also({ 'test/list.test.js': cases('adds') }),
    debug: async ({ order }: Dispatch, project) => {
      const sha = await commitWork(project, order, { 'test/list.test.js': cases('adds', 'sorts') })
      return { ...gaveUp, fixed: true, remaining_issues: [], commits: [sha] }
    },
  })
  expect([played.gates, status(played)]).toEqual([[], 'completed'])
})

test('not accepted, and not put back: the phase fails', slow, async () => {
  const played = await run(also({ 'test/list.test.js': cases('adds') }), { answers: { 'Q-TESTS': 'fix' } })
  expect(asked(played).length).toBeGreaterThan(0)
  expect([debugs(played).length, status(played)]).toEqual([3, 'failed'])
})

test('what the plan takes away is listed, and tests that are added or moved are nothing', slow, async () => {
  const planned = await run({
    ...also({ 'test/list.test.js': cases('adds') }),
    plan: async (dispatch, project) => {
      const { order } = dispatch
      const made = await plans(() => [{ id: taskId(order, 1) }])(dispatch, project)
      const action = 'Write the file. Remove the case "sorts" of test/list.test.js.'
      await project.write(String(order.planPath), planText(order, [{ id: taskId(order, 1), action }]))
      return made
    },
  })
  expect([planned.gates, status(planned)]).toEqual([[], 'completed'])
  expect(planned.notes.join('\n')).toContain('Tests that the plan takes away: test/list.test.js')
  const moved = await run(
    also({
      'test/list.test.js': cases('adds'),
      'test/sort.test.js': cases('sorts', 'reverses'),
      'package.json': manifest('node --test --test-reporter=tap'),
    }),
  )
  expect([moved.gates, status(moved)]).toEqual([[], 'completed'])
})

test.each([
  ['as long as it may by what it took before', '{}', [600_000, 120_000]],
  ['as long as the person says', '{"projectCommandTimeoutSec":1800}', [1_800_000, 1_800_000]],
])('tests that hang are waited for %s', slow, async (_, settings, expected) => {
  const limits: (number | undefined)[] = []
  let now = Date.parse('2026-01-01T00:00:00Z')
  const project = await createStage({ ...files, '.planning/config.json': settings })
  const played = await play(project, {
    acts: { debug: () => gaveUp },
    now: () => new Date(now),
    command(argv, { timeoutMs }) {
      if (!argv.some((word) => word.includes('npm test'))) return undefined
      limits.push(timeoutMs)
      now += 1_000
      const stdout = '# tests 2\n# pass 2\n# fail 0\n# skipped 0\n'
      return { code: 0, signal: null, stdout, stderr: '', truncated: false, timedOut: false } as CommandResult
    },
  })
  expect(limits.slice(0, 2)).toEqual(expected)
  expect(status(played)).toBe('completed')
})
