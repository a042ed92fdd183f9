import { filesOfSpec } from '../../../documents/task-spec-files.js'
import type { Git } from '../../../project/git.js'
import { readText } from '../../../project/text-files.js'
import { type ClaimedTask, judgeTask } from '../../evidence/claims/tasks.js'
import { workSeen } from '../../evidence/claims/work-seen.js'
import type { Listing } from '../scan/listing.js'
import { taskFiles } from '../scan/tasks.js'

// Tasks that a step has called done, held against git by the files that they name (docs/lifecycle.md, "The worker").

export interface TasksDone {
  root: string
  git: Pick<Git, 'textAt' | 'pathsAt' | 'commitContents'>
  listing: Pick<Listing, 'docs'>
  /** The commit that the step began with. */
  start: string
  /** Epoch milliseconds. */
  since: number
  /** Names of the files of tasks of that time. */
  tasks: readonly string[]
  /** Paths whose content is another one than then. */
  changed: readonly string[]
  /** Texts of the tasks of that time. */
  said: string
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** Tasks of which none of the files that they name has changed, a line each. A task that names none is left as it is. */
export async function tasksWithoutWork(done: TasksDone): Promise<string[]> {
  const { root, git, start, since, changed, said } = done
  const tasks = await claimedTasks(done)
  if (tasks.every(({ files }) => (files ?? []).length === 0)) return []
  const touched = new Set(changed)
  const seen = await workSeen({ git, root, start, since, plan: said, touched }, tasks)
  return tasks.flatMap((task) => judgeTask(task, { ...seen, began: 'step' }, tasks).doubt ?? [])
}

/** What is in `done/` now and was not when the step began, as it was asked for then. */
async function claimedTasks({ root, git, listing, start, tasks }: TasksDone): Promise<ClaimedTask[]> {
  const atStart = await git.pathsAt(start)
  const finished = new Set(atStart.filter((path) => /\/02_tasks\/done\//i.test(path)).map(nameOf))
  const known = new Set(tasks)
  const fresh = taskFiles(listing, 'done').filter(
    (path) => known.has(nameOf(path)) && !finished.has(nameOf(path)),
  )
  return Promise.all(
    fresh.map(async (path) => {
      const before = atStart.find((one) => nameOf(one) === nameOf(path) && /\/02_tasks\//i.test(one))
      const text =
        before === undefined
          ? await readText({ root }, path).catch(() => undefined)
          : await git.textAt(start, before)
      const name = nameOf(path).replace(/\.md$/i, '')
      return { id: name, title: titleOf(text ?? '') ?? name, files: filesOfSpec(text ?? ''), text }
    }),
  )
}

function titleOf(text: string): string | undefined {
  return /^# {1,9}(\S.{0,100})$/m.exec(text)?.[1]?.trim()
}
