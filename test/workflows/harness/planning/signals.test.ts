import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planOverride, shouldPauseForReview } from '../../../../source/workflows/harness/planning/signals.js'
import type { Phase } from '../../../../source/workflows/harness/state/state.js'

// The arithmetic of docs/harness.md, "Plan gate".

test('any one of the five signals is enough, and only they count', () => {
  fc.assert(
    fc.property(
      fc.record({
        reviewPlans: fc.boolean(),
        highComplexity: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
        complexityOverride: fc.constantFrom(null, 'medium' as const, 'high' as const),
        plannerConcerns: fc.array(fc.string(), { maxLength: 2 }),
        taskCount: fc.nat(40),
        taskThreshold: fc.constant(15 as const),
      }),
      (signals) => {
        const fired = [
          signals.reviewPlans,
          signals.highComplexity === 'high',
          signals.complexityOverride !== null,
          signals.plannerConcerns.length > 0,
          signals.taskCount > 15,
        ]
        expect(shouldPauseForReview(signals)).toBe(fired.includes(true))
      },
    ),
  )
})

test('the override table: only for low, the larger rule first', () => {
  const phase = (complexity: Phase['complexity']): Phase => ({
    name: 'Box',
    complexity,
    complexityOverride: null,
    planPath: null,
    status: 'pending',
  })
  expect(planOverride(phase('low'), 10, 3)).toBeNull()
  expect(planOverride(phase('low'), 11, 0)).toBe('medium')
  expect(planOverride(phase('low'), 0, 4)).toBe('medium')
  expect(planOverride(phase('low'), 20, 6)).toBe('medium')
  expect(planOverride(phase('low'), 21, 0)).toBe('high')
  expect(planOverride(phase('low'), 1, 7)).toBe('high')
  fc.assert(
    fc.property(
      fc.constantFrom('medium' as const, 'high' as const),
      fc.nat(99),
      fc.nat(99),
      (word, tasks, marks) => {
        expect(planOverride(phase(word), tasks, marks)).toBeNull()
      },
    ),
  )
})
