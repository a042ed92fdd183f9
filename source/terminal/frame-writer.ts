import { type CellRow, cellsOf, rowChange } from './frame-cells.js'

// Puts frames on the terminal: only what changed since the one before (docs/terminal.md "Screen").

const clear = '\u001b[2J\u001b[H'

/** All but looks of text: nothing else may reach the terminal from inside a frame. */
const foreign = /\u001b(?!\[[0-9;]*m)|[\u0000-\u001a\u001c-\u001f\u007f-\u009f]/g

export interface FrameWriter {
  /** The bytes that turn what is shown into this frame; empty if nothing changed. */
  paint(frame: string, size: { columns: number; rows: number }): string
  /** Whatever is on the screen is not known any more: the next frame is painted whole, on a cleared screen. */
  forget(): void
}

interface ShownRow {
  text: string
  /** Made when the row changes for the first time; undefined where it cannot be told by cells. */
  cells?: CellRow | undefined
}

const blank: ShownRow = { text: '' }

function cells(row: ShownRow): CellRow | undefined {
  if (!('cells' in row)) row.cells = cellsOf(row.text)
  return row.cells
}

function rowPaint(before: ShownRow, after: ShownRow, line: number, columns: number): string {
  const [old, next] = [cells(before), cells(after)]
  if (old && next) return rowChange(old, next, line, columns)
  // Erased first: behind the last cell of a full row, erasing would take that one.
  const end = after.text.includes('\u001b[') ? '\u001b[m' : ''
  return `\u001b[${line + 1};1H\u001b[K${after.text}${end}`
}

/** Compares each frame with the one before, row by row and cell by cell. */
export function createFrameWriter(): FrameWriter {
  let shown: ShownRow[] | undefined

  return {
    paint(frame, { columns, rows }) {
      const lines = frame.split('\n').slice(0, rows)
      const before = shown ?? []
      let out = shown === undefined ? clear : ''
      const next: ShownRow[] = []
      for (let line = 0; line < Math.max(lines.length, before.length); line += 1) {
        const old = before[line] ?? { ...blank }
        const text = (lines[line] ?? '').replace(foreign, '\ufffd')
        const row = text === old.text ? old : { text }
        if (row !== old) out += rowPaint(old, row, line, columns)
        if (line < lines.length) next.push(row)
      }
      shown = next
      return out
    },
    forget() {
      shown = undefined
    },
  }
}
