import { describe, expect, test } from 'vitest'
import { raisesInPhase } from '../../../../source/workflows/dispatch/budgets.js'
import { decisionLog, decisionText } from '../../../../source/workflows/harness/state/decisions.js'
import type { HarnessState } from '../../../../source/workflows/harness/state/state.js'

const at = '2030-01-01T00:00:00.000Z'
const withDecisions = (decisions: unknown[], currentPhase = 0) =>
  ({ currentPhase, decisions }) as unknown as HarnessState
const held = (state: HarnessState, phase: string) =>
  raisesInPhase(decisionLog.raises(state), phase).map(({ bound }) => bound)

describe('budgets that were raised', () => {
  test('are written with their scope and the name of the setting, and read as they were written', () => {
    const raise = { bound: 'phaseUsd', scope: { kind: 'phase', id: '2' } } as const
    const state = decisionLog.withRaise(withDecisions([], 1), raise, at)
    expect(state.decisions).toEqual([
      { phase: 1, decision: 'budget_raised', timestamp: at, choice: 'phaseUsd', scope: raise.scope },
    ])
    expect(decisionLog.raises(state)).toEqual([raise])
    expect(held(state, '2')).toEqual(['phaseUsd'])
    expect(held(state, '1')).toEqual([])
  })

  test('entries of 0.1.0, without a scope, hold for the phase in which they were made, or for the run', () => {
    const old = (phase: number, choice: string) => ({
      phase,
      decision: 'budget_raised',
      timestamp: at,
      choice,
    })
    const state = withDecisions([old(0, 'phaseTokens'), old(0, 'runUsd'), old(0, 'usd'), old(1, 'nonsense')])
    expect(held(state, '1')).toEqual(['phaseTokens', 'runUsd'])
    expect(held(state, '2')).toEqual(['runUsd'])
  })

  test('a raise of one dispatch holds for no other', () => {
    const raise = { bound: 'usd', scope: { kind: 'dispatch', id: '003-executor-1' } } as const
    expect(held(decisionLog.withRaise(withDecisions([]), raise, at), '1')).toEqual([])
  })
})

test('an entry of any shape says something', () => {
  expect(decisionText('a word')).toBe('a word')
  expect(decisionText({ what: 'kept', why: 'so' })).toBe('kept')
  expect(decisionText({ action: 'moved' })).toBe('moved')
  expect(decisionText(null)).toBe('null')
})
