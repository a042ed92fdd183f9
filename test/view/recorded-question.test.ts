import { expect, it } from 'vitest'
import { recordedAnswer, recordedQuestion } from '../../source/view/recorded-question.js'

const base = {
  id: '1.INIT.reading-1',
  gate: 'Q-READING',
  title: 'Are these the phases?',
  body: [],
  options: [{ value: 'edit', label: 'edit the list', consequence: '', edits: true }],
  askedAt: '2030-04-03T09:00:00.000Z',
}
const oldPhases = [
  { id: '1', name: 'Box', complexity: 'high', line: 4 },
  { id: '2', name: 'List', complexity: 'low', dropped: true },
]
const items = [
  { id: '1', name: 'Box', choice: 'high', line: 4 },
  { id: '2', name: 'List', choice: 'low', dropped: true },
]

it('reads the list of a question as 0.1.0 wrote it', () => {
  expect(recordedQuestion({ ...base, editor: { kind: 'order', phases: oldPhases } })).toEqual({
    ...base,
    list: {
      kind: 'order',
      items,
      choice: { label: 'complexity', values: ['low', 'medium', 'high'], default: 'medium' },
    },
  })
})

it('reads the phases of an answer as 0.1.0 wrote it', () => {
  expect(recordedAnswer({ value: 'edit', phases: oldPhases })).toEqual({ value: 'edit', items })
})

it('leaves alone what is written as it is now', () => {
  const question = { ...base, list: { kind: 'order' as const, items } }
  expect(recordedQuestion(question)).toEqual(question)
  expect(recordedAnswer({ value: 'edit', items })).toEqual({ value: 'edit', items })
  expect(recordedAnswer({ value: 'fix', text: 'so' })).toEqual({ value: 'fix', text: 'so' })
})
