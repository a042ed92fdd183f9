import { sanitizeLine } from '../../terminal/sanitize.js'
import { padText, textWidth } from '../../terminal/width.js'
import type { PhaseView, RunSnapshot, StepView, Usage, WorkflowView } from '../../view/view.js'
import { formatCost, formatTokens } from '../format.js'
import { type Line, phaseLook, type Span, stepLook, type Theme } from '../theme.js'
import { factText } from './facts.js'
import { fitLine, line, lineWidth, windowStart } from './line.js'

/** Cells that the name of a phase keeps, if it is that long, beside so many columns. */
const leastNames = [8, 8, 12, 20]

/** A column of which so few cells are left says nothing. */
const leastColumn = 6

/**
 * Facts as they stand beside each other. What is known last says most: of more than have room the last ones, whole, or
 * the last one that fits.
 */
function factsOf({ facts }: PhaseView, theme: Theme, cells = Number.POSITIVE_INFINITY): string {
  const texts = facts.map((fact) => factText(fact, theme))
  for (let from = 0; from < texts.length; from += 1) {
    const joined = texts.slice(from).join(` ${theme.dot} `)
    if (textWidth(joined) <= cells) return joined
  }
  return texts.findLast((text) => textWidth(text) <= cells) ?? ''
}

/** Place of the current phase; when none is, that of the last one that anything was done about. */
function currentIndex({ phases, currentPhase }: WorkflowView): number {
  const found = phases.findIndex((phase) => phase.id === currentPhase)
  return found >= 0 ? found : Math.max(0, phases.map(isBegun).lastIndexOf(true))
}

const isBegun = ({ status }: PhaseView) => status !== 'pending'

function usageOf(usage: Usage | undefined): string {
  if (!usage) return ''
  // Agents that report nothing would fill the column with zeros.
  if (usage.inputTokens + usage.outputTokens === 0 && usage.usd === undefined) return ''
  const tokens = formatTokens(usage.inputTokens + usage.outputTokens)
  return usage.usd === undefined ? tokens : `${tokens} ${formatCost(usage.usd)}`
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(textWidth))
}

/** Cells that columns take beside a name, with what parts them. */
const taken = (widths: readonly number[]) =>
  widths.reduce((sum, cells) => sum + (cells > 0 ? cells + 2 : 0), 0)

/**
 * Widths of the columns beside the names, each as its longest text needs it. As width falls names are cut, but for their
 * first cells; then the longest column behind the first, which says what the mark means; then the last ones go.
 */
function widthsFor(
  names: readonly string[],
  columns: readonly (readonly string[])[],
  width: number,
): number[] {
  const whole = columns.map(widest)
  for (let count = columns.length; count > 1; count -= 1) {
    const widths = whole.slice(0, count)
    const filled = widths.filter((cells) => cells > 0).length
    const lacks = Math.min(widest(names), leastNames[filled] ?? 8) + 2 + taken(widths) - width
    if (lacks <= 0) return widths
    const longest = widths.indexOf(Math.max(...widths.slice(1)), 1)
    const cut = (widths[longest] ?? 0) - lacks
    if (cut >= leastColumn) return widths.with(longest, cut)
  }
  return whole.slice(0, 1)
}

/** Cells before each column: two, or one where that shows every name whole, the last column first. */
function gapsFor(
  names: readonly string[],
  widths: readonly number[],
  width: number,
): { nameWidth: number; gaps: number[] } {
  const room = width - 2 - taken(widths)
  const lacks = widest(names) - room
  const filled = widths.flatMap((cells, place) => (cells > 0 ? [place] : []))
  const narrow = lacks > 0 && lacks < filled.length ? filled.slice(-lacks) : []
  return {
    nameWidth: Math.max(8, room + narrow.length),
    gaps: widths.map((_, place) => (narrow.includes(place) ? 1 : 2)),
  }
}

/** A label that is longer than this moves no other name. */
const mostLabel = 6

/** Labels of one width, so that names stand below each other; numbers end where the others end. */
function evenLabels(labels: readonly string[]): string[] {
  const cells = widest(labels.filter((label) => textWidth(label) <= mostLabel))
  const areNumbers = labels.every((label) => /^\d{1,6}$/.test(label))
  return labels.map((label) => (areNumbers ? label.padStart(cells) : padShort(label, cells)))
}

const padShort = (label: string, cells: number) => (textWidth(label) > cells ? label : padText(label, cells))

const nonesYet = ({ phaseWord = 'Phase' }: WorkflowView) => `no ${phaseWord.toLowerCase()}s yet`

/** The phases, at most `rows` lines, around the current one, with what each has used where there is room. */
export function phaseLines(
  { view, phaseUsage }: Pick<RunSnapshot, 'view' | 'phaseUsage'>,
  width: number,
  rows: number,
  theme: Theme,
): Line[] {
  if (rows <= 0) return []
  if (view.phases.length === 0) return [line(nonesYet(view), 'quiet')]
  const start = windowStart(view.phases.length, rows, currentIndex(view))
  const phases = view.phases.slice(start, start + rows)
  const labels = evenLabels(phases.map((phase) => sanitizeLine(phase.label ?? phase.id)))
  const names = phases.map((phase, index) => `${labels[index]} ${sanitizeLine(phase.name)}`)
  const looks = phases.map((phase) => phaseLook(phase.status, theme))
  const columns = [
    looks.map((look) => look.word),
    phases.map((phase) => factsOf(phase, theme)),
    phases.map((phase) => usageOf(phaseUsage.get(phase.id))),
  ]
  const widths = widthsFor(names, columns, width)
  const [, cells = 0] = widths
  if (cells > 0 && cells < widest(columns[1] ?? [])) {
    columns[1] = phases.map((phase) => factsOf(phase, theme, cells))
    widths[1] = Math.min(cells, widest(columns[1]))
  }
  const { nameWidth, gaps } = gapsFor(names, widths, width)
  return phases.map((phase, index) => {
    const look = looks[index]
    const right = columns.map((column, place) => {
      const cells = widths[place] ?? 0
      return cells > 0
        ? ' '.repeat(gaps[place] ?? 0) + padText(column[index] ?? '', cells, theme.ellipsis)
        : ''
    })
    const spans: Line = [
      { text: `${look?.mark} `, tone: look?.tone },
      {
        text: padText(names[index] ?? '', nameWidth, theme.ellipsis),
        strong: phase.status === 'in-progress',
      },
      { text: right.join('').trimEnd(), tone: look?.tone },
    ]
    return fitLine(spans, width, theme)
  })
}

/** `1 of 3 done, 1 skipped`. */
export function phasesDone({ phases }: WorkflowView): string {
  const count = (status: PhaseView['status']) => phases.filter((phase) => phase.status === status).length
  const skipped = count('skipped')
  if (phases.length === 0) return ''
  return `${count('complete')} of ${phases.length} done${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** `2/3`, the place of the current phase. */
function phaseCount(view: WorkflowView): string {
  if (view.phases.length === 0) return ''
  return `${currentIndex(view) + 1}/${view.phases.length}`
}

function stepSpans(steps: readonly StepView[], theme: Theme): Span[] {
  return steps.flatMap((step, index): Span[] => {
    const look = stepLook(step.status, theme)
    const current = step.status === 'current'
    return [
      ...(index === 0 ? [] : [{ text: ` ${theme.arrow} `, tone: 'quiet' as const }]),
      {
        text: current ? `[${sanitizeLine(step.name)}]` : sanitizeLine(step.name),
        tone: look.tone,
        strong: current,
      },
    ]
  })
}

/** The place of the current step; between two of them that of the last one begun. */
function standsAt(steps: readonly StepView[]): number {
  const current = steps.findIndex((step) => step.status === 'current')
  return current >= 0 ? current : Math.max(0, steps.map((step) => step.status !== 'todo').lastIndexOf(true))
}

/** The states of the current phase on one line; as width falls, the ones around the current state. */
export function stepsLine(steps: readonly StepView[], width: number, theme: Theme): Line {
  let from = 0
  let to = steps.length
  const current = standsAt(steps)
  const shown = (): Line => [
    ...(from > 0 ? [{ text: `${theme.ellipsis} `, tone: 'quiet' as const }] : []),
    ...stepSpans(steps.slice(from, to), theme),
    ...(to < steps.length ? [{ text: ` ${theme.ellipsis}`, tone: 'quiet' as const }] : []),
  ]
  while (lineWidth(shown()) > width && to - from > 1) {
    if (to - 1 - current >= current - from) to -= 1
    else from += 1
  }
  return fitLine(shown(), width, theme)
}

/** The states of the current phase, one a line; at most `rows`, around the current one. */
export function stepLines(steps: readonly StepView[], width: number, rows: number, theme: Theme): Line[] {
  const start = windowStart(steps.length, rows, standsAt(steps))
  const names = widest(steps.map((step) => sanitizeLine(step.name)))
  return steps.slice(start, start + rows).map((step) => {
    const look = stepLook(step.status, theme)
    const text = padText(sanitizeLine(step.name), names)
    return fitLine(
      [{ text: `  ${look.mark} ${text} ${look.word}`, tone: look.tone, strong: step.status === 'current' }],
      width,
      theme,
    )
  })
}

/** Phase and state on one line, for when there is no room for more. */
export function phaseSummary(view: WorkflowView, width: number, theme: Theme): Line {
  const phase = view.phases[currentIndex(view)]
  const { phaseWord = 'Phase' } = view
  // Place and label are two numbers: where they differ both are told.
  const place = phaseCount(view)
  const isPlace = (label: string) => label === String(currentIndex(view) + 1)
  const { label = phase?.id ?? '' } = phase ?? {}
  const called = isPlace(label) ? place : `${sanitizeLine(label)} (${place})`
  // Between two runs none is the current one, whatever was done before.
  const isAhead =
    view.currentPhase === undefined &&
    view.phases.some(({ status }) => status === 'pending') &&
    !view.phases.some(({ status }) => status === 'in-progress')
  const done = view.phases.filter(({ status }) => status === 'complete').length
  const name =
    phase === undefined
      ? nonesYet(view)
      : isAhead
        ? `${view.phases.length} ${phaseWord.toLowerCase()}s, ${view.phases.some(isBegun) ? `${done} done` : 'none begun'}`
        : `${phaseWord} ${called}: ${sanitizeLine(phase.name)}`
  return fitLine(
    [{ text: `[${sanitizeLine(view.state)}] `, tone: 'info', strong: true }, { text: name }],
    width,
    theme,
  )
}
