import { Box } from 'ink'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { RunControls, Said } from '../../view/view.js'
import { runHelp, ScrolledText } from '../components/help.js'
import { Hints } from '../components/hints.js'
import { Progress } from '../components/progress.js'
import { panelHeight, QuestionPanel } from '../components/question-panel.js'
import { Rows } from '../components/rows.js'
import { TextField } from '../components/text-field.js'
import type { FrameStore } from '../frame-store.js'
import { useSize, useTheme } from '../hooks/desk.js'
import { rank, useKeys } from '../hooks/keys.js'
import { type PaneControls, usePanes } from '../hooks/panes.js'
import { useScroll } from '../hooks/scroll.js'
import { type Action, actionOf, counts } from '../keymap.js'
import { bannerLine, headerLines } from '../layout/header.js'
import { fitLine, line } from '../layout/line.js'
import { agentArea, pageOf } from '../layout/main-area.js'
import { focusedPane } from '../layout/pane-choices.js'
import { paneRows, paneTitle } from '../layout/panes.js'
import { type PanelMode, type RunView, runHints, stoppingLine } from '../layout/run-hints.js'
import { isTooSmall, planRun } from '../layout/run-plan.js'
import { timelineLines } from '../layout/timeline.js'
import type { Line } from '../theme.js'
import { TooSmall } from './too-small.js'

export interface RunScreenProps {
  frames: FrameStore
  controls: RunControls
  onStop(): void
}

/** A text field at the bottom of the screen. */
type Field = 'search' | 'say'

/** Rows of a field beside its text: label and message. */
const fieldFrame = 2

/** What became of a message, in words. */
function saidText(said: Said, works: boolean): string {
  switch (said) {
    case 'sent':
      return 'Sent to the agent.'
    case 'queued':
      return 'Sent: the agent reads it after what it is doing now.'
    case 'kept':
      return works
        ? 'Kept for its next turn: this agent reads nothing while it works.'
        : 'Kept: the next agent gets the message.'
  }
}

function scrollPane(panes: PaneControls, action: Action, page: number): boolean {
  if (action === 'page-up') panes.scroll(-page, page)
  else if (action === 'page-down') panes.scroll(page, page)
  else if (action === 'line-up') panes.scroll(-1, page)
  else if (action === 'line-down') panes.scroll(1, page)
  else if (action === 'top') panes.toTop()
  else if (action === 'bottom') panes.toBottom()
  else return false
  return true
}

/** The run: head, phases, tasks, agents, the open question, and which keys do what. */
export function RunScreen({ frames, controls, onStop }: RunScreenProps) {
  const { snapshot: newest, now } = useSyncExternalStore(frames.subscribe, frames.getSnapshot)
  const stopping = newest.status === 'stopping'
  // A run that is stopping takes no answers: what is open now is asked again on resume.
  const snapshot = useMemo(() => (stopping ? { ...newest, question: undefined } : newest), [stopping, newest])
  const size = useSize()
  const theme = useTheme()
  const [view, setView] = useState<RunView>('run')
  const [mode, setMode] = useState<{ id: string; mode: PanelMode }>({ id: '', mode: 'menu' })
  const [readsPanes, setReadsPanes] = useState(false)
  const [showRecap, setShowRecap] = useState(true)
  const [openField, setField] = useState<Field | undefined>(undefined)
  const [notice, tell] = useState('')
  const panes = usePanes(snapshot.panes)

  const { question } = snapshot
  const field = stopping ? undefined : openField
  const works = snapshot.panes.some((one) => one.status === 'running')
  const panelMode = question && mode.id === question.id ? mode.mode : 'menu'
  const width = size.columns - 1
  const fieldText = field !== 'say' || size.rows < 20 ? 1 : size.rows < 30 ? 2 : 4
  const fieldRows = field === undefined ? 0 : fieldFrame + fieldText - 1
  const room = { ...size, rows: size.rows - fieldRows }
  const plan = planRun(
    snapshot,
    room,
    question && view === 'run' ? panelHeight(question, panelMode, width) : 0,
  )
  const bodyHeight = plan.rows - 2
  const timeline = useMemo(
    () => (view === 'timeline' ? timelineLines(snapshot, width, theme) : []),
    [view, snapshot, width, theme],
  )
  const timelineScroll = useScroll(timeline.length, bodyHeight - 1, true)
  const helpScroll = useScroll(runHelp.length, bodyHeight - 1)
  const pane = focusedPane(snapshot.panes, panes.choices)
  const page = view === 'full' ? bodyHeight - 1 : pageOf(snapshot.panes, plan.main)

  function show(next: RunView): void {
    setView(view === next ? 'run' : next)
    tell('')
  }

  function cycle(by: 1 | -1): void {
    // With a question open, the first Tab goes to the panes and Shift+Tab back to the question.
    const asks = question !== undefined && view === 'run'
    if (asks && (!readsPanes || by === -1)) setReadsPanes(by === 1)
    else panes.cycle(by)
  }

  function suspendOrGoOn(): void {
    // Without an agent to suspend it is held already, and the key goes on as `p` does.
    if (newest.status === 'holding' && !works) controls.toggleHold()
    else controls.suspend()
  }

  function act(action: Action): void {
    if (action === 'hold') controls.toggleHold()
    else if (action === 'suspend') suspendOrGoOn()
    else if (action === 'say') setField('say')
    else if (action === 'interrupt')
      tell(
        controls.interrupt()
          ? 'Interrupting the agent: you are asked how to go on.'
          : 'No agent to interrupt.',
      )
    else if (action === 'stop') onStop()
    else if (action === 'reorder') controls.interlude('reorder')
    else if (action === 'help' || action === 'timeline') show(action)
    else if (action === 'full-screen' && pane) show('full')
    else if (action === 'next-pane') cycle(1)
    else if (action === 'previous-pane') cycle(-1)
    else if (action === 'toggle-pane' && view === 'run' && !question) panes.toggle()
    else if (action === 'search' && pane && (view === 'full' || !question)) setField('search')
    else if (action === 'next-hit') nextHit(undefined)
    else if (action === 'back') goBack()
    else if (view === 'timeline') timelineScroll.act(action)
    else if (view === 'help') helpScroll.act(action)
    else scrollPane(panes, action, page)
  }

  function goBack(): void {
    if (view !== 'run') setView('run')
    else if (notice === '') setShowRecap(false)
    tell('')
  }

  const [wanted, setWanted] = useState('')
  function nextHit(text: string | undefined): void {
    const search = text ?? wanted
    if (search === '') return
    setWanted(search)
    tell(panes.search(search) ? `"${search}": N finds an older hit` : `"${search}": nothing older`)
  }

  useKeys((key) => {
    const steers = !question && !stopping && (view === 'run' || view === 'full')
    const action = actionOf('run', key.name) ?? (steers ? actionOf('agent', key.name) : undefined)
    if (action === undefined) return false
    if (counts(action, key.alone)) act(action)
    return true
  }, rank.screen)

  // What was told before a question came up or was answered is old news.
  const asked = question?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the question changes
  useEffect(() => tell(''), [asked])

  if (isTooSmall(size)) return <TooSmall waits={question !== undefined} />

  function middle() {
    if (view === 'help')
      return <ScrolledText title="Keys" lines={runHelp} top={helpScroll.top} height={bodyHeight} />
    if (view === 'timeline') {
      return <ScrolledText title="Timeline" lines={timeline} top={timelineScroll.top} height={bodyHeight} />
    }
    if (view === 'full' && pane) {
      const top = panes.choices.tops.get(pane.id)
      const title = paneTitle(
        pane,
        { open: true, focused: true, follow: top === undefined, suspended: snapshot.status === 'suspended' },
        now,
        width,
        theme,
      )
      return (
        <Rows lines={[title, ...paneRows(pane, top, width, bodyHeight - 1, theme)]} height={bodyHeight} />
      )
    }
    const side = plan.sideWidth > 0
    const area = { width: plan.width - plan.sideWidth, height: plan.main, now, theme }
    return (
      <>
        {snapshot.banner === undefined ? null : (
          <Rows lines={[bannerLine(snapshot.banner, width, theme)]} height={1} />
        )}
        <Box flexDirection={side ? 'row' : 'column'} height={plan.middle} flexShrink={0} overflow="hidden">
          <Progress snapshot={snapshot} plan={plan} />
          <Rows lines={agentArea(snapshot, panes.choices, showRecap, area)} height={plan.main} />
        </Box>
        {question ? (
          <QuestionPanel
            // A field that was open over it had the keys: the gate begins to wait anew.
            key={`${question.id} ${field ?? ''}`}
            question={question}
            mode={panelMode}
            width={width}
            height={plan.panel}
            focused={!readsPanes}
            now={now}
            onMode={(next) => setMode({ id: question.id, mode: next })}
            onAnswer={(answer) => controls.answer(question.id, answer)}
          />
        ) : null}
      </>
    )
  }

  const headerRows = view === 'run' ? plan.header : 1
  const head: Line[] = headerLines(snapshot, now, width, headerRows, theme)
  return (
    <Box
      flexDirection="column"
      height={plan.rows + fieldRows}
      width={size.columns}
      flexShrink={0}
      overflow="hidden"
    >
      <Rows lines={head} height={headerRows} />
      {middle()}
      {field === 'say' ? (
        <TextField
          key="say"
          label="Message to the agent: Enter sends, Ctrl+J begins a line, Esc goes back"
          width={width}
          height={fieldText}
          required
          multiline
          guarded={false}
          onSend={(text) => {
            setField(undefined)
            tell(saidText(controls.say(text.trim()), works))
          }}
          onBack={() => setField(undefined)}
        />
      ) : field === 'search' ? (
        <TextField
          key="search"
          label="Search in the pane, newest hit first"
          width={width}
          height={1}
          required={false}
          multiline={false}
          guarded={false}
          onSend={(text) => {
            setField(undefined)
            nextHit(text)
          }}
          onBack={() => setField(undefined)}
        />
      ) : stopping ? (
        <Rows lines={[stoppingLine(snapshot, now, width, theme)]} height={1} />
      ) : notice !== '' ? (
        <Rows lines={[fitLine(line(notice, 'info'), width, theme)]} height={1} />
      ) : (
        <Hints hints={runHints(snapshot, view, panelMode, view === 'help' ? helpScroll : timelineScroll)} />
      )}
    </Box>
  )
}
