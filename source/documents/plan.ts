import { isMarkup, type ScannedLine, scanLines, unclosedFence } from './fences.js'
import { headingsOf } from './headings.js'
import { type CheckpointType, readCheckpoints } from './plan-checkpoints.js'
import { type TaskBlock, taskBlocks } from './plan-tasks.js'
import { idsNamed } from './task-ids.js'

export type { CheckpointType } from './plan-checkpoints.js'

/** One task of a plan. */
export interface PlanTask {
  /** As written after `Task`: `3`, `1.2`, `A1`, `3a`. */
  id: string
  title: string
  /** 1-based line of its heading. */
  line: number
  checkpoint?: CheckpointType
  /** Ids of the tasks it waits for; absent when the plan does not say. */
  dependsOn?: string[]
  /** Paths of its `Files` field; absent when the plan does not say. */
  files?: string[]
}

/** What a plan says: docs/harness.md, "Plan grammar". */
export interface PlanReading {
  /** From `# Plan: <name>`. */
  name?: string
  taskCount: number
  checkpointCount: number
  /** Every marker outside of fences; larger than `checkpointCount` where a plan repeats itself. */
  rawCheckpointMarkers: number
  /** The number that the plan's header claims; headings win. */
  declaredTasks: number | null
  tasks: PlanTask[]
  warnings: string[]
}

// Alone on its line, or one field of a header line such as `**Date:** … | **Tasks:** 8`.
const declared = /(?:^\s*(?:[-*+]\s+)?|\|\s*)\*\*\s*(?:estimated\s+)?tasks\s*:?\s*\*\*\s*:?\s*[~≈]?\s*(\d+)/i
const field = /^\s*(?:[-*+]\s+)?\*\*\s*([a-z][a-z ]*?)\s*:?\s*\*\*\s*:?\s*(.*)$/i
/** Several fields may share a line: `**Depends on:** Task 3 | **Files:** a.ts`. */
const fieldBorder = /\s*\|\s*(?=\*\*)/
const bullet = /^\s*[-*+]\s+(.*)$/

/** Reads a plan. Never throws: a text without tasks is a plan with 0 tasks and a warning. */
export function readPlan(text: string): PlanReading {
  const lines = scanLines(text)
  const { blocks, warnings } = taskBlocks(lines)
  const checkpoints = readCheckpoints(lines, blocks)
  const declaredTasks = declaredIn(lines, blocks)
  const name = nameOf(lines)
  return {
    ...(name === undefined ? {} : { name }),
    taskCount: blocks.length,
    checkpointCount: checkpoints.count,
    rawCheckpointMarkers: checkpoints.raw,
    declaredTasks,
    tasks: blocks.map((block, index) => taskOf(lines, block, checkpoints.byTask.get(index))),
    warnings: [
      ...fenceWarnings(lines),
      ...warnings,
      ...declaredWarnings(declaredTasks, blocks.length),
      ...checkpoints.warnings,
    ],
  }
}

/** The text of one task, heading included, or undefined when the plan has no such task. Ids ignore case. */
export function taskBody(text: string, id: string): string | undefined {
  const lines = scanLines(text)
  const block = taskBlocks(lines).blocks.find((each) => each.id.toLowerCase() === id.toLowerCase())
  if (block === undefined) return undefined
  return lines
    .slice(block.start, block.end)
    .map((line) => line.text)
    .join('\n')
    .trim()
}

function nameOf(lines: ScannedLine[]): string | undefined {
  const title = headingsOf(lines).find((heading) => heading.level === 1)?.title
  const name = title?.replace(/^(?:implementation\s+)?plan\s*[:—–-]\s*/i, '')
  return name === '' ? undefined : name
}

function declaredIn(lines: ScannedLine[], blocks: TaskBlock[]): number | null {
  for (const line of lines.slice(0, blocks[0]?.start)) {
    const match = !isMarkup(line) ? null : declared.exec(line.text)
    if (match?.[1] !== undefined) return Number(match[1])
  }
  return null
}

function taskOf(lines: ScannedLine[], block: TaskBlock, checkpoint: CheckpointType | undefined): PlanTask {
  const body = lines.slice(block.start + 1, block.end)
  const dependsOn = fieldOf(body, 'depends on')?.flatMap(idsNamed)
  const files = fieldOf(body, 'files')?.flatMap(pathsIn)
  return {
    id: block.id,
    title: block.title,
    line: block.line,
    ...(checkpoint === undefined ? {} : { checkpoint }),
    ...(dependsOn === undefined ? {} : { dependsOn: [...new Set(dependsOn)] }),
    ...(files === undefined ? {} : { files }),
  }
}

/** The value of a field and the bullets right below it. */
function fieldOf(body: ScannedLine[], name: string): string[] | undefined {
  const start = body.findIndex((line) => fieldNames(line).includes(name))
  const first = body[start]
  if (first === undefined) return undefined
  const parts = first.text.split(fieldBorder).map((part) => field.exec(part))
  const value = parts.find((part) => part?.[1]?.toLowerCase() === name)?.[2] ?? ''
  if (value !== '') return [value]
  const items: string[] = []
  for (const line of body.slice(start + 1)) {
    if (line.text.trim() === '' && items.length === 0) continue
    const item = !isMarkup(line) || fieldNames(line).length > 0 ? null : bullet.exec(line.text)
    if (item?.[1] === undefined) break
    items.push(item[1])
  }
  return items
}

function fieldNames(line: ScannedLine): string[] {
  if (!isMarkup(line)) return []
  return line.text.split(fieldBorder).flatMap((part) => field.exec(part)?.[1]?.toLowerCase() ?? [])
}

function pathsIn(value: string): string[] {
  const quoted = [...value.matchAll(/`([^`]+)`/g)].flatMap((match) => match[1]?.trim() ?? [])
  if (quoted.length > 0) return quoted
  return value
    .replace(/\([^)]*\)/g, '')
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '' && !/^(?:none|[—–-])$/i.test(path))
}

function fenceWarnings(lines: ScannedLine[]): string[] {
  const line = unclosedFence(lines)
  return line === undefined
    ? []
    : [`The code block that opens on line ${line} never closes; nothing after it is read.`]
}

function declaredWarnings(declaredTasks: number | null, found: number): string[] {
  if (declaredTasks === null || declaredTasks === found) return []
  return [`The plan says ${declaredTasks} tasks, its headings are ${found}; the headings count.`]
}
