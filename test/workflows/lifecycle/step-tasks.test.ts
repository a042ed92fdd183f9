import { mkdir, rename } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { newLifecycleState, setCurrent } from '../../../source/documents/lifecycle-edit.js'
import { builtInFlows } from '../../../source/workflows/lifecycle/flow/built-in.js'
import type { FlowStep } from '../../../source/workflows/lifecycle/flow/flow.js'
import { tasksOfStep } from '../../../source/workflows/lifecycle/orders/step-tasks.js'
import type { LifecycleTools } from '../../../source/workflows/lifecycle/tools.js'
import { createProject } from '../../support/project.js'

// What the screen shows as the tasks of a step before its worker has told of any.

const stepNamed = (flow: keyof typeof builtInFlows.flows, name: string) =>
  builtInFlows.flows[flow].steps.find((step) => step.name === name) as FlowStep

const table = `# Tasks

| Task | Name | Complexity | Dependencies | Epic |
|------|------|------------|--------------|------|
| T-1 | box | 3 | None | Core |
| T-2 | lid | 2 | T-1 | Core |
| T-3 | box is tested | 1 | T-1 | Blackbox Tests |
`
const files = {
  '_docs/02_tasks/_dependencies_table.md': table,
  '_docs/02_tasks/todo/T-1_box.md': 'x',
  '_docs/02_tasks/todo/T-2_lid.md': 'x',
  '_docs/02_tasks/todo/T-3_box_test.md': 'x',
  '_docs/02_tasks/todo/extra.md': 'x',
  '_docs/02_tasks/todo/_notes.md': 'x',
}
const state = newLifecycleState('greenfield', 6, 'Implement')

test('a step that implements shows its task files, those in done/ as complete', async () => {
  const { dir } = await createProject({ files })
  const tools = { root: dir } as LifecycleTools
  const shown = async (step: FlowStep) =>
    (await tasksOfStep(tools, step, state)).map(({ id, title, status }) => `${id} ${title} ${status}`)
  const implement = stepNamed('greenfield', 'Implement')
  expect(await shown(implement)).toEqual(['T-1 box pending', 'T-2 lid pending', 'extra extra pending'])
  await createDone(dir)
  expect((await shown(implement))[0]).toBe('T-1 box complete')
  expect(await shown(stepNamed('existing-code', 'Implement Tests'))).toEqual(['T-3 box is tested pending'])
})

async function createDone(dir: string): Promise<void> {
  await mkdir(`${dir}/_docs/02_tasks/done`)
  await rename(`${dir}/_docs/02_tasks/todo/T-1_box.md`, `${dir}/_docs/02_tasks/done/T-1_box.md`)
}

test('any other step shows its sub-steps as far as they are known, and none where nothing is', async () => {
  const { dir } = await createProject({ files })
  const tools = { root: dir } as LifecycleTools
  const plan = stepNamed('greenfield', 'Plan')
  const at = setCurrent(newLifecycleState('greenfield', 3, 'Plan'), {
    subStep: { id: '2', name: 'Architecture' },
  })
  const statuses = (await tasksOfStep(tools, plan, at)).map(({ status }) => status)
  expect(statuses).toEqual(['complete', 'in_progress', 'pending', 'pending', 'pending', 'pending'])
  expect(await tasksOfStep(tools, stepNamed('greenfield', 'Run Tests'), state)).toEqual([])
  const empty = await createProject({ files: { 'a.txt': 'a' } })
  const none = { root: empty.dir } as LifecycleTools
  expect(await tasksOfStep(none, stepNamed('greenfield', 'Implement'), state)).toEqual([])
})
