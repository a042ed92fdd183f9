/** Characters of an agent's text that are kept for finding its result. */
export const textLimit = 4 * 1024 * 1024

export interface TextRecord {
  /** A plain line of output, or several. */
  line(text: string): void
  /** The same as bytes with their line feeds: read only if somebody asks, so that much output costs next to nothing. */
  bytes(lines: Buffer): void
  delta(id: string, text: string): void
  /** Replaces the deltas of that id. */
  full(id: string, text: string): void
  /** A text event: one of the two above. */
  take(event: { id: string; delta?: string | undefined; full?: string | undefined }): void
  /** What is kept: everything, or the newest part of it. */
  text(): string
}

/** What was said under one id without anything in between. */
interface Piece {
  id: string | undefined
  parts: (string | Buffer)[]
  /** Characters, or bytes where they are not read yet, which are as many or more. */
  size: number
  /** Replaced by a full text, or dropped. */
  isGone: boolean
}

/** Characters of one piece: small parts are joined up to there, and pieces are what is dropped. */
const pieceSize = 16 * 1024

/** Collects what an agent said in bounded memory: when the limit is reached, the oldest pieces go. */
export function createTextRecord(limit: number = textLimit): TextRecord {
  let pieces: Piece[] = []
  let first = 0
  let size = 0
  let gone = 0
  const byId = new Map<string, Piece[]>()

  function add(id: string | undefined, text: string | Buffer): void {
    const last = pieces[pieces.length - 1]
    const isSmall = text.length < pieceSize
    if (last && !last.isGone && last.id === id && isSmall && last.size < pieceSize) {
      last.parts.push(text)
      last.size += text.length
    } else {
      const piece = { id, parts: [text], size: text.length, isGone: false }
      if (last && last.parts.length > 1) last.parts = [textOf(last)]
      pieces.push(piece)
      if (id !== undefined) index(id, piece)
    }
    size += text.length
    dropOldest()
  }

  function empty(piece: Piece): void {
    size -= piece.size
    piece.parts = []
    piece.size = 0
    piece.isGone = true
  }

  function dropOldest(): void {
    while (size > limit && first < pieces.length - 1) {
      const piece = pieces[first]
      if (piece) empty(piece)
      first += 1
    }
    if (first + gone > 4096 && first + gone > pieces.length / 2) compact()
  }

  function compact(): void {
    pieces = pieces.filter((piece) => !piece.isGone)
    first = 0
    gone = 0
    byId.clear()
    for (const piece of pieces) if (piece.id !== undefined) index(piece.id, piece)
  }

  function index(id: string, piece: Piece): void {
    const same = byId.get(id)
    if (same) same.push(piece)
    else byId.set(id, [piece])
  }

  function full(id: string, text: string): void {
    const whole = text.endsWith('\n') ? text : `${text}\n`
    const same = byId.get(id)
    const last = pieces[pieces.length - 1]
    if (same?.length === 1 && last && same[0] === last) {
      size += whole.length - last.size
      last.parts = [whole]
      last.size = whole.length
      dropOldest()
      return
    }
    for (const piece of same ?? []) {
      if (!piece.isGone) gone += 1
      empty(piece)
    }
    byId.delete(id)
    add(id, whole)
  }

  return {
    line: (text) => add(undefined, `${text}\n`),
    bytes(lines) {
      // A small part of a large buffer would keep all of it in memory.
      add(undefined, lines.length < pieceSize ? textOfLines(lines) : lines)
    },
    delta: add,
    full,
    take(event) {
      if (event.full !== undefined) full(event.id, event.full)
      else add(event.id, event.delta ?? '')
    },
    text() {
      const kept = pieces.filter((piece) => !piece.isGone)
      const texts = kept.map(textOf)
      const whole = texts
        .map((text, index) => {
          const next = kept[index + 1]
          const ends = next === undefined || next.id === kept[index]?.id || text.endsWith('\n')
          return ends ? text : `${text}\n`
        })
        .join('')
      return whole.length > limit ? whole.slice(-limit) : whole
    },
  }
}

function textOf({ parts }: Piece): string {
  return parts.map((part) => (typeof part === 'string' ? part : textOfLines(part))).join('')
}

/** Lines as text, without carriage returns at their ends. */
export function textOfLines(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return text.includes('\r') ? text.replace(/\r$/gm, '') : text
}
