import type { RawLine } from './edit.js'
import { cellsOf } from './markdown-table.js'

// The `key: value` lines of a state file, with what stands below them (docs/lifecycle.md, "Reading"). Pure.

/** A line `key: value`. `from` and `to` are where the value stands in it, without what is dropped. */
export interface StateField {
  key: string
  value: string
  at: number
  from: number
  to: number
  /** Lines below that are part of the value: `sub_step:` with its parts indented below. */
  below?: readonly number[]
  /** The key as it is written, where it was told by its place. */
  told?: string
}

const arrow = '\u2190'

/** A row of a table with two columns is one too: `| status | failed |`. */
function rowField(line: string, at: number): StateField | undefined {
  const [name, value, more] = cellsOf(line)
  if (!name || !value || more) return undefined
  const key = plainKey(name.text)
  const isKey = /^(?:flow|step|name|status|sub_step|retry_count|date|ended_at|reason|notes)$/.test(key)
  return isKey ? { key, value: unquoted(value.text), at, from: value.start, to: value.end } : undefined
}

/** `Retry count`, `retry-count` and `retryCount` are `retry_count`. */
const plainKey = (name: string) =>
  name
    .replaceAll(/[*`]/g, '')
    .trim()
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replaceAll(/[ -]/g, '_')

/** The key and value of one line; undefined for any other line. */
export function fieldAt(line: string, at: number): StateField | undefined {
  if (line.trimStart().startsWith('|')) return rowField(line, at)
  const colon = line.search(/[:\uff1a=]/)
  if (colon < 1 || colon > 60) return undefined
  const key = line
    .slice(0, colon)
    .replace(/^\s*(?:[-*+]|\d{1,2}[.)])\s/, '')
    .replaceAll(/[*`]/g, '')
    .trim()
  if (!/^\p{L}[\p{L}\p{M}\p{N}_ -]{0,40}$/u.test(key)) return undefined
  const plain = plainKey(key)
  const marks = line.startsWith('**', colon + 1) ? 3 : 1
  const cutMarks = commented.has(plain) ? [arrow, '<!--', ' <- '] : [arrow, '<!--']
  const cuts = cutMarks.map((mark) => line.indexOf(mark, colon)).filter((cut) => cut !== -1)
  const note = commented.has(plain) ? line.slice(colon, longestField).search(/\s#\s/) : -1
  const stop = Math.min(line.length, ...cuts, ...(note === -1 ? [] : [colon + note]))
  const after = line.slice(colon + marks, stop)
  const from = colon + marks + (after.length - after.trimStart().length)
  const to = from + line.slice(from, stop).trimEnd().length
  return { key: plain, value: unquoted(line.slice(from, to)), at, from, to }
}

/** Keys whose values hold no `#`: what follows one is a note, as in YAML. */
const commented = new Set(['flow', 'step', 'name', 'status', 'retry_count'])
const longestField = 2000

function unquoted(value: string): string {
  const mark = value[0]
  const isQuoted = value.length > 1 && mark !== undefined && `"'\`*`.includes(mark) && value.endsWith(mark)
  return isQuoted ? unquoted(value.slice(1, -1).trim()) : value
}

const partKeys = /^(?:id|phase|step|number|name|title|details?|status|notes)$/

/** Parts of `sub_step` that stand indented below it are its value. */
export function withParts(lines: readonly RawLine[], fields: readonly StateField[]): StateField[] {
  const indent = ({ at }: StateField) => /^[ \t]*/.exec(lines[at]?.text ?? '')?.[0].length ?? 0
  const result: StateField[] = []
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] as StateField
    const parts: StateField[] = []
    if (field.key === 'sub_step' && field.value === '')
      for (let next = index + 1; next < fields.length; next += 1) {
        const part = fields[next] as StateField
        const isPart = partKeys.test(part.key) && indent(part) > indent(field)
        if (!isPart || part.at !== field.at + parts.length + 1) break
        parts.push(part)
      }
    const value = (...keys: string[]) => parts.find(({ key }) => keys.includes(key))?.value ?? ''
    const [id, name] = [value('id', 'phase', 'step', 'number'), value('name', 'title')]
    const said = name === '' ? id : `${id || '?'} \u2014 ${name}`
    result.push(parts.length === 0 ? field : { ...field, value: said, below: parts.map(({ at }) => at) })
    index += parts.length
  }
  return result
}

const sessionKeys = /^(?:date|ended_at|reason|notes)$/

/**
 * Behind the last line that goes on with the notes at a place: lines below them that are indented, entries of a list, or
 * the rest of a paragraph, up to a blank line or another key.
 */
export function endOfNotes(lines: readonly string[], at: number): number {
  const indent = (line: string | undefined) => /^[ \t]*/.exec(line ?? '')?.[0].length ?? 0
  const isEntry = (line: string | undefined) => /^\s*[-*+]\s/.test(line ?? '')
  const [own, isOwnEntry] = [indent(lines[at]), isEntry(lines[at])]
  let end = at + 1
  while (end < lines.length) {
    const line = lines[end] ?? ''
    const key = fieldAt(line, end)?.key
    const isBelow = indent(line) > own || (isEntry(line) && !isOwnEntry)
    if (/^\s*(?:$|#|\||<!--|`{3}|~{3})/.test(line) || (key !== undefined && sessionKeys.test(key))) break
    if (!isBelow && (key !== undefined || isEntry(line))) break
    end += 1
  }
  return end
}

/** Notes of several lines are one value. `lines` end with the section. */
export function withNotes(lines: readonly RawLine[], fields: readonly StateField[]): StateField[] {
  const notes = fields.find(({ key }) => key === 'notes')
  if (!notes) return [...fields]
  const texts = lines.map(({ text }) => text)
  const below = Array.from(
    { length: endOfNotes(texts, notes.at) - notes.at - 1 },
    (_, at) => notes.at + 1 + at,
  )
  if (below.length === 0) return [...fields]
  // `|` and `>` say in YAML that the text begins below.
  const first = /^[|>]-?$/.test(notes.value) ? '' : notes.value
  const more = below.map((at) => (texts[at] ?? '').replace(/^\s*[-*+]\s/, '').trim())
  const value = [first, ...more].filter((each) => each !== '').join(' ')
  return fields.flatMap((field) =>
    field === notes ? [{ ...field, value, below }] : below.includes(field.at) ? [] : [field],
  )
}
