import type { ReactNode } from 'react'
import type { RunControls, RunSnapshot } from '../../view/view.js'
import type { RunLayout } from '../hooks/run-layout.js'
import type { RunState } from '../hooks/run-state.js'
import type { ActionHint } from '../keymap.js'
import type { ViewId } from './view-id.js'

export interface ViewProps {
  state: RunState
  layout: RunLayout
  controls: RunControls
}

/** One thing that the run screen can show between its head and its hints. A file of its own; its key is that of the action of its name. */
export interface View {
  id: ViewId
  title: string
  /** Whether this run has something for it; else it is not there. Without it, always. */
  isFilled?(snapshot: RunSnapshot): boolean
  /** Ways of looking at it; `v` goes to the next. */
  ways?(snapshot: RunSnapshot): readonly string[]
  render(props: ViewProps): ReactNode
  /** Keys that mean something here, beside those of every view. */
  hints: readonly ActionHint[]
}
