import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { Evidence } from '../../view/question.js'
import type { RunSnapshot } from '../../view/view.js'
import type { FrameStore } from '../frame-store.js'
import type { Target } from '../layout/pane-choices.js'
import type { PanelMode, RunView } from '../layout/run-hints.js'
import { type PaneControls, usePanes } from './panes.js'

/** A text field at the bottom of the screen. Whom a message is for is settled when the field opens. */
export type Field = { kind: 'search' } | { kind: 'say'; target: Target }

/** What the person has done to the run screen, beside what the run itself says. */
export interface RunState {
  snapshot: RunSnapshot
  /** Epoch milliseconds. */
  now: number
  stopping: boolean
  view: RunView
  /** Shows a view in place of the run; the same again goes back. */
  show(view: RunView): void
  /** What is read while `view` is `evidence`. */
  evidence: Evidence | undefined
  read(evidence: Evidence): void
  panelMode: PanelMode
  setPanelMode(mode: PanelMode): void
  /** Tab went from the open question to the panes. */
  readsPanes: boolean
  setReadsPanes(on: boolean): void
  showRecap: boolean
  hideRecap(): void
  field: Field | undefined
  setField(field: Field | undefined): void
  notice: string
  tell(notice: string): void
  panes: PaneControls
}

/** The state of the run screen. A run that is stopping takes no answers: what is open now is asked again on resume. */
export function useRunState(frames: FrameStore): RunState {
  const { snapshot: newest, now } = useSyncExternalStore(frames.subscribe, frames.getSnapshot)
  const stopping = newest.status === 'stopping'
  const snapshot = useMemo(() => (stopping ? { ...newest, question: undefined } : newest), [stopping, newest])
  const [view, setView] = useState<RunView>('run')
  const [evidence, setEvidence] = useState<{ of: string; evidence: Evidence } | undefined>(undefined)
  const [mode, setMode] = useState<{ id: string; mode: PanelMode }>({ id: '', mode: 'menu' })
  const [readsPanes, setReadsPanes] = useState(false)
  const [showRecap, setShowRecap] = useState(true)
  const [field, setField] = useState<Field | undefined>(undefined)
  const [notice, tell] = useState('')
  const panes = usePanes(snapshot.panes)
  const asked = snapshot.question?.id

  // What was told before a question came up or was answered is old news.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the question changes
  useEffect(() => tell(''), [asked])

  // What was being read belongs to a question that is gone.
  const gone = view === 'evidence' && evidence?.of !== asked
  return {
    snapshot,
    now,
    stopping,
    view: gone ? 'run' : view,
    show(next) {
      setView(view === next ? 'run' : next)
      tell('')
    },
    evidence: gone ? undefined : evidence?.evidence,
    read(wanted) {
      if (asked === undefined) return
      setEvidence({ of: asked, evidence: wanted })
      setView('evidence')
      tell('')
    },
    panelMode: asked !== undefined && mode.id === asked ? mode.mode : 'menu',
    setPanelMode: (next) => setMode({ id: asked ?? '', mode: next }),
    readsPanes,
    setReadsPanes,
    showRecap,
    hideRecap: () => setShowRecap(false),
    field: stopping ? undefined : field,
    setField,
    notice,
    tell,
    panes,
  }
}
