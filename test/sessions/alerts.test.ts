import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Alert, watchAlerts } from '../../source/sessions/alerts.js'
import type { RunSnapshot } from '../../source/view/view.js'
import { createTestStore, pane, questionOf, snapshotOf } from '../ui/fixtures.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function watch(change: Partial<RunSnapshot> = {}) {
  const store = createTestStore(snapshotOf({ panes: [], ...change }))
  const shown: (string | undefined)[] = []
  const sent: Alert[] = []
  const alerts = watchAlerts(store, {
    show: (alert) => void shown.push(alert?.event),
    notify: async (alert) => void sent.push(alert),
  })
  return { store, alerts, shown, sent }
}

it('calls when a question opens, and says when it is over', () => {
  const { store, shown, sent } = watch()
  store.set({ question: questionOf('Q-APPROVE') })
  store.set({ paneRevision: 2 })
  expect(shown).toEqual(['needs-you'])
  expect(sent[0]).toMatchObject({ event: 'needs-you', question: { gate: 'Q-APPROVE' } })
  expect(sent[0]?.text).toBe('autopilot needs your answer')
  store.set({ question: undefined })
  expect(shown).toEqual(['needs-you', undefined])
})

it('calls once in a while only: a question that is answered meanwhile is never called', async () => {
  const { store, shown } = watch({ question: questionOf('Q-APPROVE') })
  store.set({ question: questionOf('Q-NEXT') })
  store.set({ question: questionOf('Q-REVIEW') })
  expect(shown).toEqual(['needs-you'])
  await vi.advanceTimersByTimeAsync(20_000)
  expect(shown).toEqual(['needs-you', 'needs-you'])
})

it('a call that waits its turn is named at once, without a sound', () => {
  const store = createTestStore(snapshotOf({ panes: [], question: questionOf('Q-APPROVE') }))
  const told: string[] = []
  watchAlerts(store, {
    show: (alert) => void told.push(`call: ${alert?.text}`),
    name: (text) => void told.push(`name: ${text}`),
  })
  store.set({ question: undefined })
  store.set({ question: questionOf('Q-NEXT') })
  expect(told).toEqual([
    'call: autopilot needs your answer',
    'call: undefined',
    'name: autopilot needs your answer',
  ])
})

it('tells a limit from a question that waits for the person', () => {
  const { shown } = watch({
    question: { ...questionOf('Q-NEXT'), countdown: { until: '2030-04-03T12:00:00.000Z', value: 'yes' } },
  })
  expect(shown).toEqual(['limit'])
})

describe('an agent that is silent for long', () => {
  it('is called once, and again after it has spoken', async () => {
    const silent = pane('p', 'Execute', 'running', [{ kind: 'text', text: 'one' }])
    const { shown } = watch({ panes: [silent] })
    await vi.advanceTimersByTimeAsync(9 * 60_000)
    expect(shown).toEqual([])
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(shown).toEqual(['stuck'])
    silent.lines.push({ kind: 'text', text: 'two' })
    await vi.advanceTimersByTimeAsync(12 * 60_000)
    expect(shown).toEqual(['stuck', 'stuck'])
  })

  it('is not called while it is suspended or the run is held', async () => {
    for (const change of [
      { panes: [pane('p', 'Execute', 'suspended', [])] },
      { panes: [pane('p', 'Execute', 'running', [])], status: 'held' as const },
    ]) {
      const { shown } = watch(change)
      await vi.advanceTimersByTimeAsync(60 * 60_000)
      expect(shown).toEqual([])
    }
  })
})

it('waits at its end for what is under way', async () => {
  const store = createTestStore(snapshotOf({ panes: [] }))
  let settle = () => undefined as unknown
  const alerts = watchAlerts(store, {
    show: () => undefined,
    notify: () =>
      new Promise((resolve) => {
        settle = () => resolve()
      }),
  })
  alerts.done()
  const closed = vi.fn()
  const closing = alerts.close().then(closed)
  await vi.advanceTimersByTimeAsync(0)
  expect(closed).not.toHaveBeenCalled()
  settle()
  await closing
})
