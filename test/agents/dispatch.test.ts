import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentEvent, Backend, Conversation, OpenRequest, Outcome } from '../../source/agents/agent.js'
import { commandBackend } from '../../source/agents/backends/command.js'
import { dispatchAgent } from '../../source/agents/dispatch.js'
import { runCommand } from '../../source/processes/commands.js'
import { here } from '../processes/confine/confined.js'
import { trial, verifyTask } from './agent-kit.js'

// What a backend with conversations makes of a dispatch: repair, resume, asks and stops.

const usage = { input: 10, output: 1, cached: 0 }
const good = { verdict: 'pass', gaps: [] }
const said = (result: unknown): Outcome => ({ ok: true, result, text: '', usage })

interface Script {
  /** Outcomes of the turns, one after the other, over all conversations. */
  turns: Outcome[]
  resume?: boolean
  send?: boolean
  events?: AgentEvent[]
  /** The turn ends only when the conversation is closed. */
  hangs?: boolean
}

function scripted(script: Script) {
  const requests: OpenRequest[] = []
  const sent: string[] = []
  const answers: unknown[] = []
  let closed = 0
  const turns = [...script.turns]
  const next = () => turns.shift() ?? said(undefined)
  const backend: Backend = {
    id: 'scripted',
    label: 'scripted',
    caps: {
      deltas: true,
      ask: true,
      steer: true,
      schema: true,
      cost: false,
      resetTime: false,
      resume: script.resume ?? false,
      turnLimit: false,
    },
    detect: async () => undefined,
    async open(request, sink): Promise<Conversation> {
      requests.push(request)
      let end: (outcome: Outcome) => void = () => {}
      let done = new Promise<Outcome>((resolve) => {
        end = resolve
        if (!script.hangs) setTimeout(() => resolve(next()), 5)
      })
      setImmediate(() => {
        for (const event of script.events ?? []) sink(event)
      })
      return {
        sessionId: 'c-1',
        get done() {
          return done
        },
        send(text) {
          if (!script.send) return 'unsupported'
          sent.push(text)
          done = Promise.resolve(next())
          return 'sent'
        },
        answer: (id, answer) => void answers.push([id, answer]),
        interrupt: async () => end(script.turns[0] ?? said(good)),
        pause: () => {},
        async close() {
          closed += 1
          end(said(good))
          return done
        },
      }
    },
  }
  return { backend, requests, sent, answers, closed: () => closed }
}

describe('an invalid result', () => {
  const wrong = said({ verdict: 'perhaps' })

  it('gets one repair turn in the open conversation', async () => {
    const agent = scripted({ turns: [wrong, said(good)], send: true })
    const reply = await dispatchAgent(verifyTask(), trial(agent.backend).context)
    expect(reply).toMatchObject({ ok: true, result: good, usage: { inputTokens: 10, outputTokens: 1 } })
    expect(agent.sent).toHaveLength(1)
    expect(agent.sent[0]).toContain('verdict: Invalid option')
    expect(agent.requests).toHaveLength(1)
    expect(agent.closed()).toBeGreaterThan(0)
  })

  it('or in the same conversation, resumed; both are counted', async () => {
    const agent = scripted({ turns: [wrong, said(good)], resume: true })
    const reply = await dispatchAgent(verifyTask(), trial(agent.backend).context)
    expect(reply).toMatchObject({ ok: true, result: good, usage: { inputTokens: 20, outputTokens: 2 } })
    expect(agent.requests[1]?.session).toEqual({ id: 'c-1', mode: 'resume' })
    expect(agent.requests[1]?.prompt).toContain('could not be used')
  })

  it('is an error after a second one', async () => {
    const agent = scripted({ turns: [wrong, wrong, said(good)], send: true })
    const reply = await dispatchAgent(verifyTask(), trial(agent.backend).context)
    expect(reply).toMatchObject({ ok: false, error: 'schema', message: expect.stringContaining('verdict:') })
    expect(agent.sent).toHaveLength(1)
  })

  it('is an error at once where the backend can do neither', async () => {
    const agent = scripted({ turns: [wrong, said(good)] })
    const reply = await dispatchAgent(verifyTask(), trial(agent.backend).context)
    expect(reply).toMatchObject({ ok: false, error: 'schema', sessionId: undefined })
    expect(agent.requests).toHaveLength(1)
  })

  it('is repaired too when there was none', async () => {
    const none: Outcome = { ok: false, error: 'schema', message: 'no result', retry: 'now', usage }
    const agent = scripted({ turns: [none, said(good)], send: true })
    expect(await dispatchAgent(verifyTask(), trial(agent.backend).context)).toMatchObject({ ok: true })
  })
})

describe('what an agent said and its tests printed', () => {
  const none: Outcome = { ok: false, error: 'schema', message: 'no result', retry: 'now', usage }
  const tool = (id: string, status: 'running' | 'ok' | 'failed', more: object) =>
    ({ type: 'tool', id, name: 'bash', kind: 'exec', title: '', status, ...more }) as AgentEvent

  it('its last words come with a result that is missing, those of a subagent do not', async () => {
    const events: AgentEvent[] = [
      { type: 'text', id: 'a', full: 'Which database?' },
      { type: 'text', id: 'b', full: 'I look around.', agent: 'scout' },
    ]
    const agent = scripted({ turns: [none], events })
    expect(await dispatchAgent(verifyTask(), trial(agent.backend).context)).toMatchObject({
      ok: false,
      said: 'Which database?',
    })
  })

  const ran = async (...commands: [title: string, status: 'ok' | 'failed'][]) => {
    const events = commands.flatMap(([title, status], at): AgentEvent[] => [
      tool(`${at}`, 'running', { title }),
      tool(`${at}`, status, {}),
    ])
    const agent = scripted({ turns: [said(good)], events })
    const reply = await dispatchAgent(verifyTask(), trial(agent.backend).context)
    return reply.ok ? [reply.commands, reply.failedCommands ?? 0] : reply.message
  }

  it('commands that look at nothing are none', async () => {
    expect(
      await ran(['true', 'ok'], ['echo all pass; exit 1', 'failed'], ["bash -lc 'cd src && pwd'", 'ok']),
    ).toEqual([0, 0])
    expect(
      await ran(
        ['node --version', 'ok'],
        ['which npm', 'ok'],
        ['npm test -- --help 2>&1', 'ok'],
        ['pytest --co', 'ok'],
      ),
    ).toEqual([0, 0])
    expect(await ran(['pytest -v', 'ok'], ['npm test 2>&1 | tail -5', 'ok'])).toEqual([2, 0])
    expect(await ran(['echo "$(npm test)"', 'ok'], ['cd src && ls', 'ok'], ['echo < a.js', 'ok'])).toEqual([
      3, 0,
    ])
  })

  it('tests that failed last outweigh what was run beside them', async () => {
    expect(await ran(['npm test', 'failed'], ['cat test/a.test.js', 'ok'])).toEqual([2, 2])
    expect(await ran(['npm test', 'failed'], ['cd a && CI=1 npx vitest run', 'ok'])).toEqual([2, 1])
    expect(await ran(['grep -r npm test', 'failed'], ['ls', 'ok'])).toEqual([2, 1])
  })

  it('tests that print failures have failed, though the end of a pipe did not', async () => {
    const look = async (output: string) => {
      const title = 'npm test 2>&1 | tail -5'
      const events: AgentEvent[] = [tool('1', 'running', { title }), tool('1', 'ok', { output })]
      const reply = await dispatchAgent(
        verifyTask(),
        trial(scripted({ turns: [said(good)], events }).backend).context,
      )
      return reply.ok && (reply.failedCommands ?? 0)
    }
    expect(await look('ℹ tests 6\nℹ pass 4\nℹ fail 2\n')).toBe(1)
    expect(await look('Tests:       1 failed, 5 passed, 6 total')).toBe(1)
    expect(await look('==== 1 failed, 3 passed in 0.12s ====')).toBe(1)
    expect(await look('ℹ tests 6\nℹ pass 6\nℹ fail 0\n')).toBe(0)
    expect(await look('Tests:       6 passed, 6 total')).toBe(0)
  })

  it('the tests that failed last are the output, not the commands after them', async () => {
    const events: AgentEvent[] = [
      tool('1', 'running', { title: 'npm test' }),
      tool('1', 'failed', { output: '2 of 4 failed' }),
      tool('2', 'running', { title: 'ls' }),
      tool('2', 'ok', { output: 'src' }),
    ]
    const agent = scripted({ turns: [said(good)], events })
    expect(await dispatchAgent(verifyTask(), trial(agent.backend).context)).toMatchObject({
      ok: true,
      output: '2 of 4 failed',
    })
  })
})

describe('other failures', () => {
  it('are handed on as they are, without a repair', async () => {
    const limit: Outcome = { ok: false, error: 'limit', message: 'full', resetsAt: 5, retry: 'later', usage }
    const agent = scripted({ turns: [limit, said(good)], send: true, resume: true })
    const reply = await dispatchAgent(verifyTask(), trial(agent.backend).context)
    expect(reply).toMatchObject({ ...limit, usage: { inputTokens: 10, outputTokens: 1 } })
    expect(agent.sent).toEqual([])
  })

  it('a backend that throws is an error of the dispatch, not of the program', async () => {
    const agent = scripted({ turns: [] })
    const backend = { ...agent.backend, open: () => Promise.reject(new Error('no socket')) }
    const reply = await dispatchAgent(verifyTask(), trial(backend).context)
    expect(reply).toMatchObject({ ok: false, error: 'spawn', message: 'no socket' })
  })

  it('hide secrets in their message', async () => {
    const message = 'refused key ghp_abcdefghijklmnopqrstuvwxyz0123'
    const agent = scripted({ turns: [{ ok: false, error: 'auth', message, retry: 'never', usage }] })
    const reply = await dispatchAgent(verifyTask(), trial(agent.backend).context)
    expect(reply).toMatchObject({ ok: false, message: 'refused key [redacted]' })
  })
})

it('a stopped conversation never counts as success, whatever it ends with', async () => {
  const agent = scripted({ turns: [], hangs: true })
  const { context, controller } = trial(agent.backend)
  const reply = dispatchAgent(verifyTask(), context)
  await expect.poll(() => agent.requests).toHaveLength(1)
  controller.abort()
  expect(await reply).toMatchObject({ ok: false, error: 'aborted' })
  expect(agent.closed()).toBeGreaterThan(0)
})

it('an interrupted turn is no success and leaves a conversation to go on in', async () => {
  const agent = scripted({ turns: [], hangs: true, events: [{ type: 'session', id: 'c-1' }] })
  const made = trial(agent.backend, { interrupt: (end) => setTimeout(end, 30) })
  const reply = await dispatchAgent(verifyTask(), made.context)
  expect(reply).toMatchObject({ ok: false, error: 'aborted', retry: 'now', sessionId: 'c-1' })
  expect(made.controller.signal.aborted).toBe(false)
  expect(agent.sent).toEqual([])
})

it('goes on in an earlier conversation where the backend can', async () => {
  const agent = scripted({ turns: [said(good)], resume: true })
  await dispatchAgent(verifyTask(), trial(agent.backend, { resume: { sessionId: 'old' } }).context)
  expect(agent.requests[0]?.session).toEqual({ id: 'old', mode: 'resume', task: 'Check it.\n' })
  expect(agent.requests[0]?.prompt).toContain('broken off')
  const other = scripted({ turns: [said(good)] })
  await dispatchAgent(verifyTask(), trial(other.backend, { resume: { sessionId: 'old' } }).context)
  expect(other.requests[0]?.session).toBeUndefined()
  expect(other.requests[0]?.prompt).toBe('Check it.\n')
})

describe('a question of the agent', () => {
  const ask: AgentEvent = {
    type: 'ask',
    askId: 'q1',
    kind: 'permission',
    title: 'rm',
    detail: '',
    options: [
      { id: 'no', label: 'No', kind: 'deny' },
      { id: 'yes', label: 'Yes', kind: 'allow-once' },
    ],
    defaultNo: true,
  }

  it('is answered by the person', async () => {
    const agent = scripted({ turns: [said(good)], events: [ask] })
    await dispatchAgent(
      verifyTask(),
      trial(agent.backend, { ask: async () => ({ optionId: 'yes' }) }).context,
    )
    expect(agent.answers).toEqual([['q1', { optionId: 'yes' }]])
  })

  it('is denied where nobody can answer', async () => {
    const agent = scripted({ turns: [said(good)], events: [ask] })
    await dispatchAgent(verifyTask(), trial(agent.backend).context)
    expect(agent.answers).toEqual([['q1', { optionId: 'no', text: expect.any(String) }]])
  })
})

it('a guard that refuses starts nothing, and what it threw comes out', async () => {
  const agent = scripted({ turns: [said(good)] })
  const refused = new Error('changed')
  const guard = async () => {
    throw refused
  }
  await expect(dispatchAgent(verifyTask(), trial(agent.backend, { guard }).context)).rejects.toBe(refused)
  expect(agent.requests).toEqual([])
})

describe.skipIf(!here.works)('a confined agent', () => {
  const script = `
    cd "$AUTOPILOT_SESSION_DIR" || exit 3
    test -r "$AUTOPILOT_DISPATCH" || exit 4
    echo '{"from":"agent"}' > handoff.json
    echo progress > state.json
    echo forged >> own-state.json
    (echo forged >> journal.jsonl) 2>/dev/null && exit 5
    (echo forged > ../other/journal.jsonl) 2>/dev/null && exit 6
    (mv ../../sessions ../../moved) 2>/dev/null && exit 7
    (echo x > "$HOME/outside") 2>/dev/null && exit 8
    echo work > ../../../work.txt
    setsid sh -c 'sleep 611 & sleep 611' >/dev/null 2>&1 &
    echo '\`\`\`json'
    echo '{"verdict":"pass","gaps":[]}'
    echo '\`\`\`'`

  async function confinedTrial() {
    if (!here.works) throw new Error(here.reason)
    const run = trial(commandBackend(['/bin/sh', '-c', script]), { records: ['own-state.json'] })
    const root = await realpath(run.context.projectDir)
    const home = join(root, '..', `${basename(root)}-home`)
    const session = join(root, run.context.sessionDir)
    for (const path of [home, session, join(session, '../other')]) await mkdir(path, { recursive: true })
    for (const name of ['journal.jsonl', 'own-state.json', '../other/journal.jsonl'])
      await writeFile(join(session, name), 'ours\n')
    const context = {
      ...run.context,
      projectDir: root,
      env: { ...run.context.env, HOME: home },
      confinement: {
        tool: here.tool,
        root,
        home,
        autopilotPaths: [],
        allowed: [],
        readOnly: [join(root, '.harness/sessions')],
        writable: [join(root, '.harness')],
      },
    }
    return { ...run, context, root, home, session }
  }

  it('works in the project and in copies of the session; its claims are taken over, forgeries are not', async () => {
    const { context, root, home, session, lines } = await confinedTrial()
    const reply = await dispatchAgent(verifyTask(), context)
    expect(reply).toMatchObject({ ok: true, result: good })
    const read = async (path: string) => await readFile(join(session, path), 'utf8')
    expect(await read('handoff.json')).toBe('{"from":"agent"}\n')
    expect(await read('state.json')).toBe('progress\n')
    for (const ours of ['journal.jsonl', 'own-state.json', '../other/journal.jsonl'])
      expect(await read(ours), ours).toBe('ours\n')
    expect(await readFile(join(root, 'work.txt'), 'utf8')).toBe('work\n')
    await expect(readFile(join(home, 'outside'))).rejects.toThrow()
    expect(lines).toContainEqual({
      kind: 'note',
      text: 'the agent wrote .harness/sessions/mail/own-state.json, which is not its own; it stays as it was',
    })
    await rm(home, { recursive: true })
  })

  it('leaves nobody, whatever it double-forked', async () => {
    const { context, home } = await confinedTrial()
    await dispatchAgent(verifyTask(), context)
    await expect.poll(async () => await running('sleep 611')).toBe('')
    await rm(home, { recursive: true })
  })
})

async function running(command: string): Promise<string> {
  const found = await runCommand(['pgrep', '-fx', command], { cwd: '/', timeoutMs: 10_000, outputCap: 1000 })
  return found.stdout
}
