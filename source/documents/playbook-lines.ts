import { withoutEnd } from './edit.js'
import type { MarkdownDocument } from './markdown-blocks.js'

// Lines of playbook files as their grammars read them (docs/playbook.md, "Roadmap").

export interface PlaybookLine {
  /** 1-based. */
  number: number
  /** Without comments. */
  text: string
  /** Columns of blanks before it; a tab is four. */
  indent: number
  /** Level of a heading that opens with hashes, 0 for every other line. */
  level: number
  /** The text behind hashes, or behind the mark of a list item and its box; trimmed. */
  body: string
  /** Mark of a list item: `-`, `*`, `+` or its number. */
  mark: string | undefined
  /** What stands in its box. */
  box: string | undefined
}

/** Letters and numbers in brackets are marks, too: `a)`, `(b)`, `(1)`, `iv)`, `A.`; those of other keyboards need no blank behind them: `1．`, `2）`, `3、`. */
const itemMark =
  /^\s*(?:([-*+•・]|\d{1,4}[.)]|[A-Za-z][.)]|[ivx]{2,4}\)|\((?:\d{1,3}|[A-Za-z]|[ivx]{2,4})\))(?:\s+|$)|([\d０-９]{1,4}[．）、])\s*)(?:\[([ xX~✓✔✅-])\](?:\s+|$))?/
const hashes = /^ {0,3}(#{1,6})\s(.*)$/

/**
 * The lines that can say something: no fences, comments, quotes or front matter. Indented ones count however deep they
 * stand, for people indent lists by taste.
 */
export function playbookLines(document: MarkdownDocument): PlaybookLine[] {
  const lines: PlaybookLine[] = []
  for (const { number, text, within, quoted } of document.lines) {
    if (within === 'fence' || within === 'comment' || within === 'front matter' || quoted) continue
    lines.push(playbookLine(number, text))
  }
  return lines
}

export function playbookLine(number: number, raw: string): PlaybookLine {
  const text = raw.includes('<!--') ? raw.replace(/<!--.{0,2000}?-->/g, '').trimEnd() : raw
  const heading = hashes.exec(text)
  const indent = indentOf(text)
  if (heading)
    return {
      number,
      text,
      indent,
      level: heading[1]?.length ?? 0,
      body: withoutHashes(heading[2] ?? ''),
      mark: undefined,
      box: undefined,
    }
  const item = itemMark.exec(text)
  return {
    number,
    text,
    indent,
    level: 0,
    body: text.slice(item?.[0].length ?? 0).trim(),
    mark: item?.[1] ?? item?.[2],
    box: item?.[3],
  }
}

/** The text of a heading, without hashes that close it. */
function withoutHashes(text: string): string {
  const bare = withoutEnd(text.trim(), '#')
  return bare === '' || /\s$/.test(bare) ? bare.trim() : text.trim()
}

function indentOf(text: string): number {
  let columns = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === ' ') columns += 1
    else if (text[at] === '\t') columns += 4
    else return columns
  }
  return columns
}

/** A rule such as `---`, which says nothing. */
export function isRuleLine(line: PlaybookLine): boolean {
  return /^\s*(?:-\s*){3,}$|^\s*(?:\*\s*){3,}$|^\s*(?:_\s*){3,}$/.test(line.text)
}

export function isBlankLine(line: PlaybookLine): boolean {
  return line.text.trim() === ''
}

/** Whether a line opens with an id of its own, as criteria that others refer to do: `AC1: ..`, `**AC-02**: ..`. */
export function opensWithId(text: string): boolean {
  return /^\s*(?:\*\*)?[A-Z]{1,6}[- ]?\d{1,3}(?:\.\d{1,3})?(?:\*\*)?\s?[:.)](?:\*\*)?\s/.test(text)
}
