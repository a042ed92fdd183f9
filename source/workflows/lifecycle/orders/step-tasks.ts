import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readLifecycleState } from '../../../documents/lifecycle-state.js'
import { readText } from '../../../project/text-files.js'
import type { TaskView } from '../../../view/view.js'
import { docsDir, type FlowStep } from '../flow/flow.js'
import { readTaskTable } from '../scan/task-table.js'
import { dependenciesPath, filesByTask, saysTest, testTasks } from '../scan/tasks.js'
import type { LifecycleTools } from '../tools.js'
import { subStepTasks } from './sub-step-tasks.js'

/** Names of the task files of a folder of `02_tasks/`; none where it is not there or cannot be read. */
async function namesIn({ root }: Pick<LifecycleTools, 'root'>, folder: string): Promise<string[]> {
  const names = await readdir(join(root, docsDir, '02_tasks', folder)).catch(() => [])
  return names.filter((name) => /^[^_.].*\.md$/i.test(name)).sort()
}

const bare = (file: string) => file.replace(/\.md$/i, '')

/** The steps that work through task files, and what else they leave. */
const isOfTasks = ({ skill }: FlowStep) => skill === 'implement'

/**
 * The tasks that a step works through, by the files of `02_tasks/todo/` and `done/`: of tests for a step that speaks of
 * them, of everything else for any other. Empty for a step that works through none, and where there are no files.
 */
export async function taskFilesOfStep(tools: LifecycleTools, step: FlowStep): Promise<TaskView[]> {
  if (!isOfTasks(step)) return []
  const [todo, done] = await Promise.all([namesIn(tools, 'todo'), namesIn(tools, 'done')])
  const all = [...done, ...todo]
  if (all.length === 0) return []
  const text = await readText(tools, dependenciesPath).catch(() => undefined)
  const { tasks } = readTaskTable(text ?? '')
  const files = filesByTask(tasks, all)
  const tests = testTasks(tasks, all)
  const kind = saysTest(step.name)
  const view = (id: string, title: string, file: string): TaskView => ({
    ...{ id, title, retries: 0, facts: [] },
    status: todo.includes(file) ? 'pending' : 'complete',
  })
  const named = tasks.flatMap(({ id, name }) => {
    const file = files.get(id)
    return file === undefined || tests.has(id) !== kind ? [] : [view(id, name || id, file)]
  })
  const known = new Set(files.values())
  const others = all.filter((file) => !known.has(file) && saysTest(file) === kind)
  return [...named, ...others.map((file) => view(bare(file), bare(file), file))]
}

/** What there is to do in a step before its worker tells: its task files, else its sub-steps as far as they are known. */
export async function tasksOfStep(
  tools: LifecycleTools,
  step: FlowStep,
  stateText: string,
): Promise<TaskView[]> {
  const files = await taskFilesOfStep(tools, step)
  return files.length > 0
    ? files
    : subStepTasks(step.subSteps ?? [], readLifecycleState(stateText).current.subStep)
}
