import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Activity, watchActivity } from '../../source/agents/activity.js'
import type { AgentEvent } from '../../source/agents/agent.js'
import { plausibleReset } from '../../source/agents/reset-time.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const tool = (id: string, status: 'running' | 'ok' | 'denied'): AgentEvent => ({
  type: 'tool',
  id,
  name: 'Bash',
  kind: 'exec',
  title: 'sleep',
  status,
})
const ask: AgentEvent = {
  type: 'ask',
  askId: 'a',
  kind: 'permission',
  title: '',
  detail: '',
  options: [],
  defaultNo: true,
}

function watched(): { activity: Activity; busy: boolean[]; overdue: () => number } {
  const busy: boolean[] = []
  let overdue = 0
  const activity = watchActivity(
    {
      busy: (on) => busy.push(on),
      overdue: () => {
        overdue += 1
      },
    },
    1000,
  )
  return { activity, busy, overdue: () => overdue }
}

describe('watchActivity', () => {
  it('expects silence as long as any tool runs', () => {
    const { activity, busy } = watched()
    activity.event(tool('1', 'running'))
    activity.event(tool('2', 'running'))
    activity.event(tool('1', 'ok'))
    expect(busy).toEqual([true])
    activity.event(tool('2', 'denied'))
    expect(busy).toEqual([true, false])
  })

  it('ends a tool that is silent for too long, but not one that gives signs of life', () => {
    const { activity, overdue } = watched()
    activity.event(tool('1', 'running'))
    vi.advanceTimersByTime(900)
    activity.touch()
    vi.advanceTimersByTime(900)
    expect(overdue()).toBe(0)
    vi.advanceTimersByTime(200)
    expect(overdue()).toBe(1)
  })

  it('counts no time while a person thinks or the processes are suspended', () => {
    const { activity, overdue, busy } = watched()
    activity.event(tool('1', 'running'))
    activity.event(ask)
    vi.advanceTimersByTime(5000)
    activity.answered('a')
    activity.pause(true)
    vi.advanceTimersByTime(5000)
    activity.pause(false)
    expect(overdue()).toBe(0)
    vi.advanceTimersByTime(1100)
    expect(overdue()).toBe(1)
    expect(busy).toEqual([true])
  })

  it('expects silence for the delay that was announced, and not longer', () => {
    const { activity, busy } = watched()
    const retry: AgentEvent = { type: 'retry', attempt: 1, delayMs: 500, cause: 'rate_limit' }
    activity.event(retry)
    expect(busy).toEqual([true])
    vi.advanceTimersByTime(600)
    expect(busy).toEqual([true, false])
    activity.event(retry)
    activity.touch()
    expect(busy).toEqual([true, false, true, false])
    activity.event({ type: 'retry', attempt: 2, cause: 'unknown' })
    expect(busy).toHaveLength(4)
  })

  it('forgets everything at the end of a turn', () => {
    const { activity, busy, overdue } = watched()
    activity.event(tool('1', 'running'))
    activity.event(ask)
    activity.clear()
    vi.advanceTimersByTime(5000)
    expect(busy).toEqual([true, false])
    expect(overdue()).toBe(0)
  })
})

describe('plausibleReset', () => {
  const now = 1_000_000_000_000
  const day = 86_400_000
  it.each([
    [undefined, undefined],
    [Number.NaN, undefined],
    [now - 1, undefined],
    [now, undefined],
    [now + 1, now + 1],
    [now + 8 * day, now + 8 * day],
    [now + 8 * day + 1, undefined],
  ])('%s is %s', (given, expected) => {
    expect(plausibleReset(given, now)).toBe(expected)
  })
})
