import { expect, test } from 'vitest'
import {
  type CommandSetting,
  criterionTimeoutMs,
  outcomeText,
  passRatio,
  reportsOf,
  runCriterion,
} from '../../../../source/workflows/playbook/criteria/run-criterion.js'
import { triageOf } from '../../../../source/workflows/playbook/criteria/triage.js'
import type { OrderCriterion } from '../../../../source/workflows/playbook/orders/fields.js'

/** A shell that answers by what it is asked, and remembers it. */
function shell(answers: Record<string, object> = {}) {
  const asked: { command: string; timeoutMs: number; outputCap: number }[] = []
  const setting: CommandSetting = {
    run: async (command, limits) => {
      asked.push({ command, ...limits })
      const usual = { code: 0, stdout: '', stderr: '', timedOut: false, missing: false }
      return { ...usual, ...answers[command] }
    },
    root: '/work/app',
    commands: { compile: null, lint: null, build: null, test: 'npm test' },
    exists: (path) => path === '/work/app',
    projectTimeoutMs: 600_000,
  }
  return { setting, asked }
}

const criterion = (more: Partial<OrderCriterion> = {}): OrderCriterion => ({
  id: 'C1',
  text: 'it holds',
  commands: ['run'],
  kind: 'execution',
  expectation: { op: 'exit', value: 0 },
  ...more,
})

test('all commands of a criterion have to pass, and each is run', async () => {
  const { setting, asked } = shell({ two: { code: 1 } })
  const outcome = await runCriterion(criterion({ commands: ['one', 'two', 'three'] }), setting)
  expect(outcome).toMatchObject({ status: 'fail', category: 'acceptance_criteria_unmet' })
  expect(asked.map(({ command }) => command)).toEqual(['one', 'two', 'three'])
  expect(outcomeText(outcome)).toBe('C1 fail: it holds (two: exit 1, expected 0)')
})

test('each command is held to its own outcome, where they have several', async () => {
  const twice = criterion({
    commands: ['one', 'two'],
    expectation: { op: 'exit', value: 0 },
    expectations: [
      { op: 'exit', value: 0 },
      { op: 'exit', value: 2 },
    ],
  })
  const status = async (codes: [number, number]) => {
    const { setting } = shell({ one: { code: codes[0] }, two: { code: codes[1] } })
    return (await runCriterion(twice, setting)).status
  }
  expect(await status([0, 2])).toBe('pass')
  expect(await status([0, 0])).toBe('fail')
  expect(await status([2, 2])).toBe('fail')
})

test('commands of the project have their own time, others a minute; output is capped', async () => {
  const { setting, asked } = shell()
  await runCriterion(criterion({ commands: ['{project.commands.test} 2>&1', 'node a.js'] }), setting)
  expect(asked).toEqual([
    { command: 'npm test 2>&1', timeoutMs: 600_000, outputCap: 1024 * 1024 },
    { command: 'node a.js', timeoutMs: criterionTimeoutMs, outputCap: 1024 * 1024 },
  ])
})

test('a command that the project has not is n/a; one that nobody knows is refused', async () => {
  const { setting, asked } = shell()
  expect((await runCriterion(criterion({ commands: ['{project.commands.lint}'] }), setting)).status).toBe(
    'n/a',
  )
  const unknown = await runCriterion(criterion({ commands: ['{project.commands.deploy}'] }), setting)
  expect(unknown).toMatchObject({ status: 'fail', category: 'tool_failure' })
  expect(unknown.runs[0]?.assessment).toBe('violation')
  expect(asked).toEqual([])
})

test('a refused command is not run and fails its criterion', async () => {
  const { setting, asked } = shell()
  const outcome = await runCriterion(
    criterion({ commands: ['git push'], expectation: null, kind: 'unproven' }),
    setting,
  )
  expect(outcome).toMatchObject({ status: 'fail', category: 'tool_failure' })
  expect(asked).toEqual([])
})

test('a timeout and a program that is missing are failures of the tool', async () => {
  const { setting } = shell({ slow: { timedOut: true, code: null }, gone: { missing: true, code: null } })
  const slow = await runCriterion(criterion({ commands: ['slow'] }), setting)
  expect(slow).toMatchObject({ status: 'fail', category: 'tool_failure', runs: [{ assessment: 'timeout' }] })
  const gone = await runCriterion(criterion({ commands: ['gone'] }), setting)
  expect(gone).toMatchObject({ status: 'fail', category: 'tool_failure', runs: [{ assessment: 'fail' }] })
})

test('without an expectation a command is run and decides nothing', async () => {
  const { setting, asked } = shell({ run: { code: 3 } })
  const outcome = await runCriterion(criterion({ expectation: null, kind: 'unproven' }), setting)
  expect(outcome).toMatchObject({ status: 'unproven', runs: [{ exitCode: 3 }] })
  expect(asked).toHaveLength(1)
  const words = await runCriterion(
    criterion({ commands: [], expectation: null, kind: 'behavioral' }),
    setting,
  )
  expect(words).toMatchObject({ status: 'unproven', runs: [] })
})

test('a directory of another machine is left out and told', async () => {
  const { setting, asked } = shell()
  const { runs } = await runCriterion(criterion({ commands: ['cd /Users/bob/app && npm test'] }), setting)
  expect(asked[0]?.command).toBe('npm test')
  expect(runs[0]).toMatchObject({ assessment: 'pass' })
  expect(runs[0]?.reason).toContain('/Users/bob/app is not here')
  await runCriterion(criterion({ commands: ['cd /work/app && ls'] }), setting)
  expect(asked[1]?.command).toBe('cd /work/app && ls')
})

test('what is stored is cut: 200 characters, 500 of errors', async () => {
  const { setting } = shell({ run: { stdout: 'o'.repeat(900), stderr: 'e'.repeat(900) } })
  const outcome = await runCriterion(criterion(), setting)
  expect(outcome.runs[0]?.output).toHaveLength(200)
  expect(outcome.runs[0]?.errors).toHaveLength(500)
  expect(reportsOf([outcome])[0]).toMatchObject({ criterion: 'C1', exitCode: 0, assessment: 'pass' })
})

const runAll = (criteria: readonly OrderCriterion[], setting: CommandSetting) =>
  Promise.all(criteria.map((one) => runCriterion(one, setting)))

test('n/a enters no ratio, unproven counts as not passed', async () => {
  const { setting } = shell()
  const outcomes = await runAll(
    [
      criterion(),
      criterion({ commands: ['{project.commands.lint}'] }),
      criterion({ commands: [], kind: 'unproven', expectation: null }),
    ],
    setting,
  )
  expect(passRatio(outcomes)).toBe(0.5)
  expect(passRatio([])).toBeUndefined()
})

async function triageWith(passing: number, failing: number, shortcut: 'allowed' | 'force' | 'remediation') {
  const { setting } = shell({ no: { code: 1 } })
  const criteria = [
    ...Array.from({ length: passing }, () => criterion()),
    ...Array.from({ length: failing }, () => criterion({ commands: ['no'] })),
  ]
  const outcomes = await runAll(criteria, setting)
  return triageOf({ phaseId: '2', at: '2030-01-01T00:00:00Z', source: 'plan', outcomes, shortcut })
}

test('more than 0.80 is only checked, 0.80 is not', async () => {
  expect(await triageWith(5, 1, 'allowed')).toMatchObject({
    routing_decision: 'verify_only',
    pass_ratio: 0.833,
    skipped_steps: ['research', 'plan', 'plan_check', 'execute'],
    total_criteria: 6,
    passed_criteria: 5,
  })
  expect(await triageWith(4, 1, 'allowed')).toMatchObject({
    routing_decision: 'full_pipeline',
    skipped_steps: [],
  })
})

test('force and remediation take no shortcut, and nothing to check is no shortcut', async () => {
  for (const why of ['force', 'remediation'] as const) {
    const triage = await triageWith(3, 0, why)
    expect(triage).toMatchObject({ routing_decision: 'full_pipeline', skipped_steps: [] })
    expect(triage.note).toContain(why)
  }
  expect(await triageWith(0, 0, 'allowed')).toMatchObject({
    criteria_source: 'none',
    routing_decision: 'full_pipeline',
    note: 'no verifiable criteria for triage',
  })
})

test.each([
  ['npm test\nnpm run lint', 'set -e\nnpm test\nnpm run lint'],
  ['npm test && npm run lint', 'npm test && npm run lint'],
  ['n=$(grep -c TODO a.ts)\n[ "$n" -eq 0 ]', 'n=$(grep -c TODO a.ts)\n[ "$n" -eq 0 ]'],
  ['if test -f a; then\n  ls\nfi', 'if test -f a; then\n  ls\nfi'],
])('of plain commands below each other each has to succeed: %j', async (command, ran) => {
  const { setting, asked } = shell()
  const { runs } = await runCriterion(criterion({ commands: [command] }), setting)
  expect(asked.map(({ command }) => command)).toEqual([ran])
  expect(runs[0]?.command).toBe(command)
  const counted = shell()
  await runCriterion(criterion({ commands: [command], expectation: { op: 'match' } }), counted.setting)
  expect(counted.asked[0]?.command).toBe(command)
})
