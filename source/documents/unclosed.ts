import type { MarkdownDocument, Unclosed } from './markdown-blocks.js'

const names: Record<Unclosed['kind'], string> = {
  fence: 'code block',
  comment: 'comment',
  details: 'folded part',
  'front matter': 'front matter',
}

/** What a document opens and never closes, each with its line; what follows it is read all the same. */
export function unclosedLines(document: MarkdownDocument, kinds: readonly Unclosed['kind'][]): string[] {
  return document.unclosed
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ kind, line }) => unclosedLine(kind, line))
}

export function unclosedLine(kind: Unclosed['kind'], line: number): string {
  return `The ${names[kind]} that opens on line ${line} never closes; what follows it is read.`
}

/** What seems to have been left open: it holds the beginning of another one of its kind. */
export function doubtfulBlocks(
  document: MarkdownDocument,
): { line: number; endLine: number; text: string }[] {
  return document.blocks.flatMap((block) => {
    if ((block.kind !== 'fence' && block.kind !== 'comment') || block.opensInside === undefined) return []
    const text =
      `The ${names[block.kind]} that opens on line ${block.line} holds the beginning of another one on line ` +
      `${block.opensInside}; perhaps it was meant to close before. Nothing up to line ${block.endLine} is read.`
    return [{ line: block.line, endLine: block.endLine, text }]
  })
}
