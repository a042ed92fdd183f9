import { isMarkup, type ScannedLine } from './fences.js'
import { headingOf } from './headings.js'
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
}

interface Marker {
  index: number
  type: CheckpointType
}

const marker = /\[checkpoint(?:\s*:\s*([a-z-]+)([^\]\n]*))?\\?\]/gi

/** `verify`, `review`, a bare marker and anything unknown pause for a look: human-verify. */
export function checkpointType(word: string | undefined): CheckpointType {
  const known = word?.toLowerCase()
  if (known === 'decision' || known === 'human-action' || known === 'commit') return known
  return 'human-verify'
}

function markersOf(lines: ScannedLine[]): Marker[] {
  return lines.flatMap((line, index) => {
    if (!isMarkup(line)) return []
    return [...line.text.matchAll(marker)].map((match) => ({ index, type: checkpointType(match[1]) }))
  })
}

/** The task in whose heading or body a line stands. */
function taskAround(blocks: TaskBlock[], index: number): number {
  return blocks.findIndex((block) => index >= block.start && index < block.end)
}

/** A heading between two tasks that only holds a checkpoint belongs to the task before it. */
function taskBefore(blocks: TaskBlock[], lines: ScannedLine[], index: number): number {
  const line = lines[index]
  const level = line === undefined ? undefined : headingOf(line)?.level
  const before = blocks.findLastIndex((block) => block.end <= index)
  const block = blocks[before]
  if (level === undefined || block === undefined || level < block.level) return -1
  const between = lines.slice(block.end, index)
  return between.some((each) => (headingOf(each)?.level ?? 9) < block.level) ? -1 : before
}

/** Counts checkpoints as the plan gate needs them, and says where the raw number of markers differs. */
export function readCheckpoints(lines: ScannedLine[], blocks: TaskBlock[]): CheckpointReading {
  const markers = markersOf(lines)
  const byTask = new Map<number, CheckpointType>()
  const warnings: string[] = []
  const mark = (task: number, type: CheckpointType) => {
    const known = byTask.get(task)
    if (known === undefined || known === 'commit') byTask.set(task, type)
  }
  const outside = markers.filter(({ index, type }) => {
    const task = taskAround(blocks, index)
    if (task !== -1) mark(task, type)
    return task === -1
  })
  for (const { index, type } of outside) {
    const line = lines[index]
    const named = idsAfter(line?.text ?? '')
    for (const id of named) {
      const task = blocks.findIndex((block) => block.id.toLowerCase() === id.toLowerCase())
      if (task !== -1) mark(task, type)
      else if (blocks.length > 0)
        warnings.push(`Line ${line?.number}: a checkpoint names Task ${id}, which is not there.`)
    }
    const before = named.length > 0 ? -1 : taskBefore(blocks, lines, index)
    if (before !== -1) mark(before, type)
  }
  const markerLines = new Set(markers.map(({ index }) => lines[index]?.text.trim()))
  const count = byTask.size > 0 ? byTask.size : markerLines.size
  if (markers.length !== count) {
    warnings.push(
      `${markers.length} checkpoint markers stand for ${count} ${count === 1 ? 'checkpoint' : 'checkpoints'}.`,
    )
  }
  return { count, raw: markers.length, byTask, warnings }
}
