import { describe, expect, test } from 'vitest'
import {
  type Bound,
  boundOf,
  budgetText,
  type Raise,
  raisedLimit,
  reachedBudget,
  recordedBudget,
  scopeOf,
} from '../../../source/workflows/dispatch/budgets.js'

const none = { inputTokens: 0, outputTokens: 0 }
const usd = (amount: number) => ({ ...none, usd: amount })
const tokens = (count: number) => ({ inputTokens: count - 1, outputTokens: 1 })
const place = { dispatch: 'd', phase: '2' }

describe('a bound is reached', () => {
  test.each([
    ['usd', { usd: 1 }, { phase: usd(9), run: usd(9), dispatch: usd(1) }, 1],
    ['tokens', { tokens: 10 }, { phase: tokens(99), run: tokens(99), dispatch: tokens(10) }, 10],
    ['phaseUsd', { phaseUsd: 1 }, { phase: usd(0.6), run: usd(9), dispatch: usd(0.4) }, 1],
    ['phaseTokens', { phaseTokens: 10 }, { phase: tokens(6), run: none, dispatch: tokens(4) }, 10],
    ['runUsd', { runUsd: 1 }, { phase: none, run: usd(0.75), dispatch: usd(0.25) }, 1],
    ['runTokens', { runTokens: 10 }, { phase: none, run: tokens(7), dispatch: tokens(4) }, 11],
  ] as const)('%s: at the number itself, and not below it', (bound, limits, spent, used) => {
    const reached = reachedBudget(limits, [], spent)
    expect(reached).toMatchObject({ limit: Object.values(limits)[0], used })
    expect(reached && boundOf(reached)).toBe(bound)
    const more = Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, limit + 1.5]))
    expect(reachedBudget(more, [], spent)).toBeUndefined()
  })

  test('none that was not set', () => {
    expect(reachedBudget({}, [], { phase: usd(1e9), run: usd(1e9), dispatch: usd(1e9) })).toBeUndefined()
  })
})

test('each raise doubles its own bound, and no other', () => {
  const raise = (bound: Bound): Raise => ({ bound, scope: scopeOf(bound, place) })
  const limits = { usd: 1, phaseUsd: 3, turns: 5 }
  expect(raisedLimit(limits, [raise('usd'), raise('usd')], 'usd')).toBe(4)
  expect(raisedLimit(limits, [raise('usd')], 'phaseUsd')).toBe(3)
  expect(raisedLimit(limits, [raise('turns')], 'turns')).toBe(10)
  expect(raisedLimit(limits, [raise('runUsd')], 'runUsd')).toBeUndefined()
})

test('what a raise holds for', () => {
  expect(scopeOf('tokens', place)).toEqual({ kind: 'dispatch', id: 'd' })
  expect(scopeOf('phaseTokens', place)).toEqual({ kind: 'phase', id: '2' })
  expect(scopeOf('runTokens', place)).toEqual({ kind: 'run' })
})

test('in words, dollars with cents', () => {
  expect(budgetText({ name: 'usd', scope: 'phase', limit: 1, used: 1.234 })).toBe(
    '1.23 of 1.00 US dollars of this phase are used.',
  )
  expect(budgetText({ name: 'tokens', scope: 'run', limit: 10, used: 12 })).toBe(
    '12 of 10 tokens of this run are used.',
  )
})

test('a journal of 0.1.0 names the setting; one of today the name and the scope', () => {
  expect(recordedBudget({ name: 'phaseUsd', limit: 1, used: 2 })).toEqual({
    name: 'usd',
    scope: 'phase',
    limit: 1,
    used: 2,
  })
  const today = { name: 'tokens', scope: 'run', limit: 1, used: 2 }
  expect(recordedBudget(today)).toEqual(today)
  expect(recordedBudget(null)).toBeUndefined()
  expect(recordedBudget({ name: 'of nothing', limit: 1, used: 1 })).toBeUndefined()
})
