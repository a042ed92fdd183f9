import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inspect } from '../../../source/commands/inspect.js'
import { newLifecycleState } from '../../../source/documents/lifecycle-edit.js'
import { otherStateFiles } from '../../../source/workflows/lifecycle/opening/entry-checks.js'
import { lifecyclePlaces } from '../../../source/workflows/lifecycle/places.js'
import { registry } from '../../../source/workflows/registry.js'

// `inspect _docs`: where a project stands, without a run and without a write.

let root: string
let elsewhere: string
beforeEach(async () => {
  elsewhere = await mkdtemp(join(tmpdir(), 'autopilot-inspect-elsewhere-'))
  root = await mkdtemp(join(tmpdir(), 'autopilot-inspect-project-'))
})
afterEach(async () => {
  for (const folder of [root, elsewhere]) await rm(folder, { recursive: true, force: true })
})

async function put(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

const documented = {
  'src/a.ts': 'x',
  '_docs/02_document/00_discovery.md': 'x',
  '_docs/02_document/FINAL_report.md': 'x',
  '_docs/02_document/tests/traceability-matrix.md': 'x',
  '_docs/02_tasks/_dependencies_table.md':
    '| Task | Name | Complexity | Dependencies | Epic |\n|---|---|---|---|---|\n| T-1 | base | 3 | None | Tests |\n| T-2 | rest | 5 | T-1 | Tests |\n',
  '_docs/02_tasks/done/T-1_base.md': 'x',
  '_docs/02_tasks/todo/T-2_rest.md': 'x',
}

async function read() {
  const before = await readdir(root, { recursive: true })
  const { exitCode, output } = await inspect(registry, join(root, '_docs'), { json: true })
  expect(exitCode).toBe(0)
  expect(await readdir(root, { recursive: true })).toEqual(before)
  return JSON.parse(output)
}

describe('inspect _docs', () => {
  it('follows links to other places of the project, and none within _docs, in a circle or out of it', async () => {
    const moved = ['_docs/02_document/FINAL_report.md', '_docs/02_tasks/']
    await put(
      Object.fromEntries(
        Object.entries(documented).map(([path, text]) => [
          moved.some((one) => path.startsWith(one)) ? path.replace('_docs/', 'plans/') : path,
          text,
        ]),
      ),
    )
    await symlink('../../plans/02_document/FINAL_report.md', join(root, '_docs/02_document/FINAL_report.md'))
    await symlink('../plans/02_tasks', join(root, '_docs/02_tasks'))
    await symlink('..', join(root, '_docs/all'))
    await symlink('../..', join(root, 'plans/02_tasks/todo/up'))
    await symlink('00_discovery.md', join(root, '_docs/02_document/architecture.md'))
    await mkdir(join(elsewhere, 'out'))
    await writeFile(join(elsewhere, 'out/security_report.md'), 'x')
    await symlink(join(elsewhere, 'out'), join(root, '_docs/05_security'))
    const { output } = await inspect(registry, join(root, '_docs'), { json: true })
    const found = JSON.parse(output)
    expect(found).toMatchObject({
      folders: { step: '4', name: 'Implement Tests' },
      tasks: { todo: 1, done: 1, test: { tasks: 1, points: 5, batches: 1 } },
    })
    expect(found.tasks.warnings).toEqual([])
    expect(found.steps.find(({ name }: { name: string }) => name === 'Security Audit').state).toBe('open')
  })

  it('tells of a state file that is no text, of one that is a folder, and of others beside it', async () => {
    const usual = '_docs/_autopilot_state.md'
    await put(documented)
    await writeFile(join(root, usual), Buffer.from('\uFEFF# Autopilot State\n', 'utf16le'))
    await put({ '_docs/_autopilot_state copy.md': 'x', '_docs/_autopilot_state (copy).md': 'x' })
    const first = await read()
    expect(first.stateFile).toBeNull()
    expect(first.stateFileUnread).toBe(usual)
    const { output } = await inspect(registry, join(root, '_docs'), { json: false })
    expect(output).toContain(`state file    ${usual} cannot be read, see the warnings`)
    expect(first.warnings).toEqual([
      `${usual} cannot be read: it is not UTF-8.`,
      expect.stringContaining('_docs/_autopilot_state (copy).md looks like a state file too'),
      expect.stringContaining('_docs/_autopilot_state copy.md looks like a state file too'),
    ])
    await rm(join(root, usual))
    await mkdir(join(root, usual))
    expect((await read()).warnings[0]).toContain('it is not a regular file')
  })

  it('without a state file: the flow, the position of the folders, and what lies ahead', async () => {
    await put(documented)
    expect(await read()).toMatchObject({
      kind: 'lifecycle-project',
      flow: { name: 'existing-code', ask: false, source: 'built in' },
      folders: { flow: 'existing-code', step: '4', name: 'Implement Tests', status: 'not_started' },
      stateFile: null,
      file: null,
      drift: null,
      tasks: {
        todo: 1,
        done: 1,
        test: { tasks: 1, points: 5, batches: 1 },
        product: { tasks: 0, points: 0, batches: 0 },
        warnings: [],
      },
    })
  })

  it('with one: both positions, and that they differ', async () => {
    const state = newLifecycleState('existing-code', 2, 'Test Spec')
    await put({ ...documented, '_docs/_autopilot_state.md': state })
    expect(await read()).toMatchObject({
      folders: { step: '4', name: 'Implement Tests' },
      file: { step: '2', name: 'Test Spec', status: 'not_started' },
      drift: 'later',
      stateFile: { path: '_docs/_autopilot_state.md', current: { flow: 'existing-code', step: 2 } },
    })
    const { output } = await inspect(registry, join(root, '_docs'), { json: false })
    expect(output).toContain('folders       existing-code 4 Implement Tests, not_started')
    expect(output).toContain('state file    existing-code 2 Test Spec, not_started')
    expect(output).toContain('the folders are later')
  })

  const newer =
    '# Autodev State\n\n## Current Step\nflow: existing-code\nstep: 2\nname: Test Spec\nstatus: in_progress\nsub_step:\n  phase: 3\n  name: cases\nretry_count: 0\ncycle: 2\n'

  it('with one of the newer name, where there is no other', async () => {
    await put({ ...documented, '_docs/_autodev_state.md': newer })
    expect(await read()).toMatchObject({
      file: { step: '2', name: 'Test Spec', status: 'in_progress' },
      stateFile: {
        path: '_docs/_autodev_state.md',
        current: { step: 2, subStep: { id: '3', name: 'cases' } },
      },
    })
    expect(await lifecyclePlaces(root)).toMatchObject([{ stateFile: '_docs/_autodev_state.md' }])
    const { output } = await inspect(registry, join(root, '_docs/_autodev_state.md'), { json: true })
    expect(JSON.parse(output)).toMatchObject({ kind: 'lifecycle-state', warnings: [] })
  })

  it('with both names, the usual one, and the other is another state file', async () => {
    const state = newLifecycleState('existing-code', 3, 'Decompose Tests')
    await put({ ...documented, '_docs/_autodev_state.md': newer, '_docs/_autopilot_state.md': state })
    expect(await read()).toMatchObject({
      stateFile: { path: '_docs/_autopilot_state.md', current: { step: 3 } },
    })
    expect(await otherStateFiles(root, '_docs/_autopilot_state.md')).toEqual(['_docs/_autodev_state.md'])
  })

  it('a state file that says no position has its warnings', async () => {
    await put({ ...documented, '_docs/_autopilot_state.md': '# Notes\n\nSomething else.\n' })
    expect(await read()).toMatchObject({
      file: null,
      stateFile: { warnings: expect.arrayContaining([expect.stringMatching(/^Line \d+: /)]) },
    })
  })

  it('any other folder is none that can be read', async () => {
    await put({ 'docs/a.md': 'x' })
    const { exitCode, output } = await inspect(registry, join(root, 'docs'), { json: true })
    expect([exitCode, output]).toEqual([1, expect.stringContaining('it is not a file')])
  })
})
