import { describe, expect, it, test } from 'vitest'
import {
  deficienciesOfCard,
  feedbackOf,
  isReverted,
  nextCycle,
  scoreAfter,
} from '../../../../source/workflows/playbook/decisions/remediation.js'

const cycle = (before: number, after: number | null) => ({ before, after })

describe('standard', () => {
  const next = (...cycles: ReturnType<typeof cycle>[]) => nextCycle('standard', 9, 8, cycles)
  it('has two cycles, then passes as it is', () => {
    expect(next()).toEqual({ next: 'cycle', cycle: 1, items: Number.POSITIVE_INFINITY })
    expect(next(cycle(8, 8.2))).toMatchObject({ next: 'cycle', cycle: 2 })
    expect(next(cycle(8, 8.2), cycle(8.2, 8.4))).toEqual({
      next: 'exhausted',
      flag: 'force_incomplete',
      why: 'cycles',
    })
  })
  it('ends when the threshold is reached', () => {
    expect(next(cycle(8, 9))).toEqual({ next: 'reached' })
  })
  it('goes on after a cycle that was worse, on the old score', () => {
    expect(next(cycle(8, 7.5))).toMatchObject({ next: 'cycle', cycle: 2 })
  })
  it('ends after one that failed or fell under 7.0', () => {
    expect(next(cycle(8, null))).toMatchObject({ next: 'exhausted', why: 'failed' })
    expect(next(cycle(8, 6.9))).toMatchObject({ next: 'exhausted', why: 'low' })
  })
})

describe('quality', () => {
  const next = (...cycles: ReturnType<typeof cycle>[]) => nextCycle('quality', 9.5, 8, cycles)
  it('has three cycles and stops without a gain', () => {
    expect(next(cycle(8, 8.2), cycle(8.2, 8.4))).toMatchObject({ next: 'cycle', cycle: 3 })
    expect(next(cycle(8, 8.2), cycle(8.2, 8.4), cycle(8.4, 8.6))).toEqual({
      next: 'exhausted',
      flag: 'quality_exhausted',
      why: 'cycles',
    })
    expect(next(cycle(8, 8))).toEqual({
      next: 'exhausted',
      flag: 'quality_exhausted',
      why: 'no_gain',
    })
  })
})

describe('gaps', () => {
  it('has five iterations of one item, up to 9.8, whatever the threshold', () => {
    expect(nextCycle('gaps', 9, 9.3, [])).toEqual({ next: 'cycle', cycle: 1, items: 1 })
    expect(nextCycle('gaps', 9, 9.8, [])).toEqual({ next: 'reached' })
    const five = Array.from({ length: 5 }, () => cycle(9.3, 9.4))
    expect(nextCycle('gaps', 9, 9.3, five.slice(1))).toMatchObject({ next: 'cycle', cycle: 5 })
    expect(nextCycle('gaps', 9, 9.3, five)).toEqual({
      next: 'exhausted',
      flag: 'gaps_exhausted',
      why: 'cycles',
    })
  })
})

test('a cycle that failed, fell under 7.0 or under the old score is taken back and the old score kept', () => {
  const taken = [cycle(8, null), cycle(7.1, 6.9), cycle(8, 7.9)]
  for (const one of taken) {
    expect(isReverted(one)).toBe(true)
    expect(scoreAfter(one)).toBe(one.before)
  }
  // Better than before, and still not enough to be kept.
  expect(isReverted(cycle(6, 6.9))).toBe(true)
  expect(isReverted(cycle(6, 7))).toBe(false)
  expect(isReverted(cycle(8, 8))).toBe(false)
  expect(scoreAfter(cycle(8, 8.5))).toBe(8.5)
})

test('the largest gap comes first, and nothing twice', () => {
  const found = deficienciesOfCard(
    [
      { criterion: 'C1', score: 9.4, justification: 'edge', evidence: 'src/a.ts:12 -- x' },
      { criterion: 'C2', score: 6.0, justification: 'missing', evidence: '' },
      { criterion: 'C3', score: 9.6, justification: '', evidence: '' },
    ],
    9.5,
  )
  expect(found).toEqual([
    {
      criterion: 'C1',
      deficiency: 'edge',
      target_file: 'src/a.ts',
      current_score: 9.4,
      target_score: 9.5,
      source: 'scorecard',
    },
    { criterion: 'C2', deficiency: 'missing', current_score: 6, target_score: 9.5, source: 'scorecard' },
  ])
  expect(feedbackOf([...found, ...found], 1).map(({ criterion }) => criterion)).toEqual(['C2'])
  expect(feedbackOf([...found, ...found], Number.POSITIVE_INFINITY)).toHaveLength(2)
})
