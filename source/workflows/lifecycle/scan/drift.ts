import type { LifecycleRecord } from '../../../documents/lifecycle-state.js'
import { docsDir, type Flows, resolveStep } from '../flow/flow.js'
import { type Finding, findings, firstOpen, type Position } from './detect.js'
import { isRowOnly } from './detectors.js'
import type { Listing } from './listing.js'
import { isAccepted, isSkipped, knownOf, rowsOf } from './rows.js'

// The state file against the folders (docs/lifecycle.md, "Drift"). Pure.

export interface Comparison {
  /** Where the file is; undefined for a flow or a step that there is not. */
  file: Position | undefined
  /** Where the folders are. */
  folders: Position | undefined
  /** Folder position behind or before that of the file; undefined where they agree. */
  drift: 'later' | 'earlier' | undefined
  /** Name and number are of different steps. */
  nameDiffers: { byName: number; byNumber: number } | undefined
  findings: Finding[]
}

/** Compares a state file with what lies in the folders. */
export function compare(flows: Flows, record: LifecycleRecord, listing: Listing): Comparison {
  const { current } = record
  const flow = flows.flows[current.flow]
  if (!flow)
    return { file: undefined, folders: undefined, drift: undefined, nameDiffers: undefined, findings: [] }
  const known = knownOf(flows, current.flow, record)
  const all = findings(flows, current.flow, listing, known)
  const isDone = String(current.step) === 'done'
  const resolved = isDone
    ? { index: flow.steps.length, byName: -1, byNumber: flow.steps.length }
    : resolveStep(flow, String(current.step ?? ''), current.name)
  const differs = !isDone && resolved.byName !== resolved.byNumber
  const nameDiffers = differs ? { byName: resolved.byName, byNumber: resolved.byNumber } : undefined
  if (resolved.index === -1)
    return {
      file: undefined,
      folders: firstOpen(current.flow, all),
      drift: undefined,
      nameDiffers,
      findings: all,
    }
  const file: Position = {
    flow: current.flow,
    index: resolved.index,
    status: current.status === 'in_progress' ? 'in_progress' : 'not_started',
    ...(current.subStep ? { subStep: current.subStep } : {}),
  }
  const start = known.loopSince === undefined ? 0 : known.loopFrom
  const earlier = contradiction(flows, record, all, { from: start, to: resolved.index })
  const folders = earlier ?? firstOpen(current.flow, all, resolved.index)
  const drift = earlier ? 'earlier' : folders.index > file.index ? 'later' : undefined
  return { file, folders, drift, nameDiffers, findings: all }
}

/**
 * The first step before that of the file that the file calls completed and whose artifacts are missing. Skipped and
 * accepted steps never contradict. A step without a row is one where everything before it is there.
 */
function contradiction(
  flows: Flows,
  record: LifecycleRecord,
  all: readonly Finding[],
  { from, to }: { from: number; to: number },
): Position | undefined {
  const flow = flows.flows[record.current.flow]
  const known = knownOf(flows, record.current.flow, record)
  let shown = 0
  for (let index = from; index < to; index += 1) {
    const [found, step] = [all[index], flow?.steps[index]]
    if (!found || !step) return undefined
    if (found.by === 'folders' && found.state === 'done') shown += 1
    if (found.state === 'done' || isRowOnly(step.done)) continue
    const counted = step.repeat ? known.rows.slice(known.rowsBefore) : known.rows
    const rows = rowsOf(flows, record.current.flow, step, counted)
    if (rows.some((row) => isSkipped(row) || isAccepted(row))) continue
    if (rows.length > 0 || (shown > 0 && shown === index - from && !step.optional))
      return firstOpen(record.current.flow, all, index)
  }
  return undefined
}

/** Every path that was looked at, step by step, as lines. */
export function evidenceLines(all: readonly Finding[]): string[] {
  return all.flatMap((found) => {
    const word = { done: 'done', partial: 'begun', open: 'open' }[found.state]
    const by = found.by === 'row' ? ' (by its row)' : found.by === 'loop' ? ' (before this loop)' : ''
    return [
      `${found.id} ${found.name}: ${word}${by}`,
      ...found.looked.map(({ path, found: there, modified, note }) => {
        const when = modified === undefined ? '' : `, ${modified}`
        return `  ${there ? 'found  ' : 'missing'} ${path}${when}${note === undefined ? '' : ` (${note})`}`
      }),
      ...(found.note === undefined ? [] : [`  ${found.note}`]),
      ...(found.looked.length === 0
        ? [`  nothing in ${docsDir}/ shows it; its row in the state file does`]
        : []),
    ]
  })
}

export function positionText(flows: Flows, position: Position | undefined): string {
  if (!position) return 'unknown'
  const step = flows.flows[position.flow]?.steps[position.index]
  return step ? `${position.flow} ${step.id} ${step.name}, ${position.status}` : `${position.flow} done`
}
