import { Box } from 'ink'
import { Progress } from '../components/progress.js'
import { QuestionPanel } from '../components/question-panel.js'
import { Rows } from '../components/rows.js'
import { useTheme } from '../hooks/desk.js'
import { bannerLine } from '../layout/header.js'
import { agentArea } from '../layout/main-area.js'
import type { View, ViewProps } from './view.js'

function Asking({ state, layout, controls }: ViewProps) {
  const { question } = state.snapshot
  if (!question) return null
  return (
    <QuestionPanel
      // A field that was open over it had the keys: the gate begins to wait anew.
      key={`${question.id} ${state.field?.kind ?? ''}`}
      question={{ ...question, note: state.note, others: state.snapshot.waiting?.length ?? 0 }}
      mode={state.panelMode}
      width={layout.width}
      height={layout.plan.panel}
      focused={!state.readsPanes}
      place={state.questionPlace(question.id)}
      now={state.now}
      onMode={state.setPanelMode}
      onNote={state.setNote}
      onAnswer={(answer) => controls.answer(question.id, answer)}
      onOpen={state.read}
    />
  )
}

/** Progress, agents and the open question. */
function Overview(props: ViewProps) {
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

/** Where the run is, what works, and what it asks. */
export const overviewView: View = {
  id: 'overview',
  title: 'Overview',
  render: (props) => <Overview {...props} />,
  hints: [],
}
