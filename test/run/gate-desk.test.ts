import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGateDesk } from '../../source/run/gate-desk.js'
import { RunStopped } from '../../source/run/stopped.js'
import type { Answer, Question } from '../../source/view/question.js'

// Questions that answer themselves: the countdown of a usage limit (docs/agents.md, "Usage limits").

const start = Date.parse('2026-03-01T02:00:00.000Z')
const minute = 60_000

beforeEach(() => void vi.useFakeTimers({ now: start }))
afterEach(() => void vi.useRealTimers())

const question = (untilMs: number): Question => ({
  id: 'limit',
  gate: 'Q-LIMIT',
  title: 'The usage limit is reached',
  body: [],
  options: [
    { value: 'again', label: 'try again now', consequence: '' },
    { value: 'cancel', label: 'do not go on by itself', consequence: '' },
  ],
  askedAt: new Date(start).toISOString(),
  countdown: { until: new Date(untilMs).toISOString(), value: 'again' },
})

function opened(untilMs: number, stop = new AbortController()) {
  const desk = createGateDesk(stop.signal, () => {})
  const settled = vi.fn()
  const answer = desk.open(question(untilMs))
  answer.then(settled, settled)
  return { desk, stop, settled }
}

test('a countdown goes on by itself at its time, and not before', async () => {
  const { settled } = opened(start + 90 * minute)
  await vi.advanceTimersByTimeAsync(90 * minute - 1)
  expect(settled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(settled).toHaveBeenCalledExactlyOnceWith({ answer: { value: 'again' } })
})

test('a time that passed while nobody was there, or the machine slept, counts at once', async () => {
  const late = opened(start - minute)
  const asleep = opened(start + 60 * minute)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(late.settled).toHaveBeenCalledWith({ answer: { value: 'again' } })
  expect(asleep.settled).not.toHaveBeenCalled()
  vi.setSystemTime(start + 61 * minute)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asleep.settled).toHaveBeenCalledWith({ answer: { value: 'again' } })
})

test('a key goes before the clock, and a stop ends the countdown', async () => {
  const pressed = opened(start + minute)
  await vi.advanceTimersByTimeAsync(0)
  expect(pressed.desk.answer('limit', { value: 'cancel' })).toBe(true)
  const stopped = opened(start + minute)
  await vi.advanceTimersByTimeAsync(0)
  stopped.stop.abort()
  await vi.advanceTimersByTimeAsync(2 * minute)
  expect(pressed.settled).toHaveBeenCalledExactlyOnceWith({ answer: { value: 'cancel' } })
  expect(stopped.settled).toHaveBeenCalledExactlyOnceWith(expect.any(RunStopped))
  expect(vi.getTimerCount()).toBe(0)
})

test('an answered question stays on the screen until its answer is on disk, and takes no second key', async () => {
  const shown: (string | undefined)[] = []
  const desk = createGateDesk(new AbortController().signal, (one) => shown.push(one?.id))
  let saved: () => void = () => {}
  const onDisk = new Promise<void>((resolve) => {
    saved = resolve
  })
  const plain = ({ countdown: _, ...rest }: Question, id: string): Question => ({ ...rest, id })
  const first = desk.keeping(plain(question(0), 'first'), undefined, async (answer: Answer) => {
    await onDisk
    return answer
  })
  const second = desk.open(plain(question(0), 'second'))
  expect(desk.answer('first', { value: 'again' })).toBe(true)
  await vi.advanceTimersByTimeAsync(0)
  expect(new Set(shown)).toEqual(new Set(['first']))
  expect(desk.answer('first', { value: 'cancel' })).toBe(false)
  // What keeps it from the disk is asked in between.
  const full = desk.urgent(plain(question(0), 'full'))
  expect(shown.at(-1)).toBe('full')
  desk.answer('full', { value: 'again' })
  await full
  expect(shown.at(-1)).toBe('first')
  saved()
  expect(await first).toEqual({ value: 'again' })
  expect(shown.at(-1)).toBe('second')
  desk.answer('second', { value: 'again' })
  await second
  expect(shown.at(-1)).toBeUndefined()
})

test('a question can be put behind those that wait, none is lost, and all are told with it', async () => {
  let screen: (string | undefined)[] = []
  const desk = createGateDesk(new AbortController().signal, (one, others) => {
    screen = [one?.id, ...others.map(({ id }) => id)]
  })
  const plain = (id: string): Question => {
    const { countdown: _, ...rest } = question(0)
    return { ...rest, id }
  }
  const first = desk.open(plain('first'))
  expect(desk.askLater('first')).toBe(false)
  const others = ['second', 'third'].map((id) => desk.open(plain(id)))
  expect(screen).toEqual(['first', 'second', 'third'])
  expect(desk.askLater('second')).toBe(false)
  expect(desk.askLater('first')).toBe(true)
  expect(screen).toEqual(['second', 'third', 'first'])
  // A key for the one that was shown before answers nothing.
  expect(desk.answer('first', { value: 'again' })).toBe(false)
  for (const id of ['second', 'third', 'first']) {
    expect(desk.answer(id, { value: 'again' })).toBe(true)
    await vi.advanceTimersByTimeAsync(0)
  }
  expect(await Promise.all([first, ...others])).toEqual(Array(3).fill({ answer: { value: 'again' } }))
  expect(screen).toEqual([undefined])
})
