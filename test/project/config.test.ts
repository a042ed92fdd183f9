import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadConfig, wideningSettings } from '../../source/project/config.js'
import { makeRepository, type TestRepository } from './repository.js'

let repository: TestRepository
let configDir: string
beforeEach(async () => {
  repository = await makeRepository()
  configDir = join(repository.home, 'settings')
  vi.stubEnv('AUTOPILOT_CONFIG_DIR', configDir)
})
afterEach(async () => await repository.remove())

describe('loadConfig', () => {
  const userFile = () => join(configDir, 'config.json')
  async function user(content: unknown) {
    await mkdir(configDir, { recursive: true })
    await writeFile(userFile(), typeof content === 'string' ? content : JSON.stringify(content))
  }

  test('without files there are defaults', async () => {
    expect(await loadConfig(repository.root)).toEqual({
      agent: undefined,
      personas: {},
      validate: undefined,
      rigor: undefined,
      limits: {},
      environment: [],
      confine: 'auto',
      confineAllow: [],
      projectFiles: [],
    })
  })

  test('what widens the rights of agents is told by itself', async () => {
    await user({ permissions: 'ask' })
    expect(wideningSettings(await loadConfig(repository.root))).toEqual([])
    await user({
      permissions: 'all',
      personas: { 'harness-planner': { permissions: 'edits' } },
      environment: ['SOME_TOKEN'],
      limits: { runUsd: 20 },
      confine: 'off',
      confineAllow: ['ssh', 'docker', '~/shared'],
    })
    const told = wideningSettings(await loadConfig(repository.root))
    expect(told.map(({ label }) => label)).toEqual([
      'permissions',
      'permissions of harness-planner',
      'environment',
      'limits.runUsd',
      'confine',
      'confineAllow',
    ])
    expect(told.at(-1)?.detail).toMatch(/^ssh, docker \(.*escape.*\), ~\/shared$/)
  })

  test.each([
    ['limits.runUSD', { limits: { runUSD: 5 } }, 'limits.runUsd'],
    [
      'personas.harness-planner.modle',
      { personas: { 'harness-planner': { modle: 'x' } } },
      'personas.harness-planner.model',
    ],
    ['agnet', { agnet: 'claude' }, 'agent'],
    // Known, but in another place.
    ['runUsd', { runUsd: 5 }, 'limits.runUsd'],
  ])('the mistyped key %s is told with the one that was meant', async (key, settings, meant) => {
    await user(settings)
    await expect(loadConfig(repository.root)).rejects.toThrow(
      `the key ${key} is not known (did you mean ${meant}?)`,
    )
  })

  test('all that is wrong is told at once, and what would have fitted', async () => {
    await user({ agnet: 'claude', limits: { runUsd: 'many' }, permissions: 'no', notify: 'ring', test: 5 })
    const message = String(await loadConfig(repository.root).catch((error: unknown) => error))
    expect(message).toContain('the key agnet is not known (did you mean agent?)')
    expect(message).toContain('the key limits.runUsd does not fit: a number is expected')
    expect(message).toContain('the key permissions does not fit: "ask" or "edits" or "all" is expected')
    expect(message).toContain('the key notify does not fit: a list is expected')
    expect(message).toContain('the key test does not fit: a text or a list or null is expected')
    expect(message).not.toContain('Invalid input')
  })

  test('a key that is like none is told with those that there are', async () => {
    await user({ limits: { colour: 'red' } })
    await expect(loadConfig(repository.root)).rejects.toThrow(
      'the key limits.colour is not known; limits has wallMinutes, idleMinutes, turns,',
    )
    await user({})
    await repository.write('.autopilot.json', JSON.stringify({ riggor: 'fast' }))
    await expect(loadConfig(repository.root)).rejects.toThrow('riggor is not known (did you mean rigor?)')
  })

  test('keys are those of the user, never of a project', async () => {
    await user({ keys: { hold: 'H', stop: ['ctrl+q'] } })
    expect((await loadConfig(repository.root)).keys).toEqual({ hold: 'H', stop: ['ctrl+q'] })
    await writeFile(join(repository.root, '.autopilot.json'), JSON.stringify({ keys: { hold: 'q' } }))
    await expect(loadConfig(repository.root)).rejects.toMatchObject({ code: 'trust' })
  })

  test('settings that others can write are refused', async () => {
    await user({})
    await chmod(userFile(), 0o666)
    await expect(loadConfig(repository.root)).rejects.toMatchObject({ code: 'trust' })
    await chmod(userFile(), 0o644)
    await loadConfig(repository.root)
  })

  test('the user sets everything, the project its own checks', async () => {
    await user({
      agent: 'command:./agent.sh',
      personas: { 'harness-planner': { agent: 'claude', model: 'm' } },
      validate: 'npm test',
      limits: { wallMinutes: 20 },
      environment: ['MY_KEY'],
    })
    expect(await loadConfig(repository.root)).toMatchObject({
      agent: 'command:./agent.sh',
      validate: ['npm', 'test'],
    })
    await repository.write('.autopilot.json', '\uFEFF{"validate":["cargo","test"],"rigor":"thorough"}')
    expect(await loadConfig(repository.root)).toMatchObject({
      personas: { 'harness-planner': { agent: 'claude', model: 'm' } },
      validate: ['cargo', 'test'],
      rigor: 'thorough',
      limits: { wallMinutes: 20 },
      projectFiles: [join(repository.root, '.autopilot.json')],
    })
  })

  test.each([
    'agent',
    'personas',
    'limits',
    'environment',
    'env',
    'baseUrl',
    'shell',
    'trust',
    'autoApprove',
  ])('a project may not set %s', async (key) => {
    await repository.write('.autopilot.json', JSON.stringify({ [key]: 'x' }))
    await expect(loadConfig(repository.root)).rejects.toMatchObject({
      code: 'trust',
      what: expect.stringContaining(key),
      todo: expect.stringContaining(userFile()),
    })
  })

  test.each([
    ['{', 'not JSON'],
    ['[]', 'not a JSON object'],
    ['null', 'not a JSON object'],
    ['{"agnet":"x"}', 'agnet'],
    ['{"agent":7}', 'agent'],
    ['{"personas":{"p":{"modle":"x"}}}', 'personas.p.modle'],
    ['{"limits":{"wallMinutes":-1}}', 'limits.wallMinutes'],
    ['{"validate":[]}', 'validate'],
    ['{"validate":[""]}', 'validate'],
    ['{"environment":["A=B"]}', 'environment.0'],
  ])('%s is refused with its place', async (content, place) => {
    await user(content)
    const refused = expect(loadConfig(repository.root)).rejects
    await refused.toMatchObject({ code: 'unreadable', what: expect.stringContaining(place) })
    await expect(loadConfig(repository.root)).rejects.toMatchObject({
      what: expect.stringContaining(userFile()),
    })
  })
})
