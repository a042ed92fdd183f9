import { newPhase, phaseIds, phaseOf } from './phases.js'
import type { PhaseRecord, PhaseStatus, PlaybookState } from './schema.js'

// What a new run knows of the runs before it (docs/playbook.md, "The next run"). Pure.

/**
 * Records of completed phases, by their keys, as a new run begins with them: scores and history stay, attempts are
 * counted anew, and the run that they are of is named.
 */
export function phasesToCarry({ _meta, phases }: PlaybookState): Record<string, PhaseRecord> {
  const completed = Object.entries(phases).flatMap(([key, record]) => {
    const counts = record.status === 'completed' ? record : standingBehind(record)
    return counts === undefined ? [] : [[key, carried(counts, _meta.run_id)] as const]
  })
  return Object.fromEntries(completed)
}

/** Key of a record: what an earlier run completed, for as long as this one may fail to raise it. */
const before = 'raised_from'

/**
 * What stands of a phase that was completed before and that this run could not raise: it was taken back to that.
 * Undefined for a phase that did not fail, or of which nothing was completed.
 */
export function standingBehind(record: PhaseRecord): PhaseRecord | undefined {
  if (record.status !== 'failed' || !isStanding(record)) return undefined
  return { ...(record[before] as PhaseRecord), score_history: record.score_history }
}

/** Whether a phase was completed before and is only raised, however often that was begun. */
export function isStanding(record: PhaseRecord): boolean {
  return typeof record[before] === 'object' && record[before] !== null
}

/** The record of a phase that nothing earlier stands behind any more. */
export function withoutStanding(record: PhaseRecord): PhaseRecord {
  const { [before]: _, ...rest } = record
  return rest as PhaseRecord
}

function carried(record: PhaseRecord, runId: string): PhaseRecord {
  const { allowances: _, worked_from: __, base_sha: ___, ...kept } = record
  const fresh = newPhase()
  return {
    ...kept,
    debug_attempts: fresh.debug_attempts,
    replan_attempts: fresh.replan_attempts,
    respawns: fresh.respawns,
    remediation_cycles: fresh.remediation_cycles,
    tokens_used: fresh.tokens_used,
    estimated_tokens: fresh.estimated_tokens,
    carried_from: typeof record.carried_from === 'string' ? record.carried_from : runId,
  }
}

/** A phase that an earlier run has completed, and this one has not begun. */
export function isCarried(record: PhaseRecord): boolean {
  return typeof record.carried_from === 'string'
}

/** Phases that this run has something to do with, in the order of the state; of one status where it is given. */
export function ownPhases(state: PlaybookState, status?: PhaseStatus): string[] {
  return phaseIds(state).filter((id) => {
    const record = phaseOf(state, id)
    return !isCarried(record) && (status === undefined || record.status === status)
  })
}

/**
 * A carried phase as it begins once more: the score that it had is in its history, and what was said of its end is not
 * true any more.
 */
export function begunAgain(record: PhaseRecord): PhaseRecord {
  if (!isCarried(record)) return record
  const { carried_from: _, ...own } = record
  const { steps: __, score_history: ___, ...kept } = record
  const { alignment_score: score, completed_at: at, score_history: history } = record
  const isKnown = score === null || history.some((one) => one.score === score)
  const entry = { score, timestamp: at ?? '', flag: 'initial' as const, cycle: 0 }
  return {
    ...own,
    [before]: { ...kept, steps: record.steps, score_history: [] },
    score_history: isKnown ? history : [...history, entry],
    force_incomplete: false,
    quality_exhausted: false,
    gaps_exhausted: false,
    human_verdict: null,
    human_verify_justification: null,
  } as PhaseRecord
}
