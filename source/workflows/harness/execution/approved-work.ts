import { createHash } from 'node:crypto'
import type { PlanTask } from '../../../documents/plan.js'
import { readText } from '../../../project/text-files.js'
import { bareCode } from '../../evidence/claims/bare-code.js'
import { namesIn } from '../../evidence/claims/tasks.js'
import { knownDecisions } from '../state/decisions.js'
import type { PlanWork } from './plan-work.js'

// What a person has looked at and confirmed: where it became something else since, nobody has approved what is there
// (docs/evidence.md, "Badges").

/** Digests of the files that a task names, by path. */
export type SeenWork = Record<string, string>

/** The files of a task as they are, without comments and layout. Those that another task names too are its matter as well. */
export async function workOf({ tools, tasks }: PlanWork, task: PlanTask | undefined): Promise<SeenWork> {
  const elsewhere = new Set(namesIn(tasks.flatMap(({ id, files = [] }) => (id === task?.id ? [] : files))))
  const named = [...new Set(namesIn(task?.files ?? []))].filter(
    (path) => !elsewhere.has(path) && !/[*]|\/$|^\/|(?:^|\/)\.\.(?:\/|$)/.test(path),
  )
  const seen: SeenWork = {}
  for (const path of named) {
    const text = await readText(tools, path).catch(() => undefined)
    if (text !== undefined) seen[path] = digestOf(path, text)
  }
  return seen
}

function digestOf(path: string, text: string): string {
  const said = bareCode(path, text) ?? text.replace(/\s+/g, ' ').trim()
  return createHash('sha256').update(said).digest('hex').slice(0, 16)
}

/** Ids of tasks whose files are not what a person confirmed. */
export async function changedSinceConfirmed(work: PlanWork): Promise<string[]> {
  const entries = knownDecisions(work.run.state).filter(
    ({ phase, decision }) => phase === work.phase.index && decision === 'checkpoint_confirmed',
  )
  const changed: string[] = []
  for (const task of work.tasks) {
    const confirmed = entries.findLast(({ task: id, title }) => id === task.id && title === task.title)
    const before = seenIn(confirmed?.seen)
    const now = before === undefined ? {} : await workOf(work, task)
    if (Object.entries(before ?? {}).some(([path, digest]) => now[path] !== digest)) changed.push(task.id)
  }
  return changed
}

/** Entries of earlier versions do not have it. */
function seenIn(value: unknown): SeenWork | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as SeenWork)
    : undefined
}
