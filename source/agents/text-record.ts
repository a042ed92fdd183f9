/** Characters of an agent's text that are kept for finding its result. */
export const textLimit = 4 * 1024 * 1024

export interface TextRecord {
  /** A plain line of output. */
  line(text: string): void
  delta(id: string, text: string): void
  /** Replaces the deltas of that id. */
  full(id: string, text: string): void
  /** A text event: one of the two above. */
  take(event: { id: string; delta?: string | undefined; full?: string | undefined }): void
  /** What is kept: everything, or the newest part of it. */
  text(): string
}

interface Piece {
  id: string | undefined
  text: string
}

/** Collects what an agent said in bounded memory: when the limit is reached, the oldest pieces go. */
export function createTextRecord(limit: number = textLimit): TextRecord {
  let pieces: Piece[] = []
  let first = 0
  let size = 0

  function add(piece: Piece): void {
    pieces.push(piece)
    size += piece.text.length
    while (size > limit && first < pieces.length - 1) {
      size -= pieces[first]?.text.length ?? 0
      first += 1
    }
    if (first > 4096 && first > pieces.length / 2) {
      pieces = pieces.slice(first)
      first = 0
    }
  }

  function full(id: string, text: string): void {
    pieces = pieces.slice(first).filter((piece) => piece.id !== id)
    first = 0
    size = pieces.reduce((sum, piece) => sum + piece.text.length, 0)
    add({ id, text: text.endsWith('\n') ? text : `${text}\n` })
  }

  return {
    line(text) {
      add({ id: undefined, text: `${text}\n` })
    },
    delta(id, text) {
      add({ id, text })
    },
    full,
    take(event) {
      if (event.full !== undefined) full(event.id, event.full)
      else add({ id: event.id, text: event.delta ?? '' })
    },
    text() {
      const kept = pieces.slice(first)
      const whole = kept
        .map((piece, index) => {
          const next = kept[index + 1]
          const ends = next === undefined || next.id === piece.id || piece.text.endsWith('\n')
          return ends ? piece.text : `${piece.text}\n`
        })
        .join('')
      return whole.length > limit ? whole.slice(-limit) : whole
    },
  }
}
