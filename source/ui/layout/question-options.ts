import { sanitizeLine } from '../../terminal/sanitize.js'
import { padText, textWidth, wrapText } from '../../terminal/width.js'
import type { Question, QuestionOption } from '../../view/question.js'
import type { Line, Span, Theme } from '../theme.js'

// Options of a gate as rows: what each does is never cut while there is room for it.

const numberWidth = 6

/** Cells of the column of labels. */
export function labelWidth(question: Question, width: number): number {
  const longest = Math.max(0, ...question.options.map((option) => textWidth(sanitizeLine(option.label))))
  return Math.min(longest, Math.max(12, Math.floor(width * 0.5)))
}

function consequenceOf(option: QuestionOption): string {
  const consequence = sanitizeLine(option.consequence)
  return option.recommended ? `recommended: ${consequence}` : consequence
}

/** Label and consequence of an option side by side, in as many rows as they need; each row is `[label, consequence]`. */
export function optionRows(option: QuestionOption, labels: number, width: number): [string, string][] {
  const names = wrapText(sanitizeLine(option.label), labels)
  const texts = wrapText(consequenceOf(option), Math.max(12, width - numberWidth - labels - 3))
  const count = Math.max(names.length, texts.length)
  return Array.from({ length: count }, (_, index) => [names[index] ?? '', texts[index] ?? ''])
}

export interface OptionPlace {
  index: number
  letter: string | undefined
  /** Cells of the column of labels. */
  labels: number
  /** Of the whole row. */
  width: number
  /** It has so many rows at most; what does not fit is cut. */
  rows: number
}

/** The rows of an option, the rest in the last one where there are too few: it is cut at the edge, with a mark. */
function rowsWithin(option: QuestionOption, { labels, width, rows }: OptionPlace): [string, string][] {
  const all = optionRows(option, labels, width)
  if (all.length <= rows) return all
  if (rows <= 1) return [[sanitizeLine(option.label), consequenceOf(option)]]
  const rest = all.slice(rows - 1)
  const joined = (column: 0 | 1) =>
    rest
      .map((row) => row[column])
      .filter((text) => text !== '')
      .join(' ')
  return [...all.slice(0, rows - 1), [joined(0), joined(1)]]
}

/** An option, lit or not, with its keys; folded it is one row. */
export function optionLines(
  { options }: Question,
  place: OptionPlace,
  state: { index: number; armed: boolean },
  theme: Theme,
): Line[] {
  const { index, letter, labels } = place
  const option = options[index]
  if (!option) return []
  const rows = rowsWithin(option, place)
  const chosen = index === state.index
  const number = index < 9 ? String(index + 1) : ' '
  return rows.map(([label, consequence], row) => {
    const first = row === 0
    const spans: Span[] = [
      { text: first && chosen ? `${theme.pointer} ` : '  ', tone: 'accent', strong: true },
      { text: first ? `${number} ${letter ?? ' '}  ` : ' '.repeat(numberWidth - 1), tone: 'info' },
      { text: padText(label, labels, theme.ellipsis), strong: chosen },
      { text: `  ${consequence}` },
    ]
    return state.armed ? spans : spans.map((span) => ({ text: span.text, tone: 'quiet' as const }))
  })
}
