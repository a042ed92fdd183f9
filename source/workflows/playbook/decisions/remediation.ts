import type { Deficiency } from '../orders/fields.js'

// Cycles in which a phase that is done is made better (docs/playbook-checks.md, "Mending"). Pure.

export type RemediationMode = 'standard' | 'quality' | 'gaps'

interface ModeRules {
  cycles: number
  /** A cycle without a gain ends the loop. */
  stopsWithoutGain: boolean
  /** So many deficiencies in one cycle. */
  items: number
  /** What happens when the cycles are used up. */
  exhausted: 'force_incomplete' | 'quality_exhausted' | 'gaps_exhausted'
}

const rules: Readonly<Record<RemediationMode, ModeRules>> = {
  standard: {
    cycles: 2,
    stopsWithoutGain: false,
    items: Number.POSITIVE_INFINITY,
    exhausted: 'force_incomplete',
  },
  quality: {
    cycles: 3,
    stopsWithoutGain: true,
    items: Number.POSITIVE_INFINITY,
    exhausted: 'quality_exhausted',
  },
  gaps: { cycles: 5, stopsWithoutGain: false, items: 1, exhausted: 'gaps_exhausted' },
}

/** A phase that good has no gap worth a cycle. */
export const gapsEnough = 9.8
/** Without a selector, gaps are looked for in phases under it. */
export const gapsBelow = 9.5

/** One cycle as it ended. */
export interface Cycle {
  /** Score before it; the one that counts if the cycle is reverted. */
  before: number
  /** Null where the cycle failed. */
  after: number | null
}

/** A cycle that failed, scored under 7.0 or under what was there is taken back. */
export function isReverted({ before, after }: Cycle): boolean {
  return after === null || after < 7 || after < before
}

/** The score that counts after a cycle. */
export function scoreAfter(cycle: Cycle): number {
  return isReverted(cycle) || cycle.after === null ? cycle.before : cycle.after
}

/** Why no further cycle follows: none is left, the last one says that another would not help, or nothing is named to mend. */
export type ExhaustedWhy = 'cycles' | 'failed' | 'low' | 'no_gain' | 'nothing_named'

const whyWords: Readonly<Record<ExhaustedWhy, string>> = {
  cycles: 'its cycles are used up',
  failed: 'its last cycle failed',
  low: 'its last cycle came out too low',
  no_gain: 'its last cycle brought nothing',
  nothing_named: 'nobody names what is left to mend',
}

/** The same in words, of what an event tells; one that tells nothing is of the cycles. */
export function exhaustedWords(why: unknown): string {
  return whyWords[why as ExhaustedWhy] ?? whyWords.cycles
}

export type RemediationNext =
  | { next: 'cycle'; cycle: number; items: number }
  | { next: 'reached' }
  /** `flag` is what the phase is marked with; it stays completed. */
  | { next: 'exhausted'; flag: ModeRules['exhausted']; why: ExhaustedWhy }

/** What follows from the cycles so far, oldest first. `score` is that of before the first one. */
export function nextCycle(
  mode: RemediationMode,
  threshold: number,
  score: number,
  cycles: readonly Cycle[],
): RemediationNext {
  const { cycles: most, items, exhausted, stopsWithoutGain } = rules[mode]
  const last = cycles.at(-1)
  const current = last === undefined ? score : scoreAfter(last)
  const wanted = mode === 'gaps' ? gapsEnough : threshold
  if (current >= wanted) return { next: 'reached' }
  const spent = (why: ExhaustedWhy) => ({ next: 'exhausted', flag: exhausted, why }) as const
  if (last !== undefined) {
    // Failed, or so low that the way is wrong: another cycle would not help.
    if (last.after === null) return spent('failed')
    if (last.after < 7) return spent('low')
    if (stopsWithoutGain && last.after <= last.before) return spent('no_gain')
  }
  return cycles.length >= most ? spent('cycles') : { next: 'cycle', cycle: cycles.length + 1, items }
}

/** How far a deficiency is from where it should be; one without scores is in the middle. */
function gapOf({ current_score: now, target_score: wanted = 10 }: Deficiency): number {
  return now === undefined ? 5 : wanted - now
}

/** The deficiencies of a cycle, the largest gap first. Nothing twice. */
export function feedbackOf(found: readonly Deficiency[], items: number): Deficiency[] {
  const seen = new Set<string>()
  return [...found]
    .sort((one, other) => gapOf(other) - gapOf(one))
    .filter(({ criterion, deficiency }) => {
      const key = `${criterion}\n${deficiency.trim().toLowerCase()}`
      const isNew = !seen.has(key)
      seen.add(key)
      return isNew
    })
    .slice(0, items)
}

/** Criteria of a scorecard that are under the wanted score, as deficiencies. */
export function deficienciesOfCard(
  rows: readonly { criterion: string; score: number; justification: string; evidence: string }[],
  wanted: number,
): Deficiency[] {
  return rows
    .filter(({ score }) => score < wanted)
    .map(({ criterion, score, justification, evidence }) => {
      return {
        criterion,
        deficiency: justification === '' ? 'the rater gave no reason' : justification,
        ...fileIn(evidence),
        current_score: score,
        target_score: wanted,
        source: 'scorecard' as const,
      }
    })
}

/** The first file that a text names with a line, as the one that a deficiency is in. */
export function fileIn(text: string): Pick<Deficiency, 'target_file'> {
  const found = /(?<![\w./@-])([\w./@-]{1,400}\.[A-Za-z]{1,8}):\d/.exec(text)?.[1]
  return found === undefined ? {} : { target_file: found }
}
