import type { Scorecard } from '../opinions.js'
import type { OrderCriterion } from '../orders/fields.js'
import type { Band, RatingResult } from '../results.js'
import { citationsOf } from './citations.js'

// The score of a phase is the program's own arithmetic on the rater's card. Pure.

const bandsFrom: readonly (readonly [number, Band])[] = [
  [9.5, 'excellence'],
  [8, 'good'],
  [7, 'acceptable'],
  [5, 'significant_gaps'],
  [3, 'major_failures'],
]

export function bandOf(score: number): Band {
  return bandsFrom.find(([from]) => score >= from)?.[1] ?? 'not_implemented'
}

/** Cut, never rounded: 7.45 is 7.4. */
export function floored(score: number): number {
  return Math.floor(score * 10 + 1e-9) / 10
}

export function scorecardOf(criteria: readonly OrderCriterion[], rated: RatingResult): Scorecard {
  const warnings: string[] = []
  const best = new Map<string, RatingResult['scorecard'][number]>()
  for (const row of rated.scorecard) {
    const criterion = criteria.find(({ id, text }) => row.criterion === id || row.criterion === text)
    if (!criterion) {
      warnings.push(`the scorecard rates "${row.criterion}", which is no criterion`)
      continue
    }
    const before = best.get(criterion.id)
    if (before) warnings.push(`the scorecard rates ${criterion.id} twice; the lower counts`)
    if (!before || row.score < before.score) best.set(criterion.id, row)
  }
  const rows = criteria.map(({ id, text }) => {
    const row = best.get(id)
    return {
      id,
      criterion: text,
      score: row?.score ?? 0,
      evidence: row?.evidence ?? '',
      justification: row?.justification ?? 'not rated',
    }
  })
  const missing = criteria.filter(({ id }) => !best.has(id)).map(({ id }) => id)
  const mean = rows.reduce((sum, { score }) => sum + score, 0) / rows.length
  const score = rows.length === 0 ? floored(rated.alignment_score) : floored(mean)
  if (rows.length > 0 && floored(rated.alignment_score) !== score)
    warnings.push(`the rater says ${rated.alignment_score}, its card comes to ${score.toFixed(1)}`)
  const bare = criteria.filter((one, at) => isBare(one, rows[at])).map(({ id }) => id)
  if (bare.length > 0)
    warnings.push(
      `${bare.join(', ')} ${bare.length === 1 ? 'is' : 'are'} rated 7.0 or more, and neither a command of ours nor a file and line shows why`,
    )
  return { rows, score, band: bandOf(score), missing, warnings }
}

/** A high score that nobody can look up: nothing was run for it, and its evidence names no place. It counts, and is told. */
function isBare({ kind }: OrderCriterion, row: Scorecard['rows'][number] | undefined): boolean {
  if (row === undefined || row.score < 7 || kind === 'structural' || kind === 'execution') return false
  return citationsOf(`${row.evidence} ${row.justification}`).length === 0
}

/** Whether a score was written with a decimal; undefined where the text does not show it. */
export function hasDecimal(raw: string): boolean | undefined {
  const found = [...raw.matchAll(/"alignment_score"\s*:\s*(-?\d+(\.\d+)?)/g)].at(-1)
  return found === undefined ? undefined : found[2] !== undefined
}
