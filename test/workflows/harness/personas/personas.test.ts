import { describe, expect, it } from 'vitest'
import { fenced } from '../../../../source/agents/quote.js'
import { repairPrompt } from '../../../../source/agents/repair-prompt.js'
import { lastJsonBlock } from '../../../../source/agents/result.js'
import { resumePrompt } from '../../../../source/agents/resume-prompt.js'
import {
  codeReviewerPrompt,
  type FinalReviewFields,
  finalReviewPrompt,
  type ReviewerFields,
} from '../../../../source/workflows/harness/personas/code-reviewer.js'
import { type PlannerFields, plannerPrompt } from '../../../../source/workflows/harness/personas/planner.js'
import {
  type ExecutorFields,
  finalFixPrompt,
  type RetryOrder,
  taskExecutorPrompt,
} from '../../../../source/workflows/harness/personas/task-executor.js'
import {
  type VerifierFields,
  verifierPrompt,
} from '../../../../source/workflows/harness/personas/verifier.js'
import { resultSchemaJson } from '../../../../source/workflows/harness/results.js'

const session = {
  projectDir: '/home/ada/mail',
  sessionDir: '.harness/sessions/changes--mail-rules--proposal',
  slug: 'changes--mail-rules--proposal',
  specPath: 'docs/changes/mail-rules/proposal.md',
  rigor: 'standard',
} as const
const phase = { number: 2, label: '2', name: 'Rule engine', total: 3 }
const scratchpadDir = `${session.sessionDir}/scratchpad/phase-2-Rule-engine`

const planner: PlannerFields = {
  ...session,
  phase,
  phaseDescription: 'Rules run in order.\n\n```js\nrun(rules)\n```',
  phases: [
    { number: 1, label: '1', name: 'Rule parser', status: 'complete' },
    { number: 2, label: '2', name: 'Rule engine', status: 'in-progress' },
    { number: 3, label: '3', name: 'Screens', status: 'pending' },
  ],
  planPath: 'docs/plans/2030-04-02-rule-engine-plan.md',
  date: '2030-04-02',
  scratchpadDir,
}
const executor: ExecutorFields = {
  ...session,
  phase,
  planPath: planner.planPath,
  statePath: `${session.sessionDir}/state.json`,
  tasks: [
    { id: 'Task 1', title: 'Types', status: 'complete' },
    { id: 'Task 2', title: 'Loop', status: 'pending' },
  ],
  scratchpadDir,
}
const retry: RetryOrder = {
  task: 'Task 2',
  attempt: 1,
  maxAttempts: 3,
  earlier: [{ error: '2 tests\nred', fix: 'null check' }],
  errorOutput: 'TypeError: x is undefined',
  relatedFiles: ['src/rules.ts'],
  similarLearnings: ['Dates are locale-bound'],
  testOutput: '1 of 4 failed',
  imports: ['src/rules.ts imports ./parse.js'],
  planText: '### Task 2: Loop\n\n1. Run each rule once.',
}
const verifier: VerifierFields = {
  ...session,
  phase,
  planPath: planner.planPath,
  startCommit: '4be1c09',
  scratchpadDir,
}
const reviewer: ReviewerFields = {
  ...session,
  phase,
  planPath: planner.planPath,
  startCommit: '4be1c09',
  verification: { result: 'pass' },
}
const final: FinalReviewFields = {
  ...session,
  startingCommit: '11c09ab',
  phases: planner.phases.map((each) => ({ ...each, status: each.number === 3 ? 'skipped' : 'complete' })),
  earlier: [{ phase: '1', severity: 'warning', file: 'src/rules.ts', title: 'Unbounded loop' }],
}
const findings = [
  {
    severity: 'blocking',
    file: 'src/rules.ts',
    line: [12, 15] as const,
    title: 'Loses the last rule',
    rationale: 'Off by\none.',
  },
  { title: 'No test for an empty list' },
]

describe('the whole page of each persona, at standard rigor', () => {
  it('planner', () => expect(plannerPrompt(planner)).toMatchSnapshot())
  it('executor', () => expect(taskExecutorPrompt(executor)).toMatchSnapshot())
  it('verifier', () => expect(verifierPrompt(verifier)).toMatchSnapshot())
  it('reviewer', () => expect(codeReviewerPrompt(reviewer)).toMatchSnapshot())
  it('final reviewer', () => expect(finalReviewPrompt(final)).toMatchSnapshot())
  it('final fixer', () =>
    expect(
      finalFixPrompt({ ...session, statePath: executor.statePath, findings, cycle: 2, maxCycles: 3 }),
    ).toMatchSnapshot())
  it('repair', () =>
    expect(repairPrompt('verdict: Invalid option', resultSchemaJson('verification'))).toMatchSnapshot())
  it('resume', () => expect(resumePrompt()).toMatchSnapshot())
})

const everyPage = (rigor: 'fast' | 'standard' | 'thorough', more: object = {}) => [
  plannerPrompt({ ...planner, ...more, rigor }),
  taskExecutorPrompt({ ...executor, ...more, rigor }),
  verifierPrompt({ ...verifier, ...more, rigor }),
  codeReviewerPrompt({ ...reviewer, ...more, rigor }),
  finalReviewPrompt({ ...final, ...more, rigor }),
  finalFixPrompt({ ...session, statePath: 's', findings, cycle: 1, maxCycles: 3, ...more, rigor }),
]

describe('what every page says', () => {
  it.each(['fast', 'standard', 'thorough'] as const)('at rigor %s', (rigor) => {
    for (const page of everyPage(rigor)) {
      expect(page).toContain(`- Rigor level: ${rigor}`)
      expect(page).toContain('gather_context({ path: "/home/ada/mail"')
      expect(page).toContain('Ask nothing and wait for nothing')
      expect(page).toContain('asks for a sign-off')
      expect(page).toContain('Never stage or commit anything under `.harness/sessions`')
      expect(page).toContain('/handoff.json`')
      expect(page).toContain('one fenced block marked `json`')
      expect(page).not.toMatch(/undefined|\[object|\n{3,}/)
    }
  })

  it('tells of a broken off run and passes a note on, only when there is one', () => {
    for (const page of everyPage('standard')) expect(page).not.toMatch(/not the first|note from the person/)
    for (const page of everyPage('standard', { interrupted: true, note: 'Use tabs.' })) {
      expect(page).toContain('You are not the first')
      expect(page).toContain('```text\nUse tabs.\n```')
    }
  })
})

describe('planner', () => {
  it('fast: no outline, no scratchpad', () => {
    const page = plannerPrompt({ ...planner, rigor: 'fast' })
    expect(page).toContain('No outline.')
    expect(page).not.toContain('## Scratchpad')
  })

  it('thorough: an outline first, then its expansion', () => {
    const first = plannerPrompt({ ...planner, rigor: 'thorough' })
    expect(first).toContain('write the outline only')
    expect(first).toContain('"skeleton"')
    expect(first).toContain('Write all research, reasoning and intermediate output')
    const second = plannerPrompt({ ...planner, rigor: 'thorough', approvedSkeleton: '1. Types\n2. Loop' })
    expect(second).toContain('This outline was approved')
    expect(second).toContain('1. Types\n2. Loop')
    expect(second).not.toContain('"skeleton"')
  })

  it('is told what to change, with what it wrote', () => {
    const page = plannerPrompt({ ...planner, revision: { note: 'Fewer tasks.', previous: '1. Types' } })
    expect(page).toContain('```text\nFewer tasks.\n```')
    expect(page).toContain('```markdown\n1. Types\n```')
  })
})

describe('executor', () => {
  it.each([
    ['bare', '1', '2'],
    ['named', 'Task 1', 'Task 2'],
    ['small', 'task 1', 'task 2'],
  ])('the executor calls tasks by one name, whatever their ids: %s', (_, first, second) => {
    const given: ExecutorFields = {
      ...executor,
      tasks: [
        { id: first, title: 'Types', status: 'complete' },
        { id: second, title: 'Loop', status: 'pending' },
      ],
      startTask: second,
      checkpointAnswer: { type: 'decision', task: second, answer: 'SQLite' },
    }
    expect(taskExecutorPrompt(given)).toBe(
      taskExecutorPrompt({
        ...executor,
        startTask: 'Task 2',
        checkpointAnswer: { type: 'decision', task: 'Task 2', answer: 'SQLite' },
      }),
    )
    const page = taskExecutorPrompt({ ...given, retry: { ...retry, task: second } })
    expect(page).toContain('## The work: Task 2, attempt 1 of 3\n\nTask 2 failed.')
    expect(page).toContain('and its id: `Task 1`, `Task 2`.')
    expect(taskExecutorPrompt(given)).toContain('- Task 1: Types (complete)\n- Task 2: Loop (pending)')
  })

  it('begins where it is told to', () => {
    expect(taskExecutorPrompt({ ...executor, startTask: 'Task 2' })).toContain('beginning with Task 2')
  })

  it.each([
    ['human-verify', 'Go on behind the checkpoint.'],
    ['decision', 'Carry out what was chosen.'],
    ['human-action', 'check that it took effect'],
  ])('is given the answer to a %s checkpoint', (type, next) => {
    const page = taskExecutorPrompt({
      ...executor,
      checkpointAnswer: { type, task: 'Task 2', answer: 'SQLite', note: 'for now' },
    })
    expect(page).toContain(`You stopped in Task 2 at a \`${type}\` checkpoint`)
    expect(page).toContain('```text\nSQLite\n```')
    expect(page).toContain('```text\nfor now\n```')
    expect(page).toContain(next)
  })

  it.each([
    [1, ['TypeError'], ['src/rules.ts', 'locale-bound', '1 of 4 failed', './parse.js', 'Run each rule once']],
    [2, ['TypeError', 'src/rules.ts', 'locale-bound'], ['1 of 4 failed', './parse.js', 'Run each rule once']],
    [
      3,
      ['TypeError', 'src/rules.ts', 'locale-bound', '1 of 4 failed', './parse.js', 'Run each rule once'],
      [],
    ],
  ])('attempt %i: the context grows', (attempt, shown, hidden) => {
    const page = taskExecutorPrompt({ ...executor, retry: { ...retry, attempt } })
    expect(page).toContain(`Task 2, attempt ${attempt} of 3`)
    expect(page).toContain('1. Error: 2 tests red. Tried: null check')
    for (const text of shown) expect(page).toContain(text)
    for (const text of hidden) expect(page).not.toContain(text)
  })

  it.each(['verification', 'review', 'checkpoint'] as const)('mends what a %s found', (source) => {
    const page = taskExecutorPrompt({ ...executor, fixes: { source, findings } })
    expect(page).toContain(
      '1. Loses the last rule (src/rules.ts:12-15)\n   Off by one.\n2. No test for an empty list',
    )
    expect(page).not.toContain("Carry out the plan's open tasks")
  })
})

describe('verifier and reviewer', () => {
  it('thorough verification checks more', () => {
    expect(verifierPrompt(verifier)).not.toContain('Expanded checks')
    expect(verifierPrompt({ ...verifier, rigor: 'thorough' })).toContain('Expanded checks')
  })

  it('says when the first commit is not known', () => {
    expect(verifierPrompt({ ...verifier, startCommit: undefined })).toContain('not recorded')
  })

  it.each([
    [{ result: 'skipped' as const }, 'verification of this phase was skipped'],
    [{ result: 'fail' as const, gaps: ['no test'] }, 'did not pass, and it was decided to go on'],
  ])('the reviewer is warned: %o', (verification, warning) => {
    const page = codeReviewerPrompt({ ...reviewer, verification })
    expect(page).toContain(warning)
    if ('gaps' in verification) expect(page).toContain('- no test')
  })

  it('the final reviewer is not told that there is nothing when nothing was recorded', () => {
    expect(finalReviewPrompt({ ...final, earlier: [] })).toContain('None were recorded')
  })
})

describe('quoted text', () => {
  it('cannot close its fence, and a long one loses its middle', () => {
    expect(fenced('a\n```\nb')).toBe('````\na\n```\nb\n````')
    const long = fenced(`${'a'.repeat(10_000)}MIDDLE${'b'.repeat(10_000)}`)
    expect(long).toContain('[... 8006 characters left out ...]')
    expect(long).not.toContain('MIDDLE')
  })
})

it('a program that only echoes its prompt hands back no result', () => {
  for (const rigor of ['standard', 'thorough'] as const) {
    for (const page of everyPage(rigor)) expect(lastJsonBlock(page)).toBeUndefined()
  }
})
