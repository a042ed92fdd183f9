import { sanitizeLine } from '../../terminal/sanitize.js'
import { padText, textWidth } from '../../terminal/width.js'
import type { PhaseView, RunSnapshot, StepView, Usage, WorkflowView } from '../../view/view.js'
import { formatCost, formatTokens } from '../format.js'
import { type Line, phaseLook, type Span, stepLook, type Theme } from '../theme.js'
import { factText } from './facts.js'
import { fitLine, line, lineWidth, windowStart } from './line.js'

/** Cells that the name of a phase keeps, if it is that long, beside one, two or three columns. */
const leastNames = [8, 12, 40]

function factsOf(phase: PhaseView, theme: Theme): string {
  return phase.facts.map((fact) => factText(fact, theme)).join(` ${theme.dot} `)
}

/** Place of the current phase; the last one when none is. */
function currentIndex({ phases, currentPhase }: WorkflowView): number {
  const found = phases.findIndex((phase) => phase.id === currentPhase)
  return found >= 0 ? found : phases.length - 1
}

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

/** Columns beside the names, each as wide as its longest text; as width falls the last ones go. */
function columnsFor(names: readonly string[], columns: readonly (readonly string[])[], width: number) {
  const filled = columns.filter((column) => widest(column) > 0)
  const room = (count: number) =>
    width - 2 - filled.slice(0, count).reduce((sum, column) => sum + 2 + widest(column), 0)
  let count = filled.length
  const least = () => Math.min(widest(names), leastNames[count - 1] ?? 8)
  while (count > 1 && room(count) < least()) count -= 1
  return { shown: filled.slice(0, count), nameWidth: Math.max(8, room(count)) }
}

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
  const names = phases.map((phase) => `${sanitizeLine(phase.label ?? phase.id)} ${sanitizeLine(phase.name)}`)
  const looks = phases.map((phase) => phaseLook(phase.status, theme))
  const { shown, nameWidth } = columnsFor(
    names,
    [
      looks.map((look) => look.word),
      phases.map((phase) => factsOf(phase, theme)),
      phases.map((phase) => usageOf(phaseUsage.get(phase.id))),
    ],
    width,
  )
  return phases.map((phase, index) => {
    const look = looks[index]
    const right = shown.map((column) => padText(column[index] ?? '', widest(column))).join('  ')
    const spans: Line = [
      { text: `${look?.mark} `, tone: look?.tone },
      {
        text: padText(names[index] ?? '', nameWidth, theme.ellipsis),
        strong: phase.status === 'in-progress',
      },
      { text: `  ${right}`.trimEnd(), tone: look?.tone },
    ]
    return fitLine(spans, width, theme)
  })
}

/** `2/3`, the place of the current phase. */
export function phaseCount(view: WorkflowView): string {
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
  const name = phase ? `${phaseWord} ${phaseCount(view)}: ${sanitizeLine(phase.name)}` : nonesYet(view)
  return fitLine(
    [{ text: `[${sanitizeLine(view.state)}] `, tone: 'info', strong: true }, { text: name }],
    width,
    theme,
  )
}
