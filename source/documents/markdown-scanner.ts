import type {
  Block,
  CommentBlock,
  FenceBlock,
  ItemBlock,
  ListBlock,
  MarkdownDocument,
  PlainBlock,
  TableBlock,
  Unclosed,
} from './markdown-blocks.js'
import { detailsIn } from './markdown-details.js'
import { endsHtml, type HtmlKind, htmlKindAt } from './markdown-html.js'
import {
  advanceColumns,
  advanceMarker,
  type Cursor,
  cursorAt,
  indentOf,
  isBlank,
  runLength,
  type ScannedLine,
  scannedLines,
  skipBlanks,
  trimmedEnd,
  type Within,
} from './markdown-lines.js'
import { type Ahead, lookAhead, openingFence } from './markdown-pairs.js'
import { cellsOf, delimiterCells } from './markdown-table.js'

// One pass over the lines of a text, after the block rules of CommonMark with the tables of GitHub. Where people and
// agents write looser than that, and a phase or a task would be lost, it deviates (docs/harness.md, "Reading
// Markdown"): a fence opens and closes at any indent and is not ended by its list item; what never closes is text; a
// heading ends HTML that a blank line would end.

/** Nobody nests deeper; beyond it quotes and items are text, so that hostile input stays cheap. */
const deepest = 32

interface Container {
  block: PlainBlock | ItemBlock | undefined
  /** Quotes and items up to this one. */
  quotes: number
  items: number
  /** Columns of indent that continue an item. */
  indent: number
  /** Whether the item holds anything yet. */
  empty: boolean
  /** The list that another item would join. */
  list: ListBlock | undefined
}

/** The part of a line that is text. */
interface TextPart {
  text: string
  start: number
  line: ScannedLine
}

type Leaf =
  | { kind: 'paragraph'; block: PlainBlock; at: number; lines: TextPart[] }
  | { kind: 'fence'; block: FenceBlock; length: number }
  | { kind: 'html'; block: PlainBlock | CommentBlock; html: HtmlKind }
  | { kind: 'code'; block: PlainBlock; blank: ScannedLine[] }
  | { kind: 'table'; block: TableBlock }

interface Scan {
  ahead: Ahead
  blocks: Block[]
  /** The container around each block, in the same order. */
  parents: (Block | undefined)[]
  unclosed: Unclosed[]
  /** The document itself, then the quotes and items that are open. */
  open: Container[]
  leaf: Leaf | undefined
}

/** One line on its way through the containers. */
interface Walk {
  line: ScannedLine
  cursor: Cursor
  /** How many of the open containers this line continues. */
  matched: number
}

/** Reads the block structure of a text of any size in one pass. Never throws. */
export function scanMarkdown(text: string): MarkdownDocument {
  const lines = scannedLines(text)
  const scan: Scan = {
    ahead: lookAhead(text, lines),
    blocks: [],
    parents: [],
    unclosed: [],
    open: [{ block: undefined, quotes: 0, items: 0, indent: 0, empty: false, list: undefined }],
    leaf: undefined,
  }
  const body = frontMatter(scan, lines)
  for (let at = body; at < lines.length; at += 1) readLine(scan, lines[at] as ScannedLine)
  carryEnds(scan)
  const { details, unclosed } = detailsIn(text, lines)
  const all = [...scan.unclosed, ...unclosed].sort((one, other) => one.line - other.line)
  return { text, lines, blocks: scan.blocks, details, unclosed: all }
}

/** Front matter stands at the very top, and no blank line follows its opening. Returns how many lines it takes. */
function frontMatter(scan: Scan, lines: ScannedLine[]): number {
  const first = lines[0]
  if (first?.text.trimEnd() !== '---' || (lines[1]?.text.trim() ?? '') === '') return 0
  const close = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(line.text))
  const last = lines[close]
  if (last === undefined) {
    scan.unclosed.push({ kind: 'front matter', line: 1 })
    return 0
  }
  for (const line of lines.slice(0, close + 1)) line.within = 'front matter'
  add(scan, {
    kind: 'front matter',
    line: 1,
    endLine: close + 1,
    start: first.start,
    end: last.end,
    quotes: 0,
    items: 0,
  })
  return close + 1
}

function readLine(scan: Scan, line: ScannedLine): void {
  // Most lines of hostile input, and a third of every other, are empty.
  if (line.text === '' && scan.open.length === 1 && endsAtBlank(scan.leaf)) {
    scan.leaf = undefined
    return
  }
  const walk: Walk = { line, cursor: cursorAt(line.text), matched: 1 }
  matchContainers(scan, walk)
  if (continueLeaf(scan, walk)) return
  while (startContainer(scan, walk)) {
    // A quote or an item may hold another one on the same line.
  }
  if (startLeaf(scan, walk)) return
  addText(scan, walk)
}

function endsAtBlank(leaf: Leaf | undefined): boolean {
  return leaf === undefined || leaf.kind === 'paragraph' || leaf.kind === 'table'
}

function matchContainers(scan: Scan, walk: Walk): void {
  const inFence = scan.leaf?.kind === 'fence'
  for (; walk.matched < scan.open.length; walk.matched += 1) {
    const container = scan.open[walk.matched]
    if (container?.block === undefined) return
    if (container.block.kind === 'quote') {
      if (!enterQuote(walk)) return
      extend(container.block, walk.line)
    } else if (!continuesItem(container, walk.cursor) && !inFence) return
  }
}

function enterQuote(walk: Walk): boolean {
  const { cursor } = walk
  if (indentOf(cursor) > 3 || cursor.text[cursor.nonspace] !== '>') return false
  advanceMarker(cursor, 1)
  advanceColumns(cursor, Math.min(1, indentOf(cursor)))
  walk.line.quoted = true
  return true
}

function continuesItem(item: Container, cursor: Cursor): boolean {
  if (isBlank(cursor)) return !item.empty
  if (indentOf(cursor) < item.indent) return false
  advanceColumns(cursor, item.indent)
  return true
}

/** Gives the line to the leaf that is open, where that is all it can be: fences, HTML, indented code. */
function continueLeaf(scan: Scan, walk: Walk): boolean {
  const { leaf } = scan
  const { cursor, line } = walk
  if (leaf === undefined || walk.matched < scan.open.length) return false
  if (leaf.kind === 'fence') {
    const length = runLength(cursor.text, cursor.nonspace, leaf.block.mark)
    const closes =
      length >= leaf.length && skipBlanks(cursor.text, cursor.nonspace + length) === cursor.text.length
    if (!closes && leaf.block.opensInside === undefined && opensAgain(leaf, cursor))
      leaf.block.opensInside = line.number
    return take(scan, walk, 'fence', closes)
  }
  if (leaf.kind === 'html') {
    if (leaf.html >= 6 && endsPlainHtml(cursor)) {
      scan.leaf = undefined
      return false
    }
    if (leaf.block.kind === 'comment' && leaf.block.opensInside === undefined && line.text.includes('<!--'))
      leaf.block.opensInside = line.number
    const within = leaf.html === 2 ? 'comment' : 'html'
    return take(scan, walk, within, endsHtml(leaf.html, cursor.text, cursor.at))
  }
  if (leaf.kind !== 'code') return false
  if (isBlank(cursor)) {
    leaf.blank.push(line)
    return true
  }
  if (indentOf(cursor) < 4 || openingFence(cursor.text, cursor.nonspace) !== undefined) return false
  for (const blank of leaf.blank.splice(0)) blank.within = 'code'
  return take(scan, walk, 'code', false)
}

/** HTML that a blank line ends: a heading or a comment ends it too, for neither is meant to be lost in it. */
function endsPlainHtml(cursor: Cursor): boolean {
  return (
    isBlank(cursor) || atxHeading(cursor) !== undefined || cursor.text.startsWith('<!--', cursor.nonspace)
  )
}

/** A line with words behind its marks looks like an opening, which a fence that was meant to be open would not hold. */
function opensAgain(leaf: { block: FenceBlock; length: number }, cursor: Cursor): boolean {
  const inner = openingFence(cursor.text, cursor.nonspace)
  return inner?.mark === leaf.block.mark && inner.length >= leaf.length && /^[A-Za-z]/.test(inner.info)
}

function take(scan: Scan, walk: Walk, within: Within, last: boolean): true {
  walk.line.within = within
  if (scan.leaf !== undefined) extend(scan.leaf.block, walk.line)
  if (last) scan.leaf = undefined
  return true
}

function extend(block: Block, line: ScannedLine, end = line.end): void {
  block.endLine = line.number
  block.end = end
}

/** Whether the line goes on with an open paragraph of the containers that it continues. */
function interrupts(scan: Scan, walk: Walk): boolean {
  return scan.leaf?.kind === 'paragraph' && walk.matched === scan.open.length
}

function startContainer(scan: Scan, walk: Walk): boolean {
  if (scan.open.length > deepest || indentOf(walk.cursor) > 3 || isBlank(walk.cursor)) return false
  const start = walk.line.start + walk.cursor.nonspace
  if (walk.cursor.text[walk.cursor.nonspace] === '>') {
    closeUnmatched(scan, walk)
    const block: PlainBlock = { kind: 'quote', ...spanFrom(scan, walk.line, start) }
    enterQuote(walk)
    add(scan, block)
    enter(scan, walk, { block, indent: 0, empty: false })
    return true
  }
  return startItem(scan, walk, start)
}

/** Number, mark and length of a list marker at the cursor. */
function listMarker(cursor: Cursor): { number?: number; mark: string; length: number } | undefined {
  const { text, nonspace } = cursor
  const first = text.charAt(nonspace)
  if (first === '-' || first === '*' || first === '+') return { mark: first, length: 1 }
  const match = /^(\d{1,9})([.)])/.exec(text.slice(nonspace, nonspace + 10))
  if (match?.[1] === undefined || match[2] === undefined) return undefined
  return { number: Number(match[1]), mark: match[2], length: match[0].length }
}

function startItem(scan: Scan, walk: Walk, start: number): boolean {
  const { cursor, line } = walk
  const marker = listMarker(cursor)
  if (marker === undefined || isRule(cursor)) return false
  const behind = cursor.nonspace + marker.length
  const next = cursor.text[behind]
  if (next !== undefined && next !== ' ' && next !== '\t') return false
  const blank = skipBlanks(cursor.text, behind) === cursor.text.length
  if (interrupts(scan, walk) && (blank || (marker.number ?? 1) !== 1 || isSetextLine(cursor))) return false

  closeUnmatched(scan, walk)
  const markerIndent = indentOf(cursor)
  const list = listFor(scan, walk, marker, start)
  advanceMarker(cursor, marker.length)
  const spaces = indentOf(cursor)
  const padding = blank || spaces > 4 ? 1 : spaces
  advanceColumns(cursor, Math.min(padding, spaces))
  const { quotes = 0, items = 0 } = scan.open[scan.open.length - 1] ?? {}
  const block: ItemBlock = {
    kind: 'item',
    number: marker.number,
    checked: boxAt(cursor),
    line: line.number,
    endLine: line.number,
    start,
    end: line.start + behind,
    quotes,
    items,
  }
  scan.blocks.push(block)
  scan.parents.push(list)
  enter(scan, walk, { block, indent: markerIndent + marker.length + padding, empty: blank })
  return true
}

/** The box of a task list: ticked or not, undefined where there is none. */
function boxAt(cursor: Cursor): boolean | undefined {
  const { text, nonspace } = cursor
  const mark = text[nonspace + 1]
  const behind = text[nonspace + 3]
  if (text[nonspace] !== '[' || text[nonspace + 2] !== ']' || (behind !== undefined && behind !== ' '))
    return undefined
  return mark === ' ' ? false : mark === 'x' || mark === 'X' ? true : undefined
}

function listFor(
  scan: Scan,
  walk: Walk,
  marker: { number?: number; mark: string },
  start: number,
): ListBlock {
  const known = scan.open[scan.open.length - 1]?.list
  const ordered = marker.number !== undefined
  if (known !== undefined && known.mark === marker.mark && known.ordered === ordered) return known
  const list: ListBlock = { kind: 'list', ordered, mark: marker.mark, ...spanFrom(scan, walk.line, start) }
  add(scan, list)
  const around = scan.open[scan.open.length - 1]
  if (around !== undefined) around.list = list
  return list
}

function enter(
  scan: Scan,
  walk: Walk,
  container: Pick<Container, 'indent' | 'empty'> & { block: PlainBlock | ItemBlock },
): void {
  const { block } = container
  scan.open.push({
    ...container,
    quotes: block.quotes + (block.kind === 'quote' ? 1 : 0),
    items: block.items + (block.kind === 'item' ? 1 : 0),
    list: undefined,
  })
  walk.matched = scan.open.length
}

function spanFrom(scan: Scan, line: ScannedLine, start: number) {
  const around = scan.open[scan.open.length - 1]
  return {
    line: line.number,
    endLine: line.number,
    start,
    end: line.end,
    quotes: around?.quotes ?? 0,
    items: around?.items ?? 0,
  }
}

/** Containers that a line does not continue end before it, and with them the leaf in them. */
function closeUnmatched(scan: Scan, walk: Walk): void {
  while (scan.open.length > walk.matched) scan.open.pop()
  scan.leaf = undefined
}

/** Lists and items end where the last block in them ends; blocks stand before what they hold. */
function carryEnds(scan: Scan): void {
  for (let at = scan.blocks.length - 1; at >= 0; at -= 1) {
    const block = scan.blocks[at]
    const parent = scan.parents[at]
    if (block === undefined || parent === undefined || parent.end >= block.end) continue
    parent.end = block.end
    parent.endLine = block.endLine
  }
}

/** Adds a block to the innermost open container; anything but an item ends the list before it. */
function add(scan: Scan, block: Block): void {
  const around = scan.open[scan.open.length - 1]
  scan.blocks.push(block)
  scan.parents.push(around?.block)
  if (around === undefined) return
  around.empty = false
  if (block.kind !== 'list') around.list = undefined
}

/** Headings, rules, fences, HTML, indented code and tables begin here; true when the line is used up. */
function startLeaf(scan: Scan, walk: Walk): boolean {
  const { cursor } = walk
  if (isBlank(cursor)) return false
  if (startFence(scan, walk)) return true
  const indented = indentOf(cursor) > 3
  if (indented) return scan.leaf?.kind !== 'paragraph' && startCode(scan, walk)
  return (
    startAtx(scan, walk) ||
    startHtml(scan, walk) ||
    startSetext(scan, walk) ||
    startRule(scan, walk) ||
    startTable(scan, walk)
  )
}

function startFence(scan: Scan, walk: Walk): boolean {
  const { cursor, line } = walk
  const opened = openingFence(cursor.text, cursor.nonspace)
  if (opened === undefined) return false
  // In a quote the end of the quote ends the fence, so only one outside of quotes can run on for ever.
  if (!line.quoted && scan.ahead.closingRun(opened.mark, line.number) < opened.length) {
    scan.unclosed.push({ kind: 'fence', line: line.number })
    return false
  }
  closeUnmatched(scan, walk)
  const block: FenceBlock = {
    kind: 'fence',
    mark: opened.mark,
    info: opened.info,
    ...spanFrom(scan, line, line.start + cursor.nonspace),
  }
  add(scan, block)
  scan.leaf = { kind: 'fence', block, length: opened.length }
  line.within = 'fence'
  return true
}

function startCode(scan: Scan, walk: Walk): true {
  closeUnmatched(scan, walk)
  const block: PlainBlock = { kind: 'code', ...spanFrom(scan, walk.line, walk.line.start + walk.cursor.at) }
  add(scan, block)
  scan.leaf = { kind: 'code', block, blank: [] }
  walk.line.within = 'code'
  return true
}

/** Level and place of the text of a heading that opens with hashes. */
function atxHeading(cursor: Cursor): { level: number; from: number; to: number } | undefined {
  if (indentOf(cursor) > 3 || cursor.text[cursor.nonspace] !== '#') return undefined
  const level = runLength(cursor.text, cursor.nonspace, '#')
  const behind = cursor.text[cursor.nonspace + level]
  if (level > 6 || (behind !== undefined && behind !== ' ' && behind !== '\t')) return undefined
  const from = skipBlanks(cursor.text, cursor.nonspace + level)
  let to = trimmedEnd(cursor.text, from)
  let hashes = to
  while (hashes > from && cursor.text[hashes - 1] === '#') hashes -= 1
  const before = cursor.text[hashes - 1]
  if (hashes < to && (hashes === from || before === ' ' || before === '\t'))
    to = trimmedEnd(cursor.text, from, hashes)
  return { level, from, to }
}

function startAtx(scan: Scan, walk: Walk): boolean {
  const { cursor, line } = walk
  const heading = atxHeading(cursor)
  if (heading === undefined) return false
  closeUnmatched(scan, walk)
  const title = cursor.text.slice(heading.from, heading.to)
  const span = spanFrom(scan, line, line.start + cursor.nonspace)
  add(scan, { kind: 'heading', level: heading.level, setext: false, title, ...span })
  return true
}

function startHtml(scan: Scan, walk: Walk): boolean {
  const { cursor, line } = walk
  const kind = htmlKindAt(cursor.text, cursor.nonspace)
  if (kind === undefined || (kind === 7 && scan.leaf?.kind === 'paragraph')) return false
  const from = cursor.nonspace + (kind === 2 ? 4 : 2)
  const closed = endsHtml(kind, cursor.text, kind === 2 ? from - 2 : from)
  if (kind === 2 && !closed && scan.ahead.lastCommentEnd < line.end) {
    scan.unclosed.push({ kind: 'comment', line: line.number })
    return false
  }
  closeUnmatched(scan, walk)
  const block: PlainBlock | CommentBlock = {
    kind: kind === 2 ? 'comment' : 'html',
    ...spanFrom(scan, line, line.start + cursor.at),
  }
  add(scan, block)
  line.within = kind === 2 ? 'comment' : 'html'
  scan.leaf = closed ? undefined : { kind: 'html', block, html: kind }
  return true
}

/** A line of `=` or `-` only. */
function isSetextLine(cursor: Cursor): boolean {
  const mark = cursor.text[cursor.nonspace]
  if (mark !== '=' && mark !== '-') return false
  const behind = cursor.nonspace + runLength(cursor.text, cursor.nonspace, mark)
  return skipBlanks(cursor.text, behind) === cursor.text.length
}

function startSetext(scan: Scan, walk: Walk): boolean {
  const { leaf } = scan
  if (leaf?.kind !== 'paragraph' || !interrupts(scan, walk) || !isSetextLine(walk.cursor)) return false
  const title = leaf.lines.map((line) => line.text.trim()).join(' ')
  const level = walk.cursor.text[walk.cursor.nonspace] === '=' ? 1 : 2
  // The paragraph turns out to be a heading; it keeps its place among the blocks.
  const { kind: _, ...span } = leaf.block
  scan.blocks[leaf.at] = {
    kind: 'heading',
    level,
    setext: true,
    title,
    ...span,
    endLine: walk.line.number,
    end: walk.line.end,
  }
  scan.leaf = undefined
  return true
}

/** Three or more of one of `-`, `*`, `_` and nothing else. */
function isRule(cursor: Cursor): boolean {
  const mark = cursor.text[cursor.nonspace]
  if (mark !== '-' && mark !== '*' && mark !== '_') return false
  let count = 0
  for (let at = cursor.nonspace; at < cursor.text.length; at += 1) {
    const character = cursor.text[at]
    if (character === mark) count += 1
    else if (character !== ' ' && character !== '\t') return false
  }
  return count >= 3
}

function startRule(scan: Scan, walk: Walk): boolean {
  if (!isRule(walk.cursor)) return false
  closeUnmatched(scan, walk)
  add(scan, { kind: 'rule', ...spanFrom(scan, walk.line, walk.line.start + walk.cursor.nonspace) })
  return true
}

/** The last line of a paragraph is the head of a table when the line below it is a delimiter with as many cells. */
function startTable(scan: Scan, walk: Walk): boolean {
  const { leaf } = scan
  if (leaf?.kind !== 'paragraph' || !interrupts(scan, walk)) return false
  const last = leaf.lines[leaf.lines.length - 1]
  const cells = delimiterCells(walk.cursor.text.slice(walk.cursor.at))
  if (last === undefined || cells === 0) return false
  const head = cellsOf(last.text, last.start)
  if (head.length !== cells) return false
  const { kind: _, ...span } = leaf.block
  const block: TableBlock = {
    kind: 'table',
    head,
    rows: [],
    ...span,
    line: last.line.number,
    start: last.start,
    endLine: walk.line.number,
    end: walk.line.end,
  }
  const before = leaf.lines[leaf.lines.length - 2]
  if (before === undefined) scan.blocks[leaf.at] = block
  else {
    extend(leaf.block, before.line, before.start + before.text.length)
    add(scan, block)
  }
  scan.leaf = { kind: 'table', block }
  return true
}

/** What is left is text: of the open paragraph, even where it goes on lazily, of a table, or of a new paragraph. */
function addText(scan: Scan, walk: Walk): void {
  const { cursor, line } = walk
  if (isBlank(cursor)) {
    closeUnmatched(scan, walk)
    return
  }
  const end = trimmedEnd(cursor.text, cursor.nonspace)
  const text = cursor.text.slice(cursor.nonspace, end)
  const start = line.start + cursor.nonspace
  const { leaf } = scan
  if (leaf?.kind === 'paragraph') {
    leaf.lines.push({ text, start, line })
    extend(leaf.block, line, line.start + end)
    return
  }
  if (leaf?.kind === 'table' && walk.matched === scan.open.length) {
    leaf.block.rows.push({ line: line.number, cells: cellsOf(text, start) })
    extend(leaf.block, line)
    return
  }
  closeUnmatched(scan, walk)
  const block: PlainBlock = { kind: 'paragraph', ...spanFrom(scan, line, start), end: line.start + end }
  scan.leaf = { kind: 'paragraph', block, at: scan.blocks.length, lines: [{ text, start, line }] }
  add(scan, block)
}
