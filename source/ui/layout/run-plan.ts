import type { ScreenSize } from '../../terminal/capabilities.js'
import type { RunSnapshot } from '../../view/view.js'
import { divide } from './boxes.js'

/** How the rows of the run screen are divided. Sections with 0 rows are left out. */
export interface RunPlan {
  /** Cells that may be written; the last column stays empty. */
  width: number
  /** Rows of the whole screen: one less than the terminal has. */
  rows: number
  header: 1 | 2
  banner: 0 | 1
  panel: number
  /** Rows between head and question. */
  middle: number
  /** Phases and tasks stand beside the panes instead of above them. */
  sideWidth: number
  phases: number
  steps: number
  tasks: number
  /** Phase and task on one line each, when there is no room for lists. */
  summary: 0 | 1 | 2
  main: number
}

const smallest = { columns: 60, rows: 15 }
const wideColumns = 100
const wideMiddle = 10

export function isTooSmall(size: ScreenSize): boolean {
  return size.columns < smallest.columns || size.rows < smallest.rows
}

/** Headings of phases and tasks. */
const listHeads = 2

function sidePlan(snapshot: RunSnapshot, middle: number): Pick<RunPlan, 'phases' | 'steps' | 'tasks'> {
  const { phases, steps } = snapshot.view
  const room = middle - listHeads
  const rows = divide(room, {
    phases: { least: 1, most: Math.max(1, phases.length), weight: 2 },
    steps: { least: 1, most: steps.length, weight: 2 },
    tasks: { least: 1, most: Math.max(1, snapshot.tasks.length), weight: 2 },
  })
  // Below the tasks nothing stands, so that they have what nobody can fill.
  return { ...rows, tasks: Math.max(0, room - rows.phases - rows.steps) }
}

function stackedPlan(
  snapshot: RunSnapshot,
  middle: number,
): Pick<RunPlan, 'phases' | 'steps' | 'tasks' | 'summary' | 'main'> {
  if (middle >= 14) {
    const rows = divide(middle - listHeads, {
      steps: { least: 1, most: 1, weight: 1 },
      phases: { least: 3, most: Math.max(1, snapshot.view.phases.length), weight: 2 },
      tasks: { least: 3, most: Math.max(1, snapshot.tasks.length), weight: 2 },
      main: { least: 5, most: Number.POSITIVE_INFINITY, weight: 4 },
    })
    return { ...rows, summary: 0 }
  }
  const summary = middle >= 6 ? 2 : middle >= 1 ? 1 : 0
  return { phases: 0, steps: 0, tasks: 0, summary, main: middle - summary }
}

/** Rows that stay for what goes on beside a question that has room. */
function comfort(rows: number): number {
  return rows >= 30 ? 12 : rows >= 19 ? 5 : 1
}

/** Rows of a question out of `free` ones. One whose text would be cut otherwise gets all of them but a few. */
function panelRows(wish: PanelWish, rows: number, free: number): number {
  const comfortable = Math.min(wish.rows, free - comfort(rows))
  if (!wish.isCut(comfortable)) return comfortable
  const least = rows >= 30 ? 5 : rows >= 19 ? 2 : 0
  return Math.min(wish.rows, free - least)
}

/** What the open question would like to have. */
export interface PanelWish {
  rows: number
  /** Whether so many rows leave a part of its text out. */
  isCut(rows: number): boolean
}

/** Cells with which names, states and facts of phases and tasks are mostly whole. */
const comfortableSide = 52
/** Cells that titles and output of agents keep beside them. */
const leastMain = 66
const mostSide = 80

function sideWidthIn(width: number): number {
  const share = Math.floor(width * 0.4)
  return Math.min(mostSide, Math.max(share, Math.min(comfortableSide, width - leastMain)))
}

/** Divides the screen; `wish` is that of the open question. */
export function planRun(snapshot: RunSnapshot, size: ScreenSize, wish: PanelWish | undefined): RunPlan {
  const rows = size.rows - 1
  const width = size.columns - 1
  const header = rows >= 19 ? 2 : 1
  const banner = snapshot.banner === undefined ? 0 : 1
  const free = rows - header - banner - 1
  const panel = wish ? panelRows(wish, rows, free) : 0
  const middle = free - panel
  const wide = size.columns >= wideColumns && middle >= wideMiddle
  const base = { width, rows, header, banner, panel, middle } as const
  if (!wide) return { ...base, sideWidth: 0, ...stackedPlan(snapshot, middle) }
  const sideWidth = sideWidthIn(width)
  return { ...base, sideWidth, ...sidePlan(snapshot, middle), summary: 0, main: middle }
}
