// One row of a frame as cells, so that only those that changed need to be written (docs/terminal.md "Screen").

/** What is in the cells of a row, and how each of them looks. */
export interface CellRow {
  characters: string[]
  /** Parameters of the SGR sequences in force; empty for plain text. */
  styles: string[]
}

/** Marks of our own beside printable ASCII: a row that has others is written whole, since their widths may differ. */
const known =
  /^(?:\u001b\[[0-9;]*m|[\x20-\x7e\u00b7\u2022\u2026\u203a\u2190-\u2193\u2500-\u259f\u25a0-\u25cf\u2713\u2717\u276f\u2800-\u28ff])*$/

const sgr = /\u001b\[([0-9;]*)m/y

/** Which part of a style a code begins, and which one a code ends. */
const begins: Record<number, string> = {
  1: 'weight',
  2: 'dim',
  3: 'slant',
  4: 'line',
  7: 'swap',
  8: 'hide',
  9: 'strike',
}
const ends: Record<number, string[]> = {
  22: ['weight', 'dim'],
  23: ['slant'],
  24: ['line'],
  27: ['swap'],
  28: ['hide'],
  29: ['strike'],
  39: ['letters'],
  49: ['ground'],
}

function partOf(code: number): string | undefined {
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return 'letters'
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) return 'ground'
  return begins[code]
}

/** Applies the parameters of one sequence. */
function apply(style: Map<string, string>, parameters: string): void {
  const codes = parameters === '' ? ['0'] : parameters.split(';')
  for (let at = 0; at < codes.length; at += 1) {
    const code = Number(codes[at])
    const part = partOf(code)
    if (code === 0) style.clear()
    else if (code === 38 || code === 48) {
      const length = codes[at + 1] === '5' ? 3 : 5
      style.set(part ?? '', codes.slice(at, at + length).join(';'))
      at += length - 1
    } else if (part !== undefined) style.set(part, String(code))
    else for (const ended of ends[code] ?? []) style.delete(ended)
  }
}

/** The cells of a row of a frame; undefined where a character may be wider than one cell. */
export function cellsOf(row: string): CellRow | undefined {
  if (!known.test(row)) return undefined
  const characters: string[] = []
  const styles: string[] = []
  const style = new Map<string, string>()
  let look = ''
  let ofBlanks = ''
  for (let at = 0; at < row.length; ) {
    sgr.lastIndex = at
    const found = sgr.exec(row)
    if (found) {
      apply(style, found[1] ?? '')
      look = [...style.values()].sort().join(';')
      ofBlanks = ['line', 'swap', 'ground', 'strike'].some((part) => style.has(part)) ? look : ''
      at = sgr.lastIndex
    } else {
      const character = row.charAt(at)
      characters.push(character)
      // Of a blank neither colour nor weight can be seen.
      styles.push(character === ' ' ? ofBlanks : look)
      at += 1
    }
  }
  return { characters, styles }
}

/** Cells between two changes that are written again rather than jumped over. */
const mergedGap = 8
/** Blanks that are erased rather than written. */
const leastErased = 10

interface Change {
  from: number
  to: number
}

function isBlank({ characters, styles }: CellRow, at: number): boolean {
  return (characters[at] ?? ' ') === ' ' && (styles[at] ?? '') === ''
}

function changesOf(before: CellRow, after: CellRow, width: number): Change[] {
  const changes: Change[] = []
  for (let at = 0; at < width; at += 1) {
    const same =
      (before.characters[at] ?? ' ') === (after.characters[at] ?? ' ') &&
      (before.styles[at] ?? '') === (after.styles[at] ?? '')
    if (same) continue
    const last = changes.at(-1)
    if (last && at - last.to <= mergedGap) last.to = at + 1
    else changes.push({ from: at, to: at + 1 })
  }
  return changes
}

/** How many blanks begin at a cell. */
function blanksFrom(row: CellRow, from: number, to: number): number {
  let at = from
  while (at < to && isBlank(row, at)) at += 1
  return at - from
}

/**
 * What to write so that row `line` (from 0) of a terminal with so many columns shows `after` where it shows `before`. Ends
 * in plain style.
 */
export function rowChange(before: CellRow, after: CellRow, line: number, columns: number): string {
  const width = Math.min(columns, Math.max(before.characters.length, after.characters.length))
  let out = ''
  for (const { from, to } of changesOf(before, after, width)) {
    out += `\u001b[${line + 1};${from + 1}H`
    let look = ''
    for (let at = from; at < to; ) {
      const blanks = blanksFrom(after, at, width)
      if (blanks > 0 && look !== '') {
        out += '\u001b[m'
        look = ''
      }
      // To the end of the row all is blank: that is said in three characters.
      if (blanks === width - at && blanks > 2) {
        out += '\u001b[K'
        break
      }
      const erased = Math.min(blanks, to - at)
      if (erased >= leastErased) {
        out += `\u001b[${erased}X\u001b[${erased}C`
        at += erased
        continue
      }
      const style = after.styles[at] ?? ''
      if (style !== look) out += look === '' ? `\u001b[${style}m` : `\u001b[0;${style}m`
      look = style
      out += after.characters[at] ?? ' '
      at += 1
    }
    if (look !== '') out += '\u001b[m'
  }
  return out
}
