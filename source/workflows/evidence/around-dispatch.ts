import { lstatSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { compareMarkdown, type MarkdownChange } from '../../documents/compare-markdown.js'
import { Problem } from '../../problem.js'
import type { Difference } from '../../project/snapshot/difference.js'
import { textsOf } from '../../project/snapshot/difference-text.js'
import { bytesOf, keepData, keptAt } from '../../project/snapshot/store.js'
import { turnedSubmodules } from '../../project/submodules.js'
import type { Around } from '../../run/run.js'
import type { DispatchGround } from './ground.js'
import { type Finding, judge } from './judge.js'
import type { JudgeFacts } from './judging/verdict.js'
import { formDoubts, letGoDoubts } from './other-forms.js'
import { type Changes, changesSince, look, type Seen, type Watch } from './project-watch.js'

// The two looks around a dispatch, and what they come to (docs/evidence.md, "Snapshots"). What is returned here goes into
// the journal as it is, so that a replay compares nothing a second time.

/** As the record of a beginning dispatch holds it. */
export interface Before {
  seen: Seen
  /** Digest of the paths that were dirty before the work began. */
  beforehand: string
}

/** What a dispatch has left. */
export type Left = {
  /** Nobody looked when it ended: a person may have worked in between. */
  since?: true
  /** Titles of other dispatches that worked in the same tree. */
  beside?: string[]
} & (
  | {
      noted: Finding[]
      asked: Finding[]
      /** How many there are, where not all are here. */
      total?: { noted: number; asked: number }
      /** Digest of all of them, in the same case. */
      all?: string
      /** To put back from; absent where there is nothing to be put back. */
      before?: Seen
    }
  /** It could not be compared; why. */
  | { failed: string }
)

export interface WatchedDispatch {
  watch: Watch
  ground: DispatchGround
  /** Paths that were dirty before the work began and whose changes nobody has handed over. */
  beforehand(): Promise<readonly string[]>
  backendFiles: readonly string[]
}

/** So many findings go into the journal and onto the screen. */
const mostShown = 200

export function aroundDispatch(dispatch: WatchedDispatch): Around {
  const { store } = dispatch.watch.snapshots.place
  return {
    async before(): Promise<Before> {
      const seen = await look(dispatch.watch)
      return { seen, beforehand: await keepData(store, await dispatch.beforehand()) }
    },
    after: (before) => leftBy(dispatch, before as Before),
  }
}

/**
 * The same by a later process. What autopilot writes itself when it opens a session has changed since, and was checked
 * there: lock, state file, journal and seal.
 */
export async function leftSince(dispatch: WatchedDispatch, before: Before): Promise<Left> {
  const { sessionDir, stateFile } = dispatch.watch.session
  const ours = [
    stateFile,
    `${sessionDir}/lock.json`,
    `${sessionDir}/journal.jsonl`,
    `${sessionDir}/seal.json`,
  ]
  const isOurs = ({ kind, name }: Difference) =>
    kind === 'record' && ours.some((path) => name === path || name.startsWith(`${path}.`))
  const { store } = dispatch.watch.snapshots.place
  const began = keptAt(store, before.seen.protected)
  const counts = (difference: Difference) => !isOurs(difference) && !isOtherAgent(difference, began)
  return { ...(await leftBy(dispatch, before, counts)), since: true }
}

/**
 * Who goes on may do so with another agent, whose files nobody looked at before. One of them that has not been touched since
 * then was there already.
 */
function isOtherAgent({ kind, name, change, traits }: Difference, began: number): boolean {
  if (kind !== 'protected' || change !== 'added' || !traits.includes('trust') || !isAbsolute(name))
    return false
  const changed = lstatSync(name, { throwIfNoEntry: false })?.ctimeMs
  return changed !== undefined && changed < began
}

/** Compares the project with what was seen before; a comparison that fails is told, never passed over. */
async function leftBy(
  dispatch: WatchedDispatch,
  before: Before,
  counts: (difference: Difference) => boolean = () => true,
): Promise<Left> {
  try {
    const { store } = dispatch.watch.snapshots.place
    const bytes = await bytesOf(store, before.beforehand)
    const beforehand = bytes === undefined ? [] : (JSON.parse(bytes.toString('utf8')) as string[])
    const all = await changesSince(dispatch.watch, before.seen, beforehand)
    const changes = { ...all, differences: all.differences.filter(counts) }
    const facts = await factsOf(dispatch, changes, beforehand)
    return await shown(store, before.seen, judged(changes, facts))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { failed: error.what }
  }
}

function judged(changes: Changes, facts: JudgeFacts) {
  const { noted, asked } = judge(changes.differences, facts)
  const forms = formDoubts(changes.forms.committed, facts)
  return {
    noted,
    asked: [...asked, ...changes.commits.doubts, ...forms, ...letGoDoubts(changes.commits.letGo, facts)],
  }
}

async function shown(
  store: string,
  seen: Seen,
  { noted, asked }: { noted: Finding[]; asked: Finding[] },
): Promise<Left> {
  const before = noted.length + asked.length > 0 ? { before: seen } : {}
  if (noted.length + asked.length <= mostShown) return { noted, asked, ...before }
  return {
    noted: noted.slice(0, mostShown),
    asked: asked.slice(0, mostShown),
    total: { noted: noted.length, asked: asked.length },
    all: await keepData(store, { noted, asked }),
    ...before,
  }
}

/** Everything that a dispatch has left, also what is not shown. */
export async function allFindings(
  store: string,
  left: Exclude<Left, { failed: string }>,
): Promise<{ noted: Finding[]; asked: Finding[] }> {
  const bytes = left.all === undefined ? undefined : await bytesOf(store, left.all)
  if (bytes === undefined) return left
  return JSON.parse(bytes.toString('utf8')) as { noted: Finding[]; asked: Finding[] }
}

async function factsOf(
  { watch, ground, backendFiles }: WatchedDispatch,
  { differences, commits, forms }: Changes,
  beforehand: readonly string[],
): Promise<JudgeFacts> {
  const { place } = watch.snapshots
  const markdown = new Map<string, MarkdownChange>()
  const plainAttributes = new Set<string>()
  const added = new Set<string>()
  const turned = new Map<string, readonly string[]>()
  for (const difference of differences) {
    const [path = ''] = difference.name.split('#')
    const frozen = ground.ground.frozen.includes(path)
    const attributes = difference.traits.includes('attributes')
    const orders = difference.traits.includes('instructions') && /\.(?:md|mdx|markdown)$/i.test(path)
    const modules = difference.kind === 'file' && path === '.gitmodules' && difference.change === 'changed'
    if (!isText(difference) || !(frozen || attributes || orders || modules)) continue
    const texts = await textsOf(place, difference)
    if (texts === undefined) continue
    if (modules) turned.set(difference.id, turnedSubmodules(texts.before, texts.after))
    if (attributes && startsNothing(texts)) plainAttributes.add(difference.id)
    const growing = ground.ground.grows?.find((one) => one.path === path)
    if (growing && hasEveryLine(texts, growing.freeFrom)) added.add(difference.id)
    if (orders || (frozen && !isData.test(path)))
      markdown.set(difference.id, compareMarkdown(texts.before, texts.after))
  }
  return {
    ...ground,
    beforehand,
    backendFiles,
    markdown,
    plainAttributes,
    turned,
    added,
    committed: commits.paths,
    otherStaged: forms.staged,
  }
}

/** Where blanks at the beginning of a line count. */
const isData = /\.(?:ya?ml|json|toml)$/i

function isText({ kind, traits }: Difference): boolean {
  return (
    ['file', 'protected', 'index'].includes(kind) &&
    !traits.some((trait) => ['link', 'mode', 'type', 'shape', 'unstored', 'nested'].includes(trait))
  )
}

/** Whether every line of before, up to where it is free, is there in its order, however it is laid out. */
function hasEveryLine({ before, after }: { before: string; after: string }, freeFrom: RegExp): boolean {
  const linesOf = (text: string) =>
    text
      .split('\n')
      .map((line) => line.replace(/^[\s>*+-]+/, '').trim())
      .filter((line) => line !== '')
  const now = linesOf(after)[Symbol.iterator]()
  return linesOf(before.split(freeFrom)[0] ?? '').every((line) => {
    for (let next = now.next(); !next.done; next = now.next()) if (next.value === line) return true
    return false
  })
}

/** No filter, diff or merge attribute comes, goes or changes. */
function startsNothing({ before, after }: { before: string; after: string }): boolean {
  const starting = (text: string) =>
    text.split('\n').filter((line) => /\b(?:filter|diff|merge)\b|\[attr\]/.test(line.replace(/#.*$/, '')))
  return JSON.stringify(starting(before)) === JSON.stringify(starting(after))
}
