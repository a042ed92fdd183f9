import type { Pane } from '../../view/panes.js'

/** What the person did to the panes; everything else follows from the run. */
export interface PaneChoices {
  /** The pane that keys act on; without one, the newest. */
  focus: string | undefined
  /** Opened or closed by hand. */
  opened: ReadonlyMap<string, boolean>
  /** Number of the top line of panes that do not follow. */
  tops: ReadonlyMap<string, number>
}

export const untouched: PaneChoices = { focus: undefined, opened: new Map(), tops: new Map() }

export function focusedPane(panes: readonly Pane[], choices: PaneChoices): Pane | undefined {
  return panes.find((pane) => pane.id === choices.focus) ?? panes.at(-1)
}

/** Open are: what was opened by hand, and the newest pane unless it was closed by hand. */
export function isOpen(panes: readonly Pane[], pane: Pane, choices: PaneChoices): boolean {
  return choices.opened.get(pane.id) ?? pane === panes.at(-1)
}
