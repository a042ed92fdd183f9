import { parseJson } from '../../../documents/json.js'
import type { SubStep } from '../../../documents/lifecycle-state.js'
import { type Detector, docsDir, type FlowStep, type Flows } from '../flow/flow.js'
import { matchesGlob } from '../flow/patterns.js'
import { isRowOnly, type Looked, type Scope, type Test, test } from './detectors.js'
import type { Listing } from './listing.js'
import { isAccepted, isSkipped, type Known, rowsOf } from './rows.js'

// Where a project stands by what lies in its folders (docs/lifecycle.md, "Detection"). Pure.

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
  const glob = step.partial.exists
  const found = [...listing.texts].find(([path]) => matchesGlob(`${docsDir}/${glob}`, path))
  const parsed = parseJson(found?.[1] ?? '')
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
