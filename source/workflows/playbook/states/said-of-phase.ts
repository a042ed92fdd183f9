import { adjustedThreshold } from '../decisions/human-verification.js'
import { exhaustedWords } from '../decisions/remediation.js'
import { standingBehind } from '../state/carry.js'
import { phaseOf } from '../state/phases.js'
import type { PlaybookState } from '../state/schema.js'

// What the last page and the report say of one phase beside its score, and of what the run has learned of its verifiers.

/** The last thing that was said when a phase failed; undefined of one that did not, or of which nothing was said. */
export function whyFailed(state: PlaybookState, id: string): string | undefined {
  const failed = state.event_log.findLast(({ event, phase }) => event === 'phase_failed' && phase === id)
  const issues = failed?.details.issues
  return Array.isArray(issues) && issues.length > 0 ? String(issues.at(-1)) : undefined
}

/** From which score a phase that an earlier run had completed has come to its own, where it was begun once more. */
export function raisedNote(state: PlaybookState, id: string): string[] {
  const { score_history: history, alignment_score: score, ...record } = phaseOf(state, id)
  const begun = Date.parse(state._meta.started_at)
  const old = history.findLast((one) => Date.parse(one.timestamp) < begun)?.score ?? null
  if (record.status !== 'completed' || old === null || score === null) return []
  const ended = state.event_log.findLast(
    ({ event, phase }) => phase === id && (event === 'gaps_exhausted' || event === 'quality_exhausted'),
  )
  const isSpent = record.gaps_exhausted || record.quality_exhausted
  const why = isSpent ? `, ${exhaustedWords(ended?.details.why)}` : ''
  return [`${old.toFixed(1)} -> ${score.toFixed(1)}${why}`]
}

/** What becomes of a phase that was completed before and that this run could not raise. */
export function standingNote(state: PlaybookState, id: string): string[] {
  const kept = standingBehind(phaseOf(state, id))
  if (kept === undefined) return []
  const { alignment_score: score } = kept
  return [`it stays completed as it was${score === null ? '' : ` (${score.toFixed(1)}/10)`}`]
}

/** How sure a verifier has to be from the next run on, where the verdicts of this one have moved that. */
export function calibrationNote({ event_log: log, _meta }: PlaybookState): string[] {
  const { autonomous_confidence_threshold: now, deferral_history: history } = _meta
  const moved = log.findLast(({ event }) => event === 'deferral_threshold_adjusted')?.details
  const { from, to } = moved ?? { from: now, to: adjustedThreshold(now, history) }
  return from === to
    ? []
    : [`By your verdicts a verifier decides alone from ${to} of 10 on in the next run, not from ${from}.`]
}
