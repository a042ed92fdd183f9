import { Box } from 'ink'
import { useMemo, useState, useSyncExternalStore } from 'react'
import type { RunControls, RunSnapshot } from '../../run/view.js'
import { runHelp, ScrolledText } from '../components/help.js'
import { type Hint, Hints } from '../components/hints.js'
import { Progress } from '../components/progress.js'
import { type PanelMode, panelHeight, QuestionPanel } from '../components/question-panel.js'
import { Rows } from '../components/rows.js'
import { TextField } from '../components/text-field.js'
import type { FrameStore } from '../frame-store.js'
import { useSize, useTheme } from '../hooks/desk.js'
import { rank, useKeys } from '../hooks/keys.js'
import { type PaneControls, usePanes } from '../hooks/panes.js'
import { useScroll } from '../hooks/scroll.js'
import { type Action, actionOf, hintsOf } from '../keymap.js'
import { bannerLine, headerLines } from '../layout/header.js'
import { line } from '../layout/line.js'
import { agentArea, pageOf } from '../layout/main-area.js'
import { focusedPane } from '../layout/pane-choices.js'
import { paneRows, paneTitle } from '../layout/panes.js'
import { isTooSmall, planRun } from '../layout/run-plan.js'
import { timelineLines } from '../layout/timeline.js'
import type { Line } from '../theme.js'
import { TooSmall } from './too-small.js'

export interface RunScreenProps {
  frames: FrameStore
  controls: RunControls
  onStop(): void
}

type View = 'run' | 'timeline' | 'help' | 'full'

const searchRows = 3

function hintsFor(snapshot: RunSnapshot, view: View, mode: PanelMode): Hint[] {
  if (view !== 'run') {
    const back = { key: 'Esc', word: snapshot.question ? 'back to the question' : 'back' }
    return view === 'full'
      ? [back, { key: 'PgUp', word: 'scroll' }, { key: 'G', word: 'follow' }, { key: '/', word: 'search' }]
      : [back, { key: 'PgDn', word: 'more' }]
  }
  if (snapshot.question && mode === 'text') return hintsOf('field')
  if (snapshot.question && mode === 'list') return hintsOf(snapshot.question.editor?.kind ?? 'reading')
  const held = snapshot.status === 'held' || snapshot.status === 'holding'
  const hints = hintsOf('run').map((hint) =>
    hint.word === 'hold' && held ? { ...hint, word: 'go on' } : hint,
  )
  return snapshot.question
    ? [{ key: 'Up/Down', word: 'move' }, { key: 'Enter', word: 'choose' }, ...hints]
    : hints
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
  const { snapshot, now } = useSyncExternalStore(frames.subscribe, frames.getSnapshot)
  const size = useSize()
  const theme = useTheme()
  const [view, setView] = useState<View>('run')
  const [mode, setMode] = useState<{ id: string; mode: PanelMode }>({ id: '', mode: 'menu' })
  const [readsPanes, setReadsPanes] = useState(false)
  const [showRecap, setShowRecap] = useState(true)
  const [searching, setSearching] = useState(false)
  const [notice, setNotice] = useState('')
  const panes = usePanes(snapshot.panes)

  const { question } = snapshot
  const panelMode = question && mode.id === question.id ? mode.mode : 'menu'
  const width = size.columns - 1
  const room = searching ? { ...size, rows: size.rows - searchRows + 1 } : size
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

  function show(next: View): void {
    setView(view === next ? 'run' : next)
    setNotice('')
  }

  function cycle(by: 1 | -1): void {
    // With a question open, the first Tab goes to the panes and Shift+Tab back to the question.
    const asks = question !== undefined && view === 'run'
    if (asks && (!readsPanes || by === -1)) setReadsPanes(by === 1)
    else panes.cycle(by)
  }

  function act(action: Action): void {
    if (action === 'hold') controls.toggleHold()
    else if (action === 'stop') onStop()
    else if (action === 'reorder') controls.reorder()
    else if (action === 'help' || action === 'timeline') show(action)
    else if (action === 'full-screen' && pane) show('full')
    else if (action === 'next-pane') cycle(1)
    else if (action === 'previous-pane') cycle(-1)
    else if (action === 'toggle-pane' && view === 'run' && !question) panes.toggle()
    else if (action === 'search' && pane && (view === 'full' || !question)) setSearching(true)
    else if (action === 'next-hit') nextHit(undefined)
    else if (action === 'back') goBack()
    else if (view === 'timeline') timelineScroll.act(action)
    else if (view === 'help') helpScroll.act(action)
    else scrollPane(panes, action, page)
  }

  function goBack(): void {
    if (view !== 'run') setView('run')
    else setShowRecap(false)
    setNotice('')
  }

  const [wanted, setWanted] = useState('')
  function nextHit(text: string | undefined): void {
    const search = text ?? wanted
    if (search === '') return
    setWanted(search)
    setNotice(panes.search(search) ? `"${search}": N finds an older hit` : `"${search}": nothing older`)
  }

  useKeys((key) => {
    const action = actionOf('run', key.name)
    if (action === undefined) return false
    act(action)
    return true
  }, rank.screen)

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
        { open: true, focused: true, follow: top === undefined },
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
            key={question.id}
            question={question}
            mode={panelMode}
            width={width}
            height={plan.panel}
            focused={!readsPanes}
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
      height={plan.rows + (searching ? searchRows - 1 : 0)}
      width={size.columns}
      flexShrink={0}
      overflow="hidden"
    >
      <Rows lines={head} height={headerRows} />
      {middle()}
      {searching ? (
        <TextField
          label="Search in the pane, newest hit first"
          width={width}
          height={1}
          required={false}
          multiline={false}
          guarded={false}
          onSend={(text) => {
            setSearching(false)
            nextHit(text)
          }}
          onBack={() => setSearching(false)}
        />
      ) : notice !== '' ? (
        <Rows lines={[line(notice, 'info')]} height={1} />
      ) : (
        <Hints hints={hintsFor(snapshot, view, panelMode)} />
      )}
    </Box>
  )
}
