import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openAgents } from '../../source/agents/pool.js'
import { loadProjectConfig } from '../../source/sessions/project-config.js'
import { projectTrust } from '../../source/sessions/project-trust.js'
import { lifecycleWorkflow } from '../../source/workflows/lifecycle/workflow.js'
import { registry } from '../../source/workflows/registry.js'
import { makeRepository, type TestRepository } from '../project/repository.js'

let project: TestRepository

beforeEach(async () => {
  project = await makeRepository()
})
afterEach(async () => await project.remove())

async function trusted(flags: Record<string, string> = {}) {
  const config = await loadProjectConfig(project.root, registry, flags)
  const agents = openAgents({ agentOption: 'command: true', config, personas: ['lifecycle-worker'] })
  return (await projectTrust(project.root, config, agents, [])).subject
}

test('a flow file is part of what is trusted: one that appears, changes or is named is another subject', async () => {
  const none = await trusted()
  await project.write('_docs/_autopilot_flow.yml', 'version: 1\nflows: {}\n')
  const one = await trusted()
  expect(one.hash).not.toBe(none.hash)
  expect(one.items.map(({ detail }) => detail)).toContain('_docs/_autopilot_flow.yml')
  await project.write('_docs/_autopilot_flow.yml', 'version: 1\nflows: {}\nmaxAutoRetries: 0\n')
  expect((await trusted()).hash).not.toBe(one.hash)
  await project.write('steps.json', '{}')
  const named = await trusted({ flowFile: join(project.root, 'steps.json') })
  expect(named.items.map(({ detail }) => detail)).toContain('steps.json')
  // The one that a session was begun with counts without being named again.
  await project.write('.autopilot/lifecycle/settings.json', JSON.stringify({ flowFile: 'steps.json' }))
  expect((await trusted()).hash).toBe(named.hash)
})

test('a state file behind a link out of the project is refused, and so is one that a setting puts there', async () => {
  const locate = () => lifecycleWorkflow.locate(project.root, '_docs')
  await project.write('_docs/_autopilot_flow.yml', 'version: 1\nflows: {}\nstatePath: elsewhere/state.md\n')
  expect((await locate()).stateFile).toBe('elsewhere/state.md')
  await mkdir(join(project.home, 'away'))
  await symlink(join(project.home, 'away'), join(project.root, 'elsewhere'))
  await expect(locate()).rejects.toMatchObject({ code: 'outside' })
  await project.write('.autopilot/lifecycle/settings.json', JSON.stringify({ statePath: '../../state.md' }))
  await project.write('_docs/_autopilot_flow.yml', 'version: 1\nflows: {}\n')
  expect((await locate()).stateFile).toBe('_docs/_autopilot_state.md')
})
