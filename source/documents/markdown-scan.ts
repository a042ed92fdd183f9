import type {
  Block,
  CommentBlock,
  FenceBlock,
  ItemBlock,
  ListBlock,
  PlainBlock,
  TableBlock,
  Unclosed,
} from './markdown-blocks.js'
import type { HtmlKind } from './markdown-html.js'
import type { Cursor, ScannedLine, Within } from './markdown-lines.js'
import type { Ahead } from './markdown-pairs.js'

// What is known while a text is scanned (markdown-scanner.ts): the open containers, the open leaf, the blocks so far, and
// the few things that containers and leaves both do to them.

export interface Container {
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

export type Leaf =
  | { kind: 'paragraph'; block: PlainBlock; at: number; lines: TextPart[] }
  | { kind: 'fence'; block: FenceBlock; length: number }
  | { kind: 'html'; block: PlainBlock | CommentBlock; html: HtmlKind }
  | { kind: 'code'; block: PlainBlock; blank: ScannedLine[] }
  | { kind: 'table'; block: TableBlock }

export interface Scan {
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
export interface Walk {
  line: ScannedLine
  cursor: Cursor
  /** How many of the open containers this line continues. */
  matched: number
}

export function take(scan: Scan, walk: Walk, within: Within, last: boolean): true {
  walk.line.within = within
  if (scan.leaf !== undefined) extend(scan.leaf.block, walk.line)
  if (last) scan.leaf = undefined
  return true
}

export function extend(block: Block, line: ScannedLine, end = line.end): void {
  block.endLine = line.number
  block.end = end
}

/** Whether the line goes on with an open paragraph of the containers that it continues. */
export function interrupts(scan: Scan, walk: Walk): boolean {
  return scan.leaf?.kind === 'paragraph' && walk.matched === scan.open.length
}

export function spanFrom(scan: Scan, line: ScannedLine, start: number) {
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
export function closeUnmatched(scan: Scan, walk: Walk): void {
  while (scan.open.length > walk.matched) scan.open.pop()
  scan.leaf = undefined
}

/** Adds a block to the innermost open container; anything but an item ends the list before it. */
export function add(scan: Scan, block: Block): void {
  const around = scan.open[scan.open.length - 1]
  scan.blocks.push(block)
  scan.parents.push(around?.block)
  if (around === undefined) return
  around.empty = false
  if (block.kind !== 'list') around.list = undefined
}
