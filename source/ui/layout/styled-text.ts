import type { Coloured } from '../../terminal/colours.js'
import { wrapText } from '../../terminal/width.js'
import type { Line, Span, Tone } from '../theme.js'

/** The look of a part of a text: characters `from` (inclusive) to `to` (exclusive). */
export interface StyledPart extends Partial<Coloured> {
  from: number
  to: number
  tone?: Tone | undefined
}

/** A text of one line and the looks of its parts; where they overlap, the later one wins. */
export interface StyledText {
  text: string
  parts: readonly StyledPart[]
}

/** Parts of a text that are looked at for one row; what is coloured more finely than that stays plain. */
const mostParts = 400

function spanOf(text: string, from: number, to: number, parts: readonly StyledPart[]): Span {
  const look: StyledPart = { from, to }
  for (const part of parts) if (part.from <= from && part.to >= to) Object.assign(look, part)
  const { from: _, to: __, ...style } = look
  return { text: text.slice(from, to), ...style }
}

function spansBetween({ text, parts }: StyledText, from: number, to: number): Line {
  const near = parts.filter((part) => part.from < to && part.to > from).slice(0, mostParts)
  if (near.length === 0) return [{ text: text.slice(from, to) }]
  const cuts = new Set([from, to])
  for (const part of near) {
    if (part.from > from) cuts.add(part.from)
    if (part.to < to) cuts.add(part.to)
  }
  const places = [...cuts].sort((one, other) => one - other)
  return places.slice(1).map((end, index) => spanOf(text, places[index] ?? from, end, near))
}

/** A text in rows of at most `width` cells, up to `limit` of them; its parts keep their looks across the rows. */
export function styledRows(styled: StyledText, width: number, limit: number): Line[] {
  let at = 0
  return wrapText(styled.text, width, limit).map((row) => {
    // Between two rows only spaces are left out; a character that no row can hold is shown as another one.
    const found = styled.text.indexOf(row, at)
    if (found < 0) return [{ text: row }]
    at = found + row.length
    return spansBetween(styled, found, at)
  })
}

/** A text in a single row, however long. */
export function styledLine(styled: StyledText): Line {
  return spansBetween(styled, 0, styled.text.length)
}

/** A row with the hits of a search lit; everything else of it keeps its look. */
export function litLine(row: Line, wanted: string | undefined): Line {
  if (wanted === undefined || wanted === '') return row
  let text = ''
  const parts = row.map(({ text: own, colour, ...look }): StyledPart => {
    text += own
    const place = { from: text.length - own.length, to: text.length }
    return { ...place, ...look, ...(colour === undefined ? {} : { colour }) } as StyledPart
  })
  const found = lit({ text, parts }, wanted)
  return found.parts.length === parts.length ? row : styledLine(found)
}

/** A text with the hits of a search lit; `wanted` in any case. */
export function lit(styled: StyledText, wanted: string | undefined): StyledText {
  if (wanted === undefined || wanted === '') return styled
  const lower = styled.text.toLowerCase()
  // Where small letters are longer than capital ones, places would be wrong.
  if (lower.length !== styled.text.length) return styled
  const small = wanted.toLowerCase()
  const hits: StyledPart[] = []
  for (let hit = lower.indexOf(small); hit >= 0; hit = lower.indexOf(small, hit + small.length))
    hits.push({ from: hit, to: hit + small.length, tone: 'warn', strong: true, underline: true })
  return hits.length === 0 ? styled : { ...styled, parts: [...styled.parts, ...hits] }
}
