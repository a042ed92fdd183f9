import { counted } from '../counted.js'
import { numberWords } from '../number-words.js'
import { withoutComments } from './complexity.js'
import { headingsOf } from './headings.js'
import type { MarkdownDocument } from './markdown-blocks.js'
import type { ScannedLine } from './markdown-lines.js'
import { leadOf, plainForms, withoutStrike } from './phase-shape.js'
import { shown } from './spec-unread.js'

// Task headings and the lines that belong to each task (docs/harness.md, "Plan grammar").

/** A task heading and where its text ends. `start` and `end` are 0-based places in the scanned lines. */
export interface TaskBlock {
  id: string
  title: string
  /** 1-based. */
  line: number
  level: number
  /** Struck through. */
  isStruck?: boolean
  start: number
  end: number
}

/** A line that looks like a task and was not read as one. */
export interface UnreadTask {
  line: number
  text: string
  reason: string
}

/** An id that several tasks have, with their lines. */
export interface DuplicateTask {
  id: string
  lines: number[]
}

export interface TaskBlocks {
  blocks: TaskBlock[]
  duplicates: DuplicateTask[]
  unread: UnreadTask[]
  /** Headings in comments that would be tasks. */
  inComments: { line: number; text: string }[]
  warnings: string[]
  /** Those of the warnings for which a person has to look at the plan. */
  asks: string[]
}

type Match = Pick<TaskBlock, 'id' | 'title' | 'isStruck'>
type Shape = Match & { prefix: string; rest: 'separated' | 'nothing' | 'words' }

const phasePrefix = /^(?:phase|wave|stage|step)\s{1,9}[\w.]{1,20}\s{0,9}[/:,—–-]?\s{0,9}(?=task)/i
const taskWord = /^task(?:\s{1,9}#?|[-_#]?(?=\d))/i
const taskId = /^(?:[A-Z]?\d{1,9}(?:\.\d{1,9}){0,8}[a-z]?|[A-Z]{1,2})(?![\p{L}\p{N}])/iu
const numberedId = /\d/

/** A text that begins as a task does: perhaps signs, a box, a phase, then `Task`, an id, asides and a separator. */
function shapeOf(text: string): Shape | undefined {
  const plain = plainForms(text)
  const lead = leadOf(plain)
  let { at } = lead
  const prefix = phasePrefix.exec(plain.slice(at, at + 80))?.[0] ?? ''
  at += prefix.length
  const word = taskWord.exec(plain.slice(at, at + 20))?.[0]
  if (word === undefined) return undefined
  at += word.length
  const id = taskId.exec(plain.slice(at, at + 100))?.[0] ?? /^[\w.]{1,20}/.exec(plain.slice(at, at + 20))?.[0]
  if (id === undefined) return undefined
  at = behindAsides(plain, at + id.length)
  const separator = /^\s{0,9}[:—–-]/.exec(plain.slice(at, at + 12))?.[0]
  const rest = plain.slice(at).trim() === '' ? 'nothing' : separator === undefined ? 'words' : 'separated'
  return {
    id,
    prefix,
    rest,
    title: tidyTitle(text.slice(at + (separator?.length ?? 0))),
    isStruck: lead.struck,
  }
}

/** Skips emphasis, `[checkpoint…]` and words in parentheses between an id and the separator. */
function behindAsides(text: string, from: number): number {
  let at = from
  for (let round = 0; round < 20; round += 1) {
    while (text[at] === '*' || text[at] === '_' || text[at] === '~') at += 1
    let next = at
    while (text[next] === ' ' && next < at + 9) next += 1
    const bracket = /^\[checkpoint/i.test(text.slice(next, next + 11))
      ? ']'
      : text[next] === '('
        ? ')'
        : undefined
    const close = bracket === undefined ? -1 : text.slice(next, next + 300).indexOf(bracket)
    if (close === -1) return at
    at = next + close + 1
  }
  return at
}

/** `Task N: name` in a heading of level 2 to 4. */
function fullMatch(text: string, level: number): Match | undefined {
  const shape = shapeOf(text)
  if (shape === undefined || level < 2 || level > 4 || shape.rest === 'words') return undefined
  if (!numberedId.test(shape.id) || taskId.exec(shape.id)?.[0] !== shape.id) return undefined
  return {
    id: shape.id,
    title: withoutStrike(shape.title),
    isStruck: shape.isStruck === true || shape.title !== withoutStrike(shape.title),
  }
}

function shortMatch(text: string, level: number): Match | undefined {
  const match =
    level === 3
      ? /^(?:(T\d{1,9}(?:\.\d{1,9}){0,8}[a-z]?)\s{0,9}[:—–-]|(\d{1,9}(?:\.\d{1,9}){0,8})\.)(?=\s)/i.exec(
          plainForms(text.slice(0, 120)),
        )
      : null
  const id = match?.[1] ?? match?.[2]
  return id === undefined || match === null
    ? undefined
    : { id, title: tidyTitle(text.slice(match[0].length)) }
}

/** A title without marks of emphasis that were opened before it, and without checkpoint markers at either end. */
function tidyTitle(text: string): string {
  let title = withoutComments(text)
  while (/^\[checkpoint[^\]]{0,300}\]/i.test(title)) title = title.slice(title.indexOf(']') + 1).trimStart()
  for (;;) {
    const open = title.endsWith(']') ? title.lastIndexOf('[') : -1
    if (open === -1 || !/^\[checkpoint/i.test(title.slice(open, open + 11))) break
    title = title.slice(0, open).trimEnd()
  }
  for (const mark of ['**', '__', '~~']) {
    if (title.split(mark).length % 2 === 1) continue
    if (title.endsWith(mark)) title = title.slice(0, -2).trimEnd()
    else if (title.startsWith(mark)) title = title.slice(2).trimStart()
  }
  return title
}

type Found = Match & { line: number; level: number }

/** Ends every task at the next one, or at a heading of its level or above; in one pass from the end. */
function blocksBy(
  document: MarkdownDocument,
  match: (text: string, level: number) => Match | undefined,
): TaskBlock[] {
  const blocks: TaskBlock[] = []
  const lines = document.lines.length
  // For each level, where the next heading of that level or above begins.
  const next = new Array<number>(7).fill(lines)
  let nextTask = lines
  for (const heading of headingsOf(document).reverse()) {
    const found: Found | undefined = withPlace(match(heading.title, heading.level), heading)
    const start = heading.line - 1
    if (found !== undefined) {
      blocks.push({ ...found, start, end: Math.min(nextTask, next[heading.level] ?? lines) })
      nextTask = start
    }
    for (let level = heading.level; level <= 6; level += 1) next[level] = start
  }
  return blocks.reverse()
}

function withPlace(match: Match | undefined, heading: { line: number; level: number }): Found | undefined {
  return match === undefined ? undefined : { ...match, line: heading.line, level: heading.level }
}

/** All tasks of a plan. Short headings (`### T1 — x`, `### 1. x`) count only where no `Task` heading stands. */
export function taskBlocks(document: MarkdownDocument): TaskBlocks {
  const full = blocksBy(document, fullMatch)
  const short = full.length > 0 ? [] : blocksBy(document, shortMatch)
  const blocks = full.length > 0 ? full : short
  const duplicates = duplicatesIn(blocks)
  const { unread, inComments } = leftOut(document, blocks)
  const none = blocks.length === 0 ? ['No task headings were found ("### Task 1: Name").'] : []
  const tolerant =
    short.length === 0
      ? []
      : [
          `No "Task N" headings; ${counted(short.length, 'short heading')} such as "${short[0]?.id}" ${short.length === 1 ? 'is read as a task' : 'are read as tasks'}.`,
        ]
  const asks = [
    ...none,
    ...tolerant,
    ...duplicates.map(
      ({ id, lines }) =>
        `Task ${id} stands on line ${lines[0]} and again on line ${lines.slice(1).join(', ')}.`,
    ),
    ...blocks.flatMap(({ id, line, isStruck }) =>
      isStruck === true ? [`Task ${id} on line ${line} is struck through, and counts all the same.`] : [],
    ),
    ...unread.map(
      ({ line, text, reason }) =>
        `Line ${line} looks like a task but is not read as one, for ${reason}: ${text}`,
    ),
  ]
  return { blocks, duplicates, unread, inComments, warnings: asks, asks }
}

function duplicatesIn(blocks: TaskBlock[]): DuplicateTask[] {
  const byId = new Map<string, DuplicateTask>()
  for (const block of blocks) {
    const known = byId.get(block.id.toLowerCase())
    if (known === undefined) byId.set(block.id.toLowerCase(), { id: block.id, lines: [block.line] })
    else known.lines.push(block.line)
  }
  return [...byId.values()].filter(({ lines }) => lines.length > 1)
}

/** Lines that look like tasks and are none: headings of another form or level, bold lines, headings in comments. */
function leftOut(
  document: MarkdownDocument,
  blocks: TaskBlock[],
): { unread: UnreadTask[]; inComments: { line: number; text: string }[] } {
  const read = new Set(blocks.map((block) => block.line))
  const ids = new Set(blocks.map((block) => block.id.toLowerCase()))
  const unread: UnreadTask[] = []
  const inComments: { line: number; text: string }[] = []
  const underlined = underlinedIn(document)
  for (const line of document.lines) {
    if (read.has(line.number) || !/task|^\s{0,3}#{3}\s{1,9}T\d/i.test(line.text)) continue
    const bare = line.within === 'comment' ? line.text.replace(/^\s*<!--/, '') : line.text
    // A heading behind the mark of an entry is none of the plan's; one in a quote is somebody else's.
    const lead = /^\s{0,20}(?:[-*+]|\d{1,3}[.)])\s{1,9}(?=#|\*\*|__)/.exec(bare.slice(0, 60))?.[0] ?? ''
    const match = /^\s{0,3}(?:(#{1,6})\s{0,9}|(?=\*\*|__))/.exec(bare.slice(lead.length))
    const under = underlined.get(line.number)
    if (match === null && under === undefined) continue
    const level = match?.[1]?.length ?? under ?? 0
    const text = bare
      .slice(lead.length + (match?.[0].length ?? 0))
      .trimStart()
      .replace(/^`{1,3}/, '')
    const shape = shapeOf(text) ?? (level === 3 && /^T\d/.test(text) ? shortShape(text) : undefined)
    // "Task list (5 tasks)" is a title; one letter is an id only where a separator or nothing follows.
    if (shape === undefined || (!numberedId.test(shape.id) && shape.rest === 'words')) continue
    if (!numberedId.test(shape.id) && shape.id.length > 2 && !numberWords.includes(shape.id.toLowerCase()))
      continue
    // Prose and overviews speak of tasks that are read.
    if (ids.has(shape.id.toLowerCase()) && (level === 0 || shape.rest === 'words' || lead !== '')) continue
    if (level === 0 && shape.rest === 'words') continue
    const seen = { line: line.number, text: shown(line.text) }
    if (line.within === 'comment') inComments.push(seen)
    else if (line.within === undefined || line.within === 'html')
      unread.push({ ...seen, reason: placeOf(line, bare, lead) ?? reasonOf(shape, level) })
  }
  return { unread, inComments }
}

function shortShape(text: string): Shape | undefined {
  const match = shortMatch(text, 3)
  return match === undefined ? undefined : { ...match, prefix: '', rest: 'separated' }
}

/** Headings that are underlined, with their level, by the line they begin at. */
function underlinedIn(document: MarkdownDocument): Map<number, number> {
  const found = headingsOf(document).filter(({ line }) => !/^\s*#/.test(document.lines[line - 1]?.text ?? ''))
  return new Map(found.map(({ line, level }) => [line, level]))
}

function placeOf(line: ScannedLine, bare: string, lead: string): string | undefined {
  if (line.within === 'html') return 'it stands in HTML'
  if (line.quoted) return 'it stands in a quote'
  if (lead !== '') return 'it stands in an entry of a list'
  return /^#{1,6}[^#\s]|^#{1,6}[^#\S \t]/.test(bare.trimStart()) ? 'no blank follows its hashes' : undefined
}

function reasonOf(shape: Shape, level: number): string {
  if (level === 0) return 'it is no heading'
  if (level < 2 || level > 4) return 'tasks are headings of level 2 to 4'
  if (/^T\d/i.test(shape.id)) return 'other tasks are headings with the word Task'
  if (!numberedId.test(shape.id)) return 'its label is no number'
  return 'its label is not followed by a colon or a dash'
}
