import { docsDir } from '../flow/flow.js'
import type { Listing } from './listing.js'
import { readTaskTable, type Task } from './task-table.js'

// Tasks and what they come to: `_dependencies_table.md` and the task files (docs/lifecycle.md, "Tasks and batches").

export const dependenciesPath = `${docsDir}/02_tasks/_dependencies_table.md`

/** The text of the table, whatever the capitals of its path. */
export function tableText({ docs, texts }: Pick<Listing, 'docs' | 'texts'>): string | undefined {
  const exact = texts.get(dependenciesPath)
  if (exact !== undefined) return exact
  const found = docs.find(({ path }) => path.toLowerCase() === dependenciesPath)
  return found && texts.get(found.path)
}

/** Words that have `test` in them and speak of something else. */
const otherWords = /(?<!\p{L})(?:(?:la|grea|fas|shor|ligh|con|pro|at|de)test|testi(?:mon|fy|fi)|testament)/giu

/** Whether an epic or a file name speaks of tests. */
export const saysTest = (text: string): boolean => /test/i.test(text.replaceAll(otherWords, ''))

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

/** The folder of `02_tasks/` that a Markdown file lies right in, in small letters; undefined for every other file. */
function folderOf(path: string): string | undefined {
  return /^_docs\/02_tasks\/([^/_.][^/]*)\/[^/]+\.md$/i.exec(path)?.[1]?.toLowerCase()
}

/** Repo-relative task files, the open ones or all. */
export function taskFiles(listing: Pick<Listing, 'docs'>, where: 'todo' | 'done' | 'all'): string[] {
  const folders = where === 'all' ? ['todo', 'done'] : [where]
  return listing.docs.flatMap(({ path }) => (folders.includes(folderOf(path) ?? '') ? [path] : []))
}

/** Task files that are neither to do nor done, such as those in `backlog/`. */
export function parkedFiles(listing: Pick<Listing, 'docs'>): string[] {
  return listing.docs.flatMap(({ path }) => {
    const folder = folderOf(path)
    return folder === undefined || folder === 'todo' || folder === 'done' ? [] : [path]
  })
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

/**
 * What is ahead, of test tasks or of the others, but for what lies in `done/` or is parked in another folder; undefined
 * without a table. Pure.
 */
export function estimate(
  listing: Pick<Listing, 'docs' | 'texts'>,
  kind: 'test' | 'product',
  limits: { maxTasks: number; maxPoints: number },
): TaskEstimate | undefined {
  const text = tableText(listing)
  if (text === undefined) return undefined
  const { tasks, declared, warnings } = readTaskTable(text)
  const test = testTasks(tasks, taskFiles(listing, 'all'))
  const [open, done] = [taskFiles(listing, 'todo'), taskFiles(listing, 'done')].map((files) =>
    filesByTask(tasks, files),
  )
  const parked = filesByTask(tasks, parkedFiles(listing))
  const isParked = (id: string) => parked.has(id) && !open?.has(id)
  const left = tasks.filter(({ id }) => !done?.has(id))
  const pool = left.filter(({ id }) => test.has(id) === (kind === 'test') && !isParked(id))
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
      ...besideWarnings(listing, tasks),
      ...(left.some(({ id }) => isParked(id))
        ? [
            `Neither in todo/ nor in done/, and not counted: ${shownIds(left.filter(({ id }) => isParked(id)))}.`,
          ]
        : []),
    ],
  }
}

/** Rows of which there is no file, in a line: a folder without them is as empty as when they were done. Pure. */
export function rowsWithoutFile(listing: Pick<Listing, 'docs' | 'texts'>): string[] {
  const { tasks } = readTaskTable(tableText(listing) ?? '')
  const files = filesByTask(tasks, [...taskFiles(listing, 'all'), ...parkedFiles(listing)])
  const bare = tasks.filter(({ id }) => !files.has(id))
  // Where no row has one, the project keeps its tasks elsewhere.
  return bare.length === 0 || bare.length === tasks.length
    ? []
    : [`In the table, and without a file in todo/ or done/: ${shownIds(bare)}.`]
}

const mostShown = 10
const shown = (names: readonly string[]) =>
  `${names.slice(0, mostShown).join(', ')}${names.length > mostShown ? `, and ${names.length - mostShown} more` : ''}`
const shownIds = (tasks: readonly Task[]) => shown(tasks.map(({ id }) => id))

/** Files to do that the table does not have, and those that lie too deep to be tasks. */
function besideWarnings(listing: Pick<Listing, 'docs'>, tasks: readonly Task[]): string[] {
  const open = taskFiles(listing, 'todo')
  const known = new Set(filesByTask(tasks, open).values())
  const name = (path: string) => path.slice(path.lastIndexOf('/') + 1)
  const beside = open.map(name).filter((each) => !known.has(each))
  const deep = listing.docs.flatMap(({ path }) =>
    /^_docs\/02_tasks\/(?:todo|done)\/[^/]+\/.*\.md$/i.test(path) ? [path.slice(docsDir.length + 1)] : [],
  )
  return [
    ...(beside.length > 0 ? [`In todo/, and in no row of the table: ${shown(beside)}.`] : []),
    ...(deep.length > 0 ? [`In a folder below todo/ or done/, and not counted: ${shown(deep)}.`] : []),
  ]
}
