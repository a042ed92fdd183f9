import { counted } from '../../counted.js'
import { type LifecycleRecord, readLifecycleState, subStepText } from '../../documents/lifecycle-state.js'
import { isStateTitle, plainTitle } from '../../documents/lifecycle-words.js'
import type { InspectedFile, Inspector } from '../workflow.js'
import { onlyBuiltIn } from './flow/flow.js'
import { readTaskTable, type Task } from './scan/task-table.js'
import { batchesOf, testTasks } from './scan/tasks.js'

/** The largest headings near the top of a file. */
const titlesIn = (text: string) =>
  text
    .slice(0, 4000)
    .split(/\r?\n/)
    .flatMap((line, at, all) =>
      /^\uFEFF? {0,3}# /.test(line)
        ? [line.slice(line.indexOf('#') + 2)]
        : /^={1,80}\s{0,9}$/.test(all[at + 1] ?? '')
          ? [line.replace(/^\uFEFF/, '')]
          : [],
    )

/** How `inspect` reads a state file (docs/lifecycle.md, "Reading"). */
export const stateInspector: Inspector = {
  kind: 'lifecycle-state',
  matches: ({ path, text }: InspectedFile) => {
    const hasStep =
      /^(?: {0,3}#{2,6} [^\n]{0,20}Current Step\b|Current Step[ \t:]{0,9}\r?\n-{2,80}\s)/im.test(text)
    if (
      titlesIn(text).some(
        (title) => /^auto(?:pilot|dev) state$/.test(plainTitle(title)) || (hasStep && isStateTitle(title)),
      )
    )
      return 'sure'
    if (/(?:^|[/\\])_auto(?:pilot|dev)_state\.md$/.test(path)) return 'sure'
    return hasStep ? 'possible' : undefined
  },
  inspect: ({ text }) => {
    const { conflicts: _, ...record } = readLifecycleState(text)
    return { json: { kind: 'lifecycle-state', ...record }, lines: recordLines(record) }
  },
}

/** How `inspect` reads a table of tasks, by itself: what each kind of task comes to (docs/lifecycle.md, "Tasks and batches"). */
export const tasksInspector: Inspector = {
  kind: 'lifecycle-tasks',
  matches: ({ path, text }: InspectedFile) => {
    if (/(?:^|[/\\])_dependencies_table\.md$/.test(path)) return 'sure'
    return /^\*\*Total Complexity Points\*\*/m.test(text) ? 'likely' : undefined
  },
  inspect: ({ text }) => {
    const { tasks, declared, warnings } = readTaskTable(text)
    const tests = testTasks(tasks, [])
    const pool = (isTest: boolean) => poolOf(tasks.filter(({ id }) => tests.has(id) === isTest))
    const [test, product] = [pool(true), pool(false)]
    const points = test.points + product.points
    const json = {
      kind: 'lifecycle-tasks',
      declared,
      tasks: tasks.length,
      points,
      test,
      product,
      rows: tasks.map((task) => ({ ...task, kind: tests.has(task.id) ? 'test' : 'product' })),
      warnings,
    }
    const line = (name: string, { tasks: count, points: sum, batches }: TaskPool) =>
      `  ${name.padEnd(13)} ${counted(count, 'task')}, ${counted(sum, 'point')}, ${counted(batches.length, 'batch', 'batches')}`
    return {
      json,
      lines: [
        'Table of tasks',
        `  declared      ${told(declared.tasks, 'task')}, ${told(declared.points, 'point')}`,
        `  counted       ${counted(tasks.length, 'task')}, ${counted(points, 'point')}`,
        line('test tasks', test),
        line('other tasks', product),
        ...(warnings.length === 0 ? [] : ['', 'Warnings:', ...warnings.map((warning) => `  ${warning}`)]),
      ],
    }
  },
}

interface TaskPool {
  tasks: number
  points: number
  /** Ids, batch by batch. */
  batches: string[][]
}

function poolOf(tasks: readonly Task[]): TaskPool {
  const points = tasks.reduce((sum, task) => sum + task.points, 0)
  return { tasks: tasks.length, points, batches: batchesOf(tasks, onlyBuiltIn.batch) }
}

function recordLines(record: Omit<LifecycleRecord, 'conflicts'>): string[] {
  const { current, completed, decisions, lastSession, retryLog, blockers } = record
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : ['', `${title}:`, ...items.map((item) => `  ${item}`)]
  return [
    'Lifecycle state',
    `  flow         ${current.flow}`,
    `  step         ${current.step ?? ''} ${current.name}`,
    `  status       ${current.status}`,
    ...(current.subStep ? [`  sub-step     ${subStepText(current.subStep)}`] : []),
    `  retry count  ${current.retryCount}`,
    ...list(
      'Completed steps',
      completed.map((row) => `${row.step} ${row.name} (${row.completed}): ${row.outcome}`),
    ),
    ...list('Key decisions', decisions),
    ...list(
      'Last session',
      Object.entries(lastSession).map(([key, value]) => `${key}: ${value}`),
    ),
    ...list(
      'Retry log',
      retryLog.map((row) => `${row.attempt}: ${row.step} ${row.name} ${row.subStep}: ${row.reason}`),
    ),
    ...list('Blockers', blockers),
    ...list('Sections of others', record.unknownSections),
    ...list('Warnings', record.warnings),
  ]
}

/** A number that a file declares, or that it declares none. */
function told(count: number | null, noun: string): string {
  return count === null ? `no ${noun}s` : counted(count, noun)
}
