import { expect, test } from 'vitest'
import {
  failureEntry,
  verdictEntry,
  withLearning,
} from '../../../../source/workflows/playbook/records/learnings.js'
import { postMortemOf, postMortemText } from '../../../../source/workflows/playbook/records/post-mortem.js'

const at = '2030-01-01T12:00:00Z'
const span = (minute: number, status: 'success' | 'failure', step = 'execute') => ({
  timestamp: `2030-01-01T10:${String(minute).padStart(2, '0')}:00Z`,
  phase_id: '2',
  step,
  action: 'command_run' as const,
  input_summary: `run ${minute}`,
  output_summary: status,
  duration_ms: 1,
  status,
})
const facts = {
  phase: { id: '2', name: 'Rules' },
  at,
  failures: [
    {
      at: '2030-01-01T11:00:00Z',
      step: 'verify',
      failure: 'C2 does not hold',
      category: 'acceptance_criteria_unmet' as const,
    },
    {
      at: '2030-01-01T10:30:00Z',
      step: 'execute',
      failure: 'a.ts does not\n compile',
      category: 'compilation_failure' as const,
    },
  ],
  issues: ['x'],
  spans: [
    ...Array.from({ length: 30 }, (_, minute) => span(minute, 'success')),
    span(30, 'failure'),
    span(31, 'success', 'phase_runner'),
  ],
  events: [
    { timestamp: '2030-01-01T11:00:00Z', step: 'verify', event: 'C2 failed', status: 'failure' as const },
  ],
  evidence: { commands_run: ['a', 'a', 'b'], files_checked: ['src/a.ts:1'] },
  fixes: [
    { attempt: 1, description: 'added a type', commit_sha: '4be1c09', resolved: [], remaining: ['C2'] },
  ],
}

test('the earliest failure is the cause, and the rule says what failed, what to do and what did not help', () => {
  const { root_cause, prevention_rule } = postMortemOf(facts)
  expect(root_cause).toEqual({
    category: 'compilation_failure',
    description: 'a.ts does not\n compile',
    first_observed_at: '2030-01-01T10:30:00Z',
    step: 'execute',
  })
  expect(prevention_rule).toContain('a.ts does not compile')
  expect(prevention_rule).toContain('compile after each file')
  expect(prevention_rule).toContain('added a type')
})

test('the timeline has at most 20 entries in the order of time, failures and decisions among them', () => {
  const { timeline } = postMortemOf(facts)
  expect(timeline).toHaveLength(20)
  expect(timeline.map(({ timestamp }) => timestamp)).toEqual(
    [...timeline.map(({ timestamp }) => timestamp)].sort(),
  )
  expect(timeline.filter(({ status }) => status === 'failure')).toHaveLength(2)
  expect(timeline.some(({ step }) => step === 'phase_runner')).toBe(true)
})

test('a failure that nobody saw has a cause all the same, and nothing is told twice', () => {
  const { root_cause, evidence, attempted_fixes, status } = postMortemOf({ ...facts, failures: [] })
  expect(root_cause).toMatchObject({
    category: 'coordination_failure',
    description: 'x',
    first_observed_at: at,
  })
  expect(evidence).toEqual({ commands_run: ['a', 'b'], files_checked: ['src/a.ts:1'] })
  expect([attempted_fixes.length, status]).toEqual([1, 'failed'])
  expect(JSON.parse(postMortemText(postMortemOf(facts)))).toEqual(postMortemOf(facts))
})

test('learnings begin with their title and hold each entry once, in its form', () => {
  const phase = { id: '2', name: 'Rules' }
  const failure = failureEntry(phase, 'lint_failure', 'Lint\nfirst.', at)
  expect(failure).toBe(
    [
      '### Phase 2 failure -- lint_failure',
      '**Prevention rule:** Lint first.',
      `**Context:** Phase 2 (Rules) failed with category \`lint_failure\`. Recorded: ${at}.`,
    ].join('\n'),
  )
  const once = withLearning(undefined, failure)
  expect(once).toBe(`# Learnings (current run)\n\n${failure}\n`)
  expect(withLearning(once, failure)).toBe(once)
  const pass = verdictEntry(phase, 'pass', [])
  expect(pass).toContain('### Human Verdict: Phase 2 -- PASS (confidence calibration)')
  expect(withLearning(once, pass)).toBe(`${once}\n${pass}\n`)
  const issues = verdictEntry(phase, 'issues_found', ['too small', 'too\nslow'])
  expect(issues).toContain('-- ISSUES_FOUND (confidence calibration)')
  expect(issues).toContain('Human found issues: too small; too slow.')
})
