import { expect, test } from 'vitest'
import { budgetsOf } from '../../../source/workflows/dispatch/run-budgets.js'

test('budgets of run and phase are told as they are now, doubled where a person raised them', () => {
  const limits = { runUsd: 5, phaseTokens: 1000, usd: 1, turns: 3 }
  expect(budgetsOf(limits, [], '2')).toEqual([
    { scope: 'run', name: 'usd', limit: 5 },
    { scope: 'phase', name: 'tokens', limit: 1000, phase: '2' },
  ])
  const raises = [
    { bound: 'runUsd', scope: { kind: 'run' } },
    { bound: 'phaseTokens', scope: { kind: 'phase', id: '2' } },
    { bound: 'phaseTokens', scope: { kind: 'phase', id: '1' } },
  ] as const
  expect(budgetsOf(limits, raises, '2').map(({ limit }) => limit)).toEqual([10, 2000])
  // Before the first phase there is nothing to bind one.
  expect(budgetsOf(limits, raises, undefined)).toEqual([{ scope: 'run', name: 'usd', limit: 10 }])
})
