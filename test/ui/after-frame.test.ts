import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createInkOutput } from '../../source/terminal/ink-output.js'
import { afterFrame } from '../../source/ui/after-frame.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('calls back once with the frame, also if it was written before, and never after it was cancelled', () => {
  const output = createInkOutput(80, () => true)
  const calls: string[] = []
  afterFrame(output.afterWrite, () => calls.push('frame'))
  output.write('a frame')
  output.write('another')
  vi.advanceTimersByTime(1000)
  expect(calls).toEqual(['frame'])
  output.write('the frame of a gate')
  afterFrame(output.afterWrite, () => calls.push('late'))
  vi.advanceTimersByTime(1000)
  output.write('much later')
  expect(calls).toEqual(['frame', 'late'])
  afterFrame(output.afterWrite, () => calls.push('never'))()
  output.write('frame')
  vi.advanceTimersByTime(1000)
  expect(calls).toEqual(['frame', 'late'])
})
