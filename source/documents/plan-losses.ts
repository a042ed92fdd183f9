import { type CheckpointType, type PlanTask, readPlan } from './plan.js'
import { checkpointType } from './plan-checkpoints.js'

// What a plan does not hold any more that the one before it held: told wherever the newer one is shown. Pure.

/** A task as a plan or an outline names it. */
export type NamedTask = Pick<PlanTask, 'id' | 'title' | 'checkpoint'>

const longestLine = 400
const item =
  /^\s{0,12}(?:#{1,6}\s{1,4}|[-*+]\s{1,4}(?:\[[ x]\]\s{1,4})?)?(?:\*\*|__)?(?:task\s{1,4})?([A-Za-z]?\d{1,4}(?:\.\d{1,4}){0,3}[a-z]?)[.:)]\s{0,4}(?:\*\*|__)?\s{0,4}(\S.*)$/i
const bullet = /^\s{0,3}[-*+]\s{1,4}(?:\[[ x]\]\s{1,4})?(\S.*)$/
const mark = /\[checkpoint(?::\s{0,4}([a-z-]{1,40}))?[^\]]{0,100}\]|\b(human-verify|human-action)\b/i

/** The tasks of an outline, which a planner writes as it likes: headings of a plan, numbered lines, else bullets. */
export function outlineTasks(text: string): NamedTask[] {
  const { tasks } = readPlan(text)
  if (tasks.length > 0) return tasks
  const lines = text.split('\n').map((line) => line.slice(0, longestLine))
  const numbered = lines.flatMap((line) => {
    const [, id, title] = item.exec(line) ?? []
    return id === undefined || title === undefined ? [] : [taskOf(id, title)]
  })
  if (numbered.length > 0) return numbered
  const bullets = lines.flatMap((line) => bullet.exec(line)?.[1] ?? [])
  return bullets.map((title, at) => taskOf(String(at + 1), title))
}

function taskOf(id: string, text: string): NamedTask {
  const found = mark.exec(text)
  const title = text
    .replace(mark, '')
    .replaceAll(/\*\*|__|`/g, '')
    .trim()
  return { id, title, ...(found ? { checkpoint: checkpointType(found[1] ?? found[2]) } : {}) }
}

/** One line for each task that is gone or another one, and for each marker that is. */
export function planLosses(before: readonly NamedTask[], now: readonly NamedTask[]): string[] {
  const titles = new Map(now.map((task) => [bare(task.title), task]))
  const ids = new Map(now.map((task) => [task.id.toLowerCase(), task]))
  const old = new Set(before.map(({ title }) => bare(title)))
  return before.flatMap((task): string[] => {
    const name = `Task ${task.id} (${task.title})`
    const other = ids.get(task.id.toLowerCase())
    const same = titles.get(bare(task.title))
    // What another task of before is called now is that one, under another number.
    const renamed = other && !old.has(bare(other.title)) ? other : undefined
    const found = same ?? renamed
    if (!found) return [`${name} is gone${markOf(task)}.`]
    return [
      ...(same || sharesWord(task.title, found.title) ? [] : [`${name} is "${found.title}" now.`]),
      ...(pauses(task.checkpoint) && found.checkpoint !== task.checkpoint
        ? [`${name} is not marked ${task.checkpoint} any more.`]
        : []),
    ]
  })
}

/** Said in more or fewer words it is the same task. */
function sharesWord(one: string, other: string): boolean {
  const words = new Set(wordsOf(one))
  return wordsOf(other).some((word) => words.has(word))
}

const wordsOf = (title: string) => bare(title).match(/\p{L}[\p{L}\p{N}]{3,}/gu) ?? []

const pauses = (checkpoint: CheckpointType | undefined) => checkpoint !== undefined && checkpoint !== 'commit'

const markOf = ({ checkpoint }: NamedTask) => (pauses(checkpoint) ? `, with its marker ${checkpoint}` : '')

const bare = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
