import type { ScreenSize } from '../../terminal/capabilities.js'
import { pageOf } from '../layout/pane-section.js'
import { isCut, panelHeight } from '../layout/question.js'
import { planRun, type RunPlan } from '../layout/run-plan.js'
import { useSize, useTheme } from './desk.js'
import type { Field, RunState } from './run-state.js'

/** Where everything on the run screen is. */
export interface RunLayout {
  size: ScreenSize
  /** Cells of a row that may be written. */
  width: number
  plan: RunPlan
  /** Rows of the text of an open field, and of the whole field beyond the row of hints. */
  fieldText: number
  fieldRows: number
  /** Rows between head and hints. */
  bodyHeight: number
  /** Lines that a page of the focused pane has. */
  page: number
}

/** Rows of a field beside its text: label and message. */
const fieldFrame = 2

function textRows(field: Field | undefined, { rows }: ScreenSize): number {
  if (field?.kind !== 'say' || rows < 20) return 1
  return rows < 30 ? 2 : 4
}

export function useRunLayout(state: RunState): RunLayout {
  const { snapshot, view, field, panelMode } = state
  const { question, panes } = snapshot
  const size = useSize()
  const width = size.columns - 1
  const fieldText = textRows(field, size)
  const fieldRows = field === undefined ? 0 : fieldFrame + fieldText - 1
  const wish =
    question && view === 'overview'
      ? {
          rows: panelHeight({ ...question, note: state.note }, panelMode, width),
          isCut: (height: number) => isCut({ ...question, note: state.note }, width, height),
        }
      : undefined
  const theme = useTheme()
  const plan = planRun(snapshot, { ...size, rows: size.rows - fieldRows }, wish)
  const bodyHeight = plan.rows - 2
  return {
    size,
    width,
    plan,
    fieldText,
    fieldRows,
    bodyHeight,
    page:
      view === 'agents'
        ? bodyHeight - 1
        : pageOf(panes, state.panes.choices, {
            width: plan.width - plan.sideWidth,
            height: plan.main,
            now: state.now,
            theme,
          }),
  }
}
