import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startWatchdogs } from '../../source/processes/watchdogs.js'

const limits = { firstMs: 30, idleMs: 180, wallMs: 1000 }

describe('startWatchdogs', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function start(changes: Partial<typeof limits> = {}) {
    const expired: string[] = []
    return { expired, dogs: startWatchdogs({ ...limits, ...changes }, (name) => expired.push(name)) }
  }

  it('waits for a first sign of life', () => {
    const { expired } = start()
    vi.advanceTimersByTime(29)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(2000)
    expect(expired).toEqual(['first'])
  })

  it('then for silence', () => {
    const { expired, dogs } = start()
    dogs.touch()
    vi.advanceTimersByTime(170)
    dogs.touch()
    vi.advanceTimersByTime(170)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(11)
    expect(expired).toEqual(['idle'])
  })

  it.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ])('goes on where the clock of the machine is put %s', (_, by) => {
    const { expired, dogs } = start()
    dogs.touch()
    vi.setSystemTime(Date.now() + by)
    vi.advanceTimersByTime(100)
    dogs.touch()
    vi.setSystemTime(Date.now() + by)
    vi.advanceTimersByTime(179)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(1)
    expect(expired).toEqual(['idle'])
  })

  it('lets only the wall clock run while a tool or an ask is open', () => {
    const { expired, dogs } = start()
    dogs.touch()
    dogs.busy(true)
    vi.advanceTimersByTime(999)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(1)
    expect(expired).toEqual(['wall'])
  })

  it('counts silence anew when the tool has ended', () => {
    const { expired, dogs } = start()
    dogs.touch()
    vi.advanceTimersByTime(170)
    dogs.busy(true)
    dogs.busy(false)
    vi.advanceTimersByTime(170)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(10)
    expect(expired).toEqual(['idle'])
  })

  it('stands still while the agent is suspended', () => {
    const { expired, dogs } = start({ firstMs: 0, idleMs: 0 })
    vi.advanceTimersByTime(900)
    dogs.pause(true)
    vi.advanceTimersByTime(100_000)
    expect(expired).toEqual([])
    dogs.pause(false)
    vi.advanceTimersByTime(99)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(1)
    expect(expired).toEqual(['wall'])
  })

  it('is silent once stopped, and where everything is off', () => {
    const { expired, dogs } = start()
    dogs.stop()
    dogs.touch()
    dogs.busy(false)
    dogs.pause(false)
    const off = start({ firstMs: 0, idleMs: 0, wallMs: 0 })
    vi.advanceTimersByTime(1_000_000)
    expect([...expired, ...off.expired]).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })
})
