import { counted } from '../counted.js'
import { headingsOf } from './headings.js'
import type { MarkdownDocument } from './markdown-blocks.js'
import { isMarkup, type ScannedLine } from './markdown-lines.js'
import { scanMarkdown } from './markdown-scanner.js'
import { type CheckpointType, readCheckpoints } from './plan-checkpoints.js'
import { type DuplicateTask, type TaskBlock, taskBlocks, type UnreadTask } from './plan-tasks.js'
import { sizeDoubts } from './size.js'
import { idsNamed } from './task-ids.js'
import { doubtfulBlocks, unclosedLines } from './unclosed.js'

export type { CheckpointType } from './plan-checkpoints.js'

/** One task of a plan. */
export interface PlanTask {
  /** As written after `Task`: `3`, `1.2`, `A1`, `3a`. */
  id: string
  title: string
  /** 1-based line of its heading. */
  line: number
  checkpoint?: CheckpointType | undefined
  /** Ids of the tasks it waits for; absent when the plan does not say. */
  dependsOn?: string[] | undefined
  /** Paths of its `Files` field; absent when the plan does not say. */
  files?: string[] | undefined
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
  /** Those of the warnings that open the gate: the plan was read only in part, or not as it says of itself. */
  asks: string[]
  /** Lines that look like tasks and were not read as such. */
  unread: UnreadTask[]
  /** Ids that several tasks have. */
  duplicates: DuplicateTask[]
  /** Headings in comments that would be tasks. */
  inComments: { line: number; text: string }[]
}

// Alone on its line, or one field of a header line such as `**Date:** … | **Tasks:** 8 · **Time:** 9 min`.
const declaredField =
  /(?:^\s{0,9}(?:[-*+]\s{1,9})?|[|·•;,]\s{0,9})\*\*\s{0,9}(?:estimated\s{1,9})?tasks\s{0,9}:?\s{0,9}\*\*\s{0,9}:?/i
const declaredNumber = /^\s{0,9}[~≈]?\s{0,9}(\d{1,9})/
const field = /^(?:[-*+]\s{1,9})?\*\*\s{0,9}([a-z][a-z ]{0,60}?)\s{0,9}:?\s{0,9}\*\*\s{0,9}:?/i

/** Reads a plan. Never throws: a text without tasks is a plan with 0 tasks and a warning. */
export function readPlan(text: string): PlanReading {
  const document = scanMarkdown(text)
  const { lines } = document
  const { blocks, duplicates, unread, inComments, ...tasks } = taskBlocks(document)
  const checkpoints = readCheckpoints(document, blocks)
  const declaredTasks = declaredIn(lines, blocks)
  const name = nameOf(document)
  const unclosed = unclosedLines(document, ['fence', 'comment'])
  const doubtful = doubtfulBlocks(document).map((block) => block.text)
  const declared = declaredWarnings(declaredTasks, blocks.length)
  const size = sizeDoubts(text.length)
  return {
    ...(name === undefined ? {} : { name }),
    taskCount: blocks.length,
    checkpointCount: checkpoints.count,
    rawCheckpointMarkers: checkpoints.raw,
    declaredTasks,
    tasks: blocks.map((block, index) => taskOf(lines, block, checkpoints.byTask.get(index))),
    warnings: [...size, ...unclosed, ...doubtful, ...tasks.warnings, ...declared, ...checkpoints.warnings],
    asks: [...size, ...unclosed, ...doubtful, ...tasks.asks, ...declared, ...checkpoints.asks],
    unread,
    duplicates,
    inComments,
  }
}

/** The text of one task, heading included, or undefined when the plan has no such task. Ids ignore case. */
export function taskBody(text: string, id: string): string | undefined {
  const document = scanMarkdown(text)
  const block = taskBlocks(document).blocks.find((each) => each.id.toLowerCase() === id.toLowerCase())
  if (block === undefined) return undefined
  return document.lines
    .slice(block.start, block.end)
    .map((line) => line.text)
    .join('\n')
    .trim()
}

function nameOf(document: MarkdownDocument): string | undefined {
  const title = headingsOf(document).find((heading) => heading.level === 1)?.title
  const name = title?.replace(/^(?:implementation\s{1,9})?plan\s{0,9}[:—–-]\s{0,9}/i, '')
  return name === '' ? undefined : name
}

/** The number of tasks that the header declares, behind its name or on the next line that says anything. */
function declaredIn(lines: ScannedLine[], blocks: TaskBlock[]): number | null {
  const head = lines.slice(0, blocks[0]?.start).filter(isMarkup)
  for (const [index, line] of head.entries()) {
    const named = declaredField.exec(line.text)
    if (named === null) continue
    const behind = line.text.slice(named.index + named[0].length)
    const below = head.slice(index + 1, index + 4).find((each) => each.text.trim() !== '')?.text ?? ''
    const count = declaredNumber.exec(
      behind.trim() === '' ? below.replace(/^\s{0,9}[-*+]\s{1,9}/, '') : behind,
    )?.[1]
    if (count !== undefined) return Number(count)
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

/** The parts of a line; several fields may share one: `**Depends on:** Task 3 | **Files:** a.ts`. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  for (const piece of text.split('|')) {
    const opens = parts.length === 0 || piece.trimStart().startsWith('**')
    if (opens) parts.push(piece.trim())
    else parts[parts.length - 1] += `|${piece}`
  }
  return parts.map((part) => part.trim())
}

/** The fields of a line with their values. */
function fieldsOn(line: ScannedLine): { name: string; value: string }[] {
  if (!isMarkup(line) || !line.text.includes('**')) return []
  return partsOf(line.text).flatMap((part) => {
    const match = field.exec(part)
    if (match?.[1] === undefined) return []
    return [{ name: match[1].toLowerCase(), value: part.slice(match[0].length).trim() }]
  })
}

/** The value of a field and the bullets right below it. */
function fieldOf(body: ScannedLine[], name: string): string[] | undefined {
  const values = body.map((line) => fieldsOn(line).find((each) => each.name === name)?.value)
  const start = values.findIndex((value) => value !== undefined)
  const value = values[start]
  if (value === undefined) return undefined
  if (value !== '') return [value]
  const items: string[] = []
  for (const line of body.slice(start + 1)) {
    if (line.text.trim() === '' && items.length === 0) continue
    const item = !isMarkup(line) || fieldsOn(line).length > 0 ? undefined : bulletText(line.text)
    if (item === undefined) break
    items.push(item)
  }
  return items
}

function bulletText(text: string): string | undefined {
  const item = text.trimStart()
  return /^[-*+]\s/.test(item) ? item.slice(1).trim() : undefined
}

/** The comma of `a/{b,c}.js` separates no files. */
const outsideBraces = /,(?![^{}]{0,400}\})/
const noFile = /^(?:none(?:\s.{0,1000})?|n\/?a|nothing|no (?:code |source |new )?files?|tbd|[—–-]{1,3})\.?$/is

function pathsIn(value: string): string[] {
  const quoted = value
    .split('`')
    .filter((part, index, parts) => index % 2 === 1 && index < parts.length - 1 && part.trim() !== '')
  const paths = quoted.length > 0 ? quoted : value.replace(/\([^()]{0,1000}\)/g, '').split(outsideBraces)
  return paths.map((path) => path.trim()).filter((path) => path !== '' && !noFile.test(path))
}

function declaredWarnings(declaredTasks: number | null, found: number): string[] {
  if (declaredTasks === null || declaredTasks === found) return []
  return [`The plan says ${counted(declaredTasks, 'task')}, its headings are ${found}; the headings count.`]
}
