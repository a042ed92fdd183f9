import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { registry } from '../../source/workflows/registry.js'
import { inTemporary } from '../support/temporary.js'

test('every entry is named once, and its workflow is called the same', async () => {
  const names = registry.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const entry of registry) {
    const workflow = await entry.load()
    expect(workflow.name).toBe(entry.name)
    expect(Object.keys(workflow.personas).length).toBeGreaterThan(0)
    expect(workflow.inspectors.length).toBeGreaterThan(0)
  }
})

test('sessions are found where they lie, and nowhere else', async () => {
  await inTemporary('registry', async (root) => {
    const [harness] = registry
    expect(await harness?.places(root)).toEqual([])
    await mkdir(join(root, '.harness/sessions/changes--seeds'), { recursive: true })
    await writeFile(join(root, '.harness/sessions/index.md'), '')
    expect(await harness?.places(root)).toEqual([
      {
        workflow: 'harness',
        slug: 'changes--seeds',
        sessionDir: '.harness/sessions/changes--seeds',
        stateFile: '.harness/sessions/changes--seeds/autopilot-state.json',
        lockDir: '.harness/sessions/changes--seeds',
      },
    ])
  })
})

test('flags that exclude each other are told before anything is loaded', () => {
  const [harness] = registry
  expect(() => harness?.checkFlags?.({ fast: true, thorough: true })).toThrowError(/Choose one/)
  expect(() => harness?.checkFlags?.({ fast: true, reviewPlans: true })).not.toThrow()
})
