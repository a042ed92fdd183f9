import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { detectAll, openAgents } from '../../source/agents/pool.js'
import { Problem } from '../../source/problem.js'
import { temporaryDirectory } from './agent-kit.js'

function problemOf(action: () => unknown): Problem {
  try {
    action()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

/** With a PATH on which there are these programs only; none of them may be started. */
function withPath(programs: string[], action: () => void): void {
  const directory = temporaryDirectory()
  for (const name of programs) writeFileSync(join(directory, name), 'not a program', { mode: 0o755 })
  vi.stubEnv('PATH', directory)
  for (const name of ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL'])
    vi.stubEnv(name, undefined)
  try {
    action()
  } finally {
    vi.unstubAllEnvs()
  }
}

const personas = ['harness-planner', 'harness-task-executor', 'harness-verifier', 'harness-code-reviewer']

describe('openAgents', () => {
  it('without any agent says what to do, and names a role only where others have an agent', () => {
    withPath([], () => {
      const nobody = problemOf(() => openAgents({ personas, config: {} }))
      expect(nobody.what).toBe('No agent program was found on PATH, and none is named.')
      expect(nobody.todo).toContain('autopilot doctor')
      const some = { 'harness-planner': { agent: 'command:node a.js' } }
      expect(problemOf(() => openAgents({ personas, config: { personas: some } })).what).toContain(
        'none is named for the role harness-task-executor.',
      )
    })
  })

  it('runs any program for every persona', () => {
    const pool = openAgents({ personas, agentOption: 'command:node "my agent.js" --fast', config: {} })
    expect(pool.describe()).toBe('command: node "my agent.js" --fast')
    expect(pool.programs()).toEqual([
      { backend: 'command', label: pool.describe(), argv: ['node', 'my agent.js', '--fast'] },
    ])
    const backends = personas.map((persona) => pool.forPersona(persona))
    expect(new Set(backends).size).toBe(1)
    expect(backends[0]?.id).toBe('command')
  })

  it('runs the scripted agent with this very Node', () => {
    const pool = openAgents({
      personas,
      agentOption: 'rehearsal',
      config: {},
      rehearsalProgram: '/opt/rehearsal.js',
    })
    expect(pool.forPersona('harness-planner').id).toBe('rehearsal')
    expect(pool.programs().map((program) => program.argv)).toEqual([[process.execPath, '/opt/rehearsal.js']])
  })

  it('prefers the option, then the persona, then the configuration for all', () => {
    const config = {
      agent: 'command:all',
      personas: { 'harness-verifier': { agent: 'command:careful', model: 'large' } },
    }
    const pool = openAgents({ personas, config })
    expect(pool.forPersona('harness-verifier').label).toBe('command: careful')
    expect(pool.forPersona('harness-planner').label).toBe('command: all')
    expect(pool.modelFor('harness-verifier')).toBe('large')
    expect(pool.modelFor('harness-planner')).toBeUndefined()
    expect(pool.describe()).toBe(
      'planner command: all, task-executor command: all, verifier command: careful, code-reviewer command: all',
    )
    const overruled = openAgents({ personas, config, agentOption: 'command:one' })
    expect(overruled.forPersona('harness-verifier').label).toBe('command: one')
  })

  it('refuses a name that is none and lists what there is', () => {
    const problem = problemOf(() => openAgents({ personas, agentOption: 'hal', config: {} }))
    expect(problem.code).toBe('usage')
    expect(problem.what).toContain('"hal"')
    expect(problem.todo).toContain('command:<program and arguments>')
    // It works in the sample project of the demo alone: nobody is told to name it.
    expect(problem.todo).not.toContain('rehearsal')
  })

  it.each(['command:', 'command', 'command:   ', 'command:node "open'])('refuses %s', (agentOption) => {
    expect(problemOf(() => openAgents({ personas, agentOption, config: {} })).code).toBe('usage')
  })

  it('finds nobody on an empty PATH, and says how to name an agent', () => {
    withPath([], () => {
      const problem = problemOf(() => openAgents({ personas, config: {} }))
      expect(problem.code).toBe('agent')
      expect(problem.todo).toContain('--agent')
    })
  })

  it.each([
    [['opencode', 'gemini', 'codex', 'claude'], 'claude', ['claude']],
    [['opencode', 'gemini', 'codex'], 'codex', ['codex']],
    [['opencode', 'gemini'], 'gemini', ['gemini', '--acp']],
    [['opencode'], 'opencode', ['opencode', 'acp']],
  ])('takes by itself of %j: %s', (programs, expected, argv) => {
    withPath(programs, () => {
      const pool = openAgents({ personas, config: {} })
      expect(pool.programs()).toEqual([{ backend: expected, label: pool.describe(), argv }])
      expect(pool.describe().startsWith(expected)).toBe(true)
      const named = openAgents({ personas, config: { agent: 'command:mine' } })
      expect(named.describe()).toBe('command: mine')
    })
  })

  it('takes the agent of its own where no program is found and a key is set, and may be told the model', () => {
    const embeddedProgram = '/opt/embedded.js'
    withPath([], () => {
      vi.stubEnv('ANTHROPIC_API_KEY', 'a-key')
      const pool = openAgents({ personas, config: {}, embeddedProgram })
      expect(pool.forPersona('harness-planner').id).toBe('embedded')
      expect(pool.programs()[0]?.argv).toEqual([process.execPath, embeddedProgram])
    })
    withPath(['opencode'], () => {
      vi.stubEnv('ANTHROPIC_API_KEY', 'a-key')
      expect(openAgents({ personas, config: {}, embeddedProgram }).forPersona('harness-planner').id).toBe(
        'opencode',
      )
    })
    withPath([], () => {
      expect(
        openAgents({ personas, agentOption: 'embedded:small', config: {}, embeddedProgram }).describe(),
      ).toBe('embedded: small')
    })
  })

  it('takes another Claude Code than that on PATH', () => {
    const pool = openAgents({ personas, agentOption: 'claude:/opt/claude/bin/claude', config: {} })
    expect(pool.forPersona('harness-planner').id).toBe('claude')
    expect(pool.programs()[0]?.argv).toEqual(['/opt/claude/bin/claude'])
  })
})

describe('detectAll', () => {
  it('tells whether the scripted agent is there', async () => {
    const here = new URL(import.meta.url).pathname
    const found = async (rehearsalProgram: string) =>
      (await detectAll({ config: {}, rehearsalProgram })).find((each) => each.usage === 'rehearsal')?.found
    expect(await found(here)).toBe(true)
    expect(await found(join(here, 'missing.js'))).toBe(false)
  })

  it('has nothing to show of a version where none is told', async () => {
    const here = new URL(import.meta.url).pathname
    const rows = await detectAll({ config: {}, rehearsalProgram: here })
    expect(rows.find((each) => each.usage === 'rehearsal')).not.toHaveProperty('detection')
    for (const { detection } of rows) expect(detection?.version).not.toBe('')
  })

  it.each([
    ['with nothing', undefined, undefined, true, false],
    ['with a key', 'a-key', undefined, true, true],
    ['with a server', undefined, 'http://127.0.0.1:1', true, true],
    ['with a key and no program', 'a-key', undefined, false, false],
  ])('finds the agent of its own only where it can work: %s', async (_, key, server, isThere, found) => {
    const here = new URL(import.meta.url).pathname
    vi.stubEnv('PATH', temporaryDirectory())
    vi.stubEnv('ANTHROPIC_API_KEY', key)
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', undefined)
    vi.stubEnv('ANTHROPIC_BASE_URL', server)
    try {
      const embeddedProgram = isThere ? here : join(here, 'missing.js')
      const rows = await detectAll({ config: {}, embeddedProgram })
      expect(rows.find((each) => each.usage === 'embedded')?.found).toBe(found)
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it.each([
    ['2.9.9', true, true],
    ['2.9.9', false, false],
    ['0.0.1', true, false],
  ])('finds a Claude Code %s, signed in: %s', async (version, loggedIn, found) => {
    const directory = temporaryDirectory()
    const script = `#!/bin/sh\n[ "$1" = auth ] && echo '{"loggedIn":${loggedIn}}' || echo '${version}'\n`
    writeFileSync(join(directory, 'claude'), script, { mode: 0o755 })
    vi.stubEnv('PATH', directory)
    try {
      const row = (await detectAll()).find((each) => each.usage === 'claude')
      expect(row).toMatchObject({ found, detection: { version } })
    } finally {
      vi.unstubAllEnvs()
    }
  })
})
