import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { walkLadder } from '../../source/processes/ladder.js'
import { groupGone } from '../../source/processes/signals.js'

let child: ReturnType<typeof spawn>
let end: Promise<unknown>

beforeEach(() => {
  child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
  end = once(child, 'exit')
  // Somebody puts the time of the machine back, further with each look.
  let time = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => {
    time -= 1000
    return time
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  child.kill('SIGKILL')
  await end
})

describe('with a clock that is put back', () => {
  it('a program that does not answer is ended all the same', async () => {
    const pid = child.pid ?? Number.NaN
    const target = {
      members: async () => [],
      leader: () => (child.exitCode === null && child.signalCode === null ? pid : undefined),
      interrupt: () => undefined,
      ask: () => true,
    }
    const times = { interruptMs: 30, termMs: 30, markedMs: 30, killRounds: 50, pollMs: 10 }
    expect(await Promise.race([walkLadder(target, times), sleep(5000, 'it waits')])).toEqual([])
    expect(child.signalCode).toBe('SIGKILL')
  })

  it('nobody waits longer for a group', async () => {
    const gone = groupGone(child.pid ?? Number.NaN, 50)
    expect(await Promise.race([gone, sleep(5000, 'it waits')])).toBe(false)
  })
})
