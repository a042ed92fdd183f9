import { isWorking, type Pane } from '../../view/panes.js'

/** What the person did to the panes; everything else follows from the run. */
export interface PaneChoices {
  /** The pane that keys act on; without one, the newest, and where several agents work, all of them. */
  focus: string | undefined
  /** The pane that is being read: it stays the shown one when the next agent begins, and nothing else is for it alone. */
  reading?: string | undefined
  /** Opened or closed by hand. */
  opened: ReadonlyMap<string, boolean>
  /** Number of the top line of panes that do not follow. */
  tops: ReadonlyMap<string, number>
  /** What was searched last: its hits are lit. */
  wanted?: string | undefined
  /** What tools changed and printed is shown too. */
  unfolded?: boolean
  /** Long lines are cut instead of going on in the next row. */
  unwrapped?: boolean
}

/** The panes of one phase, in the order in which their agents began. */
export interface PaneGroup {
  /** Id of the phase; undefined for agents of none. */
  phase: string | undefined
  panes: Pane[]
}

/** Panes by phase; the phase that had an agent first comes first. This is the order on the screen. */
export function groupPanes(panes: readonly Pane[]): PaneGroup[] {
  const groups = new Map<string | undefined, PaneGroup>()
  for (const pane of panes) {
    const group = groups.get(pane.phase)
    if (group) group.panes.push(pane)
    else groups.set(pane.phase, { phase: pane.phase, panes: [pane] })
  }
  return [...groups.values()]
}

export const untouched: PaneChoices = { focus: undefined, opened: new Map(), tops: new Map() }

export function workingPanes(panes: readonly Pane[]): Pane[] {
  return panes.filter(isWorking)
}

/** The pane that is scrolled, searched and shown on the full screen. */
export function focusedPane(panes: readonly Pane[], choices: PaneChoices): Pane | undefined {
  return (
    panes.find((pane) => pane.id === choices.focus) ??
    panes.find((pane) => pane.id === choices.reading) ??
    (workingPanes(panes).length > 1 ? panes.findLast(isWorking) : panes.at(-1))
  )
}

/** Open are: what was opened by hand, and unless closed by hand the newest pane, or all where several agents work. */
export function isOpen(panes: readonly Pane[], pane: Pane, choices: PaneChoices): boolean {
  const byHand = choices.opened.get(pane.id)
  if (byHand !== undefined) return byHand
  return workingPanes(panes).length > 1 ? isWorking(pane) : pane === panes.at(-1)
}

/** The pane after or before the one that keys act on. Behind the last of several working ones come all of them. */
export function nextFocus(panes: readonly Pane[], choices: PaneChoices, by: 1 | -1): string | undefined {
  const several = workingPanes(panes).length > 1
  const newest = panes.at(-1)
  const shown = groupPanes(panes).flatMap((group) => group.panes)
  // On the newest pane there is no focus by name, so that the next agent takes it over.
  const stops = several
    ? [...shown.map((pane) => pane.id), undefined]
    : shown.map((pane) => (pane === newest ? undefined : pane.id))
  const known = [choices.focus, choices.reading].find((id) => panes.some((pane) => pane.id === id))
  const at = stops.indexOf(!several && known === newest?.id ? undefined : known)
  return stops[(at + by + stops.length) % stops.length]
}

/** Whom messages, interrupts and suspending are for. */
export type Target =
  | { kind: 'nobody' }
  /** The only agent that works, or the chosen one of several. */
  | { kind: 'one'; pane: Pane; chosen: boolean }
  | { kind: 'all'; count: number }
  /** The chosen pane is of an agent that has ended, while several others work. */
  | { kind: 'ended'; pane: Pane }

export function targetOf(panes: readonly Pane[], choices: PaneChoices): Target {
  const working = workingPanes(panes)
  const [only] = working
  if (!only) return { kind: 'nobody' }
  if (working.length === 1) return { kind: 'one', pane: only, chosen: false }
  const pane = panes.find((one) => one.id === choices.focus)
  if (!pane) return { kind: 'all', count: working.length }
  return isWorking(pane) ? { kind: 'one', pane, chosen: true } : { kind: 'ended', pane }
}
