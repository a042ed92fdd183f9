import type { ScannedLine } from '../../documents/markdown-lines.js'
import { scanMarkdown } from '../../documents/markdown-scanner.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { textWidth, wrapText } from '../../terminal/width.js'
import type { Line, Span, Theme } from '../theme.js'
import type { PartedRows } from './diff-lines.js'
import { line } from './line.js'

// Markdown as it is read, not as it is written: headings without hashes, boxes as marks, emphasis without its stars.

const inline = /`([^`]+)`|\*\*([^*]+)\*\*|__([^_]+)__/g

/** Emphasis and code of one row as spans. */
function spansOf(text: string): Span[] {
  const spans: Span[] = []
  let at = 0
  for (const found of text.matchAll(inline)) {
    if (found.index > at) spans.push({ text: text.slice(at, found.index) })
    const [whole, code, strong, other] = found
    spans.push(
      code === undefined ? { text: strong ?? other ?? '', strong: true } : { text: code, tone: 'info' },
    )
    at = found.index + whole.length
  }
  if (at < text.length || spans.length === 0) spans.push({ text: text.slice(at) })
  return spans
}

/** A line whose later rows begin below its text. */
function hanging(mark: Span, text: string, width: number): Line[] {
  const indent = textWidth(mark.text)
  return wrapText(text, Math.max(8, width - indent)).map((row, index) => [
    index === 0 ? mark : { text: ' '.repeat(indent) },
    ...spansOf(row),
  ])
}

const item = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(?:\[([ xX])\]\s+)?(\S.*)?$/

function itemRows(text: string, width: number, theme: Theme): Line[] | undefined {
  const found = item.exec(text)
  if (!found) return undefined
  const [, indent = '', number, box, rest = ''] = found
  const sign = number === undefined ? theme.bullet : `${number}.`
  const mark = box === undefined ? sign : box === ' ' ? theme.open : theme.done
  return hanging(
    { text: `${indent}${mark} `, tone: box === undefined || box === ' ' ? 'info' : 'good' },
    rest,
    width,
  )
}

function plainRows(text: string, width: number, theme: Theme): Line[] {
  const quote = /^\s*>\s?(.*)$/.exec(text)
  if (quote) return hanging({ text: `${theme.bar} `, tone: 'quiet' }, quote[1] ?? '', width)
  return itemRows(text, width, theme) ?? wrapText(text, width).map(spansOf)
}

function codeRows({ text }: Pick<ScannedLine, 'text'>, width: number, theme: Theme): Line[] {
  return wrapText(sanitizeLine(text), width - 2).map((row) => [
    { text: `${theme.bar} `, tone: 'quiet' },
    { text: row, tone: 'info' },
  ])
}

/** A Markdown text in rows; its parts are its headings. */
export function markdownRows(lines: readonly string[], width: number, theme: Theme): PartedRows {
  const document = scanMarkdown(lines.join('\n'))
  const headings = new Map(
    document.blocks.flatMap((block) => (block.kind === 'heading' ? [[block.line, block] as const] : [])),
  )
  const rows: Line[] = []
  const parts: number[] = []
  let skipTo = 0
  for (const [index, scanned] of document.lines.entries()) {
    const number = index + 1
    if (number <= skipTo) continue
    const heading = headings.get(number)
    if (heading) {
      skipTo = heading.endLine
      if (rows.length > 0 && (rows.at(-1)?.length ?? 0) > 0 && rows.at(-1)?.[0]?.text !== '')
        rows.push(line(''))
      parts.push(rows.length)
      const tone = heading.level <= 2 ? 'accent' : 'info'
      rows.push(...wrapText(sanitizeLine(heading.title), width).map((row) => line(row, tone, true)))
    } else if (scanned.within === 'fence' && /^\s*(?:`{3,}|~{3,})/.test(scanned.text)) continue
    else if (scanned.within === 'fence' || scanned.within === 'code')
      rows.push(...codeRows(scanned, width, theme))
    else rows.push(...plainRows(sanitizeLine(scanned.text), width, theme))
  }
  return { rows, parts }
}
