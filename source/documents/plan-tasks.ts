import type { ScannedLine } from './fences.js'
import { type Heading, headingOf } from './headings.js'

// Task headings and the lines that belong to each task (docs/harness.md, "Plan grammar").

/** A task heading and where its text ends. `start` and `end` are 0-based places in the scanned lines. */
export interface TaskBlock {
  id: string
  title: string
  /** 1-based. */
  line: number
  level: number
  start: number
  end: number
}

export interface TaskBlocks {
  blocks: TaskBlock[]
  warnings: string[]
}

const taskHeading =
  /^#{2,4}\s+Task\s+([A-Z]?\d+(?:\.\d+)*[a-z]?)(?![\w.]*\w)\s*(?:\[checkpoint[^\]]*\]\s*|\([^)]*\)\s*)*(?:[:—–-]|$)\s*(.*)$/i
const shortHeading = /^#{3}\s+(?:(T\d+(?:\.\d+)*[a-z]?)\s*[:—–-]|(\d+(?:\.\d+)*)\.)\s+(.*)$/i
const edgeMarkers = /^(?:\s*\[checkpoint[^\]\n]*\])+\s*|\s*(?:\[checkpoint[^\]\n]*\]\s*)+$/gi

type Match = Pick<TaskBlock, 'id' | 'title'>

function fullMatch(text: string): Match | undefined {
  const match = taskHeading.exec(text)
  return match?.[1] === undefined ? undefined : { id: match[1], title: tidyTitle(match[2] ?? '') }
}

function shortMatch(text: string): Match | undefined {
  const match = shortHeading.exec(text)
  const id = match?.[1] ?? match?.[2]
  return id === undefined ? undefined : { id, title: tidyTitle(match?.[3] ?? '') }
}

function tidyTitle(title: string): string {
  return title
    .replace(/\s+#+\s*$/, '')
    .replace(edgeMarkers, '')
    .trim()
}

function blocksBy(lines: ScannedLine[], match: (text: string) => Match | undefined): TaskBlock[] {
  const headings = lines.flatMap((line) => headingOf(line) ?? [])
  const tasks = headings.flatMap((heading) => {
    const found = match((lines[heading.line - 1]?.text ?? '').trimStart())
    return found === undefined ? [] : [{ ...found, heading }]
  })
  const taskLines = new Set(tasks.map((task) => task.heading.line))
  return tasks.map(({ id, title, heading }) => {
    const next = headings.find((other) => other.line > heading.line && ends(other, heading, taskLines))
    const end = next === undefined ? lines.length : next.line - 1
    return { id, title, line: heading.line, level: heading.level, start: heading.line - 1, end }
  })
}

/** A task ends at the next task, or at a heading of its level or above. */
function ends(other: Heading, task: Heading, taskLines: Set<number>): boolean {
  return other.level <= task.level || taskLines.has(other.line)
}

/** All tasks of a plan. Short headings (`### T1 — x`, `### 1. x`) count only where no `Task` heading stands. */
export function taskBlocks(lines: ScannedLine[]): TaskBlocks {
  const full = blocksBy(lines, fullMatch)
  if (full.length > 0) return { blocks: full, warnings: duplicates(full) }
  const short = blocksBy(lines, shortMatch)
  if (short.length === 0)
    return { blocks: [], warnings: ['No task headings were found ("### Task 1: Name").'] }
  const said = `No "Task N" headings; ${short.length} short headings such as "${short[0]?.id}" are read as tasks.`
  return { blocks: short, warnings: [said, ...duplicates(short)] }
}

function duplicates(blocks: TaskBlock[]): string[] {
  const seen = new Map<string, number>()
  return blocks.flatMap((block) => {
    const before = seen.get(block.id.toLowerCase())
    seen.set(block.id.toLowerCase(), block.line)
    return before === undefined
      ? []
      : [`Task ${block.id} stands on line ${before} and again on line ${block.line}.`]
  })
}
