import { basename } from 'node:path'
import { counted } from '../../../counted.js'
import type { Git } from '../../../project/git.js'
import {
  type HollowKind,
  hollowChanges,
  hollowWords,
  speaksOf,
} from '../../evidence/claims/hollow-changes.js'
import { isTrace } from '../../evidence/products.js'
import type { FlowStep } from '../flow/flow.js'
import type { Begun } from '../opening/pending-commit.js'
import { isSource, type Listing } from '../scan/listing.js'
import { testsCode } from './tests.js'

// Whether there was any work since a step began, as far as it takes to see that (docs/lifecycle.md, "The worker").

export interface Worked {
  root: string
  git: Pick<Git, 'textAt' | 'pathsAt' | 'dirty'>
  step: FlowStep
  listing: Pick<Listing, 'docs'>
  begun: Pick<Begun, 'at' | 'dirty'>
  /** The commit that it began with, as far as it is still there. */
  commit: string | null
  /** Paths whose content is another one than when the step began. */
  changed: readonly string[]
  /** Files that git knew when the step began. */
  known: ReadonlySet<string>
  /** Texts of the tasks of that time. */
  tasks: string
  /** True for what the program writes itself. */
  isOwn(path: string): boolean
}

/** Milliseconds by which times of files may be behind the clock. */
const clockLag = 20

const isTask = /^_docs\/02_tasks\/done\/[^/]+\.md$/i
const shownPaths = 4

/** Why nothing shows that the step was worked at, a line each. */
export async function withoutWork(work: Worked): Promise<string[]> {
  const { begun, changed, listing, step, isOwn } = work
  const { at = 0 } = begun
  const before = new Set(begun.dirty.map(({ path }) => path))
  // What git does not look at is known by its time alone.
  const written = listing.docs.some(
    ({ path, mtime }) => mtime >= at - clockLag && !isOwn(path) && !work.known.has(path) && !before.has(path),
  )
  if (changed.length === 0 && !written) return ['Nothing was changed since the step began.']
  const moved = changed.filter((path) => isTask.test(path)).length
  const isCode = testsCode(step)
  if (moved === 0 && !isCode) return []
  const { works, hollow, beside } = await codeOf(work)
  if (works || (!isCode && beside.length > 0)) return []
  const what = lackOf(hollow, beside)
  return [
    moved > 0
      ? `${counted(moved, 'task was', 'tasks were')} moved to done/, and ${what}.`
      : `The step is to change code, and ${what}.`,
  ]
}

interface CodeChanged {
  /** Something was done outside of `_docs/` that may be what was wanted. */
  works: boolean
  /** Files in which nothing was done. */
  hollow: [path: string, kind: HollowKind][]
  /** Files that are no source, and of which no task speaks. */
  beside: string[]
}

async function codeOf({ root, git, step, commit, changed, tasks }: Worked): Promise<CodeChanged> {
  const uncommitted = new Set((await git.dirty()).map(({ path }) => path))
  const outside = changed.filter(
    (path) => !path.startsWith('_docs/') && !(isTrace(path) && uncommitted.has(path)),
  )
  const beside = outside.filter((path) => !isSource(basename(path)) && !isSpokenOf(path, tasks))
  const code = outside.filter((path) => !beside.includes(path))
  if (commit === null) return { works: code.length > 0, hollow: [], beside }
  const kinds = await hollowChanges({ git, root }, commit, code)
  // Whoever puts code in order may do so by words and layout.
  const words = /^refactor/i.test(step.name) ? `${tasks}\nlayout, comments` : tasks
  const hollow = [...kinds].filter(([, kind]) => !speaksOf(kind, words))
  return { works: code.length > hollow.length, hollow, beside }
}

const ofDocuments = /\b(?:read ?me|docs?|document\w*|dokument\w*|guide|manual|handbook|handbuch|changelog)\b/i

/** Whether tasks speak of a file that is no source: by a part of its name, or of documents at all. */
function isSpokenOf(path: string, tasks: string): boolean {
  if (/\.mdx?$/i.test(path) && ofDocuments.test(tasks)) return true
  const said = tasks.toLowerCase()
  const parts = basename(path)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  return parts.map((part) => part.replace(/rc$/, '')).some((part) => part.length >= 4 && said.includes(part))
}

function lackOf(hollow: CodeChanged['hollow'], beside: readonly string[]): string {
  const said = [
    ...hollow.map(([path, kind]) => `${path}: ${hollowWords[kind]}`),
    ...beside.map((path) => `${path}: no code`),
  ]
  if (said.length === 0) return 'nothing outside of _docs/ has changed'
  const rest = said.length > shownPaths ? `, and ${said.length - shownPaths} more` : ''
  return `nothing was done outside of _docs/ (${said.slice(0, shownPaths).join(', ')}${rest})`
}
