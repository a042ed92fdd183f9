import { withoutEnd } from '../../documents/edit.js'
import { isTooDeep } from '../../documents/json-depth.js'
import type { PaneLine } from '../../view/panes.js'
import type { Theme } from '../theme.js'
import { diffTone } from './diff-lines.js'
import type { StyledPart, StyledText } from './styled-text.js'

// What agents write, line by line as it is read: Markdown without its marks, JSON with room, diffs in colour.

const inline = /`([^`]+)`|\*\*([^*]+)\*\*|__([^_]+)__/g

/** Code and emphasis of a line, without the marks around them. */
function emphasised(source: string): StyledText {
  const parts: StyledPart[] = []
  let text = ''
  let at = 0
  for (const found of source.matchAll(inline)) {
    const [whole, code, strong, other] = found
    text += source.slice(at, found.index)
    const from = text.length
    text += code ?? strong ?? other ?? ''
    parts.push(
      code === undefined ? { from, to: text.length, strong: true } : { from, to: text.length, tone: 'info' },
    )
    at = found.index + whole.length
  }
  return { text: text + source.slice(at), parts }
}

const heading = /^#{1,6}\s+(\S.*)$/
const item = /^(\s*)[-*+]\s+(?:\[([ xX])\]\s+)?(?=\S)/

function markdownLine(source: string, theme: Theme): StyledText {
  const head = heading.exec(source)
  if (head) {
    const { text } = emphasised(withoutEnd((head[1] ?? '').trimEnd(), '#').trimEnd())
    return { text, parts: [{ from: 0, to: text.length, tone: 'accent', strong: true }] }
  }
  const found = item.exec(source)
  if (!found) return emphasised(source)
  const [whole, indent = '', box] = found
  const mark = box === undefined ? theme.bullet : box === ' ' ? theme.open : theme.done
  const { text, parts } = emphasised(source.slice(whole.length))
  const begin = `${indent}${mark} `
  return {
    text: begin + text,
    parts: [
      { from: 0, to: begin.length, tone: 'info' },
      ...parts.map((part) => ({ ...part, from: part.from + begin.length, to: part.to + begin.length })),
    ],
  }
}

const jsonName = /"(?:[^"\\]|\\.)*"(?=\s*:)/g

function jsonLine(text: string): StyledText {
  const parts = [...text.matchAll(jsonName)].map(
    (found): StyledPart => ({ from: found.index, to: found.index + found[0].length, tone: 'info' }),
  )
  return { text, parts }
}

/** Lines that a value gets when it is spread out. */
const mostJsonLines = 60

/** A line that is a JSON object or list, spread out where it is longer than `width`; undefined for any other text. */
function jsonLines(source: string, width: number): StyledText[] | undefined {
  const text = source.trim()
  if (!/^(?:\{.*\}|\[.*\])$/.test(text) || text.length < 3) return undefined
  // Each level is a line with that many blanks: two thousand levels are megabytes, in each frame.
  if (isTooDeep(text)) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (text.length <= width) return [jsonLine(text)]
  const lines = JSON.stringify(value, null, 2).split('\n')
  if (lines.length > mostJsonLines) return [jsonLine(text)]
  return lines.map(jsonLine)
}

/** A line of a pane as it is read, in one line or, of JSON, in several. */
export function readLine(entry: PaneLine, width: number, theme: Theme): StyledText[] {
  const { text, as, colours, kind } = entry
  if (colours) return [{ text, parts: colours }]
  if (as === 'diff') return [{ text, parts: [{ from: 0, to: text.length, tone: diffTone(text) }] }]
  if (as === 'code') return [{ text, parts: [{ from: 0, to: text.length, tone: 'info' }] }]
  if (kind !== 'text' && kind !== 'log') return [{ text, parts: [] }]
  const json = jsonLines(text, width)
  if (json) return json
  return [kind === 'text' ? markdownLine(text, theme) : { text, parts: [] }]
}
