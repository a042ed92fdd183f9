import { expect, test } from 'vitest'
import { countedJudgement, missingOf } from '../../../../source/workflows/playbook/decisions/judgement.js'
import { divergenceResult } from '../../../../source/workflows/playbook/results.js'

const judged = (more: object) =>
  divergenceResult.parse({
    recommendation: 'proceed',
    concerns: ['short'],
    verifier_agreement: true,
    ...more,
  })

test('who lets it proceed and names what is missing asks for it', () => {
  const counted = countedJudgement(judged({ missing_requirements: ['REQ-02: no export'] }))
  expect(counted).toMatchObject({ recommendation: 'debug', missing_requirements: ['REQ-02: no export'] })
})

test.each([
  { missing_requirements: [] },
  { missing_requirements: ['None'] },
  { missing_requirements: ['n/a', ''] },
  { missing_requirements: ['No missing requirements.'] },
  { missing_requirements: ['All requirements are met'] },
])('nothing is missing: %o', (more) => {
  expect(countedJudgement(judged(more)).recommendation).toBe('proceed')
  expect(missingOf(judged(more))).toEqual([])
})

test.each(['debug', 'rollback', 'halt'])('%s stays what it is', (recommendation) => {
  const more = { recommendation, missing_requirements: ['REQ-02'] }
  expect(countedJudgement(judged(more)).recommendation).toBe(recommendation)
})
