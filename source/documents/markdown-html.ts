import { skipBlanks } from './markdown-lines.js'

// How blocks of HTML begin and end in Markdown: the seven kinds of CommonMark, kind 2 being the comment.

/** 1 to 5 run up to their own end mark, 6 and 7 up to a blank line. */
export type HtmlKind = 1 | 2 | 3 | 4 | 5 | 6 | 7

const blockNames = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt ' +
    'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link ' +
    'main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead ' +
    'title tr track ul'
  ).split(' '),
)
const rawNames = new Set(['script', 'pre', 'style', 'textarea'])

/** The kind of HTML block that begins at a place of a line, if one does. */
export function htmlKindAt(text: string, at: number): HtmlKind | undefined {
  if (text[at] !== '<') return undefined
  if (text.startsWith('<!--', at)) return 2
  if (text.startsWith('<?', at)) return 3
  if (text.startsWith('<![CDATA[', at)) return 5
  if (text[at + 1] === '!' && isLetter(text[at + 2])) return 4
  const closing = text[at + 1] === '/'
  const nameStart = at + (closing ? 2 : 1)
  let end = nameStart
  while (isLetter(text[end]) || isDigit(text[end])) end += 1
  // No name of an HTML block is longer; cut, so that a long run of letters costs nothing.
  const name = text.slice(nameStart, Math.min(end, nameStart + 20)).toLowerCase()
  const next = text[end]
  const ends = next === undefined || next === ' ' || next === '\t' || next === '>'
  if (!closing && ends && rawNames.has(name)) return 1
  if ((ends || text.startsWith('/>', end)) && blockNames.has(name)) return 6
  const tag = completeTag(text, at)
  return tag !== undefined && skipBlanks(text, tag) === text.length ? 7 : undefined
}

/** Whether a line of an HTML block holds the mark that ends its kind, looked for from `from` on. */
export function endsHtml(kind: HtmlKind, text: string, from: number): boolean {
  switch (kind) {
    case 1:
      return /<\/(?:script|pre|style|textarea)>/i.test(text.slice(from))
    case 2:
      return text.includes('-->', from)
    case 3:
      return text.includes('?>', from)
    case 4:
      return text.includes('>', from)
    case 5:
      return text.includes(']]>', from)
    default:
      return false
  }
}

/** The place behind a whole opening or closing tag that begins at `at`. */
function completeTag(text: string, at: number): number | undefined {
  const closing = text[at + 1] === '/'
  let place = at + (closing ? 2 : 1)
  if (!isLetter(text[place])) return undefined
  while (isLetter(text[place]) || isDigit(text[place]) || text[place] === '-') place += 1
  while (!closing) {
    const next = attributeEnd(text, place)
    if (next === undefined) break
    place = next
  }
  place = skipBlanks(text, place)
  if (!closing && text[place] === '/') place += 1
  return text[place] === '>' ? place + 1 : undefined
}

/** The place behind one attribute with the blanks before it. */
function attributeEnd(text: string, from: number): number | undefined {
  let place = skipBlanks(text, from)
  if (place === from || !/^[A-Za-z_:]/.test(text.charAt(place))) return undefined
  while (/^[\w.:-]/.test(text.charAt(place))) place += 1
  const equals = skipBlanks(text, place)
  if (text[equals] !== '=') return place
  const value = skipBlanks(text, equals + 1)
  const quote = text[value]
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, value + 1)
    return close === -1 ? undefined : close + 1
  }
  let end = value
  while (end < text.length && !/^[\s"'=<>`]/.test(text.charAt(end))) end += 1
  return end === value ? undefined : end
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /^[A-Za-z]$/.test(character)
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9'
}
