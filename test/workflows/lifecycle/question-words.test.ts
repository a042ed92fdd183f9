import { describe, expect, it } from 'vitest'
import type { FlowStep } from '../../../source/workflows/lifecycle/flow/flow.js'
import { qBlocked, qBrief, qDeploy, qOptional } from '../../../source/workflows/lifecycle/questions/begin.js'
import {
  qClaim,
  qConfirm,
  qMixed,
  qTests,
  qWorker,
} from '../../../source/workflows/lifecycle/questions/claims.js'
import { qBoundary, qLoop } from '../../../source/workflows/lifecycle/questions/ends.js'
import { qDrift, qStart, qTold } from '../../../source/workflows/lifecycle/questions/position.js'

const step: FlowStep = { id: '6', name: 'Refactor', optional: true, done: { row: true } }
const gate = { id: 'g', question: 'Which?', options: ['this', 'that'] }
const effects = { file: 'stay at 6 Refactor, in_progress', folders: 'the file moves to 7 New Task' }

const drafts = [
  qOptional(step),
  qBrief(step, undefined),
  qDeploy(step),
  qBlocked({ step, lines: ['Retry 1: no'], evidence: ['found x'] }),
  qWorker(step, gate),
  qWorker(step, { ...gate, options: [] }),
  qConfirm(step, ['The worker says: done'], true),
  qClaim(step, 'done', ['missing x']),
  qMixed(step, 'done', ['an error is named']),
  qTests(step, ['a case is gone']),
  qBoundary({ title: 'Task ready', lines: ['Tasks: 1'] }),
  qLoop(['Step: done']),
  qTold(step, 'completed', ['found x']),
  qDrift({ file: '6', folders: '7', differing: [], evidence: [], effects }),
  qStart({
    flow: 'existing-code',
    step: 'step 1',
    why: 'There is source.',
    others: ['greenfield', 'own'],
    choose: false,
    looked: [],
  }),
]

// Who does not know how a flow is kept has to understand what happened and what comes of each answer.
describe('questions of the flow', () => {
  it.each(drafts.map((draft) => [draft.gate, draft] as const))('%s says what comes next', (_, draft) => {
    expect(draft.body.join('').trim()).not.toBe('')
    for (const { value, consequence = '' } of draft.options) {
      expect(consequence).not.toMatch(/\brow\b/)
      expect(consequence.split(' ').length, value).toBeGreaterThanOrEqual(4)
      if (value === 'retry') expect(consequence).toContain('again')
    }
  })

  it('says of each flow that it knows what beginning it comes to', () => {
    const options = drafts.at(-1)?.options ?? []
    expect(options.find(({ value }) => value === 'flow:greenfield')?.consequence).toContain('before any code')
    expect(options.find(({ value }) => value === 'flow:own')?.consequence).toContain('first step')
  })
})
