import { createLineRing, type Pane, type PaneBlock, type PaneLine } from '../view/panes.js'
import type { RunSnapshot, RunStore, TimelineEntry } from '../view/view.js'

/** Entries kept for the screen; all of them are in the journal. */
const timelineCapacity = 500
const panesCapacity = 40

/** The run view as an external store: the run writes, the screen reads. */
export interface LiveStore extends RunStore {
  patch(change: Partial<RunSnapshot>): void
  openPane(pane: Omit<Pane, 'lines' | 'status'>): Pane
  /** `at`: bytes that the log of its agent had then. */
  writePane(pane: Pane, lines: PaneLine | PaneBlock, at?: number): void
  setPane(id: string, change: Partial<Pick<Pane, 'status' | 'endedAt' | 'usage'>>): void
  closePane(id: string, status: Pane['status'], endedAt: number): void
  tell(entry: TimelineEntry): void
}

/** @param logOf repo-relative path of the log of a dispatch */
export function createLiveStore(initial: RunSnapshot, logOf?: (dispatchId: string) => string): LiveStore {
  let snapshot = initial
  const listeners = new Set<() => void>()
  const patch = (change: Partial<RunSnapshot>) => {
    snapshot = { ...snapshot, ...change }
    for (const listener of listeners) listener()
  }
  const setPane: LiveStore['setPane'] = (id, change) =>
    patch({ panes: snapshot.panes.map((pane) => (pane.id === id ? { ...pane, ...change } : pane)) })
  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    patch,
    openPane(draft) {
      const log = logOf === undefined ? {} : { logPath: logOf(draft.id) }
      const pane: Pane = { ...log, ...draft, status: 'running', lines: createLineRing() }
      const { phase = '' } = draft
      const before = snapshot.dispatched
      const dispatched = before && new Map(before).set(phase, (before.get(phase) ?? 0) + 1)
      patch({
        panes: [...snapshot.panes, pane].slice(-panesCapacity),
        ...(dispatched ? { dispatched } : {}),
      })
      return pane
    },
    writePane(pane, lines, at) {
      pane.lines.push(lines, at)
      patch({ paneRevision: snapshot.paneRevision + 1 })
    },
    setPane,
    closePane: (id, status, endedAt) => setPane(id, { status, endedAt }),
    tell(entry) {
      patch({ timeline: [...snapshot.timeline, entry].slice(-timelineCapacity) })
    },
  }
}
