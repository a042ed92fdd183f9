import { EventEmitter } from 'node:events'
import { constants } from 'node:os'
import { afterEach, expect, test, vi } from 'vitest'
import {
  type EndingSignal,
  exitCodeOfSignal,
  type Interruption,
  watchInterruption,
} from '../../source/sessions/interruption.js'

// Signals from outside (docs/durability.md, "Processes").

let watched: Interruption | undefined
afterEach(() => watched?.settle())

function watch() {
  const host = new EventEmitter()
  watched = watchInterruption(host as unknown as NodeJS.Process)
  return { host, interruption: watched }
}

test.each(['SIGTERM', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGXCPU'] as const)(
  '%s ends with 128 and its number',
  async (name) => {
    const { host, interruption } = watch()
    host.emit(name)
    expect(interruption.received()).toBe(name)
    expect(interruption.signal.reason).toBe(name)
    await expect(interruption.cut).rejects.toMatchObject({ by: name })
    expect(exitCodeOfSignal(name)).toBe(128 + constants.signals[name])
  },
)

test('SIGINT is one Ctrl+C while there is a screen, and ends the program before', () => {
  const { host, interruption } = watch()
  const pressed = vi.fn()
  interruption.onInterrupt(pressed)
  host.emit('SIGINT')
  expect(pressed).toHaveBeenCalledOnce()
  expect(interruption.received()).toBeUndefined()
  interruption.end('SIGINT')
  expect(exitCodeOfSignal(interruption.received() as EndingSignal)).toBe(130)

  const early = watch()
  early.host.emit('SIGINT')
  expect(early.interruption.received()).toBe('SIGINT')
})

test('a file that may not become larger ends nothing: its write fails', () => {
  const { host, interruption } = watch()
  expect(host.listenerCount('SIGXFSZ')).toBe(1)
  host.emit('SIGXFSZ')
  expect(interruption.received()).toBeUndefined()
  interruption.settle()
  expect(host.listenerCount('SIGXFSZ')).toBe(0)
})

test('the first signal counts', () => {
  const { host, interruption } = watch()
  host.emit('SIGUSR2')
  host.emit('SIGTERM')
  expect(interruption.received()).toBe('SIGUSR2')
})

test('an output that takes no more is no hangup, unless nobody reads it any more', () => {
  const failure = (code: string) => Object.assign(new Error(code), { code })
  const { interruption } = watch()
  process.stdout.emit('error', failure('ENOSPC'))
  expect(interruption.received()).toBe('SIGHUP')
  expect(interruption.unwritable()).toMatchObject({ code: 'ENOSPC' })
  // Nothing raises the signal again, which would end this very test.
  interruption.settle()

  const gone = watch()
  process.stdout.emit('error', failure('EPIPE'))
  expect(gone.interruption.unwritable()).toBeUndefined()
  const raised = vi.spyOn(process, 'kill').mockReturnValue(true)
  gone.interruption.settle()
  expect(raised).toHaveBeenCalledWith(process.pid, 'SIGHUP')
  raised.mockRestore()
})
