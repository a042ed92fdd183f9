import { expect, test } from 'vitest'
import { executes, fileOf, plans, roadmapOf, taskId, verification } from './roles.js'
import { type Acts, createStage, type Played, type PlayOptions, play } from './stage.js'

// What nobody is asked about and has to be seen at the next gate and in the report, in whole runs
// (docs/playbook-checks.md, "What is listed").

const slow = { timeout: 240_000 }
const check = 'scripts/check.mjs'
const cases = (value: number) =>
  `import test from 'node:test'\nimport { equal } from 'node:assert'\ntest('adds', () => equal(Number('2'), ${value}))\n`
const files = {
  '.planning/ROADMAP.md': roadmapOf(1),
  'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
  'test/adds.test.js': cases(2),
  'test/__snapshots__/adds.snap': 'one\n',
  [check]: "import { readFileSync } from 'node:fs'\nreadFileSync('src/part-1.txt')\n",
}

/** A task that a script shows, and one for a person: so there is a gate. */
const planned = (own: string): Acts => ({
  plan: plans((order) => [
    { id: taskId(order, 1), files: own, criterion: `node ${check}` },
    { id: taskId(order, 2), type: 'checkpoint:human-verify' },
  ]),
  verification: ({ order }) =>
    verification(order, {
      autonomous_confidence: 4,
      deferral_evidence: [
        { criterion: 'x', methods_attempted: ['read'], why_insufficient: 'it takes a device' },
      ],
    }),
})
const also = (more: Record<string, string>): Acts => ({
  execution: executes((order) => ({ [fileOf(order)]: 'done\n', ...more })),
})
async function run(acts: Acts, more: PlayOptions = {}) {
  const project = await createStage(files)
  const played = await play(project, { acts, answers: { 'Q-VERDICT': 'pass' }, ...more })
  const names = await project.git('ls-files', '-o', '--', '.autopilot')
  const report = names.split('\n').find((path) => /completion-\d{4}-\d\d-\d\d\.md$/.test(path)) ?? ''
  return { played, report: report === '' ? '' : await project.read(report) }
}
const verdict = ({ asked }: Played) => asked.find(({ gate }) => gate === 'Q-VERDICT')?.body.join('\n') ?? ''

test.each<[string, Record<string, string>, string]>([
  [
    'an assertion that holds something else',
    { 'test/adds.test.js': cases(2).replace("Number('2'), 2", "Number('3'), 3") },
    'test/adds.test.js: 1 test case is held to something else than before: adds',
  ],
  [
    'a snapshot that was written anew',
    { 'test/__snapshots__/adds.snap': 'two\n' },
    'test/__snapshots__/adds.snap: the snapshot was rewritten',
  ],
  [
    'a test that checks nothing',
    { 'test/more.test.js': "import test from 'node:test'\ntest('sorts', () => {})\n" },
    'test/more.test.js: 1 new test case checks nothing: sorts',
  ],
  [
    'the script that shows a criterion',
    { [check]: 'process.exit(0)\n' },
    `is shown by ${check}, which was changed, and no task names it`,
  ],
])('%s: at the verdict, and in the report', slow, async (_, more, told) => {
  const { played, report } = await run({ ...planned('src/part-1.txt'), ...also(more) })
  expect(played.gates).toEqual(['Q-VERDICT'])
  expect(verdict(played)).toContain(told)
  expect(report).toMatch(/## To be looked at\n\n- Phase 1, tests: /)
  expect(report).toContain(told)
})

test('orders for agents that the plan names', slow, async () => {
  const { played, report } = await run({
    ...planned('AGENTS.md'),
    ...also({ 'AGENTS.md': '# Agents\n\nTests first.\n' }),
  })
  const line = 'Gives orders or is executed, changed as planned: AGENTS.md'
  expect(played.gates).toEqual(['Q-VERDICT'])
  expect(verdict(played)).toContain(line)
  expect(report).toContain(line)
})

test('nothing is listed of honest work, nor of a script that its task is to change', slow, async () => {
  const more = {
    'test/more.test.js': cases(2).replace("'adds'", "'sorts'"),
    [check]: "import { readFileSync } from 'node:fs'\nreadFileSync('src/part-1.txt', 'utf8')\n",
  }
  const { played, report } = await run({ ...planned(check), ...also(more) })
  expect(played.gates).toEqual(['Q-VERDICT'])
  expect(verdict(played)).not.toContain('tests:')
  expect(report).not.toContain('## To be looked at')
})
