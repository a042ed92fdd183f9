import { expect, test } from 'vitest'
import { afterRound, closedBreaker, halfOpen } from '../../../source/workflows/playbook/breaker/breaker.js'
import { usualLimits } from '../../../source/workflows/playbook/breaker/limits.js'
import { afterPlanChecks } from '../../../source/workflows/playbook/criteria/lint.js'
import { criterionTimeoutMs } from '../../../source/workflows/playbook/criteria/run-criterion.js'
import {
  adjustedThreshold,
  deferralRate,
} from '../../../source/workflows/playbook/decisions/human-verification.js'
import { isReverted, nextCycle } from '../../../source/workflows/playbook/decisions/remediation.js'
import { integrityChecks } from '../../../source/workflows/playbook/integrity/checks.js'
import { ratingResult, verificationResult } from '../../../source/workflows/playbook/results.js'
import { settingsOf } from '../../../source/workflows/playbook/settings.js'

// Where older descriptions of the phase runner contradict each other, one of them holds. One test a row.

test('deferrals warn at 5 % and from two phases on, not at 50 %', () => {
  expect(deferralRate(1, 2, 0.05).warns).toBe(true)
  expect(deferralRate(1, 1, 0.05).warns).toBe(false)
})

test('the limit of deferrals and the threshold of confidence are two things', () => {
  expect(adjustedThreshold(6, [])).toBe(6)
})

test('a plan check that passes with a confidence under 7 has not passed', () => {
  expect(afterPlanChecks([{ pass: true, confidence: 6, issues: [] }])).not.toBe('passed')
})

test('the score is the rater\u2019s, with a decimal; verifier and judge give none', () => {
  expect(Object.keys(verificationResult.shape)).not.toContain('alignment_score')
  expect(Object.keys(ratingResult.shape)).toContain('alignment_score')
})

test('a command of a criterion has 60 seconds, one of the project its own time', () => {
  expect(criterionTimeoutMs).toBe(60_000)
  expect(settingsOf('{}')?.projectCommandTimeoutSec).toBe(600)
  expect(settingsOf('{"projectCommandTimeoutSec": 5}')?.projectCommandTimeoutSec).toBe(5)
})

test('each check that sends again does so once', () => {
  expect(integrityChecks.filter(({ act }) => act.startsWith('respawn')).map(({ number }) => number)).toEqual([
    '1',
    '4',
    '6',
    '7',
    '8',
    '9',
    '10',
    '10b',
    '11',
    '13',
    '14',
  ])
})

test('half open, one probe is made and no more', () => {
  const open = { ...closedBreaker, state: 'open' as const }
  const failed = afterRound(halfOpen(open), { progress: false }, usualLimits, '2030-01-01T00:00:00Z')
  expect(failed.breaker.state).toBe('open')
})

test('a phase is planned anew once and mended three times', () => {
  expect(usualLimits).toMatchObject({ max_debug_attempts_per_phase: 3, max_replan_attempts_per_phase: 1 })
})

test('mending that used up its cycles never fails the phase', () => {
  for (const mode of ['standard', 'quality', 'gaps'] as const) {
    const cycles = Array.from({ length: 5 }, () => ({ before: 8, after: 8.1 }))
    expect(nextCycle(mode, 9.5, 8, cycles).next).toBe('exhausted')
  }
  expect(isReverted({ before: 8, after: 8.1 })).toBe(false)
})
