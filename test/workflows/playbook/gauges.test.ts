import { expect, test } from 'vitest'
import { usualLimits } from '../../../source/workflows/playbook/breaker/limits.js'
import { runFacts } from '../../../source/workflows/playbook/gauges.js'
import { playbookReading, recordedWeak } from '../../../source/workflows/playbook/reading.js'
import { phaseOf, withPhase, withStep } from '../../../source/workflows/playbook/state/phases.js'
import { type PlaybookState, stateSchema } from '../../../source/workflows/playbook/state/schema.js'
import { stepViews } from '../../../source/workflows/playbook/view.js'

// What the screen is told of a state: gauges, and what can be read.

const at = '2026-01-02T03:04:05.000Z'
const started = stateSchema.parse({
  _meta: {
    run_id: 'run-2026-01-02-030405',
    started_at: at,
    last_checkpoint: at,
    status: 'running',
    total_phases: 1,
    current_phase: '1',
    current_step: 'rate',
    autonomous_resolution_rate: null,
  },
  spec: { path: '.planning/REQUIREMENTS.md', hash: 'sha256:0', locked_at: at },
  roadmap_path: '.planning/ROADMAP.md',
  phases: { phase_1: {} },
})

const texts = (state: PlaybookState) =>
  runFacts(state, usualLimits).map(({ text, tone }) => `${text} ${tone}`)

test('a gauge is told with its bound once it moves, tokens from half of their budget on', () => {
  expect(texts(started)).toEqual(['threshold 9.0 plain'])
  const used = withPhase(
    {
      ...started,
      _meta: { ...started._meta, total_retries: 8 },
      circuit_breaker: { ...started.circuit_breaker, state: 'half_open', consecutive_no_progress: 2 },
    },
    '1',
    (phase) => ({ ...phase, tokens_used: 250_000 }),
  )
  expect(texts(used)).toEqual([
    'threshold 9.0 plain',
    'breaker half open warn',
    'no progress 2/3 plain',
    'retries 8/10 warn',
    'phase 1 tokens 50% of budget plain',
  ])
})

test('a gauge is never beyond its bound: a probe that failed counts one more round', () => {
  const probed = {
    ...started,
    circuit_breaker: {
      ...started.circuit_breaker,
      state: 'open' as const,
      consecutive_no_progress: 4,
      consecutive_same_error: 6,
    },
  }
  expect(texts(probed).slice(2)).toEqual(['no progress 3/3 warn', 'same error 5/5 warn'])
})

test('scorecard, report and log can be read once they are there; weak criteria and concerns are findings', () => {
  const none = playbookReading(started, ['1'], '1')
  expect(none.documents?.map(({ id }) => id)).toEqual(['roadmap', 'spec'])
  expect(none.findings).toBeUndefined()
  const row = { id: 'c1', criterion: 'it holds', evidence: 'src/a.ts:3', justification: 'odd values' }
  const card = { band: 'good' as const, missing: [], unplaced: [], warnings: [], score: 8 }
  const weak = recordedWeak(
    {
      ...card,
      rows: [
        { ...row, score: 9.2 },
        { ...row, score: 6.8 },
      ],
    },
    9,
  )
  const seen = withPhase(started, '1', (phase) => {
    const rated = withStep(phase, 'rate', { status: 'completed', weak })
    const judged = withStep(rated, 'judge', { status: 'pass', concerns: ['few tests, see src/b.ts:7'] })
    const tasks = {
      '01-01': { status: 'completed', commit: 'abc', retries: 0, badges: ['shown', 'verified'] },
    }
    return {
      ...withStep(judged, 'execute', { tasks }),
      dir: '.planning/phases/01-a',
      base_sha: 'abc',
      started_at: at,
    }
  })
  const reading = playbookReading(seen, ['1'], '1')
  expect(reading.documents?.map(({ path, since }) => path ?? since)).toEqual([
    '.planning/phases/01-a/SCORECARD.md',
    '.planning/phases/01-a/JUDGE-REPORT.md',
    '.planning/phases/01-a/VERIFICATION.md',
    '.planning/phases/01-a/EXECUTION-LOG.md',
    'abc',
    '.planning/ROADMAP.md',
    '.planning/REQUIREMENTS.md',
  ])
  expect(reading.findings).toEqual([
    {
      phase: '1',
      severity: '6.8/10',
      tone: 'bad',
      file: 'src/a.ts',
      line: '3',
      title: 'it holds',
      rationale: 'odd values',
    },
    {
      phase: '1',
      severity: 'concern',
      tone: 'plain',
      file: 'src/b.ts',
      line: '7',
      title: 'few tests, see src/b.ts:7',
    },
  ])
  expect(reading.work?.at(-1)).toMatchObject({
    task: '01-01',
    facts: [{ text: 'shown' }, { text: 'verified' }],
  })
})

test('what the run has changed is what it has changed since its first phase, in whichever phase it is', () => {
  const minutes: Record<string, string> = { '1': '00', '2': '30' }
  const begun = (state: PlaybookState, id: string, base: string) =>
    withPhase(state, id, (phase) => ({
      ...phase,
      dir: `.planning/phases/0${id}-a`,
      base_sha: base,
      started_at: `2026-01-02T03:${minutes[id]}:00.000Z`,
    }))
  const sinceIn = (state: PlaybookState, current: string | undefined) =>
    playbookReading(state, ['1', '2'], current).documents?.flatMap(({ since }) => since ?? [])
  const first = begun(started, '1', 'aaa')
  expect(sinceIn(first, '1')).toEqual(['aaa'])
  expect(sinceIn(begun(first, '2', 'bbb'), '2')).toEqual(['bbb', 'aaa'])
  expect(sinceIn(begun(first, '2', 'bbb'), undefined)).toEqual(['aaa'])
})

test('steps behind the one at work are open again, though they were done before the phase was taken up again', () => {
  const again = withPhase(started, '1', (phase) => {
    const rated = withStep(withStep(phase, 'rate', { status: 'completed' }), 'judge', { status: 'pass' })
    const verified = withStep(withStep(rated, 'verify', { status: 'running' }), 'research', {
      status: 'skipped',
    })
    return withStep(verified, 'execute', { status: 'completed' })
  })
  const marks = Object.fromEntries(
    stepViews(phaseOf(again, '1'), 'verify').map(({ id, status }) => [id, status]),
  )
  expect(marks).toMatchObject({
    research: 'skipped',
    execute: 'done',
    verify: 'current',
    judge: 'todo',
    rate: 'todo',
  })
})
