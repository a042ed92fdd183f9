import { parseJson } from '../../../documents/json.js'
import type { CompletedRow, LifecycleRecord, SubStep } from '../../../documents/lifecycle-state.js'
import { type Detector, docsDir, type Flow, type FlowStep, type Flows } from '../flow/flow.js'
import { matchesGlob, matchesPattern } from '../flow/patterns.js'
import type { ListedFile, Listing } from './listing.js'
import { dependenciesPath, filesByTask, readTaskTable, taskFiles, testTasks } from './tasks.js'

// Where a project stands by what lies in its folders (docs/lifecycle.md, "Detection"). Pure.

/** A path that was looked at. */
export interface Looked {
  /** As it is shown; a glob where it is one. */
  path: string
  found: boolean
  /** ISO day of the newest file. */
  modified?: string
  note?: string
}

/** What is known of one step. */
export interface Finding {
  id: string
  name: string
  state: 'done' | 'partial' | 'open'
  /** What decided it. */
  by: 'folders' | 'row' | 'loop' | 'nothing'
  looked: Looked[]
  subStep?: SubStep
  note?: string
}

/** What counts beside the folders. */
export interface Known {
  rows: readonly CompletedRow[]
  /** ISO time: of steps that repeat, only what is newer counts; undefined before the first loop. */
  loopSince?: string | undefined
  /** Place of the first step of a loop. */
  loopFrom: number
  /** How many rows stand before the loop. */
  rowsBefore: number
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

interface Test {
  holds: boolean
  looked: Looked[]
}

interface Scope {
  listing: Listing
  /** Epoch milliseconds; older files do not count. */
  since: number | undefined
}

function filesOf({ listing, since }: Scope, glob: string): ListedFile[] {
  const found = listing.docs.filter(({ path }) => matchesGlob(glob, inDocs(path)))
  return since === undefined ? found : found.filter((file) => timeOf(listing, file).to >= since)
}

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
    return { holds: found.length > 0, looked: [looked(detector.exists, found, found.length > 0)] }
  }
  if ('filled' in detector) return filled(scope, detector.filled)
  if ('empty' in detector) {
    const left = scope.listing.docs.filter(
      ({ path }) => isBelow(detector.empty, path) && path.endsWith('.md'),
    )
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

const isBelow = (folder: string, path: string) => inDocs(path).startsWith(`${folder.replace(/\/$/, '')}/`)

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
  const { tasks } = readTaskTable(listing.texts.get(dependenciesPath) ?? '')
  const files = taskFiles(listing, 'all')
  const tests = testTasks(tasks, files)
  const testFiles = new Set(
    [...filesByTask(tasks, files)].flatMap(([id, name]) => (tests.has(id) ? [name] : [])),
  )
  const isTest = (path: string) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return /test/i.test(name) || testFiles.has(name)
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

/** Rows of a step: by number and name; by a name that is unique in its flow where the number is another's. */
export function rowsOf(
  flows: Flows,
  flowName: string,
  step: FlowStep,
  rows: readonly CompletedRow[],
): CompletedRow[] {
  const flow = flows.flows[flowName]
  const unique = flow?.steps.filter(({ name }) => name === step.name).length === 1
  return rows.filter((row) => {
    if (row.name !== step.name) return false
    if (String(row.step) === step.id) return true
    return unique && !isOfAnother(flows, flowName, row)
  })
}

function isOfAnother(flows: Flows, flowName: string, row: CompletedRow): boolean {
  return Object.entries(flows.flows).some(
    ([name, { steps }]) =>
      name !== flowName && steps.some((step) => step.id === String(row.step) && step.name === row.name),
  )
}

export const isSkipped = (row: CompletedRow) => /^(?:\(loop \d+\) )?skipped\b/i.test(row.outcome)
export const isAccepted = (row: CompletedRow) =>
  /^(?:\(loop \d+\) )?(?:accepted without artifacts|found in folders)\b/i.test(row.outcome)

/** What is known of every step of a flow, in its order. */
export function findings(flows: Flows, flowName: string, listing: Listing, known: Known): Finding[] {
  const flow = flows.flows[flowName]
  if (!flow) return []
  return flow.steps.map((step, index) => finding(flows, flowName, { listing, known, step, index }))
}

interface At {
  listing: Listing
  known: Known
  step: FlowStep
  index: number
}

function finding(flows: Flows, flowName: string, { listing, known, step, index }: At): Finding {
  const looping = known.loopSince !== undefined
  const repeats = looping && step.repeat === true
  const base = { id: step.id, name: step.name }
  const scope: Scope = {
    listing,
    since: repeats ? Date.parse(known.loopSince ?? '') || undefined : undefined,
  }
  const done = test(scope, doneOf(flows, step))
  if (looping && !repeats && index < known.loopFrom)
    return { ...base, state: 'done', by: 'loop', looked: done.looked }
  const rows = rowsOf(flows, flowName, step, repeats ? known.rows.slice(known.rowsBefore) : known.rows)
  if (done.holds)
    return { ...base, state: 'done', by: 'folders', looked: done.looked, ...planNote(flows, step, done) }
  const counts = isRowOnly(step.done)
    ? rows.length > 0
    : rows.some((row) => isSkipped(row) || isAccepted(row))
  if (counts) return { ...base, state: 'done', by: 'row', looked: done.looked }
  const partial = step.partial ? test(scope, step.partial) : undefined
  if (!partial?.holds) return { ...base, state: 'open', by: 'nothing', looked: done.looked }
  const subStep = documentSubStep(listing, step)
  return {
    ...base,
    state: 'partial',
    by: 'folders',
    looked: [
      ...done.looked,
      ...partial.looked.filter((each) => !done.looked.some(({ path }) => path === each.path)),
    ],
    ...(subStep ? { subStep } : {}),
    ...planNote(flows, step, partial),
  }
}

export function isRowOnly(detector: Detector): boolean {
  return 'row' in detector
}

/** `planDoneMarker: loose` takes what shows that Plan is under way for its end. */
function doneOf(flows: Flows, step: FlowStep): Detector {
  return flows.planDoneMarker === 'loose' && step.name === 'Plan' && step.partial ? step.partial : step.done
}

function planNote(flows: Flows, step: FlowStep, { holds }: Test): { note?: string } {
  if (step.name !== 'Plan' || !step.partial || !holds) return {}
  const meaning =
    flows.planDoneMarker === 'loose' ? 'architecture.md alone ends Plan' : 'Plan ends with FINAL_report.md'
  return { note: `planDoneMarker is ${flows.planDoneMarker}: ${meaning}.` }
}

/** The step of the documentation that its own resume file names. */
function documentSubStep(listing: Listing, step: FlowStep): SubStep | undefined {
  if (!step.partial || !('exists' in step.partial) || !step.partial.exists.endsWith('state.json'))
    return undefined
  const parsed = parseJson(listing.texts.get(`${docsDir}/${step.partial.exists}`) ?? '')
  const value = 'value' in parsed ? parsed.value : undefined
  const current =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>).current_step : undefined
  if (typeof current !== 'string' && typeof current !== 'number') return undefined
  return { id: String(current).slice(0, 60), name: '' }
}

/** A position: a step of a flow, or behind the last one. */
export interface Position {
  flow: string
  /** Place in the flow; its length behind the last step. */
  index: number
  status: 'not_started' | 'in_progress'
  subStep?: SubStep
}

/** The first step from `from` on that is not done. */
export function firstOpen(flowName: string, all: readonly Finding[], from = 0): Position {
  const index = all.findIndex((one, at) => at >= from && one.state !== 'done')
  const found = all[index]
  if (!found) return { flow: flowName, index: all.length, status: 'not_started' }
  return {
    flow: flowName,
    index,
    status: found.state === 'partial' ? 'in_progress' : 'not_started',
    ...(found.subStep ? { subStep: found.subStep } : {}),
  }
}

/** Which flow a project without a state file follows, and why; `ask` where the signs do not say. */
export interface FlowChoice {
  flow: string
  ask: boolean
  why: string
  looked: Looked[]
}

/** The signs of each flow decide; existing code is looked for first. */
export function chooseFlow(flows: Flows, listing: Listing): FlowChoice {
  const { sources } = listing
  // The files of the program itself, and what a person does not see, make no documents.
  const docs = listing.docs.filter(
    ({ path }) => !/^\.|^_autopilot_/.test(path.slice(path.lastIndexOf('/') + 1)),
  )
  const scope: Scope = { listing, since: undefined }
  const [code, fresh] = ['existing-code', 'greenfield'].map((name) => signs(scope, flows.flows[name]))
  const seen: Looked[] = [
    {
      path: 'source files',
      found: sources.length > 0,
      ...(sources[0] === undefined ? {} : { note: sources.slice(0, 3).join(', ') }),
    },
    { path: `${docsDir}/`, found: docs.length > 0 },
    ...(code?.looked ?? []),
    ...(fresh?.looked ?? []),
  ]
  const choice = (flow: string, why: string, ask = false): FlowChoice => ({ flow, ask, why, looked: seen })
  if (docs.length === 0 && sources.length > 0)
    return choice('existing-code', `There is source and nothing in ${docsDir}/.`)
  if (docs.length === 0) return choice('greenfield', 'There is nothing at all yet.')
  const [isCode, isFresh] = [code?.holds === true, fresh?.holds === true]
  if (isCode && !isFresh) return choice('existing-code', 'Only signs of the existing-code flow are there.')
  if (isFresh && !isCode) return choice('greenfield', 'Only signs of the greenfield flow are there.')
  if (isCode) return choice('existing-code', 'There are signs of both flows.', true)
  if (sources.length > 0) return choice('existing-code', 'There is source, and no sign of either flow.', true)
  return choice('greenfield', `There is no source, and no sign of either flow in ${docsDir}/.`)
}

function signs(scope: Scope, flow: Flow | undefined): Test {
  const all = (flow?.discriminators ?? []).map((glob) => test(scope, { exists: glob }))
  return { holds: all.some(({ holds }) => holds), looked: all.flatMap((one) => one.looked) }
}

/** What rows and decisions of a state file say of loops. */
export function knownOf(
  flows: Flows,
  flowName: string,
  record: Pick<LifecycleRecord, 'completed' | 'decisions'>,
): Known {
  const flow = flows.flows[flowName]
  const { completed: rows, decisions } = record
  const from = flow
    ? Math.max(
        0,
        flow.steps.findIndex(({ id }) => id === loopStart(flows, flowName)),
      )
    : 0
  const last = rows.findLastIndex((row) => isFinalRow(flows, row))
  const answered = decisions.flatMap((line) => loopAnswer(line) ?? []).at(-1)
  const ended = last >= 0 ? rows[last]?.completed : undefined
  const since = answered ?? (ended !== undefined && !Number.isNaN(Date.parse(ended)) ? ended : undefined)
  return { rows, loopFrom: from, rowsBefore: last + 1, ...(since === undefined ? {} : { loopSince: since }) }
}

function loopStart(flows: Flows, flowName: string): string | undefined {
  const starts = Object.values(flows.flows).flatMap(({ afterDone }) =>
    afterDone?.flow === flowName ? [afterDone.step] : [],
  )
  return starts[0]
}

/** A row of the last step of a flow ends a loop. */
function isFinalRow(flows: Flows, row: CompletedRow): boolean {
  return Object.values(flows.flows).some(({ steps }) => {
    const last = steps.at(-1)
    return last !== undefined && last.name === row.name && last.id === String(row.step)
  })
}

/** Time of a line of Key Decisions that begins a loop. */
export function loopAnswer(line: string): string | undefined {
  return /^(\d{4}-\d{2}-\d{2}T\S{1,40}) Q-LOOP: new task\b/.exec(line)?.[1]
}
