import { type Detector, docsDir, type Flows } from '../flow/flow.js'
import { matchesGlob, matchesPattern } from '../flow/patterns.js'
import type { ListedFile, Listing } from './listing.js'
import { readTaskTable } from './task-table.js'
import { filesByTask, saysTest, tableText, taskFiles, testTasks } from './tasks.js'

// What a detector of a flow finds in a listing (docs/lifecycle.md, "Flow files"). Pure.

/** A path that was looked at. */
export interface Looked {
  /** As it is shown; a glob where it is one. */
  path: string
  found: boolean
  /** ISO day of the newest file. */
  modified?: string
  note?: string
}

const inDocs = (path: string) => path.slice(docsDir.length + 1)
const day = (time: number) => new Date(time).toISOString().slice(0, 10)

/** Repo-relative globs of the texts that the detectors of some flows look into. */
export function askedFor(flows: Flows): (path: string) => boolean {
  const globs = new Set<string>(['02_tasks/_dependencies_table.md', '02_document/state.json'])
  const take = (detector: Detector): void => {
    if ('contains' in detector) globs.add(detector.contains.file)
    else if ('newer' in detector) globs.add(detector.newer.file).add(detector.newer.than)
    else if ('all' in detector) detector.all.forEach(take)
    else if ('any' in detector) detector.any.forEach(take)
    else if ('not' in detector) take(detector.not)
  }
  for (const flow of Object.values(flows.flows))
    for (const step of flow.steps) {
      take(step.done)
      if (step.partial) take(step.partial)
    }
  return (path) => [...globs].some((glob) => matchesGlob(glob, path))
}

/** A date that a text gives itself near its top, such as `**Date**: 2026-03-01`. */
function dateIn(text: string | undefined): number | undefined {
  for (const line of (text ?? '').split('\n', 30)) {
    const found = /^\W{0,6}(?:date|created|completed)\W{1,6}(\d{4}-\d{2}-\d{2})/i.exec(line.slice(0, 80))
    if (found?.[1] !== undefined) return Date.parse(found[1])
  }
  return undefined
}

/** Time of a file: a date in it, else when it was last changed. A date of a day is its whole day. */
function timeOf(listing: Listing, { path, mtime }: ListedFile): { from: number; to: number } {
  const dated = dateIn(listing.texts.get(path))
  return dated === undefined ? { from: mtime, to: mtime } : { from: dated, to: dated + 86_399_999 }
}

/** Whether a detector holds, and what was looked at. */
export interface Test {
  holds: boolean
  looked: Looked[]
}

/** What may be looked at. */
export interface Scope {
  listing: Listing
  /** Epoch milliseconds; older files do not count. */
  since: number | undefined
}

function filesOf({ listing, since }: Scope, glob: string): ListedFile[] {
  const { docs, emptied } = listing
  const found = docs.filter(({ path }) => matchesGlob(glob, inDocs(path)) && emptied?.has(path) !== true)
  return since === undefined ? found : found.filter((file) => timeOf(listing, file).to >= since)
}

/** A document that is there and was emptied is named, since a person finds it. */
function emptiedNote({ listing }: Scope, glob: string): string | undefined {
  const { docs, emptied } = listing
  const isEmptied = docs.some(({ path }) => emptied?.has(path) === true && matchesGlob(glob, inDocs(path)))
  return isEmptied ? emptiedWord : undefined
}

/** How a document that was emptied is told. */
export const emptiedWord = 'it was emptied'

function looked(glob: string, found: readonly ListedFile[], holds: boolean, note?: string): Looked {
  const newest = found.reduce((latest, { mtime }) => Math.max(latest, mtime), 0)
  return {
    path: `${docsDir}/${glob}`,
    found: holds,
    ...(found.length > 0 ? { modified: day(newest) } : {}),
    ...(note === undefined ? {} : { note }),
  }
}

/** Whether a detector holds, with every path that it looked at. */
export function test(scope: Scope, detector: Detector): Test {
  if ('row' in detector) return { holds: false, looked: [] }
  if ('exists' in detector) {
    const found = filesOf(scope, detector.exists)
    const holds = found.length > 0
    return {
      holds,
      looked: [
        looked(detector.exists, found, holds, holds ? undefined : emptiedNote(scope, detector.exists)),
      ],
    }
  }
  if ('filled' in detector) return filled(scope, detector.filled)
  if ('empty' in detector) {
    const left = scope.listing.docs.filter(({ path }) => isBelow(detector.empty, path) && /\.md$/i.test(path))
    const note = left.length === 0 ? 'empty' : `${left.length} left`
    return { holds: left.length === 0, looked: [looked(`${detector.empty}/`, left, left.length > 0, note)] }
  }
  if ('contains' in detector) {
    const { file, pattern } = detector.contains
    const found = filesOf(scope, file).filter(({ path }) =>
      matchesPattern(pattern, scope.listing.texts.get(path) ?? ''),
    )
    return { holds: found.length > 0, looked: [looked(file, found, found.length > 0, `contains ${pattern}`)] }
  }
  if ('newer' in detector) return newer(scope, detector.newer)
  if ('task' in detector) return hasTask(scope, detector.task)
  return combined(scope, detector)
}

function combined(
  scope: Scope,
  detector: Extract<Detector, { all: unknown } | { any: unknown } | { not: unknown }>,
): Test {
  if ('not' in detector) {
    const inner = test(scope, detector.not)
    return { holds: !inner.holds, looked: inner.looked }
  }
  const inner = ('all' in detector ? detector.all : detector.any).map((one) => test(scope, one))
  const holds = 'all' in detector ? inner.every((one) => one.holds) : inner.some((one) => one.holds)
  return { holds, looked: inner.flatMap((one) => one.looked) }
}

const isBelow = (folder: string, path: string) =>
  inDocs(path)
    .toLowerCase()
    .startsWith(`${folder.replace(/\/$/, '').toLowerCase()}/`)

/** A placeholder fills nothing; a marker that something was left out does, also an empty one. */
function filled(scope: Scope, path: string): Test {
  const found = filesOf(scope, path).concat(filesOf(scope, `${path.replace(/\/$/, '')}/**`))
  const holds = found.some(({ path: file, size }) => {
    const name = file.slice(file.lastIndexOf('/') + 1)
    if (name === '.gitkeep' || name === '.DS_Store') return false
    return size > 0 || /skip|marker/i.test(name)
  })
  return { holds, looked: [looked(path, found, holds, found.length > 0 && !holds ? 'empty' : undefined)] }
}

function newer(scope: Scope, { file, than }: { file: string; than: string }): Test {
  const { listing } = scope
  const [found, others] = [filesOf(scope, file), filesOf({ ...scope, since: undefined }, than)]
  const newest = Math.max(0, ...found.map((each) => timeOf(listing, each).to))
  const other = Math.max(0, ...others.map((each) => timeOf(listing, each).from))
  const holds = found.length > 0 && newest >= other
  return { holds, looked: [looked(file, found, holds, `as new as ${docsDir}/${than}`)] }
}

function hasTask(scope: Scope, kind: 'test' | 'product'): Test {
  const { listing, since } = scope
  const { tasks } = readTaskTable(tableText(listing) ?? '')
  const files = taskFiles(listing, 'all')
  const tests = testTasks(tasks, files)
  const testFiles = new Set(
    [...filesByTask(tasks, files)].flatMap(([id, name]) => (tests.has(id) ? [name] : [])),
  )
  const isTest = (path: string) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return saysTest(name) || testFiles.has(name)
  }
  const fitting = listing.docs.filter((file) => {
    if (!files.includes(file.path) || isTest(file.path) !== (kind === 'test')) return false
    return since === undefined || timeOf(listing, file).to >= since
  })
  const inTable = kind === 'test' && tests.size > 0
  const holds = inTable || fitting.length > 0
  const word = kind === 'test' ? 'a test task' : 'a task that is no test task'
  return { holds, looked: [looked('02_tasks/{todo,done}/*.md', fitting, holds, word)] }
}

export function isRowOnly(detector: Detector): boolean {
  return 'row' in detector
}
