import { scanMarkdown } from '../../../documents/markdown-scanner.js'
import { docsDir } from '../flow/flow.js'
import type { Listing } from './listing.js'

// Tasks and what they come to: `_dependencies_table.md` and the task files (docs/lifecycle.md, "Tasks and batches").

export const dependenciesPath = `${docsDir}/02_tasks/_dependencies_table.md`

export interface Task {
  id: string
  name: string
  points: number
  dependencies: string[]
  epic: string
}

export interface TaskTable {
  tasks: Task[]
  /** As the file says; null where it does not. */
  declared: { tasks: number | null; points: number | null }
  warnings: string[]
}

/** Reads the table of tasks; columns are found by their names. Never throws. */
export function readTaskTable(text: string): TaskTable {
  const { blocks, lines } = scanMarkdown(text)
  const tasks: Task[] = []
  const warnings: string[] = []
  for (const block of blocks) {
    if (block.kind !== 'table') continue
    const names = block.head.map((cell) => cell.text.replaceAll('*', '').toLowerCase().trim())
    const column = (word: string) => names.findIndex((name) => name === word || name.startsWith(`${word} `))
    const [at, dependencies] = [column('task'), names.findIndex((name) => name.startsWith('depend'))]
    if (at === -1 || dependencies === -1) continue
    const [title, epic] = [column('name'), column('epic')]
    const points = names.findIndex((name) => /complexity|points/.test(name))
    for (const { cells, line } of block.rows) {
      const cell = (index: number) => plainCell(cells[index]?.text ?? '')
      const id = cell(at)
      if (id === '' || /^(?:\.{3}|\u2026)$/.test(id)) continue
      const count = Number(/\d{1,6}/.exec(cell(points))?.[0] ?? Number.NaN)
      if (Number.isNaN(count)) warnings.push(`Line ${line}: task ${id} has no complexity; 0 is taken.`)
      tasks.push({
        id,
        name: cell(title),
        points: Number.isNaN(count) ? 0 : count,
        dependencies: listOf(cell(dependencies)),
        epic: cell(epic),
      })
    }
  }
  const known = new Map(tasks.map(({ id }) => [id.toLowerCase(), id]))
  const resolved = tasks.map((task) => ({
    ...task,
    dependencies: task.dependencies.flatMap((name) => known.get(name.toLowerCase()) ?? []),
  }))
  return { tasks: resolved, declared: declaredIn(lines.map((line) => line.text)), warnings }
}

/** Without emphasis, code marks, and the target of a link. */
function plainCell(text: string): string {
  const open = text.startsWith('[') ? text.indexOf('](') : -1
  return (open > 0 ? text.slice(1, open) : text).replaceAll(/[*`]/g, '').trim()
}

function listOf(cell: string): string[] {
  return cell.split(/[\s,;()[\]]/).flatMap((word) => (word === '' ? [] : [word]))
}

function declaredIn(lines: readonly string[]): TaskTable['declared'] {
  const number = (label: string) => {
    for (const line of lines) {
      const plain = line.replaceAll('*', '').trim().toLowerCase()
      if (!plain.startsWith(label)) continue
      const found = /\d{1,9}/.exec(plain.slice(label.length))
      if (found) return Number(found[0])
    }
    return null
  }
  return { tasks: number('total tasks'), points: number('total complexity points') }
}

const saysTest = (text: string) => /test/i.test(text)

/**
 * Ids of the test tasks: by epic or file name, and what depends on such a task. A task without a file is called as its
 * file would be.
 */
export function testTasks(tasks: readonly Task[], files: readonly string[]): Set<string> {
  const fileOf = filesByTask(tasks, files)
  const fileName = (task: Task) => fileOf.get(task.id) ?? `${task.id}_${isSlug(task.name) ? task.name : ''}`
  const test = new Set(
    tasks.filter((task) => saysTest(task.epic) || saysTest(fileName(task))).map(({ id }) => id),
  )
  const dependants = new Map<string, string[]>()
  for (const task of tasks)
    for (const id of task.dependencies) dependants.set(id, [...(dependants.get(id) ?? []), task.id])
  const open = [...test]
  for (const id of open) {
    for (const next of dependants.get(id) ?? []) {
      if (test.has(next)) continue
      test.add(next)
      open.push(next)
    }
  }
  return test
}

const isSlug = (name: string) => /^[\w.-]+$/.test(name)

/**
 * Names of the files of tasks, by the id of the task: `AZ-12_login.md` is of `AZ-12`, and of `AZ-12_login` where there is
 * such a task.
 */
export function filesByTask(
  tasks: readonly Pick<Task, 'id'>[],
  files: readonly string[],
): Map<string, string> {
  const byId = new Map(tasks.map(({ id }) => [id.toLowerCase(), id]))
  const found = new Map<string, string>()
  for (const path of files) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const id = idsOfFile(name).find((each) => byId.has(each))
    if (id !== undefined) found.set(byId.get(id) ?? id, name)
  }
  return found
}

/** What the id of a file's task may be, longest first. */
function idsOfFile(name: string): string[] {
  const bare = name.replace(/\.md$/i, '').toLowerCase()
  const ends = [...bare.matchAll(/[^\p{L}\p{N}]/gu)].map(({ index }) => index)
  return [bare, ...ends.reverse().map((end) => bare.slice(0, end))]
}

/** Repo-relative task files, the open ones or all. */
export function taskFiles(listing: Pick<Listing, 'docs'>, where: 'todo' | 'done' | 'all'): string[] {
  const folders = where === 'all' ? ['todo', 'done'] : [where]
  return listing.docs.flatMap(({ path }) =>
    folders.some((folder) => {
      const start = `${docsDir}/02_tasks/${folder}/`
      return path.startsWith(start) && path.endsWith('.md') && !path.slice(start.length).includes('/')
    })
      ? [path]
      : [],
  )
}

/**
 * Tasks in batches: in the order of the table, with tasks whose dependencies are in earlier batches, up to a number of
 * tasks and points. Dependencies that are not among `tasks` count as done. A circle is cut at its first task.
 */
export function batchesOf(
  tasks: readonly Task[],
  limits: { maxTasks: number; maxPoints: number },
): string[][] {
  const own = new Set(tasks.map(({ id }) => id))
  const done = new Set<string>()
  const batches: string[][] = []
  let left = [...tasks]
  while (left.length > 0) {
    const batch: Task[] = []
    let points = 0
    for (const task of left) {
      if (batch.length >= limits.maxTasks) break
      if (!task.dependencies.every((id) => done.has(id) || !own.has(id))) continue
      if (batch.length > 0 && points + task.points > limits.maxPoints) continue
      batch.push(task)
      points += task.points
    }
    const [first] = left
    if (batch.length === 0 && first) batch.push(first)
    for (const { id } of batch) done.add(id)
    batches.push(batch.map(({ id }) => id))
    left = left.filter((task) => !batch.includes(task))
  }
  return batches
}

export interface TaskEstimate {
  tasks: number
  points: number
  batches: number
  warnings: string[]
}

/** What is ahead, of test tasks or of the others, but for what lies in `done/`; undefined without a table. Pure. */
export function estimate(
  listing: Pick<Listing, 'docs' | 'texts'>,
  kind: 'test' | 'product',
  limits: { maxTasks: number; maxPoints: number },
): TaskEstimate | undefined {
  const text = listing.texts.get(dependenciesPath)
  if (text === undefined) return undefined
  const { tasks, declared, warnings } = readTaskTable(text)
  const test = testTasks(tasks, taskFiles(listing, 'all'))
  const done = filesByTask(tasks, taskFiles(listing, 'done'))
  const pool = tasks.filter(({ id }) => test.has(id) === (kind === 'test') && !done.has(id))
  const points = pool.reduce((sum, task) => sum + task.points, 0)
  const all = tasks.reduce((sum, task) => sum + task.points, 0)
  const differs = (what: string, said: number | null, counted: number) =>
    said === null || said === counted
      ? []
      : [`The table says ${said} ${what} in all, its rows are ${counted}.`]
  return {
    tasks: pool.length,
    points,
    batches: batchesOf(pool, limits).length,
    warnings: [
      ...warnings,
      ...differs('tasks', declared.tasks, tasks.length),
      ...differs('points', declared.points, all),
    ],
  }
}
