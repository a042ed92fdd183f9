import { chmodSync, existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  anyAcpBackend,
  geminiBackend,
  opencodeBackend,
} from '../../../source/agents/backends/acp-profiles.js'
import { childEnvironment } from '../../../source/processes/environment.js'
import { temporaryDirectory } from '../agent-kit.js'
import { converse } from './acp-kit.js'
import { loadTranscripts, replay } from './transcripts.js'

const [whole] = loadTranscripts('opencode-acp').filter(({ name }) => name === 'limit-silent')
if (!whole) throw new Error('no transcript')
const playable = { ...whole, input: whole.input.filter((line) => !line.includes('session/cancel')) }

afterEach(() => vi.unstubAllEnvs())

describe('gemini', () => {
  it('is started without a wrapper, trusts the project, and gets the model as an argument', async () => {
    vi.stubEnv('GEMINI_API_KEY', 'chosen')
    vi.stubEnv('OPENAI_API_KEY', 'of others')
    const agent = replay(playable)
    const { conversation } = await converse(geminiBackend({ program: agent.program }), { model: 'pro' })
    expect(await conversation.done).toMatchObject({ ok: true })
    await conversation.close()
    const [start] = agent.starts()
    expect(start?.argv).toEqual(['--acp', '-m', 'pro'])
    expect(start?.env).toMatchObject({
      GEMINI_CLI_NO_RELAUNCH: 'true',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_API_KEY: 'chosen',
    })
    expect(start?.env.OPENAI_API_KEY).toBeUndefined()
  })
})

describe('opencode', () => {
  it('is told to ask, not to update and not to share; the rest of a given configuration stays', async () => {
    const agent = replay(playable)
    const given = JSON.stringify({ provider: { mock: {} }, share: 'auto', permission: { edit: 'allow' } })
    const env = { ...childEnvironment(), OPENCODE_CONFIG_CONTENT: given }
    const { conversation } = await converse(opencodeBackend({ program: agent.program }), {
      model: 'mock/other',
      env,
    })
    expect(await conversation.done).toMatchObject({ ok: true })
    await conversation.close()
    const [start] = agent.starts()
    expect(start?.argv).toEqual(['acp'])
    expect(JSON.parse(start?.env.OPENCODE_CONFIG_CONTENT ?? '')).toEqual({
      provider: { mock: {} },
      autoupdate: false,
      share: 'disabled',
      permission: { edit: 'ask', bash: 'ask' },
      model: 'mock/other',
    })
  })

  it('says that a silent one may be waiting for a limit', async () => {
    const agent = replay(whole)
    const limits = { firstMs: 50_000, idleMs: 400, wallMs: 55_000 }
    const { conversation } = await converse(opencodeBackend({ program: agent.program }), { limits })
    const outcome = await conversation.done
    expect(outcome).toMatchObject({ ok: false, error: 'timeout' })
    if (!outcome.ok) expect(outcome.message).toContain('usage limit')
    await conversation.close()
  })
})

describe('looking for a program', () => {
  function versioned(version: string) {
    const directory = temporaryDirectory()
    const path = join(directory, 'agent')
    const count = join(directory, 'count')
    const write = (text: string) => {
      writeFileSync(path, `#!/bin/sh\necho x >> '${count}'\necho 'Agent ${text}'\n`)
      chmodSync(path, 0o755)
    }
    write(version)
    const runs = () => (existsSync(count) ? readFileSync(count, 'utf8').trim().split('\n').length : 0)
    return { path, write, runs }
  }

  it('asks for the version once, and again when the program has changed', async () => {
    const agent = versioned('1.18.33')
    const backend = opencodeBackend({ program: agent.path })
    expect(await backend.detect()).toMatchObject({ path: agent.path, version: '1.18.33' })
    expect(await backend.detect()).toMatchObject({ version: '1.18.33' })
    expect(agent.runs()).toBe(1)
    agent.write('2.0.0-rc.1')
    utimesSync(agent.path, new Date(), new Date(Date.now() + 10_000))
    expect(await backend.detect()).toMatchObject({ version: '2.0.0-rc.1' })
  })

  it('executes nothing of which it does not know how it tells its version', async () => {
    const agent = versioned('1.0.0')
    expect(await anyAcpBackend([agent.path, 'acp']).detect()).toMatchObject({ path: agent.path, version: '' })
    expect(agent.runs()).toBe(0)
  })

  it('finds nothing where there is nothing', async () => {
    expect(await geminiBackend({ program: '/nowhere/gemini' }).detect()).toBeUndefined()
  })
})
