import { expect, test } from 'vitest'
import type { OrderCriterion } from '../../../source/workflows/playbook/orders/fields.js'
import { scorecardOf } from '../../../source/workflows/playbook/steps/scorecard.js'

const unproven: OrderCriterion = {
  id: 'c1',
  text: 'A bed can be drawn',
  commands: [],
  kind: 'unproven',
  expectation: null,
}
const run: OrderCriterion = {
  id: 'c2',
  text: 'Its tests pass',
  commands: ['npm test'],
  kind: 'execution',
  expectation: { op: 'exit', value: 0 },
}
const rated = (score: number, evidence: string) =>
  ({
    alignment_score: score,
    scorecard: [unproven, run].map(({ id }) => ({ criterion: id, score, evidence, justification: '' })),
  }) as unknown as Parameters<typeof scorecardOf>[1]

test('a high score that nothing was run for and no place shows is told, and counts', () => {
  const card = scorecardOf([unproven, run], rated(9, 'it looks good'))
  expect(card.score).toBe(9)
  expect(card.warnings).toEqual([
    'c1 is rated 7.0 or more, and neither a command of ours nor a file and line shows why',
  ])
  expect(scorecardOf([unproven, run], rated(9, 'src/bed.ts:12 draws it')).warnings).toEqual([])
  expect(scorecardOf([unproven, run], rated(6.5, 'it looks odd')).warnings).toEqual([])
})
