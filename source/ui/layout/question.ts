import { sanitizeLine, sanitizeText } from '../../terminal/sanitize.js'
import { padText, textWidth, wrapText } from '../../terminal/width.js'
import type { Evidence, Question, QuestionOption } from '../../view/question.js'
import { formatCountdown, formatTime } from '../format.js'
import type { Line, Span, Theme } from '../theme.js'
import { fitLine, line, lineWidth, rule, windowStart } from './line.js'
import { optionLetters } from './option-letters.js'
import type { PanelMode } from './run-hints.js'

/** How a menu is divided when it gets a number of rows. */
export interface MenuPlan {
  title: string
  /** Rows of a title that is too long for the rule. */
  titleRows: string[]
  body: string[]
  bodyHeight: number
  /** An empty row between body and options, if everything else has room. */
  gap: 0 | 1
  optionHeight: number
  detailHeight: number
}

export interface MenuState {
  index: number
  armed: boolean
  bodyTop: number
  /** Epoch milliseconds, for a countdown. */
  now: number
  /** Index of the evidence that Enter opens; undefined while an option is lit. */
  evidence?: number
}

/** What happens if nobody answers, or undefined if the question waits for as long as it takes. */
export function countdownText({ countdown, options }: Question, now: number): string | undefined {
  if (!countdown) return undefined
  const label = options.find((option) => option.value === countdown.value)?.label ?? countdown.value
  const left = formatCountdown(Date.parse(countdown.until) - now)
  return `goes on by itself in ${left}, at ${formatTime(countdown.until)}: ${sanitizeLine(label)}`
}

const numberWidth = 6
const mostDetailRows = 3
const leastBodyRows = 4
const leastOptions = 6

function labelWidth(question: Question, width: number): number {
  const longest = Math.max(0, ...question.options.map((option) => textWidth(sanitizeLine(option.label))))
  return Math.min(longest, Math.max(12, Math.floor(width * 0.5)))
}

function consequenceOf(option: QuestionOption): string {
  const consequence = sanitizeLine(option.consequence)
  return option.recommended ? `recommended: ${consequence}` : consequence
}

/** The whole label and consequence, for an option that does not fit on its line; else nothing. */
function detailOf(option: QuestionOption, labels: number, width: number): string[] {
  const label = sanitizeLine(option.label)
  const consequence = consequenceOf(option)
  const fits = textWidth(label) <= labels && textWidth(consequence) <= width - numberWidth - labels - 3
  return fits ? [] : wrapText(`${label}: ${consequence}`, width - 4, mostDetailRows)
}

export function bodyRows(question: Question, width: number): string[] {
  const lines = question.body.flatMap((text) => sanitizeText(text).split('\n'))
  return lines.flatMap((text) => wrapText(text, width - 2))
}

/** Rows for a countdown and for the evidence. */
function extraRows({ countdown, evidence }: Question): number {
  return (countdown ? 1 : 0) + (evidence && evidence.length > 0 ? 1 : 0)
}

/** What there is to read, from the lit one on where not all have room. */
function evidenceLine(
  evidence: readonly Evidence[],
  lit: number | undefined,
  width: number,
  theme: Theme,
): Line {
  const spans = (from: number): Span[] =>
    evidence.slice(from).flatMap((one, offset): Span[] => [
      { text: from + offset === lit ? ` ${theme.pointer} ` : '   ', tone: 'accent', strong: true },
      { text: sanitizeLine(one.title), tone: 'info', strong: from + offset === lit },
    ])
  const head: Span = { text: '  To read:' }
  const all = [head, ...spans(0)]
  return lineWidth(all) <= width || lit === undefined ? all : [head, ...spans(lit)]
}

/** Divides `height` rows between body and options; the options come first, since they have to be answered. */
export function planMenu(question: Question, width: number, height: number): MenuPlan {
  const title = sanitizeLine(question.title)
  const fits = textWidth(title) <= width - 8
  const titleRows = fits ? [] : wrapText(title, width - 2, 2)
  const labels = labelWidth(question, width)
  const details = Math.max(0, ...question.options.map((option) => detailOf(option, labels, width).length))
  const body = bodyRows(question, width)
  const fixed = 2 + titleRows.length + extraRows(question)
  // A long body keeps some rows beside many or long options: one cannot be answered without the other.
  const bodyLeast = Math.min(body.length, leastBodyRows)
  const room = height - fixed
  const optionHeight = Math.max(
    1,
    Math.min(question.options.length, Math.max(leastOptions, room - bodyLeast), room),
  )
  const detailHeight = Math.max(0, Math.min(details, room - optionHeight - bodyLeast))
  const bodyHeight = Math.max(0, Math.min(body.length, room - optionHeight - detailHeight))
  const used = fixed + optionHeight + detailHeight + bodyHeight
  const gap = body.length > 0 && bodyHeight === body.length && used < height ? 1 : 0
  return { title: fits ? title : 'Question', titleRows, body, bodyHeight, gap, optionHeight, detailHeight }
}

/** Rows that the menu would like to have. */
export function menuHeight(question: Question, width: number): number {
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
export function panelHeight(question: Question, mode: PanelMode, width: number): number {
  const menu = menuHeight(question, width)
  if (mode === 'text') return Math.max(8, menu)
  if (mode === 'list' || mode === 'naming') return Math.max(menu, (question.list?.items.length ?? 0) + 6)
  return menu
}

/** Whether so many rows leave a part of the text of the question out. */
export function isCut(question: Question, width: number, height: number): boolean {
  const plan = planMenu(question, width, height)
  return plan.bodyHeight < plan.body.length
}

/** The last first line of the body that makes sense to scroll to. */
export function lastBodyTop(plan: MenuPlan): number {
  return plan.bodyHeight >= plan.body.length ? 0 : plan.body.length - Math.max(1, plan.bodyHeight - 1)
}

function bodyLines(plan: MenuPlan, bodyTop: number): Line[] {
  const { body, bodyHeight } = plan
  if (bodyHeight >= body.length) return body.map((text) => line(`  ${text}`))
  if (bodyHeight === 0) return []
  const size = Math.max(1, bodyHeight - 1)
  const top = Math.min(bodyTop, lastBodyTop(plan))
  const end = Math.min(body.length, top + size)
  const place = line(`  lines ${top + 1}-${end} of ${body.length}, PgUp and PgDn show the rest`, 'info')
  if (bodyHeight === 1) return [place]
  return [...body.slice(top, end).map((text) => line(`  ${text}`)), place]
}

interface OptionPlace {
  index: number
  letter: string | undefined
  /** Cells of the column of labels. */
  labels: number
}

function optionLine(option: QuestionOption, place: OptionPlace, state: MenuState, theme: Theme): Line {
  const { index, letter, labels } = place
  const chosen = index === state.index
  const number = index < 9 ? String(index + 1) : ' '
  const spans: Span[] = [
    { text: chosen ? `${theme.pointer} ` : '  ', tone: 'accent', strong: true },
    { text: `${number} ${letter ?? ' '}  `, tone: 'info' },
    { text: padText(sanitizeLine(option.label), labels, theme.ellipsis), strong: chosen },
    { text: `  ${consequenceOf(option)}` },
  ]
  return state.armed ? spans : spans.map((span) => ({ text: span.text, tone: 'quiet' as const }))
}

/** What Enter does now. */
function cueText(state: MenuState, place: string): string {
  if (state.evidence !== undefined) return 'Enter opens it; Up and Down go back to the options'
  return `${place}${state.armed ? 'Enter, a number or a letter decides' : 'Read first: keys count in a moment'}`
}

/** The menu as lines: title, body, options, what is chosen, and whether keys count already. */
export function menuLines(
  question: Question,
  { width, height }: { width: number; height: number },
  state: MenuState,
  theme: Theme,
): Line[] {
  const plan = planMenu(question, width, height)
  const { evidence = [] } = question
  const labels = labelWidth(question, width)
  const letters = optionLetters(question.options)
  const start = windowStart(question.options.length, plan.optionHeight, state.index)
  const shown = question.options.slice(start, start + plan.optionHeight)
  const chosen = question.options[state.index]
  const whole = chosen ? detailOf(chosen, labels, width) : []
  const detail = whole.slice(0, plan.detailHeight)
  if (detail.length > 0 && detail.length < whole.length) detail.push(`${detail.pop()} ${theme.ellipsis}`)
  const padding = Array.from({ length: plan.detailHeight - detail.length }, () => line(''))
  const countdown = countdownText(question, state.now)
  const hidden = plan.optionHeight < question.options.length
  const place = hidden ? `option ${state.index + 1} of ${question.options.length}; ` : ''
  const cue = cueText(state, place)
  return [
    rule(plan.title, width, theme, { aside: sanitizeLine(question.gate), strong: true }),
    ...plan.titleRows.map((text) => line(`  ${text}`, undefined, true)),
    ...bodyLines(plan, state.bodyTop),
    ...(plan.gap === 1 ? [line('')] : []),
    ...(evidence.length > 0 ? [evidenceLine(evidence, state.evidence, width, theme)] : []),
    ...shown.map((option, offset) =>
      optionLine(option, { index: start + offset, letter: letters[start + offset], labels }, state, theme),
    ),
    ...detail.map((text) => line(`    ${text}`, 'info')),
    ...padding,
    ...(countdown === undefined ? [] : [line(`  ${countdown}`, 'info', true)]),
    line(`  ${cue}`, state.armed ? 'good' : 'warn'),
  ].map((row) => fitLine(row, width, theme))
}
