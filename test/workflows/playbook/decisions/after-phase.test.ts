import { describe, expect, it } from 'vitest'
import {
  afterPhase,
  type ReturnedPhase,
  type RunMode,
} from '../../../../source/workflows/playbook/decisions/after-phase.js'

const returned = (more: Partial<ReturnedPhase> = {}): ReturnedPhase => ({
  status: 'completed',
  recommendation: 'proceed',
  alignment_score: 9.2,
  issues: [],
  ...more,
})
const mode = (more: Partial<RunMode> = {}): RunMode => ({
  passThreshold: 9,
  leastScore: 7,
  isComplete: false,
  hasDependents: false,
  ...more,
})

describe('each row of the table', () => {
  it('at the threshold: pass', () => {
    expect(afterPhase(returned({ alignment_score: 9 }), mode())).toEqual({ next: 'pass' })
  })
  it('between 7.0 and the threshold: remediate', () => {
    expect(afterPhase(returned({ alignment_score: 8.9 }), mode())).toEqual({ next: 'remediate' })
    expect(afterPhase(returned({ alignment_score: 7 }), mode())).toEqual({ next: 'remediate' })
  })
  it('lenient has no room for mending', () => {
    expect(afterPhase(returned({ alignment_score: 7 }), mode({ passThreshold: 7 }))).toEqual({ next: 'pass' })
  })
  it('needs a person: revisit at the end', () => {
    const left = returned({ status: 'needs_human_verification', alignment_score: null })
    expect(afterPhase(left, mode())).toEqual({ next: 'revisit-at-end' })
  })
  it('split', () => {
    expect(afterPhase(returned({ status: 'split_request', alignment_score: null }), mode())).toEqual({
      next: 'split',
    })
  })
  it('failed: goes on only where nothing depends on it', () => {
    const failed = returned({
      status: 'failed',
      recommendation: 'halt',
      alignment_score: null,
      issues: ['x'],
    })
    expect(afterPhase(failed, mode())).toEqual({ next: 'go-on', dropDependents: false })
    expect(afterPhase(failed, mode({ hasDependents: true }))).toEqual({ next: 'run-failed', reason: 'x' })
    expect(afterPhase(failed, mode({ isComplete: true, hasDependents: true }))).toEqual({
      next: 'go-on',
      dropDependents: true,
    })
  })
  it('the judge stops the run; in a complete run a rollback stops the phase only', () => {
    for (const word of ['judge_rollback: wrong way', 'judge_halt: wrong way']) {
      const stopped = returned({ status: 'failed', recommendation: 'rollback', issues: [word] })
      expect(afterPhase(stopped, mode())).toEqual({ next: 'run-failed', reason: word })
      const next = word.startsWith('judge_halt') ? 'run-failed' : 'go-on'
      expect(afterPhase(stopped, mode({ isComplete: true }))).toMatchObject({ next })
    }
  })
  it('whatever else is said is a failure: completed without a score, under 7.0, or without proceed', () => {
    for (const odd of [
      returned({ alignment_score: null }),
      returned({ alignment_score: 6.9 }),
      returned({ recommendation: 'debug' }),
    ])
      expect(afterPhase(odd, mode())).toEqual({ next: 'go-on', dropDependents: false })
  })
})
