import { rm, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readHandoff } from '../../../source/documents/handoff.js'
import { readPlan as readRealPlan } from '../../../source/documents/plan.js'
import { readRoadmap } from '../../../source/documents/roadmap.js'
import { readSpec } from '../../../source/documents/spec.js'
import { kebab, readPlan, sameTask } from '../../../source/rehearsal/harness/plan-text.js'
import { createSampleProject } from '../../../source/rehearsal/harness/sample-project.js'
import { createRepository } from '../../../source/rehearsal/repository.js'
import { paceOf } from '../../../source/rehearsal/voice.js'
import { createProject, type TestProject } from '../../support/project.js'
import { bundleRehearsal, type Dispatch, perform, planPathOf, sessionDir } from './actor.js'

bundleRehearsal()

const three = { number: 3, name: 'Command line' }
const subjectsOf = (project: TestProject) => project.git('log', '--reverse', '--format=%s')

test('a used folder is refused in three parts and left alone', async () => {
  const project = await createProject({ git: false, files: { 'mine.txt': 'mine' } })
  await expect(createSampleProject(project.dir)).rejects.toMatchObject({
    code: 'usage',
    what: expect.stringContaining('is not empty'),
    why: expect.any(String),
    todo: expect.stringContaining('autopilot demo'),
  })
  await expect(createSampleProject(project.path('mine.txt'))).rejects.toMatchObject({ code: 'usage' })
  expect(await project.read('mine.txt')).toBe('mine')
})

test('the sample project is committed, clean, and has an identity of its own only', async () => {
  const project = await createProject({ git: false })
  await createSampleProject(project.dir)
  expect(await project.git('status', '--porcelain', '--ignored')).toBe('')
  expect(await project.git('config', '--local', 'user.name')).toBe('Demo Person')
  expect(await project.git('branch', '--show-current')).toBe('main')
  const spec = await project.read('docs/changes/watering-plan/proposal.md')
  expect(spec.match(/^### Phase \d+: .+$/gm)).toHaveLength(3)
  expect(spec.match(/^<!-- complexity: (low|medium) -->$/gm)).toHaveLength(3)
  expect(await project.read('docs/roadmap.md')).toMatch(/### Watering plan\n\n- \*\*Status:\*\* planned\n/)
})

test('work that was committed but not recorded is recorded, not done again', async () => {
  const project = await createProject({ files: { 'readme.md': 'x\n' } })
  const base = await project.git('rev-parse', 'HEAD')
  const other = { number: 1, name: 'Something else' }
  const dispatch: Dispatch = { phase: other, expects: 'execution', diffBase: base }
  await perform(project, { phase: other, expects: 'plan' })
  expect((await perform(project, dispatch)).result).toEqual({ status: 'complete', completed: ['Task 1'] })
  const before = await subjectsOf(project)
  expect(before).toBe('First commit\ndocs(notes): note down Something else')

  await project.write(
    `${sessionDir}/state.json`,
    '{"schemaVersion":1,"progress":{"Task 1":"in_progress"},"mine":1}\n',
  )
  expect((await perform(project, dispatch)).result).toEqual({ status: 'complete', completed: ['Task 1'] })
  expect(await subjectsOf(project)).toBe(before)
  const state = JSON.parse(await project.read(`${sessionDir}/state.json`))
  expect(state).toMatchObject({ mine: 1, progress: { 'Task 1': 'complete' }, position: { phase: 'execute' } })
})

test('a plan that a person wrote is followed: its tasks, its messages, its checkpoints', async () => {
  const project = await createProject({ files: { 'readme.md': 'x\n' } })
  const phase = { number: 2, name: 'By hand' }
  await project.write(
    planPathOf(phase.name),
    [
      '# Plan: By hand',
      '```',
      '### Task 9: only an example',
      '```',
      '### Task 1: First things',
      '1. Commit: `feat: first things`',
      '### Task 2 [checkpoint:human-action]: Plug it in',
      '### Task 3: Which way',
      '`[checkpoint:decision]`',
      '**Options:** left / right',
    ].join('\n'),
  )
  const execute = (checkpointAnswer?: object) =>
    perform(project, { phase, expects: 'execution', checkpointAnswer }).then(({ result }) => result)
  expect(await execute()).toMatchObject({
    status: 'checkpoint',
    completed: ['Task 1'],
    checkpoint: { type: 'human-action', task: 'Task 2' },
  })
  expect(await execute({ type: 'human-action', task: 'Task 2', answer: 'done' })).toMatchObject({
    completed: ['Task 1', 'Task 2'],
    checkpoint: { type: 'decision', task: 'Task 3', options: ['left', 'right'] },
  })
  expect(await execute({ type: 'decision', task: 'Task 3', answer: 'straight on' })).toEqual({
    status: 'complete',
    completed: ['Task 1', 'Task 2', 'Task 3'],
  })
  expect(await project.read('docs/decisions/which-way.md')).toContain('Decided: straight on')
  expect(await subjectsOf(project)).toBe(
    [
      'First commit',
      'feat: first things',
      'docs(notes): Plug it in (By hand)',
      'docs(notes): Which way (By hand)',
    ].join('\n'),
  )
})

test('a finding that no script knows gets a note and a commit of its own, once', async () => {
  const project = await createProject({ files: { 'readme.md': 'x\n' } })
  const findings = [
    { severity: 'blocking', file: 'a.js', line: 1, title: 'Odd name', rationale: 'Because.' },
    'A gap',
  ]
  await perform(project, { phase: { number: 1, name: 'Else' }, expects: 'execution', findings })
  const once = await subjectsOf(project)
  await perform(project, { phase: { number: 1, name: 'Else' }, expects: 'execution', findings })
  expect(await subjectsOf(project)).toBe(once)
  expect(once.split('\n').slice(1, 3)).toEqual(['fix: Odd name', 'fix: A gap'])
  expect(await project.read('docs/notes/fix-odd-name.md')).toBe('# Odd name\n\nIn a.js.\n\nBecause.\n')
})

test('an order to mend findings of the whole run touches no task', async () => {
  const project = await createProject({ files: { 'readme.md': 'x\n' } })
  const dispatch: Dispatch = {
    phase: { number: 2, name: 'Else' },
    expects: 'execution',
    planPath: undefined,
    final: true,
  }
  const { result } = await perform(project, { ...dispatch, findings: [{ file: 'a.js', title: 'Odd name' }] })
  expect(result).toEqual({ status: 'complete', completed: [] })
  expect(await subjectsOf(project)).toBe('First commit\nfix: Odd name')
  expect(JSON.parse(await project.read(`${sessionDir}/state.json`)).progress).toEqual({})
})

test('what the agent writes is read by autopilot as it is meant', async () => {
  const project = await createProject({ git: false })
  await createSampleProject(project.dir)
  const spec = readSpec(await project.read('docs/changes/watering-plan/proposal.md'))
  expect(spec).toMatchObject({ reading: 'literal', title: 'Watering plan', unused: [], warnings: [] })
  expect(spec.phases.map(({ name, complexity }) => [name, complexity])).toEqual([
    ['Plant list', 'low'],
    ['Watering week', 'medium'],
    ['Command line', 'low'],
  ])
  expect(readRoadmap(await project.read('docs/roadmap.md'))).toMatchObject({ warnings: [] })
  const plans: unknown[] = []
  for (const [index, { name }] of spec.phases.entries()) {
    await perform(project, { phase: { number: index + 1, name }, expects: 'plan' })
    const { taskCount, checkpointCount, declaredTasks, warnings } = readRealPlan(
      await project.read(planPathOf(name)),
    )
    plans.push([taskCount, checkpointCount, declaredTasks, warnings])
    const handoff = readHandoff(await project.read(`${sessionDir}/handoff.json`), '2030-04-01T00:00:00Z')
    expect(handoff).toMatchObject({ strict: true, normalised: { planPath: planPathOf(name) } })
  }
  expect(plans).toEqual([
    [3, 0, 3, []],
    [3, 2, 3, []],
    [3, 0, 3, []],
  ])
})

test('a verifier does not believe: missing files and red tests are gaps', async () => {
  const project = await createProject({ git: false })
  await createSampleProject(project.dir)
  await project.write('test/names.test.js', "throw new Error('broken')\n")
  const { result } = await perform(project, { phase: three, expects: 'verification' })
  expect(result.verdict).toBe('fail')
  expect(result.gaps).toContainEqual(
    'Task 2 (Add the command): bin/windowsill.js, test/command.test.js missing',
  )
  expect((result.gaps as string[]).at(-1)).toMatch(/node --test: 1 failed[\s\S]*names\.test\.js/)
})

test('progress, plan and usage are told as events while the work goes on', async () => {
  const project = await createProject({ files: { 'readme.md': 'x\n' } })
  const phase = { number: 1, name: 'Else' }
  const { lines } = await perform(project, { phase, expects: 'execution' })
  expect(lines[0]).toMatchObject({ type: 'session', id: 'rehearsal-execution-1' })
  expect(lines.at(-1)).toMatchObject({ type: 'end', outcome: { ok: true } })
  expect(lines.at(-2)).toMatchObject({ type: 'usage', cached: 0, scope: 'total' })
  const statuses = lines
    .filter(({ type }) => type === 'plan')
    .map(({ items }) => (items as { status: string }[])[0]?.status)
  expect(statuses).toEqual(['in_progress', 'complete'])
  const tools = lines.filter(({ type }) => type === 'tool')
  expect(tools.filter(({ status }) => status === 'running')).toHaveLength(
    tools.filter(({ status }) => status === 'ok').length,
  )
})

test('thorough: the planner hands out an outline, and the plan once that is approved', async () => {
  const project = await createProject({ files: { 'readme.md': 'x\n' } })
  const dispatch: Dispatch = { phase: three, expects: 'plan', rigor: 'thorough' }
  const outline = await perform(project, dispatch)
  expect(outline.result.skeleton).toMatch(/^1\. Write the report .*\n2\. Add the command .*\n3\. Show it/)
  await expect(project.read(planPathOf(three.name))).rejects.toThrow(/ENOENT/)
  const approvedSkeleton = outline.result.skeleton
  const whole = await perform(project, { ...dispatch, approvedSkeleton, note: 'Fewer tests, please.' })
  expect(whole.result.skeleton).toBeUndefined()
  expect(await project.read(planPathOf(three.name))).toContain('Asked of the planner: Fewer tests, please.')
})

test('a commit waits for a git that an earlier dispatch left behind, and takes its paths only', async () => {
  const project = await createProject({ files: { 'readme.md': 'x\n' } })
  await project.write('.git/index.lock', '')
  await project.write('mine.txt', 'of the agent')
  await project.write('yours.txt', 'of the person')
  const repository = createRepository(project.dir)
  const committed = repository.commit('feat: mine', ['mine.txt', 'readme.md'])
  await rm(project.path('.git/index.lock'))
  await committed
  await repository.commit('feat: mine', ['mine.txt'])
  expect(await subjectsOf(project)).toBe('First commit\nfeat: mine')
  expect(await project.git('status', '--porcelain')).toBe('?? yours.txt')
})

test('without an identity of the person the agent commits under its own name', async () => {
  const project = await createProject({ files: { 'readme.md': 'x\n' } })
  await writeFile(project.env.GIT_CONFIG_GLOBAL ?? '', '')
  const env = Object.fromEntries(
    Object.entries(project.env).filter(([name]) => !/^GIT_(AUTHOR|COMMITTER)/.test(name)),
  )
  const nameless: TestProject = { ...project, env }
  const { code } = await perform(nameless, { phase: { number: 1, name: 'Else' }, expects: 'execution' })
  expect(code).toBe(0)
  expect(await project.git('log', '-1', '--format=%an')).toBe('Rehearsal Agent')
})

test('a dispatch that cannot be read ends with a reason and no result', async () => {
  const project = await createProject({ files: { 'readme.md': 'x\n' } })
  const missing = await perform(
    project,
    { phase: three, expects: 'plan' },
    { env: { AUTOPILOT_DISPATCH: '' } },
  )
  expect(missing).toMatchObject({
    code: 1,
    lines: [],
    stderr: expect.stringContaining('AUTOPILOT_DISPATCH is not set'),
  })
  await project.write('bad.json', '{')
  const bad = await perform(
    project,
    { phase: three, expects: 'plan' },
    { env: { AUTOPILOT_DISPATCH: 'bad.json' } },
  )
  expect(bad).toMatchObject({ code: 1, lines: [] })
})

test('names, tasks and paces are read as people write them', () => {
  expect(kebab('Rules & “UI” / part 2')).toBe('rules-ui-part-2')
  expect(sameTask('Phase 2 Task 3', '3')).toBe(true)
  expect(sameTask('Task 3', 'Task 3a')).toBe(false)
  expect(
    readPlan('#### Task 1.2 (TDD) — Write\n## Final Steps (after Task 1.2)\n[checkpoint:decision]'),
  ).toMatchObject([{ id: 'Task 1.2', title: 'Write', checkpoint: undefined }])
  expect([paceOf(undefined), paceOf('0'), paceOf('0.5'), paceOf('fast'), paceOf('-1')]).toEqual([
    1, 0, 0.5, 1, 1,
  ])
})
