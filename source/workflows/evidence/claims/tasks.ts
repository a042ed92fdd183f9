import { basename } from 'node:path'
import { withoutEnd } from '../../../documents/edit.js'
import { type HollowKind, hollowWords, speaksOf } from './hollow-changes.js'

// Is each task shown by git? (docs/evidence.md, "Claims")

export interface ClaimedTask {
  id: string
  title: string
  /** The files that the plan names for it; absent or empty: nothing can be looked for. */
  files?: readonly string[] | undefined
  /** What the plan says of it. */
  text?: string | undefined
}

/** What is known of the work since the phase began. */
export interface WorkSeen {
  /** Paths whose content is another one than at the start. */
  touched: ReadonlySet<string>
  /** Paths that a commit touched and that are as they were at the start: what was done there is taken back. */
  takenBack: ReadonlySet<string>
  /** Files that git does not look at and that were written since the start: ignored ones. */
  writtenUnseen: ReadonlySet<string>
  /** Files that a rule of the phase keeps from git. */
  hidden?: ReadonlySet<string>
  /** Of `touched`, those in which nothing was done. */
  hollow?: ReadonlyMap<string, HollowKind>
  /** What began with that start, as doubts call it: a phase, if not said. */
  began?: 'phase' | 'step'
}

/** A commit, as far as it tells what became of a file. */
export interface WorkCommit {
  files: readonly { path: string; blob: string | null }[]
}

/**
 * Of the paths that commits touched, those that are as at the start. One that was moved on in a commit is none of them: its
 * content went elsewhere. `commits`: newest first.
 */
export function takenBack(commits: readonly WorkCommit[], touched: ReadonlySet<string>): Set<string> {
  const back = new Set<string>()
  for (const path of new Set(commits.flatMap(({ files }) => files.map((file) => file.path)))) {
    if (!touched.has(path) && !isMoved(commits, path)) back.add(path)
  }
  return back
}

function isMoved(commits: readonly WorkCommit[], path: string): boolean {
  const states = commits.flatMap((commit) => commit.files.filter((file) => file.path === path))
  if (states[0]?.blob !== null) return false
  const last = states[1]?.blob
  const removing = commits.find(({ files }) => files.some((file) => file.path === path))
  return (removing?.files ?? []).some(
    ({ path: other, blob }) =>
      other !== path && blob !== null && (blob === last || basename(other) === basename(path)),
  )
}

export interface JudgedTask {
  id: string
  /** `shown`: git shows it. `claimed`: nobody but the agent says so, and nothing speaks against it. */
  badge: 'shown' | 'claimed'
  /** What does not fit; the task is not complete before a person has decided. */
  doubt?: string | undefined
}

/**
 * One commit may show several tasks; a task without files is left as it is claimed. Work that was taken back shows none,
 * unless another task names the same file: then it may be that one's matter. `others`: the other tasks of the plan. Pure.
 */
export function judgeTask(
  task: ClaimedTask,
  seen: WorkSeen,
  others: readonly ClaimedTask[] = [],
): JudgedTask {
  const entries = task.files ?? []
  const files = entries.flatMap(pathOf)
  if (files.length === 0) return { id: task.id, badge: 'claimed' }
  const names = namesIn(entries)
  const shows = (paths: Iterable<string>) =>
    [...paths].filter((path) => names.some((name) => fits(name, path)))
  const touched = shows(seen.touched)
  const hollow = touched.flatMap((path) => {
    const kind = seen.hollow?.get(path)
    if (kind === undefined || speaksOf(kind, task.text ?? '')) return []
    // Named as itself it is what was wanted, whatever else is said.
    return kind === 'lock' && names.some((name) => basename(name) === basename(path)) ? [] : [{ path, kind }]
  })
  if (touched.length > hollow.length || shows(seen.writtenUnseen).length > 0)
    return { id: task.id, badge: 'shown' }
  // Words may be what was wanted, in words that nobody here foresaw: shown it is not, and doubted neither.
  if (hollow.some(({ kind }) => kind === 'comment')) return { id: task.id, badge: 'claimed' }
  const back = shows(seen.takenBack)
  const elsewhere = namesIn(others.flatMap((other) => (other.id === task.id ? [] : (other.files ?? []))))
  if (back.some((path) => elsewhere.some((name) => fits(name, path)))) return { id: task.id, badge: 'shown' }
  const doubt = doubtOf({
    files,
    hollow: hollow.map(said),
    back,
    hidden: shows(seen.hidden ?? []),
    began: seen.began ?? 'phase',
  })
  return { id: task.id, badge: 'claimed', doubt: `Task ${task.id} (${task.title}): ${doubt}` }
}

const said = ({ path, kind }: { path: string; kind: HollowKind }) => `${path}: ${hollowWords[kind]}`

interface Doubtful {
  files: string[]
  hollow: string[]
  hidden: string[]
  back: string[]
  began: string
}

function doubtOf(of: Doubtful): string {
  const some = (list: readonly string[]) => list.slice(0, 4).join(', ')
  if (of.hollow.length > 0) return `nothing was done in its files (${some(of.hollow)}).`
  if (of.hidden.length > 0)
    return `git is told since the ${of.began} began not to look at its files (${some(of.hidden)}).`
  const named = some(of.files)
  return of.back.length > 0
    ? `its files are as they were when the ${of.began} began, though they were committed in between (${named}).`
    : `none of its files has changed since the ${of.began} began (${named}).`
}

/** Paths that the Files field of one of these tasks names. */
export function namedPaths(tasks: readonly ClaimedTask[], paths: Iterable<string>): string[] {
  const names = namesIn(tasks.flatMap(({ files }) => files ?? []))
  return [...paths].filter((path) => names.some((name) => fits(name, path)))
}

/** Everything that entries of a Files field may name: each as a whole, blanks included, and the path in it. */
export function namesIn(entries: readonly string[]): string[] {
  return entries.flatMap((entry) => [plainName(entry.trim()), ...pathOf(entry)]).flatMap(alternatives)
}

const plainName = (word: string) => withoutEnd(word.replace(/^[`"'([]+/, ''), '`"\')],;').replace(/^\.\//, '')

/** `a/{b,c}.js` names two. */
function alternatives(name: string): string[] {
  const found = /^([^{]*)\{([^{}]{1,400})\}(.*)$/s.exec(name)
  if (found === null) return [name]
  const [, before = '', inside = '', behind = ''] = found
  return inside.split(',').map((each) => `${before}${each.trim()}${behind}`)
}

/** A name without a folder may lie in any. A letter may be written as one sign or as two, by people and by file systems. */
function fits(written: string, found: string): boolean {
  const name = written.normalize('NFC')
  const path = found.normalize('NFC')
  return name !== '' && (matches(name, path) || (!/[/*]/.test(name) && path.endsWith(`/${name}`)))
}

/** The path in an entry of a Files field: without words such as `Create`, a remark behind it, or a line number. */
export function pathOf(entry: string): string[] {
  const words = entry
    .trim()
    .split(/\s+/)
    .map((word) => plainName(word).replace(/:\d[\d,:-]*$/, ''))
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
