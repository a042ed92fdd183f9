import { withoutEnd } from '../../../documents/edit.js'

// Is each task shown by git? (docs/evidence.md, "Claims")

export interface ClaimedTask {
  id: string
  title: string
  /** The files that the plan names for it; absent or empty: nothing can be looked for. */
  files?: readonly string[] | undefined
}

/** What is known of the work since the phase began. */
export interface WorkSeen {
  /** Paths that a commit touched, or whose content is another one than at the start. */
  touched: ReadonlySet<string>
  /** Files that git does not look at and that were written since the start: ignored ones. */
  writtenUnseen: ReadonlySet<string>
}

export interface JudgedTask {
  id: string
  /** `shown`: git shows it. `claimed`: nobody but the agent says so, and nothing speaks against it. */
  badge: 'shown' | 'claimed'
  /** What does not fit; the task is not complete before a person has decided. */
  doubt?: string | undefined
}

/** One commit may show several tasks; a task without files is left as it is claimed. Pure. */
export function judgeTask(task: ClaimedTask, seen: WorkSeen): JudgedTask {
  const files = (task.files ?? []).flatMap(pathOf)
  if (files.length === 0) return { id: task.id, badge: 'claimed' }
  const paths = [...seen.touched, ...seen.writtenUnseen]
  if (files.some((file) => paths.some((path) => matches(file, path)))) return { id: task.id, badge: 'shown' }
  const named = files.slice(0, 4).join(', ')
  return {
    id: task.id,
    badge: 'claimed',
    doubt: `Task ${task.id} (${task.title}): none of its files has changed since the phase began (${named}).`,
  }
}

/** The path in an entry of a Files field: without words such as `Create`, a remark behind it, or a line number. */
export function pathOf(entry: string): string[] {
  const words = entry
    .trim()
    .split(/\s+/)
    .map((word) => withoutEnd(word.replace(/^[`"'([]+/, ''), '`"\')],;'))
    .map((word) => word.replace(/^\.\//, '').replace(/:\d[\d,:-]*$/, ''))
  const path = words.find((word) => /[\w*]/.test(word) && /[./*]/.test(word) && !/:$/.test(word))
  if (path !== undefined) return [path.replace(/\.$/, '')]
  // A name without a dot, such as Makefile; a sentence is no path.
  return words.length === 1 && words[0] !== undefined && /^\w[\w-]*$/.test(words[0]) ? [words[0]] : []
}

/** A file, a folder with all below it, or a pattern in which `*` stands for anything. Linear in both. */
export function matches(pattern: string, path: string): boolean {
  if (pattern.includes('*')) return matchesPattern(pattern, path)
  const plain = pattern.replace(/\/$/, '')
  return path === plain || path.startsWith(`${plain}/`)
}

function matchesPattern(pattern: string, path: string): boolean {
  const parts = pattern.split(/\*+/)
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  if (!path.startsWith(first) || !path.endsWith(last)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    // `**/` may stand for no folder at all.
    const wanted = part.startsWith('/') && at > 0 && path[at - 1] === '/' ? part.slice(1) : part
    const found = path.indexOf(wanted, at)
    if (found === -1) return false
    at = found + wanted.length
  }
  const end = last.startsWith('/') && path[at - 1] === '/' ? last.slice(1) : last
  return path.endsWith(end) && path.length - end.length >= at
}
