import { beforeAll, describe, expect, it } from 'vitest'
import type { Conversation } from '../../source/agents/agent.js'
import { endAtPermission, endAtWork } from '../e2e/ends.js'
import { writtenText } from '../mock-model/scenarios.js'
import { textOf } from '../mock-model/turn.js'
import { startTrial, type Trial, told } from './conversation.js'
import { installPrograms, type Program, type ProgramName } from './programs.js'
import { realAgent, wholeRun } from './whole-run.js'

// The real programs, as installed from the registry, through the backends against the model server of the tests.

const names: readonly ProgramName[] = ['claude', 'codex', 'gemini', 'opencode']
const wanted = names.filter((name) => !process.env.CLIS || process.env.CLIS.split(',').includes(name))

const installed = new Map<ProgramName, Program>()
beforeAll(async () => {
  for (const program of await installPrograms(wanted)) installed.set(program.name, program)
}, 1_200_000)

/** What the issue asks of every outcome: whatever happened, nothing of it lives on. */
async function isAllGone(trial: Trial): Promise<void> {
  const deadline = Date.now() + 5_000
  let left = await trial.left()
  while (left.length > 0 && Date.now() < deadline) left = await trial.left()
  expect(left).toEqual([])
}

const resultSchema = {
  type: 'object',
  properties: { status: { type: 'string', enum: ['success', 'failure'] }, summary: { type: 'string' } },
  required: ['status', 'summary'],
  additionalProperties: false,
}

async function settle(conversation: Conversation, trial: Trial) {
  const outcome = await conversation.done
  await conversation.close()
  await isAllGone(trial)
  return outcome
}

const threeHours = 3 * 3_600_000

describe.each(wanted)('%s', (name) => {
  const run = (title: string, test: (trial: Trial) => Promise<void>) =>
    it(title, async () => {
      const program = installed.get(name)
      if (!program) throw new Error('not installed')
      const trial = await startTrial(program)
      await test(trial)
      await isAllGone(trial)
    })

  run('version', async ({ backend, program }) => {
    expect(await backend.detect()).toMatchObject({ version: program.version })
  })

  run('write-file', async (trial) => {
    const prompt = `Do it.\nFILE=${trial.project.path('hello.txt')}\nRESULT={"status":"success","summary":"✓"}\n`
    const conversation = await trial.open('write', { schema: resultSchema, prompt })
    const outcome = await settle(conversation, trial)
    expect(outcome, told(outcome, trial)).toMatchObject({
      ok: true,
      result: { status: 'success', summary: '✓' },
    })
    expect(await trial.file('hello.txt')).toBe(writtenText)
    expect(trial.events).toContainEqual(expect.objectContaining({ type: 'tool', kind: 'edit', status: 'ok' }))
    // What was used is what was billed.
    const all = trial.asked().flatMap((one) => one.billed ?? [])
    // Over its protocol, opencode tells tokens of the last step only (the cost is of all).
    const bills = name === 'opencode' ? all.slice(-1) : all
    const sum = (of: (bill: (typeof bills)[number]) => number) => bills.reduce((all, one) => all + of(one), 0)
    const { input, cached, output } = outcome.usage
    expect({ output, all: input + cached }).toEqual({
      output: sum((one) => one.output),
      all: sum((one) => one.input + one.cacheRead),
    })
    // Over its protocol, gemini does not tell what came from a cache.
    if (name !== 'gemini') expect(cached).toBe(sum((one) => one.cacheRead))
  })

  run('permission-allow', async (trial) => {
    const conversation = await trial.open('write', { permissions: 'ask' })
    const ask = await trial.event('ask', (event) => event.kind === 'permission')
    expect(await trial.file('hello.txt')).toBeUndefined()
    const allow = ask.options.find((option) => option.kind === 'allow-once')
    conversation.answer(ask.askId, { optionId: allow?.id ?? '' })
    const outcome = await settle(conversation, trial)
    expect(outcome, told(outcome, trial)).toMatchObject({ ok: true })
    expect(await trial.file('hello.txt')).toBe(writtenText)
  })

  run('permission-deny', async (trial) => {
    const conversation = await trial.open('write', { permissions: 'ask' })
    const ask = await trial.event('ask', (event) => event.kind === 'permission')
    const deny = ask.options.find((option) => option.kind === 'deny')
    conversation.answer(ask.askId, { optionId: deny?.id ?? '' })
    await settle(conversation, trial)
    expect(await trial.file('hello.txt')).toBeUndefined()
    expect(trial.events).toContainEqual(expect.objectContaining({ type: 'tool', status: 'denied' }))
  })

  run('interrupt', async (trial) => {
    const conversation = await trial.open('slow')
    await trial.event('text')
    await conversation.interrupt()
    const outcome = await settle(conversation, trial)
    expect(outcome, told(outcome, trial)).toMatchObject({ ok: false, error: 'aborted' })
  })

  run('interrupt-tool', async (trial) => {
    const prompt = 'Run it.\nRUN=setsid sleep 291 & sleep 292\n'
    const conversation = await trial.open('bash', { prompt })
    await trial.event('tool', (event) => event.status === 'running')
    const outcome = await conversation.close()
    await isAllGone(trial)
    expect(outcome, told(outcome, trial)).toMatchObject({ ok: false, error: 'aborted' })
  })

  run('resume', async (trial) => {
    const first = await trial.open('ok', { prompt: 'Remember the word zanzibar.\n' })
    await settle(first, trial)
    const id = first.sessionId ?? ''
    expect(id).not.toBe('')
    const task = 'Remember the word zanzibar. Now go on.\n'
    const session = { id, mode: 'resume', task } as const
    const again = await trial.open('ok', { prompt: 'Now go on.\n', session })
    const outcome = await settle(again, trial)
    expect(outcome, told(outcome, trial)).toMatchObject({ ok: true })
    const last = trial.asked().at(-1)?.request
    const said = (last?.messages ?? [])
      .filter((message) => message.role === 'user')
      .map(textOf)
      .join('\n')
    expect(said).toContain('zanzibar')
    expect(said).toContain('go on')
  })

  run('401', async (trial) => {
    const outcome = await settle(await trial.open('401'), trial)
    expect(outcome, told(outcome, trial)).toMatchObject({ ok: false, error: 'auth', retry: 'never' })
  })

  run('429-reset', async (trial) => {
    // A login knows its limits, a key does not.
    const login = { ANTHROPIC_API_KEY: undefined, CLAUDE_CODE_OAUTH_TOKEN: 'dummy' }
    const env = name === 'claude' ? login : {}
    const conversation = await trial.open('429-reset', {
      env,
      idleMs: name === 'opencode' ? 30_000 : 180_000,
    })
    const outcome = await settle(conversation, trial)
    if (name === 'opencode') {
      // It waits without a word, whatever the server says; silence is all there is to notice.
      expect(outcome, told(outcome, trial)).toMatchObject({ ok: false, error: 'timeout' })
      return
    }
    expect(outcome, told(outcome, trial)).toMatchObject({ ok: false, error: 'limit', retry: 'later' })
    const resetsAt = outcome.ok ? 0 : (outcome.resetsAt ?? 0)
    expect(Math.abs(resetsAt - Date.now() - threeHours), told(outcome, trial)).toBeLessThan(5 * 60_000)
  })

  run('stream-cut', async (trial) => {
    const conversation = await trial.open('cut', { idleMs: name === 'opencode' ? 30_000 : 180_000 })
    const outcome = await settle(conversation, trial)
    expect(outcome.ok, told(outcome, trial)).toBe(false)
    if (!outcome.ok)
      expect(['network', 'overloaded', 'crash', 'timeout'], told(outcome, trial)).toContain(outcome.error)
  })

  run('endless-retry', async (trial) => {
    const conversation = await trial.open('endless-retry', { idleMs: 30_000 })
    const outcome = await settle(conversation, trial)
    expect(outcome.ok, told(outcome, trial)).toBe(false)
    if (!outcome.ok)
      expect(['overloaded', 'network', 'timeout'], told(outcome, trial)).toContain(outcome.error)
  })

  run('no-answer', async (trial) => {
    const conversation = await trial.open('hang')
    await trial.mock.seen((request) => request.outcome === 'hung')
    const outcome = await conversation.close()
    expect(outcome, told(outcome, trial)).toMatchObject({ ok: false, error: 'aborted' })
  })

  run('huge-output', async (trial) => {
    const outcome = await settle(await trial.open('huge', { schema: resultSchema }), trial)
    expect(outcome, told(outcome, trial)).toMatchObject({ ok: true, result: { status: 'success' } })
  })

  // The built program in a terminal, with the real agent.

  const whole = (title: string, test: (program: Program) => Promise<void>) =>
    it(title, async () => {
      const program = installed.get(name)
      if (!program) throw new Error('not installed')
      await test(program)
    }, 1_200_000)

  if (name === 'claude') whole('three-phase-run', wholeRun)

  for (const how of ['q', 'SIGKILL', 'close'] as const)
    whole(`ends-with-${how}`, (program) => endAtWork(realAgent(program), how))

  whole('ends-at-permission', (program) => endAtPermission(realAgent(program)))
})
