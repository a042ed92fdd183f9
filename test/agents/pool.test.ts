import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { detectAll, openAgents, personas } from '../../source/agents/pool.js'
import { Problem } from '../../source/problem.js'

function problemOf(action: () => unknown): Problem {
  try {
    action()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('openAgents', () => {
  it('runs any program for every persona', () => {
    const pool = openAgents({ agentOption: 'command:node "my agent.js" --fast', config: {} })
    expect(pool.describe()).toBe('command: node "my agent.js" --fast')
    expect(pool.programs()).toEqual([{ label: pool.describe(), argv: ['node', 'my agent.js', '--fast'] }])
    const backends = personas.map((persona) => pool.forPersona(persona))
    expect(new Set(backends).size).toBe(1)
    expect(backends[0]?.id).toBe('command')
  })

  it('runs the scripted agent with this very Node', () => {
    const pool = openAgents({ agentOption: 'rehearsal', config: {}, rehearsalProgram: '/opt/rehearsal.js' })
    expect(pool.forPersona('harness-planner').id).toBe('rehearsal')
    expect(pool.programs().map((program) => program.argv)).toEqual([[process.execPath, '/opt/rehearsal.js']])
  })

  it('prefers the option, then the persona, then the configuration for all', () => {
    const config = {
      agent: 'command:all',
      personas: { 'harness-verifier': { agent: 'command:careful', model: 'large' } },
    }
    const pool = openAgents({ config })
    expect(pool.forPersona('harness-verifier').label).toBe('command: careful')
    expect(pool.forPersona('harness-planner').label).toBe('command: all')
    expect(pool.modelFor('harness-verifier')).toBe('large')
    expect(pool.modelFor('harness-planner')).toBeUndefined()
    expect(pool.describe()).toBe(
      'planner command: all, task-executor command: all, verifier command: careful, code-reviewer command: all',
    )
    const overruled = openAgents({ config, agentOption: 'command:one' })
    expect(overruled.forPersona('harness-verifier').label).toBe('command: one')
  })

  it('refuses a name that is none and lists what there is', () => {
    const problem = problemOf(() => openAgents({ agentOption: 'hal', config: {} }))
    expect(problem.code).toBe('usage')
    expect(problem.what).toContain('"hal"')
    expect(problem.todo).toContain('command:<program and arguments>')
    expect(problem.todo).toContain('rehearsal')
  })

  it.each(['command:', 'command', 'command:   ', 'command:node "open'])('refuses %s', (agentOption) => {
    expect(problemOf(() => openAgents({ agentOption, config: {} })).code).toBe('usage')
  })

  it('has no agent by itself, and says how to name one', () => {
    const problem = problemOf(() => openAgents({ config: {} }))
    expect(problem.code).toBe('agent')
    expect(problem.todo).toContain('--agent')
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
})
