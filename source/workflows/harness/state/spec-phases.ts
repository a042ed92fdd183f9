import type { ComparedPhase, PhaseDrift } from '../../../documents/spec-drift.js'
import { textHash } from '../artifacts/frozen.js'
import { isOpen, newPhase, nextOpenPhase } from '../phases.js'
import { skippedEntry } from './skipped.js'
import type { HarnessState, Phase } from './state.js'

// The phases of a session after a change of its spec (docs/harness.md, "Changes of the spec"): pure.

/** Two texts of a spec, as lists of phases. */
export interface SpecChange {
  before: readonly ComparedPhase[]
  after: readonly ComparedPhase[]
  drift: PhaseDrift
}

/** Whether the list differs, and not only what is said of its phases. */
export function listDiffers({ drift }: SpecChange): boolean {
  return drift.moved || [drift.added, drift.removed, drift.renamed].some((some) => some.length > 0)
}

/**
 * Takes list and texts over: added phases become open ones, removed ones that nobody has begun are skipped, the others
 * get their new name, label and text and are put into the new order. What has begun keeps its place, what is complete its
 * name as well. A copy of each text is kept by the caller. `at`: ISO time.
 */
export function withSpecPhases(state: HarnessState, change: SpecChange, at: string): HarnessState {
  const named = state.phases.map((phase, index) => changedPhase(state, index, change) ?? phase)
  const gone = named.flatMap((phase, index) =>
    phase.status === 'skipped' && state.phases[index]?.status !== 'skipped' ? [index] : [],
  )
  const places = [...named.keys()].filter((index) => isMovable({ ...state, phases: named }, index))
  const order = newOrder(
    places.map((index) => ({ phase: named[index] as Phase, source: sourceOf(state, index, change) })),
    change,
  )
  const phases = [
    ...named.map((phase, index) =>
      places.includes(index) ? (order[places.indexOf(index)] ?? phase) : phase,
    ),
    ...order.slice(places.length),
  ]
  const history = gone.map((index) => skippedEntry(named[index] as Phase, index, at))
  return standing({ ...state, phases, history: [...state.history, ...history] })
}

/** Not begun: it can be moved, skipped and renamed. The current one has begun, unless its state is yet to come. */
function isMovable(state: HarnessState, index: number): boolean {
  const begun =
    state.currentState === 'ASSESS' || state.currentState === 'FINAL_REVIEW' ? -1 : state.currentPhase
  return state.phases[index]?.status === 'pending' && index !== begun
}

/**
 * Where the text of before has a phase of the session (0-based): under its name, else by its lines where a person called it
 * otherwise; undefined for one that was typed or merged.
 */
function sourceOf(state: HarnessState, index: number, { before }: SpecChange): number | undefined {
  const { name, specText } = state.phases[index] as Phase
  const nth = state.phases.slice(0, index).filter((phase) => phase.name === name).length
  const named = before.flatMap((phase, at) => (phase.name === name ? [at] : []))[nth]
  if (named !== undefined || typeof specText !== 'string') return named
  const found = before.findIndex(({ description }) => textHash(description) === specText)
  return found < 0 ? undefined : found
}

/** The phase as the new text has it, in its old place; undefined where nothing changes. */
function changedPhase(state: HarnessState, index: number, change: SpecChange): Phase | undefined {
  const phase = state.phases[index] as Phase
  const source = sourceOf(state, index, change)
  if (source === undefined || !isOpen(phase)) return undefined
  const movable = isMovable(state, index)
  if (change.drift.removed.includes(source)) return movable ? { ...phase, status: 'skipped' } : undefined
  const pair = change.drift.pairs.find(({ before }) => before === source)
  const [was, is] = [change.before[source], pair && change.after[pair.after]]
  if (!was || !is) return undefined
  return {
    ...phase,
    specLabel: is.label,
    specText: textHash(is.description),
    // What a person called it stays.
    ...(phase.name === was.name ? { name: is.name } : {}),
    ...(movable && was.complexity !== is.complexity ? { complexity: is.complexity } : {}),
  }
}

interface OpenPhase {
  phase: Phase
  /** Place in the text of before. */
  source: number | undefined
}

/** The phases that have not begun, in their new order, with those that were added. */
function newOrder(open: readonly OpenPhase[], { after, drift }: SpecChange): Phase[] {
  const placed = open.map(({ phase, source }) => ({
    phase,
    at: drift.pairs.find(({ before }) => before === source)?.after,
  }))
  const known = placed.filter(({ at }) => at !== undefined)
  if (drift.moved) known.sort((one, other) => (one.at as number) - (other.at as number))
  const ordered = placed.map((each) => (each.at === undefined ? each : (known.shift() as typeof each)))
  for (const at of drift.added) {
    const { name, complexity, label, description } = after[at] as ComparedPhase
    const phase = newPhase({ name, complexity, specLabel: label, specText: textHash(description) })
    // Behind the nearest phase that stands before it in the spec.
    const behind = ordered.reduce(
      (found, each, index) => (each.at !== undefined && each.at < at ? index : found),
      -1,
    )
    ordered.splice(behind + 1, 0, { phase, at })
  }
  return ordered.map(({ phase }) => phase)
}

/** Between two phases the next open one is the current one; a list with an open phase is not reviewed as a whole yet. */
function standing(state: HarnessState): HarnessState {
  const { currentState, currentPhase } = state
  if (currentState !== 'ASSESS' && currentState !== 'FINAL_REVIEW') return state
  if (currentState === 'ASSESS' && state.phases[currentPhase]?.status === 'in-progress') return state
  const next = nextOpenPhase(state)
  if (next === undefined) return { ...state, currentState: 'FINAL_REVIEW' }
  return { ...state, currentState: 'ASSESS', currentPhase: next }
}

/** What taking it over would come to, line by line. */
export function changeLines(state: HarnessState, change: SpecChange): string[] {
  const { before, after, drift } = change
  const placeOf = (source: number) =>
    state.phases.findIndex((_, index) => sourceOf(state, index, change) === source)
  const nameIn = (list: readonly ComparedPhase[], at: number) => list[at]?.name ?? ''
  return [
    ...drift.added.map((at) => `Added: ${nameIn(after, at)}; it is planned and executed`),
    ...drift.removed.map((at) => `Removed: ${nameIn(before, at)}; ${whenRemoved(state, placeOf(at))}`),
    ...drift.renamed.map(
      (pair) =>
        `Renamed: ${nameIn(before, pair.before)} is now ${nameIn(after, pair.after)}${whenRenamed(state, placeOf(pair.before), nameIn(before, pair.before))}`,
    ),
    ...(drift.moved ? ['Another order: phases that have not begun are put into it'] : []),
  ]
}

function whenRemoved(state: HarnessState, index: number): string {
  const phase = state.phases[index]
  if (!phase) return 'this session does not have it'
  if (isMovable(state, index)) return 'it is skipped'
  return isOpen(phase) ? 'it is being worked on and stays' : `it is ${phase.status} and stays`
}

/** `was`: its name in the text of before. */
function whenRenamed(state: HarnessState, index: number, was: string): string {
  const phase = state.phases[index]
  if (!phase) return '; this session does not have it'
  if (phase.name !== was) return `; this session calls it ${phase.name} and keeps that`
  return isOpen(phase) ? '' : `; it is ${phase.status} and keeps its name`
}
