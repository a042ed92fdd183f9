import type { ScannedLine } from './markdown-lines.js'
import type { TableCell } from './markdown-table.js'

// What the scanner finds in a Markdown text (docs/harness.md, "Reading Markdown").

/** A part of a text: 1-based lines, and the offsets of its first character and behind its last one. */
export interface Span {
  line: number
  endLine: number
  start: number
  end: number
}

interface InContainers extends Span {
  /** Block quotes and list items around it. */
  quotes: number
  items: number
}

export interface HeadingBlock extends InContainers {
  kind: 'heading'
  level: number
  /** Underlined with `=` or `-` instead of opened by hashes. */
  setext: boolean
  /** As written, without hashes; the lines of an underlined heading are joined by a blank. */
  title: string
}

export interface FenceBlock extends InContainers {
  kind: 'fence'
  mark: '`' | '~'
  /** What follows the opening marks, trimmed. */
  info: string
  /** The first line inside that looks as if it opened another fence of the same kind. */
  opensInside?: number
}

export interface CommentBlock extends InContainers {
  kind: 'comment'
  /** The first later line that opens another comment inside this one. */
  opensInside?: number
}

export interface TableBlock extends InContainers {
  kind: 'table'
  head: TableCell[]
  rows: { line: number; cells: TableCell[] }[]
}

export interface ListBlock extends InContainers {
  kind: 'list'
  ordered: boolean
  /** `-`, `*`, `+`, `.` or `)`. */
  mark: string
}

export interface ItemBlock extends InContainers {
  kind: 'item'
  /** Of an ordered list. */
  number: number | undefined
  /** State of its box, where it has one. */
  checked: boolean | undefined
}

export interface PlainBlock extends InContainers {
  kind: 'paragraph' | 'rule' | 'code' | 'html' | 'quote' | 'front matter'
}

export type Block = HeadingBlock | FenceBlock | CommentBlock | TableBlock | ListBlock | ItemBlock | PlainBlock

/** A folded part, from `<details>` to `</details>`. */
export interface Details {
  line: number
  endLine: number
  summary: string
}

/** Something that is opened and never closed; its opening line is read as text. */
export interface Unclosed {
  kind: 'fence' | 'comment' | 'details' | 'front matter'
  line: number
}

/** A text with its block structure. Blocks stand in the order in which they begin. */
export interface MarkdownDocument {
  text: string
  lines: ScannedLine[]
  blocks: Block[]
  details: Details[]
  unclosed: Unclosed[]
}
