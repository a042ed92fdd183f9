import { expect, test } from 'vitest'
import {
  afterFailure,
  type FailedPhase,
  wantsMending,
} from '../../../../source/workflows/playbook/decisions/after-phase.js'

type Returned = Parameters<typeof wantsMending>[0]

const mending: [string, Partial<Returned>, number, boolean][] = [
  ['at the threshold', { alignment_score: 9 }, 9, false],
  ['just under it', { alignment_score: 8.9 }, 9, true],
  ['at the least score', { alignment_score: 7 }, 9, true],
  ['under it', { alignment_score: 6.9 }, 9, false],
  ['lenient has no room for mending', { alignment_score: 7 }, 7, false],
  ['without a score', { alignment_score: null }, 9, false],
  ['without proceed', { recommendation: 'debug' }, 9, false],
  ['waiting for a person', { status: 'needs_human_verification' }, 9, false],
  ['failed', { status: 'failed' }, 9, false],
  ['a split request', { status: 'split_request' }, 9, false],
]

test.each(mending)('mending: %s', (_, more, passThreshold, wanted) => {
  const returned: Returned = { status: 'completed', recommendation: 'proceed', alignment_score: 8, ...more }
  expect(wantsMending(returned, { passThreshold, leastScore: 7 })).toBe(wanted)
})

const failures: [string, Partial<FailedPhase>, ReturnType<typeof afterFailure>][] = [
  ['nothing depends on it', {}, 'go-on'],
  ['a later phase does', { hasDependents: true }, 'run-failed'],
  ['the same in a complete run', { hasDependents: true, isComplete: true }, 'drop-dependents'],
  ['nothing depends on it in a complete run', { isComplete: true }, 'go-on'],
  ['an earlier run has completed it', { hasDependents: true, isStanding: true }, 'go-on'],
  ['the judge says rollback', { issues: ['x', 'judge_rollback: no'] }, 'run-failed'],
  ['the judge says halt', { issues: ['judge_halt: no'] }, 'run-failed'],
  ['halt over what an earlier run did', { issues: ['judge_halt: no'], isStanding: true }, 'run-failed'],
  ['rollback in a complete run', { issues: ['judge_rollback: no'], isComplete: true }, 'go-on'],
  [
    'rollback in a complete run, with dependents',
    { issues: ['judge_rollback: no'], isComplete: true, hasDependents: true },
    'drop-dependents',
  ],
  ['halt in a complete run', { issues: ['judge_halt: no'], isComplete: true }, 'run-failed'],
]

test.each(failures)('a phase failed: %s', (_, more, next) => {
  const failed = { issues: ['x'], isComplete: false, isStanding: false, hasDependents: false, ...more }
  expect(afterFailure(failed)).toBe(next)
})
