import { expect, it } from 'vitest'
import { readSessionSummary, type SessionSummary } from '../../source/view/summary.js'

const summary: SessionSummary = {
  v: 1,
  session: 'specs--mail',
  workflow: 'tiny',
  subject: 'specs/mail.md',
  state: 'WORK',
  phase: { id: '2.1', number: 2, name: 'Rules', total: 3 },
  progress: { phasesComplete: 1, phasesTotal: 3, tasksComplete: 4, tasksTotal: 9 },
  facts: [{ text: 'standard', tone: 'plain' }],
  rigor: null,
  question: null,
  finished: false,
  usage: { inputTokens: 10, outputTokens: 2, usd: 0.5 },
  phases: [
    {
      id: '2.1',
      number: 2,
      name: 'Rules',
      status: 'in-progress',
      facts: [],
      usage: { inputTokens: 10, outputTokens: 2 },
    },
  ],
  agent: null,
  lastActive: '2030-04-03T09:00:00.000Z',
  journal: { size: 1200, lastHash: 'ab12' },
}

it('reads what it wrote', () => {
  expect(readSessionSummary(JSON.stringify(summary))).toEqual(summary)
})

it('reads nothing of another version, of another shape, or that is torn', () => {
  expect(readSessionSummary(JSON.stringify({ ...summary, v: 2 }))).toBeUndefined()
  expect(readSessionSummary(JSON.stringify({ ...summary, journal: undefined }))).toBeUndefined()
  expect(
    readSessionSummary(JSON.stringify({ ...summary, facts: [{ text: 'x', tone: 'loud' }] })),
  ).toBeUndefined()
  expect(readSessionSummary(JSON.stringify(summary).slice(0, -2))).toBeUndefined()
})
