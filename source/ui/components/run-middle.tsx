import { Box } from 'ink'
import type { RunControls } from '../../view/view.js'
import { useTheme } from '../hooks/desk.js'
import type { RunLayout } from '../hooks/run-layout.js'
import type { RunState } from '../hooks/run-state.js'
import { bannerLine } from '../layout/header.js'
import { agentArea, titleLook } from '../layout/main-area.js'
import { focusedPane } from '../layout/pane-choices.js'
import { paneRows, paneTitle } from '../layout/panes.js'
import { EvidenceText } from './evidence-text.js'
import { ScrolledText } from './help.js'
import { Progress } from './progress.js'
import { QuestionPanel } from './question-panel.js'
import { Rows } from './rows.js'

export interface RunMiddleProps {
  state: RunState
  layout: RunLayout
  controls: RunControls
}

/** The focused pane on the whole screen. */
function FullPane({ state, layout }: RunMiddleProps) {
  const theme = useTheme()
  const { snapshot, now } = state
  const { choices } = state.panes
  const pane = focusedPane(snapshot.panes, choices)
  if (!pane) return null
  const look = { ...titleLook(snapshot, pane, choices), focused: true, open: true, now }
  const title = paneTitle(pane, look, layout.width, theme)
  const area = { width: layout.width, height: layout.bodyHeight - 1, theme }
  const rows = paneRows(pane, choices.tops.get(pane.id), area)
  return <Rows lines={[title, ...rows]} height={layout.bodyHeight} />
}

function Asking({ state, layout, controls }: RunMiddleProps) {
  const { question } = state.snapshot
  if (!question) return null
  return (
    <QuestionPanel
      // A field that was open over it had the keys: the gate begins to wait anew.
      key={`${question.id} ${state.field?.kind ?? ''}`}
      question={question}
      mode={state.panelMode}
      width={layout.width}
      height={layout.plan.panel}
      focused={!state.readsPanes}
      now={state.now}
      onMode={state.setPanelMode}
      onAnswer={(answer) => controls.answer(question.id, answer)}
      onOpen={state.read}
    />
  )
}

/** Progress, agents and the open question. */
function Overview(props: RunMiddleProps) {
  const { state, layout } = props
  const { snapshot, now } = state
  const { plan, width } = layout
  const theme = useTheme()
  const area = { width: plan.width - plan.sideWidth, height: plan.main, now, theme }
  return (
    <>
      {snapshot.banner === undefined ? null : (
        <Rows lines={[bannerLine(snapshot.banner, width, theme)]} height={1} />
      )}
      <Box
        flexDirection={plan.sideWidth > 0 ? 'row' : 'column'}
        height={plan.middle}
        flexShrink={0}
        overflow="hidden"
      >
        <Progress snapshot={snapshot} plan={plan} />
        <Rows lines={agentArea(snapshot, state.panes.choices, state.showRecap, area)} height={plan.main} />
      </Box>
      <Asking {...props} />
    </>
  )
}

/** What is between the head of the run screen and its hints. */
export function RunMiddle(props: RunMiddleProps) {
  const { state, layout, controls } = props
  const { bodyHeight, timeline, help } = layout
  if (state.view === 'help')
    return <ScrolledText title="Keys" lines={help.lines} top={help.scroll.top} height={bodyHeight} />
  if (state.view === 'timeline')
    return (
      <ScrolledText title="Timeline" lines={timeline.lines} top={timeline.scroll.top} height={bodyHeight} />
    )
  if (state.view === 'evidence' && state.evidence)
    return <EvidenceText evidence={state.evidence} height={bodyHeight} read={controls.readEvidence} />
  if (state.view === 'full' && state.snapshot.panes.length > 0) return <FullPane {...props} />
  return <Overview {...props} />
}
