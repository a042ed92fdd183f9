import type { PhaseView, StepView, WorkflowView } from '../../run/view.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { padText } from '../../terminal/width.js'
import { type Line, phaseLook, type Span, stepLook, type Theme } from '../theme.js'
import { fitLine, line, lineWidth, windowStart } from './line.js'

const wordWidth = 'in progress'.length

function complexityOf(phase: PhaseView, theme: Theme): string {
  return phase.override === undefined
    ? phase.complexity
    : `${phase.complexity} ${theme.arrow} ${phase.override}`
}

function phaseLine(phase: PhaseView, width: number, theme: Theme): Line {
  const look = phaseLook(phase.status, theme)
  const complexity = complexityOf(phase, theme)
  const wide = width >= 44
  const right = wide ? `${padText(look.word, wordWidth)}  ${complexity}` : look.word
  const rightWidth = wide ? wordWidth + 2 + 'medium > high'.length : wordWidth
  const name = `${phase.number} ${sanitizeLine(phase.name)}`
  return [
    { text: `${look.mark} `, tone: look.tone },
    {
      text: padText(name, Math.max(8, width - 2 - rightWidth - 1), theme.ellipsis),
      strong: phase.status === 'in-progress',
    },
    { text: ` ${right}`, tone: look.tone },
  ]
}

/** The phases, at most `rows` lines, around the current one. */
export function phaseLines(view: WorkflowView, width: number, rows: number, theme: Theme): Line[] {
  const { phases } = view
  if (rows <= 0) return []
  if (phases.length === 0) return [line('no phases yet', 'quiet')]
  const start = windowStart(phases.length, rows, view.currentPhase)
  const shown = phases.slice(start, start + rows)
  return shown.map((phase) => fitLine(phaseLine(phase, width, theme), width, theme))
}

/** `2/3`, the number of the current phase. */
export function phaseCount(view: WorkflowView): string {
  if (view.phases.length === 0) return ''
  return `${Math.min(view.currentPhase + 1, view.phases.length)}/${view.phases.length}`
}

function stepSpans(steps: readonly StepView[], theme: Theme): Span[] {
  return steps.flatMap((step, index): Span[] => {
    const look = stepLook(step.status, theme)
    const current = step.status === 'current'
    return [
      ...(index === 0 ? [] : [{ text: ` ${theme.arrow} `, tone: 'quiet' as const }]),
      { text: current ? `[${step.name}]` : step.name, tone: look.tone, strong: current },
    ]
  })
}

/** The states of the current phase on one line; as width falls, the ones around the current state. */
export function stepsLine(steps: readonly StepView[], width: number, theme: Theme): Line {
  let from = 0
  let to = steps.length
  const current = Math.max(
    0,
    steps.findIndex((step) => step.status === 'current'),
  )
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
  const current = steps.findIndex((step) => step.status === 'current')
  const start = windowStart(steps.length, rows, Math.max(0, current))
  return steps.slice(start, start + rows).map((step) => {
    const look = stepLook(step.status, theme)
    const text = padText(step.name, 'PHASE_COMPLETE'.length)
    return fitLine(
      [{ text: `  ${look.mark} ${text} ${look.word}`, tone: look.tone, strong: step.status === 'current' }],
      width,
      theme,
    )
  })
}

/** Phase and state on one line, for when there is no room for more. */
export function phaseSummary(view: WorkflowView, width: number, theme: Theme): Line {
  const phase = view.phases[Math.min(view.currentPhase, view.phases.length - 1)]
  const name = phase ? `Phase ${phaseCount(view)}: ${sanitizeLine(phase.name)}` : 'No phases'
  return fitLine([{ text: `[${view.state}] `, tone: 'info', strong: true }, { text: name }], width, theme)
}
