import { expect, test } from 'vitest'
import { newState } from '../../../source/workflows/playbook/state/new-state.js'
import { calibrationNote } from '../../../source/workflows/playbook/states/said-of-phase.js'

const at = '2030-01-01T00:00:00.000Z'
const base = newState({
  at,
  runId: 'run-2030-01-01-000000',
  spec: { path: 'a.md', hash: 'sha256:00' },
  roadmapPath: 'a.md',
  head: null,
  phases: ['1'],
  queue: ['1'],
  carried: {},
  flags: {},
  threshold: 9,
  skipped: [],
  confidence: 6,
})
const judged = (...verdicts: string[]) => ({
  ...base,
  _meta: {
    ...base._meta,
    deferral_history: verdicts.map((human_verdict) => ({
      phase_id: '1',
      reason: 'deferred' as const,
      autonomous_confidence: 4,
      human_verdict,
      timestamp: at,
    })),
  },
})

test('what verdicts change for the next run is told, and only that', () => {
  expect(calibrationNote(judged('pass', 'pass'))).toEqual([])
  expect(calibrationNote(judged('pass', 'pass', 'pass'))).toEqual([
    'By your verdicts a verifier decides alone from 5.5 of 10 on in the next run, not from 6.',
  ])
  expect(calibrationNote(judged('fail', 'fail', 'pass'))[0]).toContain('from 6.5 of 10')
  // Once it was moved, what it was moved from is told, and nothing is moved again.
  const details = { from: 6, to: 5.5 }
  const moved = { timestamp: at, phase: null, step: null, event: 'deferral_threshold_adjusted', details }
  expect(calibrationNote({ ...judged('pass', 'pass', 'pass'), event_log: [moved] })[0]).toContain('from 5.5')
})
