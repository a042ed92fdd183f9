import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openAgents } from '../../source/agents/pool.js'
import { doctor } from '../../source/commands/doctor.js'
import { loadConfig } from '../../source/project/config.js'
import { trust } from '../../source/project/trust.js'
import { projectTrust } from '../../source/sessions/project-trust.js'
import { programsOf } from '../../source/sessions/session.js'
import { registry } from '../../source/workflows/registry.js'
import type { Registry } from '../../source/workflows/workflow.js'
import { gardenEntry } from '../fourth/entry.js'
import { here } from '../processes/confine/confined.js'
import { makeRepository, type TestRepository } from '../project/repository.js'

let repository: TestRepository
beforeEach(async () => {
  repository = await makeRepository()
  vi.stubEnv('AUTOPILOT_CONFIG_DIR', join(repository.home, 'settings'))
})
afterEach(async () => await repository.remove())

const look = (known: Registry, agent?: string, json = false) =>
  doctor(known, repository.root, { agent, json })

/** A program that leaves a trace when it is started. */
async function plant(path: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, `#!/bin/sh\necho ran >> "${repository.home}/ran"\necho 9.9.9\n`)
  await chmod(path, 0o755)
}

test('in a project that is not trusted nothing is started, and what is there is told', async () => {
  const tools = join(repository.home, 'tools')
  await plant(join(tools, 'claude'))
  await plant(join(repository.root, 'planted.sh'))
  vi.stubEnv('PATH', `${tools}:${process.env.PATH}`)
  const { output } = await look(registry, `claude:${repository.root}/planted.sh`)
  expect(existsSync(join(repository.home, 'ran'))).toBe(false)
  expect(output).toMatch(/^ok {4}backend +claude: /m)
  expect(output).toMatch(/persona .*nothing is started before this project is trusted/)
  expect(output).toMatch(/^note {2}trust /m)
})

test('what is missing is told with how to get it, in lines and as data', async () => {
  vi.stubEnv('PATH', '/usr/bin:/bin')
  vi.stubEnv('ANTHROPIC_API_KEY', '')
  vi.stubEnv('ANTHROPIC_BASE_URL', '')
  const { output } = await look(registry)
  expect(output).toMatch(
    /^note {2}backend +codex: .* - not found on PATH\n +Install it: npm install -g @openai\/codex/m,
  )
  expect(output).toMatch(/^note {2}backend +embedded: .* - no key is set\n +Set ANTHROPIC_API_KEY/m)
  const { checks } = JSON.parse((await look(registry, undefined, true)).output)
  for (const { name, ok, todo } of checks)
    if (name === 'backend' && !ok) expect(todo).toMatch(/^(?:Install|Set|Start) /)
})

test('says whether agents are confined here, or why not', async () => {
  const { output } = await look(registry, 'rehearsal')
  if (here.works) expect(output).toContain(`ok    confine     agents run in ${here.tool.program}`)
  else expect(output).toContain(here.reason)
  await mkdir(join(repository.home, 'settings'), { recursive: true })
  await writeFile(join(repository.home, 'settings/config.json'), '{"confine":"off"}')
  const off = await look(registry, 'rehearsal')
  expect(off.output).toMatch(/^note {2}confine .*switched off/m)
})

test('a program that a workflow starts is part of what is trusted, for every one who looks', async () => {
  const tools = join(repository.home, 'tools')
  await plant(join(tools, 'plough'))
  vi.stubEnv('PATH', `${tools}:${process.env.PATH}`)
  const agent = `claude:${join(tools, 'plough')}`
  const withPlough = [...registry, { ...gardenEntry, programs: ['plough'] }]
  const config = await loadConfig(repository.root)
  const agents = openAgents({ agentOption: agent, config, personas: ['garden-digger'] })
  const { subject } = await projectTrust(repository.root, config, agents, programsOf(withPlough))
  expect(subject.items).toContainEqual(
    expect.objectContaining({ kind: 'program', detail: expect.stringContaining('plough') }),
  )
  await trust(subject)
  const seen = await look(withPlough, agent)
  expect(seen.output).toMatch(/^ok {4}trust /m)
  await plant(join(repository.home, 'earlier', 'plough'))
  vi.stubEnv('PATH', `${join(repository.home, 'earlier')}:${process.env.PATH}`)
  const changed = await look(withPlough, agent)
  expect(changed.output).toMatch(/^note {2}trust /m)
})

test('says by its exit code whether a run could start, and how to get what is missing', async () => {
  const ready = await look(registry, 'rehearsal')
  expect(ready.exitCode).toBe(0)
  expect(ready.output).toContain('A run could start here.')
  const outside = await doctor(registry, repository.home, { agent: 'rehearsal', json: false })
  expect(outside.exitCode).toBe(1)
  expect(outside.output).toMatch(/^MISS {2}project .*\n {18}Change into the project/m)
  const missing = await doctor(registry, repository.home, {
    agent: 'command:no-such-program-here',
    json: true,
  })
  expect(missing.exitCode).toBe(1)
  const { ready: could, checks } = JSON.parse(missing.output)
  expect(could).toBe(false)
  expect(checks).toContainEqual(
    expect.objectContaining({
      name: 'persona',
      ok: false,
      needed: true,
      todo: expect.stringContaining('--agent'),
    }),
  )
})
