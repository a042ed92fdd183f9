import { basename, isAbsolute } from 'node:path'
import { compareMarkdown } from '../../documents/compare-markdown.js'
import { suspiciousName } from '../../project/secrets.js'
import { type Difference, nameTraits } from '../../project/snapshot/difference.js'
import {
  callGit,
  openPrivateRepository,
  type PrivateRepository,
} from '../../project/snapshot/private-repository.js'
import type { ProtectedReading } from '../../project/snapshot/protected.js'
import type { SnapshotPair, SnapshotPlace } from '../../project/snapshot/snapshot-types.js'
import { treeBlobs } from '../../project/snapshot/tree-blobs.js'
import { isPlanned } from './ground.js'
import type { Finding } from './judge.js'
import { isOwn, type JudgeFacts } from './judging/verdict.js'
import { isOfEditor, isProduct } from './products.js'

// What holds as it was approved, and what is executed or gives orders, is looked at in the work tree. In a commit and in the
// index it may stand in another form, which everybody else would get (docs/evidence.md, "What an agent has changed").

export interface OtherForms {
  /** Paths that the branch has got in another form than they lie in the work tree. */
  committed: string[]
  /** Ids of differences of the index, in the same case. */
  staged: string[]
}

export interface FormsAsked extends SnapshotPair {
  differences: readonly Difference[]
  /** Paths in the commits that came. */
  committed: readonly string[]
  /** Spec and plans. */
  frozen: readonly string[]
  protected: ProtectedReading
}

/** The committed ones, unless they are the dispatch's own or the plan names them. */
export function formDoubts(paths: readonly string[], facts: JudgeFacts): Finding[] {
  const why = 'committed in another form than it lies here, and it holds or gives orders'
  return paths
    .filter((path) => !isOwn(path, facts) && !isPlanned(path, facts.ground.planned))
    .map((name): Finding => ({ name, change: 'committed', why, by: 'agent' }))
}

/**
 * Taken out of git and left where it lies: whoever gets the branch does without it, and what is run here does not notice. Output, secrets
 * and what programs of a person keep for themselves are taken out with good reason.
 */
export function letGoDoubts(paths: readonly string[] = [], facts: JudgeFacts): Finding[] {
  const why = 'git has let it go, and it lies here where only you have it'
  return paths
    .filter((path) => !isOwn(path, facts) && !isPlanned(path, facts.ground.planned) && isMissed(path))
    .map((name): Finding => ({ name, change: 'committed', why, by: 'agent' }))
}

const isMissed = (path: string) =>
  !isProduct(path) && !isOfEditor(path) && !suspiciousName(basename(path)) && !ofTools.test(path)

/** Folders and files that programs of a person keep for themselves, and generated ones by their name. */
const ofTools =
  /(?:^|\/)(?:\.idea|\.vscode|\.fleet|\.zed|\.cursor|generated|__generated__|\.terraform|logs?)(?:\/|$)|\.(?:local|generated|min)\.\w{1,8}$|\.(?:sqlite3?|db|log|iml|pb\.go)$/

/** Compares the branch and the index with the work tree, for files that are guarded there. */
export async function otherForms(place: SnapshotPlace, asked: FormsAsked): Promise<OtherForms> {
  const { before, after, differences } = asked
  const isGuarded = guardedBy(asked)
  const committed = asked.committed.filter(isGuarded)
  const staged = differences.filter(
    ({ kind, name, part, change }) =>
      kind === 'index' && part === undefined && change !== 'removed' && isGuarded(name),
  )
  const paths = [...new Set([...committed, ...staged.map(({ name }) => name)])]
  if (paths.length === 0) return { committed: [], staged: [] }
  const repo = await openPrivateRepository(place)
  const [was, is, here] = await Promise.all(
    [before.head, after.head, after.tree].map(async (tree) =>
      tree === null ? undefined : await treeBlobs(repo, tree, paths),
    ),
  )
  const differ = async (path: string, other: string | undefined) =>
    !(await areAlike(repo, path, [other, here?.get(path)?.blob]))
  const found: OtherForms = { committed: [], staged: [] }
  for (const path of committed) {
    if (was?.get(path)?.blob === is?.get(path)?.blob) continue
    if (await differ(path, is?.get(path)?.blob)) found.committed.push(path)
  }
  for (const { id, name, after: state } of staged) {
    const blob = state?.split(' ')[1]
    if (await differ(name, blob === undefined || /^0+$/.test(blob) ? undefined : blob)) found.staged.push(id)
  }
  return found
}

function guardedBy({ frozen, protected: { entries } }: FormsAsked): (path: string) => boolean {
  const names = new Set(frozen)
  for (const key of Object.keys(entries)) {
    const name = key.slice(key.indexOf(' ') + 1)
    if (key.startsWith('file ') && !isAbsolute(name) && !name.includes('#')) names.add(name)
  }
  const ordering = (path: string) =>
    nameTraits(path).some((trait) => trait === 'instructions' || trait === 'attributes')
  return (path) => names.has(path) || ordering(path)
}

/** The same bytes, but for line ends; of a text in Markdown the same content, boxes aside. */
async function areAlike(
  repo: PrivateRepository,
  path: string,
  [one, other]: readonly [string | undefined, string | undefined],
): Promise<boolean> {
  if (one === other) return true
  if (one === undefined || other === undefined) return false
  const texts: string[] = []
  for (const blob of [one, other]) {
    const { code, stdout } = await callGit(repo, ['cat-file', 'blob', blob])
    if (code !== 0) return false
    texts.push(stdout.toString('latin1').replaceAll('\r\n', '\n'))
  }
  const [first = '', second = ''] = texts
  if (first === second) return true
  return /\.(?:md|mdx|markdown)$/i.test(path) && compareMarkdown(first, second) !== 'content'
}
