import { expect, test } from 'vitest'
import { createDigest } from '../../source/ledger/digest.js'
import type { JournalRecord } from '../../source/ledger/journal-record.js'
import { timesText } from '../../source/view/times.js'

// Where the time of a session goes (docs/durability.md, "Times").

const minute = 60_000
const start = Date.parse('2030-04-02T09:00:00.000Z')

function timesOf(records: [atMinute: number, record: object][]) {
  const digest = createDigest()
  records.forEach(([at, record], index) => {
    const whole = {
      v: 2,
      id: String(index),
      rev: index,
      epoch: 1,
      at: new Date(start + at * minute).toISOString(),
    }
    digest.take({ ...whole, ...record } as unknown as JournalRecord)
  })
  const { workMs, waitingMs, awayMs } = digest.digest.times
  return { work: workMs / minute, waiting: waitingMs / minute, away: awayMs / minute }
}

const opened = { type: 'opened', version: '1', pid: 1, runId: 'r' }
const asked = { type: 'asked', visit: 1, key: 'k', question: { id: 'q', options: [] } }
const answered = {
  type: 'answered',
  visit: 1,
  key: 'k',
  questionId: 'q',
  answer: { answer: { value: 'yes' } },
  stop: false,
}
const dispatched = {
  type: 'dispatched',
  visit: 1,
  key: 'a',
  dispatchId: 'd',
  persona: 'p',
  title: '',
  phase: '1',
  attempt: 1,
}
const note = { type: 'note', key: 'n', kind: 'note', text: '' }

test('at work, waiting for a person, and away are told apart', () => {
  const times = timesOf([
    [0, opened],
    [10, asked],
    [40, answered],
    [45, note],
    [6045, opened],
    [6046, note],
  ])
  expect(times).toEqual({ work: 16, waiting: 30, away: 6000 })
})

test('while another agent works nobody only waits', () => {
  const times = timesOf([
    [0, opened],
    [0, dispatched],
    [5, asked],
    [15, answered],
  ])
  expect(times).toEqual({ work: 15, waiting: 0, away: 0 })
})

test('a clock that goes back takes nothing away', () => {
  expect(
    timesOf([
      [10, opened],
      [5, note],
      [6, note],
    ]),
  ).toEqual({ work: 1, waiting: 0, away: 0 })
})

test('in words', () => {
  expect(timesText({ workMs: 12 * minute, waitingMs: 3 * minute, awayMs: 125 * minute })).toBe(
    '12m 0s at work, 3m 0s waiting for you, 2h 5m away',
  )
  // As the clock of the screen tells them: nothing is rounded up, and a minute is not a minute and a half.
  expect(timesText({ workMs: 24_900, waitingMs: 66_000, awayMs: 30_000 })).toBe(
    '24s at work, 1m 6s waiting for you, 30s away',
  )
  expect(timesText({ workMs: 119_999, waitingMs: 2 * minute, awayMs: 0 })).toBe(
    '1m 59s at work, 2m 0s waiting for you',
  )
  expect(timesText({ workMs: 400, waitingMs: 0, awayMs: 0 })).toBe('0s at work')
})
