import { expect, test } from 'vitest'
import {
  adjustedThreshold,
  afterVerdict,
  autonomousRate,
  type Deferral,
  decidesAlone,
  deferralRate,
  isVisualOnly,
} from '../../../../source/workflows/playbook/decisions/human-verification.js'

const evidence = {
  criterion: 'C1',
  methods_attempted: ['read a.ts'],
  why_insufficient: 'the library is opaque',
}
const history = (...verdicts: (string | null)[]): Deferral[] =>
  verdicts.map((verdict) => ({
    phase_id: '1',
    reason: verdict === null ? 'completed' : 'deferred',
    autonomous_confidence: 5,
    human_verdict: verdict,
    timestamp: '2030-01-01T00:00:00Z',
  }))

test('from the threshold on it is decided without a person', () => {
  expect(decidesAlone(6, 6)).toBe(true)
  expect(decidesAlone(5.9, 6)).toBe(false)
})

test('only looks are no reason', () => {
  expect(isVisualOnly(['needs visual confirmation', 'the layout should be seen'])).toBe(true)
  expect(isVisualOnly(['needs visual confirmation', evidence.why_insufficient])).toBe(false)
  expect(isVisualOnly(['the colours come from an external device'])).toBe(false)
  expect(isVisualOnly([])).toBe(false)
})

test('the rate of deferrals warns from two phases on', () => {
  expect(deferralRate(0, 0, 0.05)).toEqual({ rate: 0, warns: false })
  expect(deferralRate(1, 1, 0.05)).toEqual({ rate: 1, warns: false })
  expect(deferralRate(1, 2, 0.05)).toEqual({ rate: 0.5, warns: true })
  expect(deferralRate(1, 20, 0.05)).toEqual({ rate: 0.05, warns: false })
  expect(autonomousRate(history(null, 'pass'))).toBe(0.5)
  expect(autonomousRate([])).toBeNull()
})

test.each([
  ['two verdicts move nothing', 6, ['pass', 'pass'], 6],
  ['all passed: lower', 6, ['pass', 'pass', 'pass'], 5.5],
  ['never under 3', 3.2, ['pass', 'pass', 'pass'], 3],
  ['many failed: higher', 6, ['pass', 'fail', 'issues_found'], 6.5],
  ['never over 8', 7.8, ['fail', 'fail', 'fail'], 8],
  ['0.70 stays', 6, [...Array(7).fill('pass'), 'fail', 'fail', 'fail'], 6],
  ['0.75 stays', 6, ['pass', 'pass', 'pass', 'fail'], 6],
  ['0.80 stays', 6, ['pass', 'pass', 'pass', 'pass', 'fail'], 6],
  ['phases without a verdict do not count', 6, ['pass', 'pass', null], 6],
])('%s', (_, before, verdicts, after) => {
  expect(adjustedThreshold(before, history(...verdicts))).toBe(after)
})

test('a verdict completes, leads to mending, or fails when the cycles are used up', () => {
  expect(afterVerdict('pass', 0)).toBe('completed')
  expect(afterVerdict('issues_found', 1)).toBe('remediate')
  expect(afterVerdict('fail', 0)).toBe('failed')
})
