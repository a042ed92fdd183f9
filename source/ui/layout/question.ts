import { counted } from '../../counted.js'
import { ageText } from '../../durations.js'
import { sanitizeLine, sanitizeText } from '../../terminal/sanitize.js'
import { indentedWithin, textWidth, wrapText } from '../../terminal/width.js'
import type { Question } from '../../view/question.js'
import { formatCountdown, formatTime } from '../format.js'
import { keyOf } from '../keymap.js'
import type { Line, Theme } from '../theme.js'
import { fitLine, hasRoomBeside, line, rule, spread } from './line.js'
import { optionLetters } from './option-letters.js'
import { besidePlace, type CueState, cuesOf } from './question-cue.js'
import { evidenceLine } from './question-evidence.js'
import { labelRows, type OptionShape, optionLines, optionRows, optionShape } from './question-options.js'
import type { PanelMode } from './run-hints.js'

/** A question with the note that goes with its answer, if one was written. */
export interface NotedQuestion extends Question {
  note?: string | undefined
  /** How many wait behind it. */
  others?: number
}

/** How a menu is divided when it gets a number of rows. */
export interface MenuPlan {
  /** In the rule: the title, or the beginning of one that is too long for it. */
  title: string
  /** Rows of the rest of such a title. */
  titleRows: string[]
  body: string[]
  bodyHeight: number
  /** An empty row between body and options, if everything else has room. */
  gap: 0 | 1
  shape: OptionShape
  /** Rows that an option may have which is not lit; one where not all options have room. */
  fold: number
  /** Rows of the options before one is lit; of those that have room, where each has one. */
  optionHeight: number
  /** Rows for what the lit option needs beyond its first one. */
  detailHeight: number
}

export interface MenuState extends CueState {
  index: number
  bodyTop: number
  /** Epoch milliseconds, for a countdown. */
  now: number
}

/** What happens if nobody answers, or undefined if the question waits for as long as it takes. */
export function countdownText({ countdown, options }: Question, now: number): string | undefined {
  if (!countdown) return undefined
  const label = options.find((option) => option.value === countdown.value)?.label ?? countdown.value
  const left = formatCountdown(Date.parse(countdown.until) - now)
  return `goes on by itself in ${left}, at ${formatTime(countdown.until)}: ${sanitizeLine(label)}`
}

const leastBodyRows = 4

/** Rows of the panel of a text without the text: its rule, the label, the message. */
export const fieldRows = 3
export const leastTextRows = 3
const leastOptions = 6

/** Rows of a title that stay where they are, beside its beginning; what is longer goes on in the text below, which scrolls. */
const mostTitleRows = 2

/** What of a title stands in the rule, and the rows of the rest. */
function titleParts({ title }: Question, width: number): { first: string; rest: string[] } {
  const text = sanitizeLine(title)
  if (textWidth(text) <= width - 8) return { first: text, rest: [] }
  const [first = ''] = wrapText(text, width - 8)
  const rest = text.slice(first.length).trimStart()
  return { first, rest: rest === '' ? [] : wrapText(rest, width - 2) }
}

export function bodyRows(question: Question, width: number): string[] {
  const rest = titleParts(question, width).rest.slice(mostTitleRows)
  const lines = question.body.flatMap((text) => sanitizeText(text).split('\n'))
  return [...rest, ...lines.flatMap((text) => indentedWithin(text, width - 2))]
}

/** A question as it is read beside a field for text: its title, then its body. */
export function readRows(question: Question, width: number): string[] {
  const lines = [question.title, ...question.body].flatMap((text) => sanitizeText(text).split('\n'))
  return lines.flatMap((text) => indentedWithin(text, width - 2))
}

/** Rows for a countdown, for the evidence and for a note. */
function extraRows({ countdown, evidence, note }: NotedQuestion): number {
  return (countdown ? 1 : 0) + (evidence && evidence.length > 0 ? 1 : 0) + (note === undefined ? 0 : 1)
}

/** Rows that an option needs, in all and for its label alone, which is never cut. */
interface OptionNeed {
  whole: number
  label: number
}

function needsOf({ options }: Question, shape: OptionShape, width: number): OptionNeed[] {
  return options.map((option) => ({
    whole: optionRows(option, shape, width).length,
    label: labelRows(option, shape, width),
  }))
}

/** Rows of an option which is not lit, where each may have `fold`. */
const unlitRows = ({ whole, label }: OptionNeed, fold: number) => Math.max(label, Math.min(whole, fold))

/** What so many rows for each option come to, and what the one that is lit may need beyond them. */
function folded(needs: readonly OptionNeed[], fold: number): { optionHeight: number; details: number } {
  const optionHeight = needs.reduce((sum, need) => sum + unlitRows(need, fold), 0)
  return { optionHeight, details: Math.max(0, ...needs.map((need) => need.whole - unlitRows(need, fold))) }
}

const mostRows = (needs: readonly OptionNeed[]) => Math.max(1, ...needs.map(({ whole }) => whole))

/** The most rows for each option with which all of them have room; one where that is not enough. */
function foldFor(needs: readonly OptionNeed[], room: number): number {
  for (let fold = mostRows(needs); fold > 1; fold -= 1) {
    const { optionHeight, details } = folded(needs, fold)
    if (optionHeight + details <= room) return fold
  }
  return 1
}

/** The options around the lit one that have room in so many rows: the first of them, and how many. */
function optionWindow(
  heights: readonly number[],
  lit: number,
  rows: number,
): { start: number; count: number } {
  let start = Math.max(0, Math.min(lit, heights.length - 1))
  let end = start + 1
  let left = rows - (heights[start] ?? 0)
  const fits = (index: number) => (heights[index] ?? Number.POSITIVE_INFINITY) <= left
  while (fits(end) || fits(start - 1)) {
    // Near the middle, as far as there are options on both sides.
    const below = fits(end) && (!fits(start - 1) || end - lit <= lit - start)
    left -= heights[below ? end : start - 1] ?? 0
    if (below) end += 1
    else start -= 1
  }
  return { start, count: end - start }
}

/** Divides `height` rows between body and options; the options come first, since they have to be answered. */
export function planMenu(question: NotedQuestion, width: number, height: number): MenuPlan {
  const { first: title, rest } = titleParts(question, width)
  const titleRows = rest.slice(0, mostTitleRows)
  const shape = optionShape(question, width)
  const whole = bodyRows(question, width)
  const fixed = 2 + titleRows.length + extraRows(question)
  // A long body keeps some rows beside many or long options: one cannot be answered without the other.
  const bodyLeast = Math.min(whole.length, leastBodyRows)
  const room = height - fixed
  const count = question.options.length
  const needs = needsOf(question, shape, width)
  // The text can be scrolled: where two rows of it leave room for all of every option, no option is cut.
  const text = Math.min(whole.length, 2)
  const areWhole = needs.reduce((sum, need) => sum + need.whole, 0) <= room - text
  const fold = areWhole ? mostRows(needs) : foldFor(needs, room - bodyLeast)
  const { optionHeight: all, details } = folded(needs, fold)
  // The text and the options can be scrolled, what the lit option does cannot: it comes first but for two rows of each.
  const wished = Math.min(all, Math.max(leastOptions, room - bodyLeast), room)
  const beside = Math.max(Math.min(count, 2), room - details - text)
  const most = Math.max(1, ...needs.map((need) => unlitRows(need, 1)))
  const optionHeight = fold > 1 ? all : Math.max(Math.min(most, room), Math.min(wished, beside))
  const detailHeight = Math.max(0, Math.min(details, room - optionHeight - text))
  const left = Math.max(0, room - optionHeight - detailHeight)
  // Where a text has no room, its empty rows are the first to go.
  const body = whole.length > left ? whole.filter((row) => row.trim() !== '') : whole
  const bodyHeight = Math.min(body.length, left)
  const used = fixed + optionHeight + detailHeight + bodyHeight
  const gap = body.length > 0 && bodyHeight === body.length && used < height ? 1 : 0
  return {
    title,
    titleRows,
    body,
    bodyHeight,
    gap,
    shape,
    fold,
    optionHeight,
    detailHeight,
  }
}

/** Rows that the menu would like to have. */
export function menuHeight(question: NotedQuestion, width: number): number {
  const plan = planMenu(question, width, Number.POSITIVE_INFINITY)
  return (
    2 +
    extraRows(question) +
    plan.titleRows.length +
    plan.bodyHeight +
    plan.gap +
    plan.optionHeight +
    plan.detailHeight
  )
}

/** Rows that the panel would like to have in a mode. */
export function panelHeight(question: NotedQuestion, mode: PanelMode, width: number): number {
  const menu = menuHeight(question, width)
  // Its rule, label, message and the text itself stand beside the question.
  if (mode === 'text' || mode === 'note')
    return Math.max(menu, readRows(question, width).length + fieldRows + leastTextRows)
  if (mode === 'list' || mode === 'naming') return Math.max(menu, (question.list?.items.length ?? 0) + 6)
  return menu
}

/** Whether so many rows leave a part of the text of the question, or of what an option does, out. */
export function isCut(question: NotedQuestion, width: number, height: number): boolean {
  const plan = planMenu(question, width, height)
  const isFolded = question.options.some((option) => optionRows(option, plan.shape, width).length > plan.fold)
  return plan.bodyHeight < plan.body.length || isFolded
}

/** A text with so few rows needs all of them for itself: where it is scrolled to stands beside what keys do. */
const fewRows = 4

/** Rows of the body that show its text. */
export function shownRows({ body, bodyHeight }: Pick<MenuPlan, 'body' | 'bodyHeight'>): number {
  const ownRow = bodyHeight < body.length && bodyHeight > fewRows
  return ownRow ? bodyHeight - 1 : bodyHeight
}

/** The last first line of the body that makes sense to scroll to. */
export function lastBodyTop(plan: MenuPlan): number {
  const size = shownRows(plan)
  return size === 0 ? 0 : Math.max(0, plan.body.length - size)
}

/** The part of the body that is shown, and where it is in a text that has no room. */
function bodyPart(plan: MenuPlan, bodyTop: number): { lines: Line[]; where?: string } {
  const { body } = plan
  const size = shownRows(plan)
  const top = Math.min(bodyTop, lastBodyTop(plan))
  const end = Math.min(body.length, top + size)
  const lines = body.slice(top, end).map((text) => line(`  ${text}`))
  if (size >= body.length || size === 0) return { lines }
  const place = `${end - top === 1 ? end : `${top + 1}-${end}`} of ${body.length}`
  if (size === plan.bodyHeight) return { lines, where: `text ${place}: PgUp/PgDn` }
  const named = `${end - top === 1 ? 'line' : 'lines'} ${place}`
  return { lines: [...lines, line(`  ${named}, PgUp and PgDn show the rest`, 'info')] }
}

/** The options that have room, the lit one with its whole text. */
function optionPart(question: NotedQuestion, plan: MenuPlan, area: MenuArea, state: MenuState): Line[] {
  const { width, theme } = area
  const { shape, fold } = plan
  const letters = optionLetters(question.options)
  // One thing is lit at a time: what Enter acts on.
  const lit = { armed: state.armed, index: state.evidence === undefined ? state.index : -1 }
  // While something to read is lit, the option that Enter would choose next is still told whole.
  const needs = needsOf(question, shape, width)
  const heights = needs.map((need) => unlitRows(need, fold))
  const rowsOf = (index: number) => (heights[index] ?? 1) + (index === state.index ? plan.detailHeight : 0)
  const { start, count } = optionWindow(heights, state.index, plan.optionHeight)
  const drawnAt = Array.from({ length: count }, (_, offset) => start + offset)
  const wholeOf = (index: number) => needs[index]?.whole ?? 1
  const used = drawnAt.reduce((sum, index) => sum + Math.min(wholeOf(index), rowsOf(index)), 0)
  // Rows that another option needs when it is lit tell more of those that are cut until then, the first ones first.
  let spare = Math.max(0, plan.optionHeight + plan.detailHeight - used)
  const lines = (index: number) => {
    const more = Math.min(spare, Math.max(0, wholeOf(index) - rowsOf(index)))
    spare -= more
    const rows = rowsOf(index) + more
    return optionLines(question, { index, letter: letters[index], shape, width, rows }, lit, theme)
  }
  const drawn = drawnAt.flatMap(lines)
  const padding = Array.from({ length: Math.max(0, plan.optionHeight + plan.detailHeight - drawn.length) })
  return [...drawn, ...padding.map(() => line(''))]
}

/** The name of the gate, and how long it waits already. */
function asideOf({ gate, askedAt }: Question, now: number, theme: Theme): string {
  const age = ageText(now - Date.parse(askedAt))
  return age === undefined ? sanitizeLine(gate) : `${sanitizeLine(gate)} ${theme.dot} waits ${age}`
}

/** Where a menu is drawn. */
export interface MenuArea {
  width: number
  height: number
  theme: Theme
}

/** The menu as lines: title, body, options, what is chosen, and whether keys count already. */
export function menuLines(question: NotedQuestion, area: MenuArea, state: MenuState): Line[] {
  const { width, height, theme } = area
  const plan = planMenu(question, width, height)
  const { evidence = [], note } = question
  const countdown = countdownText(question, state.now)
  const { optionHeight: whole } = folded(needsOf(question, plan.shape, width), plan.fold)
  const place = plan.optionHeight < whole ? [`option ${state.index + 1} of ${question.options.length}`] : []
  const others = question.others ?? 0
  const aside = asideOf(question, state.now, theme)
  const { lines: body, where } = bodyPart(plan, state.bodyTop)
  const waiting = others > 0 ? [`${counted(others, 'more question')} (${keyOf('inbox')})`] : []
  const cues = cuesOf(state, [...place, ...waiting])
  const cue = cues[0] ?? []
  return [
    rule(plan.title, width, theme, { aside, strong: true }),
    ...plan.titleRows.map((text) => line(`  ${text}`, undefined, true)),
    ...body,
    ...(plan.gap === 1 ? [line('')] : []),
    ...(evidence.length > 0 ? [evidenceLine(evidence, state.evidence, width, theme)] : []),
    ...optionPart(question, plan, area, state),
    ...(note === undefined ? [] : [line(`  Your note: ${sanitizeLine(note)}`, 'accent')]),
    ...(countdown === undefined ? [] : [line(`  ${countdown}`, 'info', true)]),
    // Which question it is and how long it waits has room at the bottom where the title needs all of the rule.
    where !== undefined
      ? besidePlace(cues, line(where, 'info'), width, theme)
      : hasRoomBeside(plan.title, aside, width)
        ? cue
        : spread(cue, line(aside, 'quiet'), width, theme),
  ].map((row) => fitLine(row, width, theme))
}
