import { Fragment } from 'react'
import { viewOf } from '../views/table.js'
import type { ViewProps } from '../views/view.js'
import { EvidenceText } from './evidence-text.js'

/** What is between the head of the run screen and its hints: the view that is shown. */
export function RunMiddle(props: ViewProps) {
  const { state, layout, controls } = props
  const { view, evidence } = state
  // Views of one kind are drawn by one component; each is another text all the same, and so is each way of looking at it.
  if (view !== 'reading')
    return <Fragment key={`${view} ${state.wayOf(view)}`}>{viewOf(view).render(props)}</Fragment>
  if (!evidence) return null
  const { bodyHeight } = layout
  return <EvidenceText evidence={evidence} height={bodyHeight} read={controls.readEvidence} state={state} />
}
