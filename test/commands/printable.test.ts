import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { runCommandLine } from '../../source/commands/command.js'
import { printableJson } from '../../source/commands/command-output.js'
import { status } from '../../source/commands/status.js'
import { registry } from '../../source/workflows/registry.js'
import { createProject } from '../support/project.js'

// What a name of a file, a spec or an agent brings to the terminal moves, hides and reorders nothing.

const hostile = 'a\u001b[2Jb\u009b31mc\u202ed\u200fe\u061cf\u2066g\u200bh\u{e0041}i\u0007j\ufeffk'
const harmful =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u061c\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/u

afterEach(() => vi.restoreAllMocks())

it('JSON holds the value, and no character that a terminal acts on', () => {
  const value = { [hostile]: [hostile, 'plain ü 日 👍'] }
  const text = printableJson(value)
  expect(text).not.toMatch(harmful)
  expect(JSON.parse(text)).toEqual(value)
  expect(text).toContain('plain ü 日 👍')
})

it('status --json, of a session whose spec has such a name', async () => {
  const project = await createProject({ files: { 'a.txt': 'a\n' } })
  const dir = project.path('.harness/sessions/odd')
  await mkdir(dir, { recursive: true })
  const phase = { name: hostile, complexity: 'low', status: 'pending', planPath: null }
  const state = {
    ...{
      schemaVersion: 5,
      sessionDir: '.harness/sessions/odd',
      specPath: `docs/${hostile}.md`,
      startingCommit: null,
    },
    ...{ currentState: 'ASSESS', currentPhase: 0, phases: [phase], history: [], decisions: [] },
  }
  await writeFile(join(dir, 'autopilot-state.json'), JSON.stringify(state))
  const { output } = await status(registry, project.dir, { json: true })
  expect(output).not.toMatch(harmful)
  expect(JSON.parse(output).sessions[0].phases[0].name).toBe(hostile)
  const told = await status(registry, project.dir, { json: false })
  expect(told.output).not.toMatch(harmful)
})

it.each([
  ['a flag that nobody knows', [`--${hostile}`]],
  ['a kind of file that nobody knows', ['inspect', 'readme.md', '--as', hostile]],
  ['a file that is not there', ['inspect', `${hostile}.md`]],
  ['a workflow that nobody knows', ['demo', '--workflow', hostile]],
])('errors about arguments: %s', async (_what, argv) => {
  let told = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text, ...rest) => {
    told += String(text)
    const done = rest.find((one) => typeof one === 'function') as (() => void) | undefined
    done?.()
    return true
  })
  expect(await runCommandLine(registry, argv)).not.toBe(0)
  expect(told.trim()).not.toBe('')
  expect(told).not.toMatch(harmful)
})
