import { counted } from '../../../counted.js'
import type { Deficiency, OrderTask } from '../orders/fields.js'
import type { Complexity } from '../results.js'

// When a phase is too much for one piece of work, and into which parts it falls (docs/playbook-checks.md, "Split"). Pure.

export interface SubPhase {
  /** `20a`: never an id of a roadmap. */
  sub_phase_id: string
  name: string
  scope: string
  issues: string[]
  estimated_complexity: Complexity
}

/** How a phase would be done in parts. */
export interface SplitDetails {
  reason: string
  recommended_sub_phases: SubPhase[]
  total_sub_phases: number
  original_issue_count: number
}

/** A part with what it works on. */
export interface SplitPart {
  id: string
  /** Ids of its tasks. */
  tasks: string[]
  files: string[]
}

const mostComplex = 5
const mostFiles = 10
const mostIssues = 3
const leastIssueFiles = 4

/** Why the tasks of a plan are too much; undefined where they are not. */
export function tooManyTasks(tasks: readonly Pick<OrderTask, 'complexity' | 'files'>[]): string | undefined {
  const complex = tasks.filter(({ complexity }) => complexity === 'complex').length
  if (complex > mostComplex) return `${counted(complex, 'complex task')}, more than ${mostComplex}`
  const files = new Set(tasks.flatMap((task) => task.files)).size
  return files > mostFiles ? `${counted(files, 'file')}, more than ${mostFiles}` : undefined
}

/** Why what is to be mended in one cycle is too much; undefined where it is not. */
export function tooManyIssues(issues: readonly Pick<Deficiency, 'target_file'>[]): string | undefined {
  const files = new Set(issues.flatMap(({ target_file: file }) => file ?? [])).size
  if (issues.length <= mostIssues || files < leastIssueFiles) return undefined
  return `${counted(issues.length, 'deficiency', 'deficiencies')} in ${counted(files, 'file')}, more than ${mostIssues} in ${leastIssueFiles} or more`
}

/** Groups of items that share files, directly or over others. An item without files stands alone. */
function groupsByFiles<Item>(items: readonly Item[], filesOf: (item: Item) => readonly string[]): Item[][] {
  const groups: { items: Item[]; files: Set<string> }[] = []
  for (const item of items) {
    const files = filesOf(item)
    const joined = groups.filter((group) => files.some((file) => group.files.has(file)))
    const [first, ...rest] = joined
    const target = first ?? { items: [], files: new Set<string>() }
    if (first === undefined) groups.push(target)
    for (const other of rest) {
      target.items.push(...other.items)
      for (const file of other.files) target.files.add(file)
      groups.splice(groups.indexOf(other), 1)
    }
    target.items.push(item)
    for (const file of files) target.files.add(file)
  }
  const place = (group: Item[]) => Math.min(...group.map((item) => items.indexOf(item)))
  return groups
    .map((group) => group.items.sort((one, other) => items.indexOf(one) - items.indexOf(other)))
    .sort((one, other) => place(one) - place(other))
}

/** `20a`, `20b`, .. `20z`, `20aa`, without those that are taken, in whatever case. */
function partIds(phase: string, count: number, taken: readonly string[]): string[] {
  const known = new Set(taken.map((id) => id.toUpperCase()))
  const ids: string[] = []
  for (let number = 0; ids.length < count; number += 1) {
    const id = `${phase}${letters(number)}`
    if (!known.has(id.toUpperCase())) ids.push(id)
  }
  return ids
}

function letters(number: number): string {
  const last = String.fromCharCode(97 + (number % 26))
  return number < 26 ? last : `${letters(Math.floor(number / 26) - 1)}${last}`
}

/** The parts of a plan; undefined where its tasks hang together. `roadmapIds` are those of all phases. */
export function splitTasks(
  phase: string,
  tasks: readonly OrderTask[],
  roadmapIds: readonly string[],
): SplitPart[] | undefined {
  const groups = groupsByFiles(tasks, ({ files }) => files)
  if (groups.length < 2) return undefined
  const ids = partIds(phase, groups.length, roadmapIds)
  return groups.map((group, at) => ({
    id: ids[at] ?? '',
    tasks: group.map(({ id }) => id),
    files: [...new Set(group.flatMap(({ files }) => files))],
  }))
}

/** A part of a cycle with what it mends. */
export interface MendingPart {
  id: string
  feedback: Deficiency[]
}

/** The parts of a cycle of mending; undefined where its deficiencies hang together. `taken`: what no part may be called. */
export function splitIssues(
  phase: string,
  feedback: readonly Deficiency[],
  taken: readonly string[],
): MendingPart[] | undefined {
  const groups = groupsByFiles(feedback, ({ target_file: file }) => (file === undefined ? [] : [file]))
  if (groups.length < 2) return undefined
  const ids = partIds(phase, groups.length, taken)
  return groups.map((group, at) => ({ id: ids[at] ?? '', feedback: group }))
}

/** The parts in the words of a split request. */
export function splitDetails(
  reason: string,
  parts: readonly SplitPart[],
  tasks: readonly Pick<OrderTask, 'id' | 'title' | 'complexity'>[],
): SplitDetails {
  return {
    reason,
    recommended_sub_phases: parts.map((part) => {
      const own = tasks.filter(({ id }) => part.tasks.includes(id))
      const titles = own.map(({ title }) => title)
      return {
        sub_phase_id: part.id,
        name: titles[0] ?? part.id,
        scope: titles.join('; '),
        issues: [],
        estimated_complexity: heaviest(own.map(({ complexity }) => complexity)),
      }
    }),
    total_sub_phases: parts.length,
    original_issue_count: 0,
  }
}

function heaviest(all: readonly Complexity[]): Complexity {
  return (['complex', 'medium', 'simple'] as const).find((one) => all.includes(one)) ?? 'medium'
}

/** So many parts are worked on at once. */
export const partsAtOnce = 3

/** Repo-relative worktree, branch and folder for the artifacts of a part. */
export function partPlaces(part: string, phaseDir: string): { worktree: string; artifacts: string } {
  return {
    worktree: `.autopilot/worktrees/${part}`,
    artifacts: `${phaseDir}/split-${part}`,
  }
}

/** What the parts come to together: completed only if all are, the mean of their scores, cut to one decimal. */
export function splitOutcome(parts: readonly { status: string; alignment_score: number | null }[]): {
  completed: boolean
  score: number | null
} {
  const completed = parts.length > 0 && parts.every(({ status }) => status === 'completed')
  const scores = parts.flatMap(({ alignment_score: score }) => (score === null ? [] : [score]))
  if (scores.length === 0 || scores.length < parts.length) return { completed, score: null }
  const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length
  return { completed, score: Math.floor(mean * 10 + 1e-9) / 10 }
}
