import { counted } from '../counted.js'
import { withoutEnd } from '../documents/edit.js'
import { keyMark } from '../secrets/redact.js'
import { colouredLine, lastState } from '../terminal/colours.js'
import type { PaneLine } from '../view/panes.js'

// One line of a pane made of what an agent wrote: safe, cut, and with the look that it is to be read in.

/** Characters of one line that are shown; the log has all of it. */
export const lineLimit = 4000
/** Lines from the beginning and from the end of a tool's output or diff that are kept, and characters of each. */
const excerptHead = 8
const excerptTail = 8
const excerptLimit = 400

/** Each line of a text. */
export function split(kind: PaneLine['kind'], text: string): PaneLine[] {
  if (!text.includes('\n')) return [line(kind, text)]
  const isLarge = text.length > 16 * lineLimit
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((each) => line(kind, each, { isPart: isLarge }))
}

/** The beginning and the end of what a tool printed or changed. */
export function excerpt(kind: PaneLine['kind'], text: string | undefined, as?: PaneLine['as']): PaneLine[] {
  if (text === undefined || text.trim() === '') return []
  const lines = withoutEnd(text, '\n').split('\n')
  const one = (each: string) => line(kind, each, { as, limit: excerptLimit, isPart: true })
  const fits = lines.length <= excerptHead + excerptTail
  if (fits) return lines.map(one)
  // The end of a private key is told as one only behind its beginning.
  const tail = text.includes(keyMark) ? [] : lines.slice(-excerptTail)
  const more = lines.length - excerptHead - tail.length
  return [
    ...lines.slice(0, excerptHead).map(one),
    line(kind, `(${counted(more, 'more line')} in the log)`),
    ...tail.map(one),
  ]
}

/** Lines of a text, and what of them is code. */
export function spokenLines(kind: PaneLine['kind'], text: string, fence: Fence): PaneLine[] {
  const lines = split(kind, text)
  if (kind !== 'text' || (!fence.isOpen() && !text.includes(fenceMark))) return lines
  return lines.map((each) => {
    const as = fence.next(each.text)
    return as === undefined ? each : { ...each, as }
  })
}

export const fenceMark = '```'

/** Follows a Markdown text line by line: what stands between fences is code, or a diff if it says so. */
export interface Fence {
  isOpen(): boolean
  next(text: string): PaneLine['as']
}

export function createFence(): Fence {
  let inside: PaneLine['as']
  return {
    isOpen: () => inside !== undefined,
    next(text) {
      const found = /^\s{0,3}```+\s*(\w*)/.exec(text)
      if (!found) return inside
      if (inside !== undefined) {
        inside = undefined
        return 'code'
      }
      inside = /^(?:diff|patch)$/.test(found[1] ?? '') ? 'diff' : 'code'
      return 'code'
    },
  }
}

/** What most lines are made of. */
const harmless = /^[\x20-\x7e]*$/

interface LineForm {
  /** The text is a part of a much larger one, which it would keep in memory. */
  isPart?: boolean
  as?: PaneLine['as']
  /** Characters that are shown. */
  limit?: number
}

/** One line, made safe; of a text that drew over itself what it showed last. */
export function line(kind: PaneLine['kind'], told: string, form: LineForm = {}): PaneLine {
  const { isPart = false, as, limit = lineLimit } = form
  const look = as === undefined ? {} : { as }
  if (told.length <= limit && !isPart && harmless.test(told)) return { kind, text: told, ...look }
  const whole = lastState(told)
  const more = whole.length - limit
  const { text, colours } = colouredLine(more > 0 ? whole.slice(0, limit) : whole)
  const said = more > 0 ? `${text} (${counted(more, 'more character')} in the log)` : text
  const shown = isPart || more > 0 ? copyOf(said) : said
  return colours.length === 0 ? { kind, text: shown, ...look } : { kind, text: shown, ...look, colours }
}

/** The same text by itself: a part of a larger one keeps all of that in memory. */
export function copyOf(text: string): string {
  return Buffer.from(text).toString()
}
