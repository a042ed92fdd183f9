import { type Cursor, indentOf, runLength, skipBlanks, trimmedEnd } from './markdown-lines.js'

// What the beginning of a line can be by its marks alone: headings, rules, list markers, boxes. Nothing here knows of
// what is open.

/** Level and place of the text of a heading that opens with hashes. */
export function atxHeading(cursor: Cursor): { level: number; from: number; to: number } | undefined {
  if (indentOf(cursor) > 3 || cursor.text[cursor.nonspace] !== '#') return undefined
  const level = runLength(cursor.text, cursor.nonspace, '#')
  const behind = cursor.text[cursor.nonspace + level]
  if (level > 6 || (behind !== undefined && behind !== ' ' && behind !== '\t')) return undefined
  const from = skipBlanks(cursor.text, cursor.nonspace + level)
  let to = trimmedEnd(cursor.text, from)
  let hashes = to
  while (hashes > from && cursor.text[hashes - 1] === '#') hashes -= 1
  const before = cursor.text[hashes - 1]
  if (hashes < to && (hashes === from || before === ' ' || before === '\t'))
    to = trimmedEnd(cursor.text, from, hashes)
  return { level, from, to }
}

/** A line of `=` or `-` only. */
export function isSetextLine(cursor: Cursor): boolean {
  const mark = cursor.text[cursor.nonspace]
  if (mark !== '=' && mark !== '-') return false
  const behind = cursor.nonspace + runLength(cursor.text, cursor.nonspace, mark)
  return skipBlanks(cursor.text, behind) === cursor.text.length
}

/** Three or more of one of `-`, `*`, `_` and nothing else. */
export function isRule(cursor: Cursor): boolean {
  const mark = cursor.text[cursor.nonspace]
  if (mark !== '-' && mark !== '*' && mark !== '_') return false
  let count = 0
  for (let at = cursor.nonspace; at < cursor.text.length; at += 1) {
    const character = cursor.text[at]
    if (character === mark) count += 1
    else if (character !== ' ' && character !== '\t') return false
  }
  return count >= 3
}

/** Number, mark and length of a list marker at the cursor. */
export function listMarker(cursor: Cursor): { number?: number; mark: string; length: number } | undefined {
  const { text, nonspace } = cursor
  const first = text.charAt(nonspace)
  if (first === '-' || first === '*' || first === '+') return { mark: first, length: 1 }
  const match = /^(\d{1,9})([.)])/.exec(text.slice(nonspace, nonspace + 10))
  if (match?.[1] === undefined || match[2] === undefined) return undefined
  return { number: Number(match[1]), mark: match[2], length: match[0].length }
}

/** The box of a task list: ticked or not, undefined where there is none. */
export function boxAt(cursor: Cursor): boolean | undefined {
  const { text, nonspace } = cursor
  const mark = text[nonspace + 1]
  const behind = text[nonspace + 3]
  if (text[nonspace] !== '[' || text[nonspace + 2] !== ']' || (behind !== undefined && behind !== ' '))
    return undefined
  return mark === ' ' ? false : mark === 'x' || mark === 'X' ? true : undefined
}
