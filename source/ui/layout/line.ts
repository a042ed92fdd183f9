import { cutText, textWidth } from '../../terminal/width.js'
import type { Line, Span, Theme, Tone } from '../theme.js'

/** A line of one span. */
export function line(text: string, tone?: Tone, strong?: boolean): Line {
  return [{ text, tone, strong }]
}

export function lineWidth(spans: Line): number {
  return spans.reduce((sum, span) => sum + textWidth(span.text), 0)
}

/** The line, cut to `width` cells. Ink never has to cut or wrap, which its caches would make expensive. */
export function fitLine(spans: Line, width: number, theme: Theme): Line {
  if (lineWidth(spans) <= width) return spans
  const fitting: Span[] = []
  let room = width
  for (const [index, span] of spans.entries()) {
    const cells = textWidth(span.text)
    const rest = lineWidth(spans.slice(index + 1))
    if (cells + rest <= room || (cells < room && rest > 0)) {
      fitting.push(span)
      room -= cells
      continue
    }
    fitting.push({ ...span, text: cutText(span.text, room, theme.ellipsis) })
    break
  }
  return fitting
}

/** A line with `left` at the left and `right` at the right edge; `right` goes first when there is no room for both. */
export function spread(left: Line, right: Line, width: number, theme: Theme): Line {
  const gap = width - lineWidth(left) - lineWidth(right)
  if (gap >= 1) return [...left, { text: ' '.repeat(gap) }, ...right]
  return fitLine(left, width, theme)
}

/** What a rule shows beside its title. */
export interface RuleLook {
  /** Near the right end, if there is room. */
  aside?: string
  /** It heads what waits for the person. */
  strong?: boolean
  /** The title is cut before the aside goes. */
  keep?: boolean
}

/** Whether a rule of that width has room for its whole title and the aside. */
export function hasRoomBeside(title: string, aside: string, width: number): boolean {
  return textWidth(title) + textWidth(aside) + 9 <= width
}

/** Cells that a title keeps beside its aside. */
const leastName = 16

/** Heading of a section: a rule with its title. */
export function rule(title: string, width: number, theme: Theme, look: RuleLook = {}): Line {
  const { aside = '', strong = false, keep = false } = look
  const begin = `${theme.rule.repeat(2)} `
  const end = aside === '' ? '' : ` ${aside} ${theme.rule.repeat(2)}`
  // Where a text is scrolled to is worth more than the end of its name.
  const whole = width - textWidth(begin) - 2
  const beside = end === '' ? whole : whole - textWidth(end) - 1
  const name = cutText(title, Math.max(1, keep && beside >= leastName ? beside : whole), theme.ellipsis)
  const room = width - textWidth(begin) - textWidth(name) - 1
  const shownEnd = textWidth(end) + 1 <= room ? end : ''
  return [
    { text: begin, tone: 'quiet' },
    { text: name, strong: true, tone: strong ? 'accent' : undefined },
    { text: ` ${theme.rule.repeat(Math.max(0, room - textWidth(shownEnd)))}${shownEnd}`, tone: 'quiet' },
  ]
}

/** First index of a window of `size` rows out of `count` that shows `wanted`, as near the middle as it can be. */
export function windowStart(count: number, size: number, wanted: number): number {
  return Math.max(0, Math.min(count - size, wanted - Math.floor(size / 2)))
}
