import { describe, expect, it, test } from 'vitest'
import { batchReportText, completionText } from '../../../../source/workflows/playbook/records/completion.js'
import { diagnosticText } from '../../../../source/workflows/playbook/records/confidence-diagnostic.js'
import {
  categoriesOf,
  type MeasuredPhase,
  metricsOf,
  readMetrics,
  withMetrics,
} from '../../../../source/workflows/playbook/records/metrics.js'

const measured = (id: string, more: Partial<MeasuredPhase> = {}): MeasuredPhase => ({
  id,
  status: 'completed',
  score: 9,
  estimatedTokens: 100,
  tokensUsed: 90,
  startedAt: '2030-01-01T10:00:00Z',
  completedAt: '2030-01-01T10:04:30Z',
  debugAttempts: 1,
  replanAttempts: 0,
  wasDeferred: false,
  ...more,
})
const metrics = metricsOf({
  runId: 'run-2030-01-01-100000',
  at: '2030-01-01T12:00:00Z',
  phases: [
    measured('1'),
    measured('2', { score: 8.25 }),
    measured('3', { status: 'completed', score: 6.5 }),
    measured('4', { status: 'failed', score: null, completedAt: null, replanAttempts: 1, wasDeferred: true }),
    measured('5', { status: 'not_started', score: null }),
    measured('6', { status: 'skipped', score: null }),
  ],
  categories: ['lint_failure', 'lint_failure', 'tool_failure'],
  durationMinutes: 61.26,
  tokensUsed: 360,
})

test('figures of a run: attempted is what was begun, succeeded what is completed with at least 7.0', () => {
  expect(metrics).toMatchObject({
    phases_attempted: 4,
    phases_succeeded: 2,
    phases_failed: 1,
    phases_human_deferred: 1,
    failure_taxonomy_histogram: { lint_failure: 2, tool_failure: 1 },
    avg_alignment_score: 7.9,
    total_duration_minutes: 61.3,
    total_estimated_tokens: 400,
    total_tokens_used: 360,
    total_debug_loops: 4,
    total_replan_attempts: 1,
    success_rate: 0.5,
  })
  expect(metrics.per_phase_summary[0]).toMatchObject({
    phase_id: '1',
    duration_minutes: 4.5,
    tokens_used: 90,
  })
  expect(metrics.per_phase_summary[3]).toMatchObject({ status: 'failed', duration_minutes: 0 })
})

test('runs are appended, each once, and a file of another shape is not written over', () => {
  const first = withMetrics(undefined, metrics)
  expect(readMetrics(first)).toEqual([metrics])
  const again = withMetrics(first, { ...metrics, phases_failed: 0 })
  expect(readMetrics(again)).toHaveLength(1)
  const second = withMetrics(again, { ...metrics, run_id: 'run-2' })
  expect(readMetrics(second).map(({ run_id }) => run_id)).toEqual([metrics.run_id, 'run-2'])
  for (const broken of ['{', '{"a": 1}']) expect(withMetrics(broken, metrics)).toBeUndefined()
  expect(readMetrics('{')).toEqual([])
})

test('categories come from post-mortems, words that are none left out', () => {
  const of = (category: unknown, timestamp = '2026-02-02T00:00:00.000Z') =>
    JSON.stringify({ timestamp, root_cause: { category } })
  const since = '2026-02-01T00:00:00.000Z'
  const texts = [of('lint_failure'), of('bad luck'), 'no json', of(7)]
  expect(categoriesOf(texts, since)).toEqual(['lint_failure'])
  // A post-mortem of the run before lies beside those of this one.
  expect(categoriesOf([of('tool_failure', '2026-01-31T23:59:59.000Z'), ...texts], since)).toEqual([
    'lint_failure',
  ])
})

const phase = (id: string, status = 'completed', note = '') => ({
  id,
  name: `Phase | ${id}`,
  status,
  score: status === 'completed' ? 9 : null,
  minutes: 4.5,
  note,
})

describe('completion report', () => {
  const facts = {
    runId: metrics.run_id,
    at: metrics.timestamp,
    phases: [phase('1'), phase('2', 'failed', 'it broke')],
    integration: { pass: false, issues: ['1 and 2 differ'], commands_run: ['npm test -> ok'] },
    audit: {
      requirements: 4,
      gaps: [{ requirement: 'REQ-4', description: 'missing', files: ['a.ts'], lines: 30 }],
      fixed: ['REQ-3'],
      rounds: 2,
    },
    metrics,
    earlier: [],
    deferrals: [{ phase: '3', task: '03-02', verdict: null }],
  }

  it('has a table, integration, audit, figures and deferrals; no trend in the first run', () => {
    const text = completionText(facts)
    expect(text).toContain('| 1 | Phase \\| 1 | completed | 9.0/10 | 4m 30s |  |')
    expect(text).toContain('## Integration\n\n**Result:** FAIL\n\n- 1 and 2 differ')
    expect(text).toContain(
      '## Self-Audit Results\n\n**Requirements:** 4, **gaps left:** 1, **gaps closed:** 1',
    )
    expect(text).toContain('- closed: REQ-3')
    expect(text).toContain('Phase 3, task 03-02: no verdict yet')
    expect(text).not.toContain('Trend Analysis')
  })

  it('compares from the second run on', () => {
    const text = completionText({
      ...facts,
      earlier: [{ ...metrics, success_rate: 0.25, avg_alignment_score: null }],
    })
    expect(text).toContain('## Trend Analysis')
    expect(text).toContain('Success rate: 0.25 -> 0.5 (+0.25)')
    expect(text).toContain('Average score: not comparable')
    expect(text).toContain('lint_failure 4')
  })

  it('says what was not done', () => {
    const text = completionText({ ...facts, integration: undefined, audit: undefined })
    expect(text).toContain('Not checked.')
    expect(text).toContain('Not audited.')
  })
})

test('the report of all outstanding phases says what was attempted, skipped, missing and next', () => {
  const text = batchReportText({
    runId: 'run-1',
    at: metrics.timestamp,
    attempted: [phase('1'), phase('2', 'failed', 'it broke')],
    skipped: [{ id: '3', name: 'Three', reason: 'blocked_by_phase_2' }],
    gaps: [{ id: '3', needs: ['2'] }],
    command: 'autopilot .planning 2,3',
  })
  for (const heading of ['Phases Attempted', 'Phases Skipped', 'Dependency Gaps', 'Summary', 'Next Steps'])
    expect(text).toContain(`## ${heading}\n`)
  expect(text).toContain('- Phase 3 (Three): blocked_by_phase_2')
  expect(text).toContain('- Completed: 1 of 2 attempted, skipped: 1')
  expect(text).toContain('- Look at phase 2: it broke\n- Run what is left: `autopilot .planning 2,3`')
})

test('a confidence diagnostic has its eight parts', () => {
  const text = diagnosticText({
    phase: { id: '2', name: 'Rules' },
    score: 8.4,
    threshold: 9,
    status: { kind: 'remediated', to: 8.4 },
    concerns: ['names'],
    criteria: [
      { criterion: 'C1', score: 9.5, justification: '' },
      { criterion: 'C2', score: 7.3, justification: 'edge missing' },
    ],
    checks: { compile: true, lint: false, build: 'n/a', test: null },
    cycles: [
      { cycle: 1, before: 8, after: null },
      { cycle: 2, before: 8, after: 8.4 },
    ],
  })
  expect(text).toContain('**Score:** 8.4/10\n**Threshold:** 9.0\n**Status:** remediated_to_8.4')
  expect(text).toContain('## Judge Concerns\n\n- names')
  expect(text).toContain('- compile: PASS\n- lint: FAIL\n- build: n/a\n- test: n/a')
  expect(text).toContain('## Path to 9/10\n\n- make lint pass\n- C2: from 7.3 to 9.0 (edge missing)\n\n')
  expect(text).toContain('- Cycle 1: 8.0 -> failed\n- Cycle 2: 8.0 -> 8.4')
  expect(text).toContain('## Acceptance Criteria Status\n\n- C1: 9.5\n')
})
