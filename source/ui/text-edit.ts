import { graphemes, takeCells } from '../terminal/width.js'

/** Text that is being written; `cursor` is an index into `text`, never inside of a character. */
export interface Draft {
  text: string
  cursor: number
}

/** Longer texts are cut when they are pasted. */
const longest = 100_000

export function draftOf(text: string): Draft {
  return { text, cursor: text.length }
}

export function insert(draft: Draft, piece: string): Draft {
  const fitting = piece.slice(0, Math.max(0, longest - draft.text.length))
  const text = draft.text.slice(0, draft.cursor) + fitting + draft.text.slice(draft.cursor)
  return { text, cursor: draft.cursor + fitting.length }
}

function before(draft: Draft): number {
  const last = graphemes(draft.text.slice(Math.max(0, draft.cursor - 64), draft.cursor)).at(-1)
  return draft.cursor - (last?.length ?? 0)
}

function after(draft: Draft): number {
  const next = graphemes(draft.text.slice(draft.cursor, draft.cursor + 64))[0]
  return draft.cursor + (next?.length ?? 0)
}

function without(draft: Draft, from: number, to: number): Draft {
  return { text: draft.text.slice(0, from) + draft.text.slice(to), cursor: from }
}

function lineStart(draft: Draft): number {
  return draft.text.lastIndexOf('\n', draft.cursor - 1) + 1
}

function lineEnd(draft: Draft): number {
  const end = draft.text.indexOf('\n', draft.cursor)
  return end < 0 ? draft.text.length : end
}

function wordStart(draft: Draft): number {
  const head = draft.text.slice(0, draft.cursor)
  return head.replace(/\S*\s*$/, '').length
}

function lineAbove(draft: Draft): number {
  const start = lineStart(draft)
  if (start === 0) return 0
  const above = draft.text.lastIndexOf('\n', start - 2) + 1
  return Math.min(above + (draft.cursor - start), start - 1)
}

function lineBelow(draft: Draft): number {
  const end = lineEnd(draft)
  if (end === draft.text.length) return end
  const next = draft.text.indexOf('\n', end + 1)
  const column = draft.cursor - lineStart(draft)
  return Math.min(end + 1 + column, next < 0 ? draft.text.length : next)
}

/** The draft after a key that edits or moves; undefined if the key does neither. */
export function edited(draft: Draft, key: string): Draft | undefined {
  switch (key) {
    case 'left':
      return { ...draft, cursor: before(draft) }
    case 'right':
      return { ...draft, cursor: after(draft) }
    case 'up':
      return { ...draft, cursor: lineAbove(draft) }
    case 'down':
      return { ...draft, cursor: lineBelow(draft) }
    case 'home':
    case 'ctrl+a':
      return { ...draft, cursor: lineStart(draft) }
    case 'end':
    case 'ctrl+e':
      return { ...draft, cursor: lineEnd(draft) }
    case 'backspace':
      return without(draft, before(draft), draft.cursor)
    case 'delete':
      return without(draft, draft.cursor, after(draft))
    case 'ctrl+u':
      return without(draft, lineStart(draft), draft.cursor)
    case 'ctrl+k':
      return without(draft, draft.cursor, lineEnd(draft))
    case 'ctrl+w':
      return without(draft, wordStart(draft), draft.cursor)
    default:
      return undefined
  }
}

/** The draft in rows of at most `width` cells with `mark` at the cursor, and the row that the cursor is on. */
export function draftRows(draft: Draft, width: number, mark: string): { rows: string[]; cursorRow: number } {
  const rows: string[] = []
  let cursorRow = 0
  let start = 0
  for (const text of draft.text.split('\n')) {
    const end = start + text.length
    const here = draft.cursor >= start && draft.cursor <= end
    const column = draft.cursor - start
    let rest = here ? text.slice(0, column) + mark + text.slice(column) : text
    let position = 0
    do {
      const row = takeCells(rest, width)
      const length = row.length || rest.length
      if (here && column >= position && column < position + length) cursorRow = rows.length
      rows.push(row)
      position += length
      rest = rest.slice(length)
    } while (rest !== '')
    start = end + 1
  }
  return { rows, cursorRow }
}
