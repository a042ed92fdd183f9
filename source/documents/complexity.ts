import { isMarkup, type ScannedLine } from './markdown-lines.js'

/** How hard a phase is, as its spec says it. */
export type Complexity = 'low' | 'medium' | 'high'

const comment = /<!--\s{0,99}complexity:\s{0,99}(low|medium|high)\s{0,99}-->/gi
const anyComment = /<!--\s{0,99}complexity:/i
const word = '(?:low|medium|high)'
const prose = new RegExp(
  String.raw`\(?\b${word}[ -]complexity\b\)?|\bcomplexity\*{0,2}\s{0,9}:\*{0,2}\s{0,9}${word}\b|\(\s{0,9}${word}\s{0,9}\)`,
  'gi',
)
const words = new RegExp(String.raw`\b${word}\b`, 'gi')

/** What the complexity comments in some lines say; the first one counts (docs/harness.md, "Spec grammar"). */
export interface ComplexityReading {
  complexity: Complexity
  warnings: string[]
}

function isComplexity(text: string): text is Complexity {
  return text === 'low' || text === 'medium' || text === 'high'
}

/** Code spans are talk about a comment, not a comment. */
function withoutCode(text: string): string {
  if (!text.includes('`')) return text
  const parts = text.split('`')
  // An odd mark at the end opens nothing.
  return parts.filter((_, index) => index % 2 === 0 || index === parts.length - 1).join('')
}

function commentsIn(text: string): Complexity[] {
  return [...withoutCode(text).matchAll(comment)].flatMap((match) => {
    const level = match[1]?.toLowerCase() ?? ''
    return isComplexity(level) ? [level] : []
  })
}

/** A text that may hold comments, in its parts: those outside and those inside of comments take turns. */
function aroundComments(text: string): string[] {
  const parts = ['']
  let inCode = false
  const lastMark = text.lastIndexOf('`')
  let at = 0
  for (;;) {
    const open = text.indexOf('<!--', at)
    const before = text.slice(at, open === -1 ? undefined : open)
    if (before.split('`').length % 2 === 0) inCode = !inCode
    parts.push((parts.pop() ?? '') + before)
    const close = open === -1 ? -1 : text.indexOf('-->', open + 4)
    if (close === -1)
      return open === -1 ? parts : [...parts.slice(0, -1), (parts.pop() ?? '') + text.slice(open)]
    // In code marks it is talk about a comment.
    const isTalk = inCode && lastMark > open
    if (isTalk) parts.push(`${parts.pop() ?? ''}<!--`)
    else parts.push(text.slice(open + 4, close), '')
    at = isTalk ? open + 4 : close + 3
  }
}

/** Takes comments out of a heading or name, those on complexity and all others, and trims it. */
export function withoutComments(text: string): string {
  if (!text.includes('<!--')) return text.trim()
  const outside = aroundComments(text).filter((_, index) => index % 2 === 0)
  return outside
    .map((part, index) => (index < outside.length - 1 ? part.trimEnd() : part))
    .join('')
    .trim()
}

/** What the comments on a line say. */
export function commentsOn(text: string): string[] {
  return text.includes('<!--') ? aroundComments(text).filter((_, index) => index % 2 === 1) : []
}

/** What a cell of a table is to its phase: of a column that is named after complexity, or a bare `(high)` elsewhere. */
export interface ComplexityCell {
  text: string
  line: number
}

/** The one level that a cell opens with, as `**high**`, `High (new protocol)` or `(low)`; undefined for other words. */
function levelOf(cell: string): Complexity | undefined {
  const plain = plainCell(cell)
  const outside = plain.replace(/^\((.*)\)$/, '$1').replace(/\([^()]{0,1000}\)/g, '')
  const found = [...outside.matchAll(words)]
  const level = found[0]?.[0].toLowerCase() ?? ''
  const isOne = new Set(found.map((match) => match[0].toLowerCase())).size === 1
  const isFirst = !/[\p{L}\p{N}]/u.test(outside.slice(0, found[0]?.index ?? 0))
  return isOne && isFirst && isComplexity(level) ? level : undefined
}

/** A cell without comments and without marks of emphasis and code. */
function plainCell(cell: string): string {
  return withoutComments(cell).replace(/[*_`]/g, '').trim()
}

/** The place of the column that is named after complexity in the head of a table; -1 where there is none. */
export function complexityColumn(head: string[]): number {
  const exact = head.findIndex((cell) => /^complexity$/i.test(plainCell(cell)))
  return exact === -1 ? head.findIndex((cell) => /\bcomplexity\b/i.test(cell)) : exact
}

/** True for a cell that says nothing but `(low)`, `(medium)` or `(high)`. */
export function isBareComplexity(cell: string): boolean {
  return /^\(\s{0,9}(?:low|medium|high)\s{0,9}\)$/i.test(plainCell(cell))
}

/**
 * Reads the complexity of one phase from its lines; medium when nothing says otherwise. A comment goes before a cell,
 * and prose is never more than a hint.
 */
export function complexityOf(lines: ScannedLine[], label: string, cell?: ComplexityCell): ComplexityReading {
  // Comments are what it is written in; other blocks without markup say nothing.
  const open = lines.filter((line) => isMarkup(line) || line.within === 'comment' || line.within === 'html')
  const cellLevel = cell === undefined ? undefined : levelOf(cell.text)
  const found = open.flatMap((line) => commentsIn(line.text))
  const first = found[0]
  if (first !== undefined) {
    const other = [...found, ...(cellLevel === undefined ? [] : [cellLevel])].find((each) => each !== first)
    const warnings =
      other === undefined
        ? []
        : [`${label} says both ${first} and ${other} complexity; the first counts: ${first}.`]
    return { complexity: first, warnings }
  }
  const odd = open.find((line) => anyComment.test(withoutCode(line.text)))
  if (odd !== undefined) return unknownWord(odd.number, label)
  if (cellLevel !== undefined) return { complexity: cellLevel, warnings: [] }
  if (cell !== undefined) return unknownWord(cell.line, label, plainCell(cell.text))
  return hintsIn(open.filter(isMarkup), label)
}

function unknownWord(line: number, label: string, said?: string): ComplexityReading {
  const what = said === undefined ? '' : said === '' ? ' (the cell is empty)' : ` ("${said}")`
  return {
    complexity: 'medium',
    warnings: [`Line ${line}: the complexity of ${label}${what} is not low, medium or high; read as medium.`],
  }
}

function hintsIn(lines: ScannedLine[], label: string): ComplexityReading {
  const hints = lines.flatMap((line) =>
    [...withoutCode(line.text).matchAll(prose)].map((match) => ({ line: line.number, text: match[0] })),
  )
  const first = hints[0]
  if (first === undefined) return { complexity: 'medium', warnings: [] }
  const said = [...new Set(hints.map((hint) => `"${hint.text}"`))].join(', ')
  return {
    complexity: 'medium',
    warnings: [
      `Line ${first.line}: prose about complexity, ${said}, is only a hint; ${label} is read as medium.`,
    ],
  }
}
