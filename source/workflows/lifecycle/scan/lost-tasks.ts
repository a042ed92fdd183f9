import { type NamedTask, planLosses } from '../../../documents/plan-losses.js'
import type { Detector } from '../flow/flow.js'
import type { Listing } from './listing.js'
import { readTaskTable } from './task-table.js'
import { filesByTask, parkedFiles, tableText, taskFiles } from './tasks.js'

// Tasks that were there when a step began and are neither to do nor done any more: without them a folder is as empty as when
// all of them were done (docs/lifecycle.md, "The worker"). Pure.

/** The tasks of a project when a step began. */
export interface TasksBegun {
  /** Names of the files of open and of finished tasks. */
  files: string[]
  /** Rows of their table. */
  rows: Pick<NamedTask, 'id' | 'title'>[]
}

type Looked = Pick<Listing, 'docs' | 'texts'>

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

export function tasksIn(listing: Looked): TasksBegun {
  const text = tableText(listing)
  const rows =
    text === undefined ? [] : readTaskTable(text).tasks.map(({ id, name }) => ({ id, title: name }))
  return { files: taskFiles(listing, 'all').map(nameOf), rows }
}

/** Whether a step is there to make the table of tasks: it may make others of them. */
export function makesTasks(detector: Detector): boolean {
  if ('all' in detector) return detector.all.some(makesTasks)
  if ('any' in detector) return detector.any.some(makesTasks)
  return 'exists' in detector && detector.exists.startsWith('02_tasks/_')
}

/** What is lost of them, a line each. Of a task that is done its row may go. */
export function lostTasks({ files, rows }: TasksBegun, listing: Looked): string[] {
  const idsIn = (names: readonly string[]) => filesByTask(rows, names)
  const idOf = new Map([...idsIn(files)].map(([id, name]) => [name, id]))
  const present = taskFiles(listing, 'all')
  const [all, done, parked] = [present, taskFiles(listing, 'done'), parkedFiles(listing)].map(idsIn)
  const names = new Set(present.map((path) => nameOf(path).toLowerCase()))
  const isThere = (name: string) => names.has(name.toLowerCase()) || all?.has(idOf.get(name) ?? '') === true
  const folderOf = (name: string) => {
    const moved = parkedFiles(listing).find(
      (path) =>
        nameOf(path).toLowerCase() === name.toLowerCase() ||
        nameOf(path) === parked?.get(idOf.get(name) ?? ''),
    )
    return moved?.split('/').at(-2)
  }
  const gone = files.filter((name) => !isThere(name))
  const now = tasksIn(listing).rows
  return [
    ...gone.map((name) => {
      const folder = folderOf(name)
      return folder === undefined
        ? `The task ${name} is gone: it is neither in todo/ nor in done/.`
        : `The task ${name} was moved to ${folder}/: it is neither done nor to do.`
    }),
    ...planLosses(
      rows.filter(({ id }) => done?.has(id) !== true),
      now,
    ).map((line) => `The table of tasks: ${line}`),
  ]
}
