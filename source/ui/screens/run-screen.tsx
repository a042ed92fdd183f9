import { Box } from 'ink'
import type { RunControls } from '../../view/view.js'
import { Rows } from '../components/rows.js'
import { RunFoot } from '../components/run-foot.js'
import { RunMiddle } from '../components/run-middle.js'
import type { FrameStore } from '../frame-store.js'
import { useActing } from '../hooks/acting.js'
import { useTheme } from '../hooks/desk.js'
import { useRunKeys } from '../hooks/run-keys.js'
import { useRunLayout } from '../hooks/run-layout.js'
import { useRunState } from '../hooks/run-state.js'
import { headerLines } from '../layout/header.js'
import { isTooSmall } from '../layout/run-plan.js'
import { TooSmall } from './too-small.js'

export interface RunScreenProps {
  frames: FrameStore
  controls: RunControls
  onStop(): void
}

/** The run: head, phases, tasks, agents, the open question, and which keys do what. */
export function RunScreen({ frames, controls: given, onStop }: RunScreenProps) {
  const theme = useTheme()
  const state = useRunState(frames, given)
  const controls = useActing(given, state.acted)
  const layout = useRunLayout(state)
  const texts = useRunKeys({ state, layout, controls, onStop })
  const { size, width, plan } = layout
  if (isTooSmall(size)) return <TooSmall waits={state.snapshot.question !== undefined} />
  const headerRows = state.view === 'overview' ? plan.header : 1
  return (
    <Box
      flexDirection="column"
      height={plan.rows + layout.fieldRows}
      width={size.columns}
      flexShrink={0}
      overflow="hidden"
    >
      <Rows lines={headerLines(state, width, headerRows, theme)} height={headerRows} />
      <RunMiddle state={state} layout={layout} controls={controls} />
      <RunFoot state={state} layout={layout} texts={texts} />
    </Box>
  )
}
