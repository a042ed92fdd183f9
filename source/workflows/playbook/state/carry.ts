import { newPhase, phaseIds, phaseOf } from './phases.js'
import type { PhaseRecord, PhaseStatus, PlaybookState } from './schema.js'

// What a new run knows of the runs before it (docs/playbook.md, "The next run"). Pure.

/**
 * Records of completed phases, by their keys, as a new run begins with them: scores and history stay, attempts are
 * counted anew, and the run that they are of is named.
 */
export function phasesToCarry({ _meta, phases }: PlaybookState): Record<string, PhaseRecord> {
  const completed = Object.entries(phases).filter(([, { status }]) => status === 'completed')
  return Object.fromEntries(completed.map(([key, record]) => [key, carried(record, _meta.run_id)]))
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
  const { alignment_score: score, completed_at: at, score_history: history } = record
  const isKnown = score === null || history.some((one) => one.score === score)
  const entry = { score, timestamp: at ?? '', flag: 'initial' as const, cycle: 0 }
  return {
    ...own,
    score_history: isKnown ? history : [...history, entry],
    force_incomplete: false,
    quality_exhausted: false,
    gaps_exhausted: false,
    human_verdict: null,
    human_verify_justification: null,
  } as PhaseRecord
}
