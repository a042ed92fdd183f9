import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { harnessRoles } from '../mock-model/harness-roles.js'
import { harnessSpecPath } from '../mock-model/harness-spec.js'
import { answer, eventually, seenGate, waitForGate } from './journey.js'
import { modelProject } from './model-project.js'
import { expectNothingLeft } from './whats-left.js'

// What the embedded agent may do, decided by keys (policy `ask`).

test('permissions are menus: allow once, deny and tell why, stop; type-ahead answers none of them', async () => {
  const stage = await modelProject({
    agent: 'embedded',
    config: { permissions: 'ask' },
    model: harnessRoles(),
  })
  const { project, mock } = stage
  const plans = () => existsSync(project.path('docs/plans'))
  const terminal = await stage.startTrusted()

  // Everything that a menu could take for an answer, typed before there is one.
  const typing = setInterval(() => terminal.type('1ay\r1ay\r'), 40)
  try {
    await terminal.waitFor((screen) => seenGate(screen)?.gate === 'permission', { timeoutMs: 60_000 })
    expect(plans()).toBe(false)
  } finally {
    clearInterval(typing)
  }
  const write = await waitForGate(terminal, 'permission')
  expect(plans()).toBe(false)
  expect(write.title).toContain('harness-planner asks')
  expect(write.options.map((label) => label.trim())).toEqual([
    'allow once',
    'allow for this run',
    'deny',
    'deny and tell the agent why',
    'stop',
  ])
  expect(terminal.screen()).toContain('# Plan: Greeting')
  await answer(terminal, { choose: 'allow once' })

  // Once is once: the command after it is asked for as well.
  const command = await waitForGate(terminal, 'permission')
  expect(command.title).not.toBe(write.title)
  expect(plans()).toBe(true)
  expect(terminal.screen()).toContain('handoff.json')
  const why = 'Write no handoff.'
  await answer(terminal, { choose: 'deny and tell', text: why })
  const told = await eventually(
    async () => mock.requests.find((one) => JSON.stringify(one.body).includes(why)),
    'the model to hear why',
  ).catch((error) => {
    throw new Error(`${error}\n${terminal.screen()}`)
  })
  expect(told.request?.toolResults).toContainEqual(expect.objectContaining({ failed: true }))
  expect(existsSync(project.path('.harness/sessions/changes--polite--proposal/handoff.json'))).toBe(false)

  // The model tries once more; then the person has had enough.
  await waitForGate(terminal, 'permission')
  await answer(terminal, { choose: 'stop' })
  expect(await terminal.exit).toEqual({ code: 3, signal: 0 })
  await expectNothingLeft(await stage.runIds())
  const answers = (await stage.journal()).flatMap((line) => (line.type === 'answered' ? [line.answer] : []))
  expect(answers).toMatchObject([
    { answer: { value: 'once' } },
    { answer: { value: 'deny:why', text: why } },
    { answer: { value: 'stop-run' } },
  ])
  expect(await project.git('status', '--porcelain', '--', harnessSpecPath)).toBe('')
  await eventually(
    async () => (mock.requests.every((one) => one.outcome !== 'pending') ? true : undefined),
    'no request to be open',
  )
})
