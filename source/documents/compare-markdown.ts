import type { Block } from './markdown-blocks.js'
import { scanMarkdown } from './markdown-scanner.js'

// Whether two Markdown texts say the same (docs/evidence.md, "Snapshots").

/**
 * How two texts differ: `same` bytes; `layout`: bullets, blank lines, wraps, marks of headings and fences; `ticks`: boxes too,
 * and nothing else; `content`: anything more.
 */
export type MarkdownChange = 'same' | 'layout' | 'ticks' | 'content'

export function compareMarkdown(before: string, after: string): MarkdownChange {
  if (before === after) return 'same'
  const [was, is] = [outline(before), outline(after)]
  if (was.words !== is.words) return 'content'
  return was.ticks === is.ticks ? 'layout' : 'ticks'
}

/** What a text says, block by block, and the state of its boxes. */
function outline(text: string): { words: string; ticks: string } {
  const document = scanMarkdown(text)
  const words: unknown[] = []
  const ticks: boolean[] = []
  for (const [at, block] of document.blocks.entries()) {
    const around = [block.quotes, block.items]
    if (block.kind === 'item') {
      // The number of an item counts nothing: renderers count themselves, but people refer to the first one.
      words.push([block.kind, ...around, block.number !== undefined, block.checked !== undefined])
      if (block.checked !== undefined) ticks.push(block.checked)
    } else words.push([block.kind, ...around, ...partsOf(text, block, document.blocks[at - 1])])
  }
  return { words: JSON.stringify(words), ticks: JSON.stringify(ticks) }
}

function partsOf(whole: string, block: Block, previous: Block | undefined): unknown[] {
  const source = whole.slice(block.start, block.end)
  switch (block.kind) {
    case 'heading':
      return [block.level, folded(block.title)]
    case 'list':
      return [block.ordered]
    case 'rule':
    case 'quote':
      return []
    case 'table':
      return [block.head, ...block.rows.map((row) => row.cells)].map((cells) =>
        cells.map((cell) => folded(cell.text)),
      )
    case 'fence':
      return [block.info, insideFence(source)]
    case 'paragraph': {
      const boxed = previous?.kind === 'item' && previous.checked !== undefined
      const text = withoutQuotes(source, block)
      return [folded(boxed ? text.replace(/^\[[ xX]\]/, '') : text)]
    }
    default:
      return [linesOf(source)]
  }
}

/** Wraps and runs of blanks say nothing; a backslash or two blanks before a line end would, and hardly anybody means it. */
function folded(text: string): string {
  return text.trim().split(/\s+/).join(' ')
}

/** The marks of a quote stand before each of its lines and belong to no text. */
function withoutQuotes(source: string, block: Block): string {
  if (block.quotes === 0) return source
  return source
    .split('\n')
    .map((line, at) => (at === 0 ? line : line.replace(/^[ \t>]+/, '')))
    .join('\n')
}

/** Lines of code without the indent that their list gives them; the first one has lost it already where `cut` says so. */
function linesOf(source: string, cut = true): string[] {
  const lines = source.split(/\r?\n/).map((line) => line.trimEnd())
  const indents = lines
    .slice(cut ? 1 : 0)
    .flatMap((line) => (line === '' ? [] : [line.length - line.trimStart().length]))
  const least = indents.reduce((found, each) => Math.min(found, each), Number.POSITIVE_INFINITY)
  const from = Number.isFinite(least) ? least : 0
  return lines.map((line, at) => (cut && at === 0 ? line : line.slice(from)))
}

function insideFence(source: string): string[] {
  const lines = source.split('\n').slice(1)
  if (/^[ \t>]*[`~]{3,}[ \t\r]*$/.test(lines.at(-1) ?? '')) lines.pop()
  return linesOf(lines.join('\n'), false)
}
