import { comparePhaseIds, isBacklogId } from '../../../documents/playbook-id.js'
import { phaseOrder } from '../../../documents/playbook-order.js'
import { gapsBelow, gapsEnough } from '../decisions/remediation.js'
import type { PlaybookFlags } from '../flags.js'
import type { PhaseStatus } from '../state/schema.js'
import { invalidPhase, notCompleted, unknownPhase, wrongRange } from './messages.js'
import type { Selection } from './words.js'

// Which phases a run works through (docs/playbook.md, "Selectors"). Pure.

/** A phase as selection sees it: roadmap and state together. */
export interface SelectablePhase {
  id: string
  name: string
  dependsOn: readonly string[]
  /** By the state, or by the roadmap where the state says nothing. */
  status: PhaseStatus
  score: number | null
  /** Some of it is done: it has a plan that was begun. */
  begun: boolean
}

export interface Selected {
  /** In the order in which they run. */
  queue: string[]
  /** Named, and left out because they are completed. */
  completed: string[]
}

const qualityFloor = 9.5

/** The phases of a run. Throws a Problem ('usage') for what is not there or cannot be done. */
export function selectPhases(
  phases: readonly SelectablePhase[],
  selection: Selection,
  flags: Pick<PlaybookFlags, 'complete' | 'quality' | 'gaps' | 'force'>,
): Selected {
  const ids = namedIds(phases, selection)
  if (flags.force || flags.gaps) return again(phases, ids, flags)
  if (flags.quality && ids === undefined) return ordered(phases, phases.filter(belowQuality))
  if (flags.quality && ids !== undefined) return ordered(phases, chosen(phases, ids))
  if (selection.kind === 'next') return ordered(phases, nextOf(phases))
  if (ids === undefined) return ordered(phases, phases.filter(isOutstanding))
  const named = chosen(phases, ids)
  const done = named.filter(({ status }) => status === 'completed')
  return {
    ...ordered(
      phases,
      named.filter((phase) => !done.includes(phase)),
    ),
    completed: done.map(({ id }) => id),
  }
}

/** Ids that were named, each once; undefined where none was. */
export function namedIds(phases: readonly SelectablePhase[], selection: Selection): string[] | undefined {
  if (selection.kind !== 'phases') return undefined
  const known = phases.map(({ id }) => id).sort(comparePhaseIds)
  const has = (id: string) => known.some((one) => comparePhaseIds(one, id) === 0)
  const ids = selection.parts.flatMap((part) => {
    if ('id' in part) {
      if (!has(part.id)) throw unknownPhase(part.id, known)
      return [part.id]
    }
    for (const end of [part.from, part.to]) if (!has(end)) throw unknownPhase(end, known)
    if (comparePhaseIds(part.from, part.to) > 0) throw wrongRange(part.from, part.to, known)
    return known.filter((id) => comparePhaseIds(part.from, id) <= 0 && comparePhaseIds(id, part.to) <= 0)
  })
  return [...new Set(ids)]
}

/** `--force` and `--gaps` are about what is completed. */
function again(
  phases: readonly SelectablePhase[],
  ids: readonly string[] | undefined,
  { force }: Pick<PlaybookFlags, 'force'>,
): Selected {
  const flag = force ? 'force' : 'gaps'
  const named = ids === undefined ? phases.filter(isDone) : chosen(phases, ids)
  const open = named.find((phase) => !isDone(phase))
  if (open !== undefined) throw notCompleted(flag, open.id, open.status)
  if (force) return ordered(phases, named)
  const below = named.filter(
    ({ score }) => score === null || score < (ids === undefined ? gapsBelow : gapsEnough),
  )
  const left = named.filter((phase) => !below.includes(phase))
  return { ...ordered(phases, below), completed: left.map(({ id }) => id) }
}

function chosen(phases: readonly SelectablePhase[], ids: readonly string[]): SelectablePhase[] {
  return phases.filter(({ id }) => ids.includes(id))
}

function ordered(phases: readonly SelectablePhase[], among: readonly SelectablePhase[]): Selected {
  const ids = new Set(among.map(({ id }) => id))
  return { queue: phaseOrder(phases).filter((id) => ids.has(id)), completed: [] }
}

function isDone({ status }: SelectablePhase): boolean {
  return status === 'completed'
}

function isOutstanding({ id, status }: SelectablePhase): boolean {
  return status !== 'completed' && status !== 'skipped' && !isBacklogId(id)
}

function belowQuality(phase: SelectablePhase): boolean {
  if (isOutstanding(phase)) return true
  return isDone(phase) && phase.score !== null && phase.score < qualityFloor
}

/** The first that is open, not failed, and waits for nothing; one that was begun goes before the others. */
function nextOf(phases: readonly SelectablePhase[]): SelectablePhase[] {
  const done = new Set(phases.filter(isDone).map(({ id }) => id))
  const known = new Set(phases.map(({ id }) => id))
  const ready = phaseOrder(phases).flatMap((id) => {
    const phase = phases.find((one) => one.id === id)
    if (phase === undefined || !isOutstanding(phase) || phase.status === 'failed') return []
    return phase.dependsOn.every((one) => done.has(one) || !known.has(one)) ? [phase] : []
  })
  const next = ready.find(({ begun, status }) => begun || status === 'in_progress') ?? ready[0]
  return next === undefined ? [] : [next]
}

/** Throws a Problem ('usage') for words that are no selector. */
export function mustSelect(
  selection: Selection | { invalid: string },
  phases: readonly { id: string }[],
): Selection {
  if ('invalid' in selection)
    throw invalidPhase(
      selection.invalid,
      phases.map(({ id }) => id),
    )
  return selection
}
