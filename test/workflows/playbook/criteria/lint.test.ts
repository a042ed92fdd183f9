import { describe, expect, it, test } from 'vitest'
import type { PlaybookPlan, PlaybookTask } from '../../../../source/documents/playbook-plan.js'
import {
  afterPlanChecks,
  type LintFacts,
  lintPlans,
} from '../../../../source/workflows/playbook/criteria/lint.js'

const criterion = (more: object = {}) => ({
  text: 'it holds',
  commands: ['npm test'],
  kind: 'execution' as const,
  expectation: { op: 'exit' as const, value: 0 },
  ...more,
})
const task = (id: string, more: Partial<PlaybookTask> = {}): PlaybookTask => ({
  id,
  title: 'Do it',
  type: 'auto',
  complexity: 'simple',
  files: ['src/a.ts'],
  notes: [],
  line: 1,
  endLine: 5,
  criteria: [criterion()],
  tdd: false,
  gate: '',
  action: 'do',
  done: 'done',
  options: [],
  missing: [],
  wave: 1,
  ...more,
})
const plan = (tasks: PlaybookTask[], header: Partial<PlaybookPlan['header']> = {}): PlaybookPlan => ({
  header: {
    phase: undefined,
    plan: undefined,
    wave: undefined,
    dependsOn: [],
    filesModified: [],
    requirements: [],
    ...header,
  },
  tasks,
  criteria: [],
  waves: [],
  warnings: [],
})
const facts = (plans: PlaybookPlan[], more: Partial<LintFacts> = {}, texts: string[] = []): LintFacts => ({
  plans: plans.map((each, at) => ({ id: `0${at + 1}`, plan: each, text: texts[at] ?? '' })),
  requirements: [],
  phaseType: 'mixed',
  commands: { compile: 'npx tsc', lint: null, build: null, test: 'npm test' },
  testSpecs: new Set(),
  isForeign: false,
  ...more,
})
const found = (given: LintFacts) =>
  lintPlans(given).map(({ severity, description }) => `${severity}: ${description}`)

test('a good plan has no issues', () => {
  expect(found(facts([plan([task('02-01'), task('02-02')])]))).toEqual([])
})

describe('blockers', () => {
  it('a criterion whose command changes the work, as a warning in a plan of others', () => {
    const of = (command: string, more = {}) =>
      found(facts([plan([task('02-01', { criteria: [criterion({ commands: [command] })] })])], more))
    for (const command of [
      'echo x > src/a.ts && npm test',
      'rm -rf src && npm test',
      'npm test | tee out.txt',
    ])
      expect(of(command)).toEqual([
        expect.stringMatching(
          /^blocker: Task 02-01 has a criterion whose command changes the work: it holds/,
        ),
      ])
    expect(of('rm src/a.ts', { isForeign: true })).toEqual([expect.stringMatching(/^warning: /)])
    for (const command of ['rm -rf dist && npm run build', 'npm test > test.log', 'npm test 2> /dev/null'])
      expect(of(command)).toEqual([])
  })

  it('a plan without a task', () => {
    expect(found(facts([plan([])]))).toEqual(['blocker: Plan 01 has no task that can be read.'])
  })

  it('a requirement that no task meets; a table row, a task or the front matter does', () => {
    const requirements = ['REQ-1: login', 'REQ-12: logout', 'be fast']
    const of = (text: string, header = {}) =>
      found(facts([plan([task('02-01')], header)], { requirements }, [text]))
    expect(of('nothing')).toEqual([
      'blocker: No task meets requirement REQ-1.',
      'blocker: No task meets requirement REQ-12.',
    ])
    expect(of('REQ-1 and REQ-12 in the first task')).toEqual([])
    expect(of(`${'\n'.repeat(9)}| REQ-1 | 02-01 |\n| REQ-12 | later |`)).toEqual([
      'blocker: No task meets requirement REQ-12.',
    ])
    expect(of('', { requirements: ['REQ-1', 'REQ-12'] })).toEqual([])
  })

  it('a missing field', () => {
    expect(found(facts([plan([task('02-01', { missing: ['files', 'done'] })])]))).toEqual([
      'blocker: Task 02-01 has no files, no done.',
    ])
  })

  it('a dependency that is not there, and one that goes in a circle', () => {
    const missing = facts([plan([task('1')], { dependsOn: ['07'] })])
    expect(found(missing)).toEqual(['blocker: Plan 01: it waits for plan 07, which is not there.'])
    const circle = facts([plan([task('1')], { dependsOn: ['02'] }), plan([task('2')], { dependsOn: ['1'] })])
    expect(found(circle)).toEqual(['blocker: Plan 01: plans wait for each other: 01 -> 02 -> 01.'])
  })

  it.each([
    ['cd app && true', true],
    ['cd app; echo done', true],
    ['set -e; cd app && printf ok', true],
    ['cd app', false],
    ['cd app && npm test', false],
    ['cd app && test -f a.txt', false],
    ['cd app && node check.mjs || true', true],
  ])('a command that passes whatever is done, behind a directory: %s %j', (command, isIdle) => {
    const lines = found(facts([plan([task('02-01', { criteria: [criterion({ commands: [command] })] })])]))
    expect(lines.some((line) => line.includes('passes whatever is done'))).toBe(isIdle)
  })

  it.each([
    'should work',
    'properly handles errors',
    'is correct',
    'works as expected',
    'functions correctly',
    'is implemented',
  ])('a criterion without a command: it %s', (words) => {
    const bare = criterion({ text: `It ${words}`, commands: [], kind: 'unproven', expectation: null })
    expect(found(facts([plan([task('02-01', { criteria: [criterion(), bare] })])]))).toEqual([
      `blocker: Task 02-01 has a criterion that no command shows, in words that show nothing: It ${words}`,
    ])
  })

  it('only searches, unless there is a test specification', () => {
    const structural = plan([task('02-01', { criteria: [criterion({ kind: 'structural' })] })])
    expect(found(facts([structural]))).toContain(
      'blocker: Task 02-01 is shown by looking at files only, and has no test specification.',
    )
    expect(found(facts([structural], { testSpecs: new Set(['02-01']) }))).toEqual([
      'info: Task 02-01 runs none of the commands of the project.',
    ])
  })
})

describe('warnings', () => {
  it('what a person clicks without a criterion that follows it, in a phase with screens', () => {
    const clicks = task('02-01', { files: ['src/Panel.tsx'], action: 'Add an onClick handler' })
    expect(found(facts([plan([clicks])]))).toEqual([
      'warning: Task 02-01 changes what a person does with the screen and has no criterion that follows it through.',
    ])
    expect(found(facts([plan([clicks])], { phaseType: 'data' }))).toEqual([])
    const followed = { ...clicks, criteria: [criterion(), criterion({ kind: 'behavioral', commands: [] })] }
    expect(found(facts([plan([followed])]))).toEqual([])
  })

  it('no complexity', () => {
    expect(found(facts([plan([task('02-01', { missing: ['complexity'] })])]))).toEqual([
      'warning: Task 02-01 says no complexity; it counts as medium.',
    ])
  })

  it('in a plan of somebody else what is left out blocks nothing', () => {
    const bare = task('02-01', {
      missing: ['files'],
      criteria: [criterion({ commands: [], kind: 'unproven', text: 'works as expected' })],
    })
    const issues = lintPlans(facts([plan([bare])], { isForeign: true }))
    expect(issues.length).toBeGreaterThan(1)
    expect(issues.filter(({ severity }) => severity === 'blocker')).toEqual([])
  })

  it('a task for a person needs neither commands nor files', () => {
    expect(
      found(facts([plan([task('02-01', { type: 'human-verify', missing: ['files'], criteria: [] })])])),
    ).toEqual([])
  })
})

describe('after a check', () => {
  const blocker = (description: string) => ({
    plan: '01',
    dimension: 'x',
    severity: 'blocker' as const,
    description,
    fix_hint: '',
  })
  const check = (pass: boolean, confidence: number, ...blockers: string[]) => ({
    pass,
    confidence,
    issues: blockers.map(blocker),
  })

  it('passes with pass, no blocker and confidence 7', () => {
    expect(afterPlanChecks([check(true, 7)])).toBe('passed')
    expect(afterPlanChecks([check(true, 6.9)])).toBe('plan-again')
    expect(afterPlanChecks([check(true, 9, 'a')])).toBe('plan-again')
    expect(afterPlanChecks([check(false, 9)])).toBe('plan-again')
  })

  it('is exhausted after three, and earlier when the blockers are the same', () => {
    expect(afterPlanChecks([check(false, 5, 'a'), check(false, 5, 'b')])).toBe('plan-again')
    expect(afterPlanChecks([check(false, 5, 'a'), check(false, 5, 'b'), check(false, 5, 'c')])).toBe(
      'exhausted',
    )
    expect(afterPlanChecks([check(false, 5, 'a', 'b'), check(false, 5, 'b', 'A ')])).toBe('exhausted')
    expect(afterPlanChecks([check(true, 5), check(true, 5)])).toBe('plan-again')
  })
})
