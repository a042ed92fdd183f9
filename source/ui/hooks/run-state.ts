import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Evidence } from '../../view/question.js'
import type { RunControls, RunSnapshot } from '../../view/view.js'
import type { FrameStore } from '../frame-store.js'
import type { Target } from '../layout/pane-choices.js'
import { viewOfEvidence, withReadable } from '../layout/readable.js'
import type { PanelMode } from '../layout/run-hints.js'
import type { Shown, ViewId } from '../views/view-id.js'
import { useAway } from './away.js'
import { type LogSearch, useLogSearch } from './log-search.js'
import { useNotice } from './notice.js'
import { type PaneControls, usePanes } from './panes.js'
import type { Place } from './scroll.js'
import { type TextSearch, useTextSearch } from './text-search.js'

/** A text field at the bottom of the screen. Whom a message is for is settled when the field opens. */
export type Field = { kind: 'search' } | { kind: 'say'; target: Target }

/** What the person has done to the run screen, beside what the run itself says. */
export interface RunState {
  snapshot: RunSnapshot
  /** Epoch milliseconds. */
  now: number
  stopping: boolean
  view: Shown
  /** Shows a view in place of the overview; the same again goes back. */
  show(view: ViewId): void
  /** Where each text was left. */
  places: { of(view: Shown): Place }
  /** Where the text of a question was left. */
  questionPlace(id: string): Place
  /** The part of each log (by its path) that is looked at; undefined stands for the end. */
  logParts: Map<string, number | undefined>
  /** How often the next way of looking at a view was asked for. */
  wayOf(view: ViewId): number
  nextWay(view: ViewId): void
  /** What is read while `view` is `reading`. */
  evidence: Evidence | undefined
  read(evidence: Evidence): void
  panelMode: PanelMode
  setPanelMode(mode: PanelMode): void
  /** What is to go with the answer of the open question. */
  note: string | undefined
  setNote(note: string | undefined): void
  /** Tab went from the open question to the panes. */
  readsPanes: boolean
  setReadsPanes(on: boolean): void
  showRecap: boolean
  hideRecap(): void
  /** Who does something to the run has read what happened before, unless that is told because of this very key. */
  acted(): void
  field: Field | undefined
  setField(field: Field | undefined): void
  notice: string
  tell(notice: string): void
  panes: PaneControls
  logSearch: LogSearch
  textSearch: TextSearch
}

/** Tops of texts, kept while other views are shown. */
function usePlaces(): RunState['places'] {
  const tops = useRef(new Map<Shown, number | undefined>())
  return useMemo(
    () => ({
      of: (view) => ({ get: () => tops.current.get(view), set: (top) => void tops.current.set(view, top) }),
    }),
    [],
  )
}

/** Where the text of each question was left, of those that were scrolled. */
function useQuestionPlaces(): RunState['questionPlace'] {
  const tops = useRef(new Map<string, number | undefined>())
  return useCallback(
    (id) => ({ get: () => tops.current.get(id), set: (top) => void tops.current.set(id, top) }),
    [],
  )
}

/** The state of the run screen. A run that is stopping takes no answers: what is open now is asked again on resume. */
export function useRunState(frames: FrameStore, controls: Pick<RunControls, 'searchLog'>): RunState {
  const { snapshot: newest, now } = useSyncExternalStore(frames.subscribe, frames.getSnapshot)
  const stopping = newest.status === 'stopping'
  const [showRecap, setShowRecap] = useState(true)
  const away = useAway(newest.timeline, frames.clock, () => setShowRecap(true))
  const snapshot = useMemo(() => {
    const question = stopping || !newest.question ? undefined : withReadable(newest.question, newest)
    return { ...newest, question, recap: away.told ?? newest.recap }
  }, [stopping, newest, away.told])
  const [view, setView] = useState<Shown>('overview')
  const [ways, setWays] = useState<Partial<Record<ViewId, number>>>({})
  const places = usePlaces()
  const questionPlace = useQuestionPlaces()
  const logParts = useRef(new Map<string, number | undefined>())
  const [evidence, setEvidence] = useState<{ of: string; evidence: Evidence } | undefined>(undefined)
  const [mode, setMode] = useState<{ id: string; mode: PanelMode }>({ id: '', mode: 'menu' })
  const [note, setNote] = useState<{ id: string; text: string | undefined }>()
  // Of this question alone: Tab at the next one begins with what there is to read again.
  const [panesAt, setPanesAt] = useState<string | undefined>(undefined)
  const [field, setField] = useState<Field | undefined>(undefined)
  const panes = usePanes(snapshot.panes)
  const logSearch = useLogSearch(controls.searchLog)
  const textSearch = useTextSearch()
  const asked = snapshot.question?.id

  const [notice, tell] = useNotice(asked)

  // What was being read belongs to a question that is gone.
  const gone = view === 'reading' && evidence?.of !== asked
  return {
    snapshot,
    now,
    stopping,
    view: gone ? 'overview' : view,
    show(next) {
      setView(view === next ? 'overview' : next)
      textSearch.want(next, undefined)
      tell('')
    },
    places,
    questionPlace,
    logParts: logParts.current,
    wayOf: (of) => ways[of] ?? 0,
    nextWay(of) {
      setWays((now) => ({ ...now, [of]: (now[of] ?? 0) + 1 }))
      places.of(of).set(undefined)
    },
    evidence: gone ? undefined : evidence?.evidence,
    read(wanted) {
      if (asked === undefined) return
      const linked = viewOfEvidence(wanted)
      if (linked) return setView(linked)
      setEvidence({ of: asked, evidence: wanted })
      textSearch.want('reading', undefined)
      setView('reading')
      tell('')
    },
    panelMode: asked !== undefined && mode.id === asked ? mode.mode : 'menu',
    setPanelMode: (next) => setMode({ id: asked ?? '', mode: next }),
    note: note !== undefined && note.id === asked ? note.text : undefined,
    setNote: (text) => setNote({ id: asked ?? '', text }),
    readsPanes: asked !== undefined && panesAt === asked,
    setReadsPanes: (on) => setPanesAt(on ? asked : undefined),
    showRecap,
    hideRecap: () => setShowRecap(false),
    acted: () => {
      if (!away.isBack()) setShowRecap(false)
    },
    field: stopping ? undefined : field,
    setField,
    notice,
    tell,
    panes,
    logSearch,
    textSearch,
  }
}
