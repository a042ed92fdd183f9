import { expect, it } from 'vitest'
import type { JournalRecord } from '../../source/ledger/journal-record.js'
import { timelineEntry } from '../../source/ledger/timeline.js'
import type { Question } from '../../source/view/question.js'

const question: Question = {
  id: 'q',
  gate: 'Q-TOUCHED',
  title: 'What becomes of it?',
  body: [],
  askedAt: '2030-04-03T09:00:00.000Z',
  options: [
    { value: 'put-back', label: 'put back', consequence: 'as it was' },
    { value: 'edit', label: 'change the order', consequence: 'move or skip', edits: true },
  ],
  list: { kind: 'order', items: [] },
}

const record = (fact: object) => ({ at: '2030-04-03T09:05:00.000Z', ...fact }) as unknown as JournalRecord
const answered = (answer: object) =>
  record({ type: 'answered', visit: 1, key: 'k', questionId: 'q', answer: { answer }, stop: false })

it('tells an answer in the words that it was chosen by, with its note and what became of the list', () => {
  const said = (answer: object, asked?: Question) => timelineEntry(answered(answer), asked)?.text
  expect(said({ value: 'put-back', text: 'no reason' }, question)).toBe('answered: put back - no reason')
  const items = [
    { id: '3', name: 'Command line' },
    { id: '2', name: 'Week', dropped: true },
  ]
  expect(said({ value: 'edit', items }, question)).toBe('answered: change the order: 3, 2 skipped')
  // Without its question the value is all that is known.
  expect(said({ value: 'put-back' })).toBe('answered: put-back')
})

it('of an answer keeps what was decided: the words, the question and the note; one that stops decides nothing', () => {
  const given = answered({ value: 'put-back', text: 'no\n reason' })
  expect(timelineEntry(given, question)?.answered).toEqual({
    chosen: 'put back',
    gate: 'Q-TOUCHED',
    title: 'What becomes of it?',
    note: 'no reason',
  })
  expect(timelineEntry({ ...given, stop: true } as JournalRecord, question)).not.toHaveProperty('answered')
})

it('tells a text of several lines in one', () => {
  const note = { type: 'note', kind: 'warning', text: 'Task 2 failed:\n\n  30 !== 29\n      at days.ts' }
  expect(timelineEntry(record(note))?.text).toBe('Task 2 failed: 30 !== 29 at days.ts')
})
