// Whether a phase needs a person, what a verdict does, and how sure verifiers have to be next time. Pure.

/** One phase that was decided, with or without a person. */
export interface Deferral {
  phase_id: string
  reason: 'completed' | 'deferred'
  autonomous_confidence: number | null
  human_verdict: string | null
  timestamp: string
}

export type Verdict = 'pass' | 'fail' | 'issues_found'

/** Cycles of mending that a phase has, those before its verdict among them. */
export const mostCycles = 2

export const usualThreshold = 6
const highestThreshold = 8
const lowestThreshold = 3
const step = 0.5
/** Verdicts from which on the threshold is moved. */
const enoughVerdicts = 3

/** A verifier as sure as that decides without a person. */
export function decidesAlone(confidence: number, threshold: number): boolean {
  return confidence >= threshold
}

/** Only that something should be looked at, and nothing that could not be followed. */
export function isVisualOnly(reasons: readonly string[]): boolean {
  const visual =
    /\b(?:visual|visually|look(?:s|ed)?|appearance|render(?:s|ed|ing)?|screenshot|pixel|colou?r|layout|style|see it|seen|eyes?|fonts?|typography|spacing|align(?:ed|ment)|design|theme|beautiful|pretty|appealing|aesthetic(?:s|ally)?|feels?|ugly|polish(?:ed)?)\b/i
  const real =
    /\b(?:opaque|librar|dynamic|hardware|device|external|third.party|network|payment|account|credential|email|race|timing|trace|unreachable)\b/i
  return reasons.length > 0 && reasons.every((reason) => visual.test(reason) && !real.test(reason))
}

/** Share of phases that were left to a person; a warning from two phases on. */
export function deferralRate(
  deferred: number,
  processed: number,
  limit: number,
): { rate: number; warns: boolean } {
  const rate = processed === 0 ? 0 : deferred / processed
  return { rate, warns: processed >= 2 && rate > limit }
}

/** Share of phases that were decided without a person; null before the first. */
export function autonomousRate(history: readonly Deferral[]): number | null {
  if (history.length === 0) return null
  return history.filter(({ reason }) => reason === 'completed').length / history.length
}

/**
 * The threshold for the next run: lower where people found nothing wrong with what was left to them, higher where they
 * did.
 */
export function adjustedThreshold(threshold: number, history: readonly Deferral[]): number {
  const verdicts = history.flatMap(({ human_verdict: verdict }) => verdict ?? [])
  if (verdicts.length < enoughVerdicts) return threshold
  const passed = verdicts.filter((verdict) => verdict === 'pass').length / verdicts.length
  if (passed > 0.8) return Math.max(lowestThreshold, threshold - step)
  return passed < 0.7 ? Math.min(highestThreshold, threshold + step) : threshold
}

/** What a verdict leads to. `cyclesLeft` are those of mending. */
export function afterVerdict(verdict: Verdict, cyclesLeft: number): 'completed' | 'remediate' | 'failed' {
  if (verdict === 'pass') return 'completed'
  return cyclesLeft > 0 ? 'remediate' : 'failed'
}
