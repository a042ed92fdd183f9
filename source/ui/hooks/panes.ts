import { useRef, useState } from 'react'
import type { Pane } from '../../view/panes.js'
import { focusedPane, isOpen, nextFocus, type PaneChoices, untouched } from '../layout/pane-choices.js'
import { findLine, oldestLine, scrolled } from '../layout/panes.js'

function withEntry<Value>(
  map: ReadonlyMap<string, Value>,
  id: string,
  value: Value | undefined,
): Map<string, Value> {
  const next = new Map(map)
  if (value === undefined) next.delete(id)
  else next.set(id, value)
  return next
}

export interface PaneControls {
  choices: PaneChoices
  cycle(by: 1 | -1): void
  /** This pane stays the shown one when the next agent begins. */
  read(id: string): void
  /** Nothing is read any more, unless a pane stays scrolled. */
  unread(): void
  toggle(): void
  scroll(lines: number, height: number): void
  toTop(): void
  toBottom(): void
  /** Shows what tools changed and printed, or hides it again; true if it is shown now. */
  unfold(): boolean
  /** Cuts long lines, or lets them go on in the next row again; true if they are cut now. */
  unwrap(): boolean
  /** Scrolls to an older line with this text, or a newer one; false if there is none. Its hits are lit. */
  search(text: string, by: 1 | -1): boolean
}

/** Focus, opening and scrolling of the agent panes. */
export function usePanes(panes: readonly Pane[]): PaneControls {
  const [choices, setChoices] = useState<PaneChoices>(untouched)
  const newest = useRef(choices)

  function write(change: Partial<PaneChoices>): void {
    newest.current = { ...newest.current, ...change }
    setChoices(newest.current)
  }

  function current(): Pane | undefined {
    return focusedPane(panes, newest.current)
  }

  function setTop(pane: Pane, top: number | undefined): void {
    write({
      // Whoever has scrolled up reads on, whichever agent begins meanwhile.
      reading: top === undefined ? undefined : pane.id,
      tops: withEntry(newest.current.tops, pane.id, top),
      opened: withEntry(newest.current.opened, pane.id, true),
    })
  }

  return {
    choices,
    cycle(by) {
      write({ focus: nextFocus(panes, newest.current, by), reading: undefined })
    },
    read(id) {
      if (newest.current.reading !== id) write({ reading: id })
    },
    unread() {
      const { reading, tops } = newest.current
      if (reading !== undefined && !tops.has(reading)) write({ reading: undefined })
    },
    toggle() {
      const pane = current()
      if (pane)
        write({ opened: withEntry(newest.current.opened, pane.id, !isOpen(panes, pane, newest.current)) })
    },
    scroll(lines, height) {
      const pane = current()
      if (pane) setTop(pane, scrolled(pane, newest.current.tops.get(pane.id), lines, height))
    },
    toTop() {
      const pane = current()
      if (pane) setTop(pane, oldestLine(pane))
    },
    toBottom() {
      const pane = current()
      if (pane) setTop(pane, undefined)
    },
    unfold() {
      const unfolded = newest.current.unfolded !== true
      write({ unfolded })
      return unfolded
    },
    unwrap() {
      const unwrapped = newest.current.unwrapped !== true
      write({ unwrapped })
      return unwrapped
    },
    search(text, by) {
      write({ wanted: text })
      const pane = current()
      if (!pane) return false
      const hit = findLine(pane, text, newest.current.tops.get(pane.id) ?? pane.lines.total, by)
      if (hit !== undefined) setTop(pane, hit)
      return hit !== undefined
    },
  }
}
