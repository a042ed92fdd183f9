import { expect, test } from 'vitest'
import type { OrderCriterion } from '../../../source/workflows/playbook/orders/fields.js'
import { cappedCard, scorecardOf } from '../../../source/workflows/playbook/steps/scorecard.js'

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

test('a high score that nothing was run for and no place shows stays under 7.0', () => {
  const card = scorecardOf([unproven, run], rated(9, 'it looks good'))
  expect(card.unplaced).toEqual(['c1'])
  const capped = cappedCard(card)
  expect(capped.rows.map(({ score }) => score)).toEqual([6.9, 9])
  expect([capped.score, capped.band]).toEqual([7.9, 'acceptable'])
  expect(capped.warnings).toEqual([
    'c1 is rated 7.0 or more, and neither a command nor a file and line shows why; it counts as 6.9',
  ])
  expect(scorecardOf([unproven, run], rated(6.5, 'it looks odd')).unplaced).toEqual([])
  const made = 'src/nowhere.ts:12 draws it'
  expect(scorecardOf([unproven], rated(9, made), [made]).unplaced).toEqual(['c1'])
})

test.each([
  'src/bed.ts:12 draws it',
  'the loop in `src/bed.ts` line 12',
  'lines 3-9 of docs/a.md say so',
  'src/bed.ts#L12',
  'Makefile:3 has the target',
  'README.md, section "Install"',
  'screenshots/home.png shows it',
  'removed in commit 1a2b3c4d',
])('who says where to look keeps the score: %s', (evidence) => {
  const card = scorecardOf([unproven, run], rated(9, evidence))
  expect(card.unplaced).toEqual([])
  expect(cappedCard(card).score).toBe(9)
})

test('so does who ran something for it; an address of the net is no place', () => {
  const ran = rated(9, 'it drew a bed')
  for (const row of ran.scorecard)
    row.execution_result = { command: 'node draw.mjs', exit_code: 0, output: 'bed' }
  expect(scorecardOf([unproven, run], ran).unplaced).toEqual([])
  expect(scorecardOf([unproven], rated(9, 'seen at http://localhost:3000')).unplaced).toEqual(['c1'])
})
