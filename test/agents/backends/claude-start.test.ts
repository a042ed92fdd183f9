import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeBackend } from '../../../source/agents/backends/claude.js'
import { commonSchema } from '../../../source/agents/backends/claude-command.js'
import { schemaJson } from '../../../source/agents/result.js'
import { childEnvironment } from '../../../source/processes/environment.js'
import { resultSchemas } from '../../../source/workflows/harness/results.js'
import { eventually, temporaryDirectory } from '../agent-kit.js'
import { answersTo, commands, named, open, schema } from './claude-kit.js'
import { type Replay, replay } from './transcripts.js'

describe('the command line', () => {
  it('is the one of the reference, and nothing of the prompt is in it', async () => {
    const { conversation, played } = await open(named('success-schema'), {
      answer: answersTo('success-schema'),
      request: {
        schema,
        model: 'sonnet',
        permissions: 'edits',
        systemAppend: 'You verify.',
        limits: { turns: 40, usd: 5, firstMs: 20_000, idleMs: 20_000, wallMs: 60_000 },
      },
    })
    expect(await conversation.done).toMatchObject({ ok: true, result: { status: 'success' } })
    const argv = played.starts()[0]?.argv ?? []
    const value = (flag: string) => argv[argv.indexOf(flag) + 1] ?? ''
    const shown = [value('--session-id'), value('--append-system-prompt-file')]
    expect(argv.map((each) => (shown.includes(each) ? '*' : each)).join(' ')).toBe(
      '-p --input-format stream-json --output-format stream-json --verbose --include-partial-messages ' +
        '--replay-user-messages --permission-prompt-tool stdio --permission-mode acceptEdits --session-id * ' +
        '--model sonnet --append-system-prompt-file * --json-schema {"type":"object"} --max-turns 40 ' +
        '--max-budget-usd 5 --setting-sources user,project --strict-mcp-config',
    )
    expect(value('--session-id')).toMatch(/^[0-9a-f-]{36}$/)
    await eventually(() => !existsSync(value('--append-system-prompt-file')))
  })

  it('sets what keeps the program short, and adds nothing else to the environment', async () => {
    const { conversation, played, request } = await open(named('permission-none'), {
      request: { env: { ...childEnvironment(), CLAUDE_CODE_MAX_RETRIES: '2' } },
    })
    await conversation.done
    const env = played.starts()[0]?.env ?? {}
    expect(env).toMatchObject({
      CLAUDE_CODE_MAX_RETRIES: '2',
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
      DISABLE_AUTOUPDATER: '1',
    })
    expect(env.ANTHROPIC_API_KEY).toBeUndefined()
    const known = Object.keys(request.env)
    const added = Object.keys(env).filter(
      (name) => !known.includes(name) && !/^(PWD|OLDPWD|SHLVL|_)$/.test(name),
    )
    expect(added.sort()).toEqual([
      'AUTOPILOT_ATTEMPT_ID',
      'AUTOPILOT_RUN_ID',
      'CLAUDE_CODE_DISABLE_BACKGROUND_TASKS',
      'DISABLE_AUTOUPDATER',
    ])
  })

  it.each([
    [{ access: 'full', permissions: 'ask' }, 'default', false],
    [{ access: 'full', permissions: 'all' }, 'acceptEdits', false],
    [{ access: 'read', permissions: 'edits' }, 'default', true],
  ] as const)('permission mode of %j is %s', async (request, mode, isConfined) => {
    const { conversation, played } = await open(named('permission-none'), { request })
    await conversation.done
    const argv = played.starts()[0]?.argv ?? []
    expect(argv[argv.indexOf('--permission-mode') + 1]).toBe(mode)
    expect(argv.includes('--disallowedTools')).toBe(isConfined)
  })

  it.each([
    ['resume', ['--resume', 'abc']],
    ['fork', ['--resume', 'abc', '--fork-session']],
  ] as const)('goes on in a conversation: %s', async (mode, expected) => {
    const { conversation, played } = await open(named('permission-none'), {
      request: { session: { id: 'abc', mode } },
    })
    await conversation.done
    const argv = played.starts()[0]?.argv ?? []
    expect(argv.slice(argv.indexOf('--resume'), argv.indexOf('--resume') + expected.length)).toEqual(expected)
    expect(argv).not.toContain('--session-id')
  })

  it.each(['project', 'home'])('uses the agent that the %s defines for the persona', async (place) => {
    const cwd = temporaryDirectory()
    const home = temporaryDirectory()
    const agents = join(place === 'project' ? cwd : home, '.claude', 'agents')
    mkdirSync(agents, { recursive: true })
    writeFileSync(join(agents, 'harness-verifier.md'), '---\nname: harness-verifier\n---\nVerify.\n')
    const start = async (role: string) => {
      const env = { ...childEnvironment(), HOME: home }
      const { conversation, played } = await open(named('permission-none'), { request: { cwd, env, role } })
      await conversation.done
      return played.starts()[0]?.argv ?? []
    }
    const argv = await start('harness-verifier')
    expect(argv[argv.indexOf('--agent') + 1]).toBe('harness-verifier')
    expect(await start('harness-planner')).not.toContain('--agent')
  })
})

describe('permissions', () => {
  const replyOf = (played: Replay) =>
    played.heard().find((line) => (line as { type: string }).type === 'control_response')

  it('a role without write permission is refused every edit, and nobody is asked', async () => {
    const { conversation, events, played } = await open(named('permission-allow'), {
      request: { access: 'read', permissions: 'all' },
    })
    await conversation.done
    expect(events.filter((event) => event.type === 'ask')).toEqual([])
    expect(replyOf(played)).toMatchObject({ response: { response: { behavior: 'deny', interrupt: false } } })
  })

  it('such a role may run a command when a person allows it', async () => {
    const { conversation, events, played } = await open(named('permission-always'), {
      request: { access: 'read', permissions: 'edits' },
      answer: () => ({ optionId: 'allow' }),
    })
    await conversation.done
    expect(events.filter((event) => event.type === 'ask')).toHaveLength(1)
    expect(replyOf(played)).toMatchObject({ response: { response: { behavior: 'allow' } } })
  })

  it.each([
    ['edits', 'permission-allow', 0],
    ['all', 'permission-always', 0],
    ['edits', 'permission-always', 1],
    ['all', 'ask-user', 1],
    ['all', 'plan-exit', 1],
  ] as const)('policy %s and %s: asked %i times', async (permissions, name, asked) => {
    const { conversation, events, played } = await open(named(name), {
      request: { permissions },
      answer: answersTo(name),
    })
    expect(await conversation.done).toMatchObject({ ok: true })
    expect(events.filter((event) => event.type === 'ask')).toHaveLength(asked)
    expect(replyOf(played)).toMatchObject({ response: { response: { behavior: 'allow' } } })
  })

  it('what is asked is not answered twice, nor by a name that was never offered', async () => {
    const { conversation, played } = await open(named('permission-allow'), {
      on(event, open) {
        if (event.type !== 'ask') return
        open.answer('another', { optionId: 'allow' })
        open.answer(event.askId, { optionId: 'whatever' })
        open.answer(event.askId, { optionId: 'allow' })
      },
    })
    await conversation.done
    const replies = played.heard().filter((line) => (line as { type: string }).type === 'control_response')
    expect(replies).toHaveLength(1)
    expect(replies[0]).toMatchObject({ response: { response: { behavior: 'deny' } } })
  })

  it('a silent person is no silent agent', async () => {
    const { conversation } = await open(named('permission-allow'), {
      request: { limits: { firstMs: 20_000, idleMs: 400, wallMs: 60_000 } },
      on(event, open) {
        if (event.type === 'ask') setTimeout(() => open.answer(event.askId, { optionId: 'allow' }), 1500)
      },
    })
    expect(await conversation.done).toMatchObject({ ok: true })
  })
})

describe('detection', () => {
  const auth = (stdout: string, code: number) => ({ ...commands, 'auth status': { stdout, code } })

  it.each([
    ['ok', '{"loggedIn": true, "authMethod": "claude.ai"}\n', 0],
    ['missing', '{"loggedIn": false, "authMethod": "none"}\n', 1],
    ['unknown', 'error: unknown command\n', 1],
  ])('auth %s', async (expected, stdout, code) => {
    const played = replay(named('steer'), { commands: auth(stdout, code) })
    expect(await claudeBackend({ program: played.program }).detect()).toEqual({
      path: played.program,
      version: '2.1.332',
      auth: expected,
    })
  })
})

describe('the schema of a result', () => {
  it('has no word that only some drafts know', () => {
    for (const result of Object.values(resultSchemas)) {
      const text = JSON.stringify(commonSchema(schemaJson(result)))
      expect(text).not.toMatch(/"(\$schema|prefixItems|additionalItems|unevaluated\w+)"/)
    }
  })

  it('says of a tuple how long it is and what may be in it', () => {
    const one = { type: 'integer' }
    const two = { type: 'string', $schema: 'x' }
    expect(commonSchema({ type: 'array', prefixItems: [one, one] })).toEqual({
      type: 'array',
      minItems: 2,
      maxItems: 2,
      items: one,
    })
    expect(commonSchema({ anyOf: [{ prefixItems: [one, two], items: one }] })).toEqual({
      anyOf: [{ minItems: 2, items: { anyOf: [one, { type: 'string' }] } }],
    })
    expect(commonSchema({ type: 'array', items: two, description: 'prefixItems' })).toEqual({
      type: 'array',
      items: { type: 'string' },
      description: 'prefixItems',
    })
  })
})
