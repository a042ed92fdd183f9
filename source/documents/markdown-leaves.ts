import type { CommentBlock, FenceBlock, PlainBlock, TableBlock } from './markdown-blocks.js'
import { endsHtml, htmlKindAt } from './markdown-html.js'
import { type Cursor, indentOf, isBlank, runLength, skipBlanks, trimmedEnd } from './markdown-lines.js'
import { atxHeading, isRule, isSetextLine } from './markdown-marks.js'
import { openingFence } from './markdown-pairs.js'
import {
  add,
  closeUnmatched,
  extend,
  interrupts,
  type Scan,
  spanFrom,
  take,
  type Walk,
} from './markdown-scan.js'
import { cellsOf, delimiterCells, type TableCell } from './markdown-table.js'

// What stands in containers: fences, HTML, code, headings, rules, tables and text.

/** Gives the line to the leaf that is open, where that is all it can be: fences, HTML, indented code. */
export function continueLeaf(scan: Scan, walk: Walk): boolean {
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

/** Headings, rules, fences, HTML, indented code and tables begin here; true when the line is used up. */
export function startLeaf(scan: Scan, walk: Walk): boolean {
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
    ...spanFrom(scan, line, line.start + cursor.nonspace),
    kind: 'fence',
    mark: opened.mark,
    info: opened.info,
  }
  add(scan, block)
  scan.leaf = { kind: 'fence', block, length: opened.length }
  line.within = 'fence'
  return true
}

function startCode(scan: Scan, walk: Walk): true {
  closeUnmatched(scan, walk)
  const block: PlainBlock = { ...spanFrom(scan, walk.line, walk.line.start + walk.cursor.at), kind: 'code' }
  add(scan, block)
  scan.leaf = { kind: 'code', block, blank: [] }
  walk.line.within = 'code'
  return true
}

function startAtx(scan: Scan, walk: Walk): boolean {
  const { cursor, line } = walk
  const heading = atxHeading(cursor)
  if (heading === undefined) return false
  closeUnmatched(scan, walk)
  const title = cursor.text.slice(heading.from, heading.to)
  const span = spanFrom(scan, line, line.start + cursor.nonspace)
  add(scan, { ...span, kind: 'heading', level: heading.level, setext: false, title })
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
    ...spanFrom(scan, line, line.start + cursor.at),
    kind: kind === 2 ? 'comment' : 'html',
  }
  add(scan, block)
  line.within = kind === 2 ? 'comment' : 'html'
  scan.leaf = closed ? undefined : { kind: 'html', block, html: kind }
  return true
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

function startRule(scan: Scan, walk: Walk): boolean {
  if (!isRule(walk.cursor)) return false
  closeUnmatched(scan, walk)
  add(scan, { ...spanFrom(scan, walk.line, walk.line.start + walk.cursor.nonspace), kind: 'rule' })
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

/** Many who read a document never look at a table of it, so a row is divided when its cells are asked for. */
function rowOf(line: number, text: string, start: number): TableBlock['rows'][number] {
  let cells: TableCell[] | undefined
  return {
    line,
    get cells() {
      cells ??= cellsOf(text, start)
      return cells
    },
  }
}

/** What is left is text: of the open paragraph, even where it goes on lazily, of a table, or of a new paragraph. */
export function addText(scan: Scan, walk: Walk): void {
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
    leaf.block.rows.push(rowOf(line.number, text, start))
    extend(leaf.block, line)
    return
  }
  closeUnmatched(scan, walk)
  const block: PlainBlock = { ...spanFrom(scan, line, start), kind: 'paragraph', end: line.start + end }
  scan.leaf = { kind: 'paragraph', block, at: scan.blocks.length, lines: [{ text, start, line }] }
  add(scan, block)
}
