import { expect, test } from 'vitest'
import { harnessRoles } from '../mock-model/harness-roles.js'
import { textOf } from '../mock-model/turn.js'
import { answer, waitForGate } from './journey.js'
import { modelProject } from './model-project.js'
import { expectNothingLeft } from './whats-left.js'

const countdown = /goes on by itself in .+?, at (\S+): try again now/

test('a usage limit is counted down, over a stop too, and the same conversation goes on after it', async () => {
  const resetsAt = Date.now() + 50 * 60_000
  let limited = true
  const stage = await modelProject({
    agent: 'embedded',
    config: { permissions: 'all' },
    // The planner has read the spec already, so that there is a conversation to go on with.
    model: harnessRoles({
      instead: ({ role, phase, step }) =>
        limited && role === 'planner' && phase === 1 && step === 1
          ? { kind: 'error', status: 429, reason: 'usage-limit', resetsAt }
          : undefined,
    }),
  })
  const { mock } = stage

  const first = await stage.startTrusted()
  await waitForGate(first, 'Q-LIMIT')
  const shown = countdown.exec(first.screen())
  expect(shown, first.screen()).not.toBeNull()
  expect(first.screen()).toContain('The usage limit is reached')
  const asked = (await stage.journal()).findLast((line) => line.type === 'asked')
  expect(asked).toMatchObject({ question: { gate: 'Q-LIMIT', countdown: { value: 'again' } } })
  await first.press('q')
  expect(await first.exit).toEqual({ code: 3, signal: 0 })
  await expectNothingLeft(await stage.runIds())

  const requests = mock.requests.length
  const second = stage.start()
  await waitForGate(second, 'Q-LIMIT')
  expect(countdown.exec(second.screen())?.[1], second.screen()).toBe(shown?.[1])
  // Nobody asked the model meanwhile.
  expect(mock.requests).toHaveLength(requests)

  limited = false
  await answer(second, { choose: 'try again now' })
  await waitForGate(second, 'Q-NEXT')
  const resumed = mock.requests[requests]?.request
  const words = (resumed?.messages ?? []).map(textOf).join('\n')
  expect(words).toContain('You are harness-planner.')
  expect(resumed?.messages.flatMap((message) => message.parts)).toContainEqual(
    expect.objectContaining({
      type: 'result',
      failed: false,
      text: expect.stringContaining('A polite program'),
    }),
  )
  // One dispatch with a full prompt: going on repeats nothing.
  expect(words.split('You are harness-planner.')).toHaveLength(2)

  await second.press('q')
  expect(await second.exit).toEqual({ code: 3, signal: 0 })
  await expectNothingLeft(await stage.runIds())
})
