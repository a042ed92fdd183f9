import { counted } from '../counted.js'
import { headingsOf } from './headings.js'
import type { MarkdownDocument } from './markdown-blocks.js'
import { isMarkup, type ScannedLine } from './markdown-lines.js'
import type { TaskBlock } from './plan-tasks.js'
import { idsAfter } from './task-ids.js'

// Checkpoint markers of a plan and how they are counted (docs/harness.md, "Plan grammar").

/** What a checkpoint asks of the person; `commit` only commits and does not pause. */
export type CheckpointType = 'human-verify' | 'decision' | 'human-action' | 'commit'

export interface CheckpointReading {
  /** Distinct tasks with a checkpoint; distinct marker lines when no task has one. */
  count: number
  /** Every marker outside of fences, overview lists and repetitions too. */
  raw: number
  /** Checkpoint of each task, by its place in the list of tasks. */
  byTask: Map<number, CheckpointType>
  warnings: string[]
  /** Those of the warnings for which a person has to look at the plan. */
  asks: string[]
}

interface Marker {
  index: number
  type: CheckpointType
}

/** The end is looked for in what follows, which is never long. */
const marker = /\[checkpoint(?=[\s:\]\\])/gi
const longestMarker = 300

/** `verify`, `review`, a bare marker and anything unknown pause for a look: human-verify. */
export function checkpointType(word: string | undefined): CheckpointType {
  const known = word?.toLowerCase()
  if (known === 'decision' || known === 'human-action' || known === 'commit') return known
  return 'human-verify'
}

function markersOf(lines: ScannedLine[]): Marker[] {
  return lines.flatMap((line, index) => {
    if (!isMarkup(line)) return []
    return [...line.text.matchAll(marker)].flatMap((match) => {
      const text = line.text.slice(match.index, match.index + longestMarker)
      const inner = /^\[checkpoint(?:\s{0,9}:\s{0,9}([a-z-]{1,40})([^\]]{0,300}))?\\?\]/i.exec(text)
      return inner === null ? [] : [{ index, type: checkpointType(inner[1]) }]
    })
  })
}

/** For each line the task in whose heading or body it stands, or -1. */
function tasksAround(blocks: TaskBlock[], lines: number): Int32Array {
  const around = new Int32Array(lines).fill(-1)
  for (const [task, block] of blocks.entries()) around.fill(task, block.start, block.end)
  return around
}

/** For each line that is a heading between tasks: the task before it, when nothing above the task's level came since. */
function tasksBefore(document: MarkdownDocument, blocks: TaskBlock[]): Map<number, number> {
  const before = new Map<number, number>()
  let task = -1
  let open = false
  for (const heading of headingsOf(document)) {
    const index = heading.line - 1
    while ((blocks[task + 1]?.end ?? Number.POSITIVE_INFINITY) <= index) {
      task += 1
      open = true
    }
    const block = blocks[task]
    if (block === undefined) continue
    if (heading.level < block.level) {
      if (index >= block.end) open = false
    } else if (open) before.set(index, task)
  }
  return before
}

/** Counts checkpoints as the plan gate needs them, and says where the raw number of markers differs. */
export function readCheckpoints(document: MarkdownDocument, blocks: TaskBlock[]): CheckpointReading {
  const { lines } = document
  const markers = markersOf(lines)
  const byTask = new Map<number, CheckpointType>()
  const asks: string[] = []
  const mark = (task: number, type: CheckpointType) => {
    const known = byTask.get(task)
    if (known === undefined || known === 'commit') byTask.set(task, type)
  }
  const around = tasksAround(blocks, lines.length)
  const before = tasksBefore(document, blocks)
  const byId = new Map(blocks.map((block, task) => [block.id.toLowerCase(), task] as const).reverse())
  for (const { index, type } of markers) {
    const task = around[index] ?? -1
    if (task !== -1) mark(task, type)
  }
  // A line may hold many markers; what it names is looked for once.
  const lastNamed = { index: -1, ids: [] as string[] }
  const namedOn = (index: number) => {
    if (lastNamed.index !== index)
      Object.assign(lastNamed, { index, ids: idsAfter(lines[index]?.text ?? '') })
    return lastNamed.ids
  }
  for (const { index, type } of markers) {
    if ((around[index] ?? -1) !== -1) continue
    const line = lines[index]
    const named = namedOn(index)
    for (const id of named) {
      const task = byId.get(id.toLowerCase())
      if (task !== undefined) mark(task, type)
      else if (blocks.length > 0)
        asks.push(`Line ${line?.number}: a checkpoint names Task ${id}, which is not there.`)
    }
    const above = named.length > 0 ? undefined : before.get(index)
    if (above !== undefined) mark(above, type)
  }
  const markerLines = new Set(markers.map(({ index }) => lines[index]?.text.trim()))
  const count = byTask.size > 0 ? byTask.size : markerLines.size
  const told = `${counted(markers.length, 'checkpoint marker stands', 'checkpoint markers stand')} for ${counted(count, 'checkpoint')}.`
  const warnings = markers.length === count ? asks : [...asks, told]
  return { count, raw: markers.length, byTask, warnings, asks }
}
