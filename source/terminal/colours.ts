import { createSanitizer, sanitizeLine } from './sanitize.js'

// Colours of agents in the form that panes keep: docs/terminal.md "Panes". What could hide words, such as a background or
// concealed text, is dropped with every other sequence.

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const

/** One of the sixteen colours of letters that every terminal has. */
export type Colour = (typeof names)[number] | `${(typeof names)[number]}Bright`

export interface TextStyle {
  colour?: Colour
  strong?: true
  underline?: true
}

/** A part of a text that has a look: characters `from` (inclusive) to `to` (exclusive). */
export interface Coloured extends TextStyle {
  from: number
  to: number
}

/** Where a text begins to be drawn over: a program that shows its progress writes one line again and again. */
export function lastState(text: string): string {
  let end = text.length
  while (text.charAt(end - 1) === '\r') end -= 1
  return text.slice(text.lastIndexOf('\r', end - 1) + 1, end)
}

const graphics = /\u001b\[([0-9;:]*)m/g

function colourAt(index: number): Colour | undefined {
  const name = names[index % 8]
  if (name === undefined || index > 15) return undefined
  return index < 8 ? name : `${name}Bright`
}

/** What a colour of the extended form comes to, and how many parameters it takes behind its own. */
function extended(codes: readonly number[], at: number): { colour: Colour | undefined; taken: number } {
  if (codes[at + 1] === 5) return { colour: colourAt(codes[at + 2] ?? 16), taken: 2 }
  return { colour: undefined, taken: codes[at + 1] === 2 ? 4 : 0 }
}

function without(style: TextStyle, key: keyof TextStyle): TextStyle {
  const { [key]: _, ...rest } = style
  return rest
}

function withColour(style: TextStyle, colour: Colour | undefined): TextStyle {
  return colour === undefined ? without(style, 'colour') : { ...style, colour }
}

/** The look after one parameter that stands alone; anything that is not kept changes nothing. */
function afterCode(style: TextStyle, code: number): TextStyle {
  if (code === 0) return {}
  if (code === 1) return { ...style, strong: true }
  if (code === 4) return { ...style, underline: true }
  if (code === 22) return without(style, 'strong')
  if (code === 24) return without(style, 'underline')
  if (code === 39) return without(style, 'colour')
  if (code >= 30 && code <= 37) return withColour(style, colourAt(code - 30))
  return code >= 90 && code <= 97 ? withColour(style, colourAt(code - 82)) : style
}

/** The look after the parameters of one sequence. */
function afterSequence(before: TextStyle, parameters: string): TextStyle {
  // With colons, parts of one parameter are separated: those are forms of underlines and of extended colours.
  if (parameters.includes(':')) return before
  const codes = parameters.split(';').map(Number)
  let style = before
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0
    if (code === 38 || code === 48 || code === 58) {
      const { colour, taken } = extended(codes, at)
      if (code === 38) style = withColour(style, colour)
      at += taken
    } else style = afterCode(style, code)
  }
  return style
}

/**
 * Safe text of one line, and what of its colours panes keep: sixteen colours of letters, bold, underlined; none goes on in
 * the next line.
 */
export function colouredLine(value: string): { text: string; colours: readonly Coloured[] } {
  if (!value.includes('\u001b[')) return { text: sanitizeLine(value), colours: [] }
  const sanitizer = createSanitizer()
  const colours: Coloured[] = []
  let text = ''
  let style: TextStyle = {}
  let at = 0

  function take(part: string): void {
    const safe = part.replace(/\n+/g, ' ')
    if (safe === '') return
    const from = text.length
    text += safe
    if (Object.keys(style).length > 0) colours.push({ ...style, from, to: text.length })
  }

  for (const found of value.matchAll(graphics)) {
    take(sanitizer.push(value.slice(at, found.index)))
    take(sanitizer.push(found[0]))
    at = found.index + found[0].length
    style = afterSequence(style, found[1] ?? '')
  }
  take(sanitizer.push(value.slice(at)))
  take(sanitizer.end())
  return { text, colours }
}
