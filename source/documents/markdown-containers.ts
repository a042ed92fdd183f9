import type { ItemBlock, ListBlock, PlainBlock } from './markdown-blocks.js'
import {
  advanceColumns,
  advanceMarker,
  type Cursor,
  indentOf,
  isBlank,
  skipBlanks,
} from './markdown-lines.js'
import { boxAt, isRule, isSetextLine, listMarker } from './markdown-marks.js'
import {
  add,
  type Container,
  closeUnmatched,
  extend,
  interrupts,
  type Scan,
  spanFrom,
  type Walk,
} from './markdown-scan.js'

// Quotes and list items: which of the open ones a line continues, and which it opens.

/** Nobody nests deeper; beyond it quotes and items are text, so that hostile input stays cheap. */
const deepest = 32

export function matchContainers(scan: Scan, walk: Walk): void {
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

/** What a quote or the mark of an item can open with. */
const openers = '>-*+0123456789'

export function startContainer(scan: Scan, walk: Walk): boolean {
  if (scan.open.length > deepest || indentOf(walk.cursor) > 3 || isBlank(walk.cursor)) return false
  const start = walk.line.start + walk.cursor.nonspace
  const first = walk.cursor.text[walk.cursor.nonspace] ?? ''
  if (!openers.includes(first)) return false
  if (first === '>') {
    closeUnmatched(scan, walk)
    const block: PlainBlock = { ...spanFrom(scan, walk.line, start), kind: 'quote' }
    enterQuote(walk)
    add(scan, block)
    enter(scan, walk, { block, indent: 0, empty: false })
    return true
  }
  return startItem(scan, walk, start)
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
    line: line.number,
    endLine: line.number,
    start,
    end: line.start + behind,
    quotes,
    items,
    kind: 'item',
    number: marker.number,
    checked: boxAt(cursor),
  }
  scan.blocks.push(block)
  scan.parents.push(list)
  enter(scan, walk, { block, indent: markerIndent + marker.length + padding, empty: blank })
  return true
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
  const list: ListBlock = { ...spanFrom(scan, walk.line, start), kind: 'list', ordered, mark: marker.mark }
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
    block,
    quotes: block.quotes + (block.kind === 'quote' ? 1 : 0),
    items: block.items + (block.kind === 'item' ? 1 : 0),
    indent: container.indent,
    empty: container.empty,
    list: undefined,
  })
  walk.matched = scan.open.length
}
