import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { GitCalls, SlowCall } from '../../source/project/git-calls.js'
import type { LiveStore } from '../../source/run/live-store.js'
import { watchSlowCalls } from '../../source/sessions/slow-calls.js'

// A hook or a call of git that takes long is on the screen with its seconds, and ends with the run (docs/durability.md,
// "Calls to git").

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watched() {
  const stopping = new AbortController()
  let banner: string | undefined
  let slow: SlowCall | undefined
  const end = vi.fn()
  const calls = { slowest: async () => slow, end } as unknown as GitCalls
  const live = {
    getSnapshot: () => ({ banner }),
    patch: (change: { banner?: string | undefined }) => {
      banner = change.banner
    },
  } as unknown as LiveStore
  const unwatch = watchSlowCalls(calls, live, stopping.signal)
  return {
    stopping,
    end,
    unwatch,
    banner: () => banner,
    show: (text: string) => {
      banner = text
    },
    is: (call: SlowCall | undefined) => {
      slow = call
    },
  }
}

test('it is named with its seconds while it runs, and not any more after it', async () => {
  const { is, banner, unwatch } = watched()
  is({ name: 'git commit, hook pre-commit', seconds: 12 })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(banner()).toBe('git commit, hook pre-commit has been running for 12s. q ends it.')
  is(undefined)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(banner()).toBeUndefined()
  unwatch()
  expect(vi.getTimerCount()).toBe(0)
})

test('the banner of something else stays when it is over', async () => {
  const { is, banner, show, unwatch } = watched()
  is({ name: 'git status', seconds: 4 })
  await vi.advanceTimersByTimeAsync(1_000)
  show('The disk is full.')
  is(undefined)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(banner()).toBe('The disk is full.')
  unwatch()
})

test('once the run stops, what goes on is ended', async () => {
  const { stopping, end, unwatch } = watched()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(end).not.toHaveBeenCalled()
  stopping.abort()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(end).toHaveBeenCalledWith(2_000)
  unwatch()
})
