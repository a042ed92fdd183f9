import type { Pane } from '../../view/panes.js'
import { windowStart } from './line.js'
import { focusedPane, groupPanes, isOpen, type PaneChoices, workingPanes } from './pane-choices.js'

// How the rows of the agents are divided between their titles, the headings of their phases and their output.

/** Titles of ended agents in a small area, and rows of output that more of them leave in a large one. */
const fewTitles = 6
const leastOutput = 24
/** Rows that the output of an open pane keeps beside headings. */
const headedOutput = 3

/** A pane with the rows that its output gets; none if it is closed. */
export interface PlacedPane {
  pane: Pane
  open: boolean
  rows: number
}

export interface PlacedGroup {
  phase: string | undefined
  /** There is room to say in a row of its own whose agents they are. */
  headed: boolean
  panes: PlacedPane[]
}

/** Rows that the output of a pane can fill, up to `most`. */
export type NeedOf = (pane: Pane, most: number) => number

/** The panes whose titles are shown, in order: those that work before all others, the rest around the focused one. */
function shownPanes(panes: readonly Pane[], focused: Pane, count: number): Pane[] {
  const working = workingPanes(panes)
  const start = windowStart(panes.length, count, panes.indexOf(focused))
  const around = panes.slice(start, start + count)
  // One that works is seen, whichever other one somebody looks at.
  if (working.length < 2 && working.every((pane) => around.includes(pane))) return around
  const byWorth = [...new Set([focused, ...working, ...around.toReversed()])]
  const wanted = byWorth.slice(0, Math.max(1, count))
  return panes.filter((pane) => wanted.includes(pane))
}

/** `room` rows for those who need `needs`: nobody gets more than that as long as somebody else has less. */
function shares(needs: readonly number[], room: number): number[] {
  const given = needs.map(() => 0)
  let left = room
  while (left > 0) {
    const hungry = needs.flatMap((need, index) => (need > (given[index] ?? 0) ? [index] : []))
    if (hungry.length === 0) break
    const each = Math.max(1, Math.floor(left / hungry.length))
    for (const index of hungry) {
      const more = Math.min(each, left, (needs[index] ?? 0) - (given[index] ?? 0))
      given[index] = (given[index] ?? 0) + more
      left -= more
    }
  }
  return given
}

/** How many titles are shown: agents that work are worth more than those that have ended, both more than blank rows. */
function titleCount(panes: readonly Pane[], height: number, needed: number): number {
  const working = workingPanes(panes).length
  const quiet = Math.max(1, Math.min(fewTitles, Math.floor(height / 3)), height - leastOutput)
  const most = working > 1 ? Math.max(quiet, Math.min(working, Math.floor(height * 0.6))) : quiet
  return Math.min(panes.length, Math.max(most, height - needed))
}

/** Divides `height` rows between the panes: a title for each, the rest for the output of the open ones. */
export function placePanes(
  panes: readonly Pane[],
  choices: PaneChoices,
  height: number,
  needOf: NeedOf,
): PlacedGroup[] {
  const focused = focusedPane(panes, choices)
  if (!focused || height <= 0) return []
  const needs = new Map(
    panes.filter((pane) => isOpen(panes, pane, choices)).map((pane) => [pane, needOf(pane, height)]),
  )
  const around = (some: readonly Pane[]) => {
    const needed = some.reduce((sum, pane) => sum + (needs.get(pane) ?? 0), 0)
    return shownPanes(panes, focused, titleCount(panes, height, needed))
  }
  // Open ones that are not shown need no rows, which others can have.
  const shown = around(around(panes))
  const groups = groupPanes(shown)
  const wished = shown.filter((pane) => needs.has(pane))
  const wanted = wished.reduce((sum, pane) => sum + Math.min(headedOutput, needs.get(pane) ?? 0), 0)
  const headed = groups.length > 1 && height - shown.length - groups.length >= wanted
  const room = height - shown.length - (headed ? groups.length : 0)
  // Where not all of them get a row, only the one is open that keys scroll.
  const open = room < wished.length ? wished.filter((pane) => pane === focused) : wished
  const ordered = [...open].sort((one, other) => Number(other === focused) - Number(one === focused))
  const given = shares(
    ordered.map((pane) => Math.max(1, needs.get(pane) ?? 0)),
    room,
  )
  return groups.map((group) => ({
    phase: group.phase,
    headed,
    panes: group.panes.map((pane) => ({
      pane,
      open: open.includes(pane),
      rows: given[ordered.indexOf(pane)] ?? 0,
    })),
  }))
}
