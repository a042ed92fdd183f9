import sliceAnsi from 'slice-ansi'
import { lookedWidth } from './looked-width.js'

// Puts the texts of a frame in their places. Takes the place of a module of Ink in the bundle (scripts/ink-parts.js), which
// takes every text apart into characters for every frame: that was two thirds of what a frame cost (measured).

interface Clip {
  x1: number | undefined
  x2: number | undefined
  y1: number | undefined
  y2: number | undefined
}

type Transformer = (line: string, index: number) => string

/** A text that stands in a row from a column on. */
interface Piece {
  x: number
  width: number
  text: string
}

/** The beginning of `pieces` and what follows where another text stands over their middle. */
function without(pieces: readonly Piece[], { x, width }: Piece): Piece[] {
  const end = x + width
  return pieces.flatMap((piece) => {
    const own = piece.x + piece.width
    if (own <= x || piece.x >= end) return [piece]
    const before = { ...piece, width: x - piece.x, text: sliceAnsi(piece.text, 0, Math.max(0, x - piece.x)) }
    const after = { x: end, width: own - end, text: sliceAnsi(piece.text, Math.max(0, end - piece.x)) }
    return [before, after].filter((part) => part.width > 0)
  })
}

function rowOf(pieces: Piece[]): string {
  pieces.sort((one, other) => one.x - other.x)
  let row = ''
  let at = 0
  for (const { x, width, text } of pieces) {
    row += ' '.repeat(Math.max(0, x - at)) + text
    at = x + width
  }
  return row.trimEnd()
}

/** What Ink asks of the frame that it draws on. */
export class InkFrame {
  private readonly rows: Piece[][]
  private readonly clips: Clip[] = []

  constructor({ height }: { width: number; height: number }) {
    this.rows = Array.from({ length: height }, () => [])
  }

  write(
    x: number,
    y: number,
    text: string,
    { transformers }: { transformers: readonly Transformer[] },
  ): void {
    if (text === '') return
    const { x1, x2, y1 = Number.NEGATIVE_INFINITY, y2 = Number.POSITIVE_INFINITY } = this.clips.at(-1) ?? {}
    for (const [index, line] of text.split('\n').entries()) {
      const row = y + index < y1 || y + index >= y2 ? undefined : this.rows[y + index]
      if (!row) continue
      let [from, shown, width] = [x, line, lookedWidth(line)]
      if (x1 !== undefined && x2 !== undefined && (x < x1 || x + width > x2)) {
        shown = sliceAnsi(line, Math.max(0, x1 - x), Math.max(0, Math.min(width, x2 - x)))
        from = Math.max(x, x1)
        width = lookedWidth(shown)
      }
      for (const transform of transformers) shown = transform(shown, index)
      this.put(row, { x: from, width, text: shown })
    }
  }

  clip(clip: Clip): void {
    this.clips.push(clip)
  }

  unclip(): void {
    this.clips.pop()
  }

  get(): { output: string; height: number } {
    return { output: this.rows.map(rowOf).join('\n'), height: this.rows.length }
  }

  private put(row: Piece[], piece: Piece): void {
    if (piece.width === 0) return
    const isCovered = row.some(({ x, width }) => x < piece.x + piece.width && x + width > piece.x)
    if (isCovered) row.splice(0, row.length, ...without(row, piece))
    row.push(piece)
  }
}
