import type { Scorecard } from '../opinions.js'
import type { OrderCriterion } from '../orders/fields.js'
import type { Band, RatingResult } from '../results.js'

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

/** A criterion that nobody can look up stays under it. */
const unplacedMost = 6.9

/** @param made evidence that names files and lines of which none is there */
export function scorecardOf(
  criteria: readonly OrderCriterion[],
  rated: RatingResult,
  made: readonly string[] = [],
): Scorecard {
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
  const unplaced = criteria.filter((one) => isUnplaced(one, best.get(one.id), made)).map(({ id }) => id)
  return { rows, score, band: bandOf(score), missing, unplaced, warnings }
}

type Row = RatingResult['scorecard'][number]

/** A high score that nobody can look up: no command of ours was run for it, and what is said for it names no place. */
function isUnplaced({ kind }: OrderCriterion, row: Row | undefined, made: readonly string[]): boolean {
  if (row === undefined || row.score <= unplacedMost || kind === 'structural' || kind === 'execution')
    return false
  if (row.execution_result?.exit_code === 0) return false
  return made.includes(row.evidence) || !namesPlace(`${row.evidence}\n${row.justification}`)
}

/** The card with what names no place under 7.0, whoever says more. */
export function cappedCard(card: Scorecard): Scorecard {
  const { unplaced, rows: all } = card
  if (unplaced.length === 0) return card
  const rows = all.map((row) =>
    unplaced.includes(row.id) ? { ...row, score: Math.min(row.score, unplacedMost) } : row,
  )
  const score = floored(rows.reduce((sum, row) => sum + row.score, 0) / rows.length)
  const warning = `${unplacedWords(unplaced)}; ${unplaced.length === 1 ? 'it counts' : 'they count'} as ${unplacedMost}`
  return { ...card, rows, score, band: bandOf(score), warnings: [...card.warnings, warning] }
}

export function unplacedWords(ids: readonly string[]): string {
  return `${ids.join(', ')} ${ids.length === 1 ? 'is' : 'are'} rated 7.0 or more, and neither a command nor a file and line shows why`
}

/** What people write to say where something is: a line, a picture, a part of a document, a commit for what is gone. */
const places = [
  /[\w@./-]{1,200}(?::|#L)\d{1,7}\b/,
  /[\w@/-]{1,200}\.\w{1,8}`?[\s,(]{1,3}(?:at\s)?(?:lines?\s|L)\d/i,
  /\blines?\s\d{1,7}(?:[-–]\d{1,7})?\s(?:of|in)\s`?[\w@./-]{1,200}\.\w/i,
  /[\w@/-]{1,200}\.(?:png|jpe?g|webp|gif|svg)\b/i,
  /\.(?:mdx?|rst|adoc|txt|html)`?[\s,(:]{1,3}(?:the\s)?(?:section|heading|chapter|§)/i,
  /\bcommit\s`?[0-9a-f]{7,40}\b/i,
]

function namesPlace(text: string): boolean {
  const said = text.slice(0, 4000).replace(/\b[a-z][a-z0-9+.-]{1,20}:\/\/\S{1,500}/gi, '')
  return places.some((place) => place.test(said))
}

/** Whether a score was written with a decimal; undefined where the text does not show it. */
export function hasDecimal(raw: string): boolean | undefined {
  const found = [...raw.matchAll(/"alignment_score"\s*:\s*(-?\d+(\.\d+)?)/g)].at(-1)
  return found === undefined ? undefined : found[2] !== undefined
}
