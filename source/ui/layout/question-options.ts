import { sanitizeLine } from '../../terminal/sanitize.js'
import { padText, textWidth, wrapText } from '../../terminal/width.js'
import type { Question, QuestionOption } from '../../view/question.js'
import type { Line, Span, Theme } from '../theme.js'
import { ownLetter } from './option-letters.js'
import { isPath } from './titles.js'

// Options of a gate as rows: what each does is never cut while there is room for it.

const numberWidth = 6

/** Side by side each has a column of its own; in line what an option does begins behind its label, and has all of the width. */
export type OptionShape = { kind: 'columns'; labels: number } | { kind: 'inline' }

/** A column that is narrower tells a few words of a consequence, and one row of it means nothing. */
const leastColumn = 32

/** A table reads better, but in a small terminal a row is worth more. */
const leastTable = 72

/** In which shape the options of a question tell more in fewer rows. */
export function optionShape({ options }: Question, width: number): OptionShape {
  const longest = Math.max(0, ...options.map((option) => textWidth(sanitizeLine(option.label))))
  const labels = Math.min(longest, Math.max(12, Math.floor(width * 0.5)))
  const columns: OptionShape = { kind: 'columns', labels }
  if (options.every((option) => optionRows(option, columns, width).length === 1)) return columns
  const total = (shape: OptionShape) =>
    options.reduce((sum, option) => sum + optionRows(option, shape, width).length, 0)
  const column = width - numberWidth - labels - 3
  const isNarrow = column < leastColumn
  // A path that has no room in its column would be torn apart, and has in a row of its own.
  const longestWord = Math.max(
    0,
    ...options.flatMap((option) => consequenceOf(option).split(' ').map(textWidth)),
  )
  const tears = longestWord > column && longestWord <= width - numberWidth - 1
  const saves = width < leastTable && total({ kind: 'inline' }) < total(columns)
  return isNarrow || saves || tears ? { kind: 'inline' } : columns
}

function consequenceOf(option: QuestionOption): string {
  const consequence = sanitizeLine(option.consequence)
  return option.recommended ? `recommended: ${consequence}` : consequence
}

/** Label and consequence of an option in as many rows as they need; each row is `[label, consequence]`. */
export function optionRows(option: QuestionOption, shape: OptionShape, width: number): [string, string][] {
  if (shape.kind === 'inline') return inlineRows(option, width)
  const names = wrapText(sanitizeLine(option.label), shape.labels)
  const texts = wrapText(consequenceOf(option), Math.max(12, width - numberWidth - shape.labels - 3))
  const count = Math.max(names.length, texts.length)
  return Array.from({ length: count }, (_, index) => [names[index] ?? '', texts[index] ?? ''])
}

/** Room for the first words of a consequence behind its label; with less it begins in the next row. */
const leastBehind = 16

function inlineRows(option: QuestionOption, width: number): [string, string][] {
  const room = Math.max(12, width - numberWidth - 1)
  const names = wrapText(sanitizeLine(option.label), room)
  const text = consequenceOf(option)
  const last = names.at(-1) ?? ''
  const behind = room - textWidth(last) - 2
  const before = names.slice(0, -1).map((name): [string, string] => [name, ''])
  if (text === '') return [...before, [last, '']]
  if (textWidth(text) <= behind) return [...before, [last, text]]
  const [word = ''] = text.split(' ')
  const begins = behind >= leastBehind && textWidth(word) <= behind
  const [first = ''] = begins ? wrapText(text, behind, 1) : []
  const rest = wrapText(text.slice(first.length).trimStart(), room)
  return [...before, [last, first], ...rest.map((row): [string, string] => ['', row])]
}

export interface OptionPlace {
  index: number
  letter: string | undefined
  shape: OptionShape
  /** Of the whole row. */
  width: number
  /** It has so many rows at most; what does not fit is cut. */
  rows: number
}

/** Rows without which the label of an option would be cut. */
export function labelRows({ label }: QuestionOption, shape: OptionShape, width: number): number {
  const room = shape.kind === 'columns' ? shape.labels : Math.max(12, width - numberWidth - 1)
  return wrapText(sanitizeLine(label), room).length
}

/** Beginnings of a text, the longest first: half a part of a sentence may say the opposite of the whole. */
function partsOf(text: string): string[] {
  const ends = [...text.matchAll(/[,;:.](?= )/g)].map(({ index }) => index)
  return ends.reverse().map((end) => text.slice(0, end))
}

const withoutFolders = (word: string) => (isPath(word) ? (word.split('/').at(-1) ?? word) : word)

const longer = (one: string, other: string) => one.split(' ').length > other.split(' ').length

/** As many whole words of a text as fit. */
function wordsThatFit(text: string, fits: (some: string) => boolean): string {
  const words = text.split(' ')
  let [least, most] = [0, words.length - 1]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (fits(words.slice(0, middle).join(' '))) least = middle
    else most = middle - 1
  }
  return words.slice(0, least).join(' ')
}

/** The rows of an option; where there are too few, as much of what it does as is whole, with a mark that there is more. */
function rowsWithin(
  { options }: Question,
  option: QuestionOption,
  { shape, width, rows }: OptionPlace,
  theme: Theme,
): [string, string][] {
  const all = optionRows(option, shape, width)
  if (all.length <= rows) return all
  const { recommended: _mark, ...plain } = option
  const text = consequenceOf(option)
  const rowsOf = (consequence: string) => optionRows({ ...plain, consequence }, shape, width)
  const fits = (some: string) => rowsOf(`${some}${theme.ellipsis}`).length <= rows
  // What another option begins with as well tells nobody which of the two to take.
  const others = options.filter((other) => other !== option).map(consequenceOf)
  const tells = (some: string) => !others.some((other) => other.startsWith(some))
  const isPart = (part: string) => fits(part) && tells(part)
  // A path that leaves room for little else says what is meant by the name of its file.
  const bare = text.split(' ').map(withoutFolders).join(' ')
  const shown =
    [text, bare].flatMap(partsOf).find(isPart) ??
    [text, bare].map((one) => wordsThatFit(one, fits)).reduce((most, one) => (longer(one, most) ? one : most))
  const short = rowsOf(`${shown}${theme.ellipsis}`)
  return short.length <= rows ? short : rowsOf('').slice(0, rows)
}

/** An option, lit or not, with its keys; folded it is one row. */
export function optionLines(
  question: Question,
  place: OptionPlace,
  state: { index: number; armed: boolean },
  theme: Theme,
): Line[] {
  const { index, letter, shape } = place
  const option = question.options[index]
  if (!option) return []
  const rows = rowsWithin(question, option, place, theme)
  const chosen = index === state.index
  const number = index < 9 ? String(index + 1) : ' '
  // A label that names itself by its letter (`A) Start`) shows it already.
  const key = letter === undefined || ownLetter(option) !== undefined ? ' ' : letter
  return rows.map(([label, consequence], row) => {
    const first = row === 0
    const spans: Span[] = [
      { text: first && chosen ? `${theme.pointer} ` : '  ', tone: 'accent', strong: true },
      { text: first ? `${number} ${key}  ` : ' '.repeat(numberWidth - 1), tone: 'info' },
      ...textSpans([label, consequence], shape, chosen, theme),
    ]
    return state.armed ? spans : spans.map((span) => ({ text: span.text, tone: 'quiet' as const }))
  })
}

function textSpans(
  [label, consequence]: [string, string],
  shape: OptionShape,
  chosen: boolean,
  theme: Theme,
): Span[] {
  if (shape.kind === 'columns')
    return [
      { text: padText(label, shape.labels, theme.ellipsis), strong: chosen },
      { text: `  ${consequence}` },
    ]
  const gap = label === '' || consequence === '' ? '' : '  '
  return [{ text: label, strong: chosen }, { text: `${gap}${consequence}` }]
}
