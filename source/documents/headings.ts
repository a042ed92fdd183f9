import type { MarkdownDocument } from './markdown-blocks.js'

/** A heading that stands on its own: not in a quote, and not behind the mark of a list item. */
export interface Heading {
  /** 1-based. */
  line: number
  level: number
  /** Without the hashes, otherwise as written. */
  title: string
}

/** The headings of a document, of both kinds, in order. */
export function headingsOf(document: MarkdownDocument): Heading[] {
  return document.blocks.flatMap((block) => {
    if (block.kind !== 'heading' || block.quotes > 0) return []
    const opensLine = /^ {0,3}#/.test(document.lines[block.line - 1]?.text ?? '')
    if (block.items > 0 && !opensLine) return []
    return [{ line: block.line, level: block.level, title: block.title }]
  })
}
