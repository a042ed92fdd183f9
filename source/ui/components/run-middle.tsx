import { viewOf } from '../views/table.js'
import type { ViewProps } from '../views/view.js'
import { EvidenceText } from './evidence-text.js'

/** What is between the head of the run screen and its hints: the view that is shown. */
export function RunMiddle(props: ViewProps) {
  const { state, layout, controls } = props
  if (state.view !== 'reading') return viewOf(state.view).render(props)
  if (!state.evidence) return null
  return <EvidenceText evidence={state.evidence} height={layout.bodyHeight} read={controls.readEvidence} />
}
