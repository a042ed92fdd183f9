import { type RawLine, rawLines } from './edit.js'
import {
  currentKeysByPlace,
  keysByPlace,
  type SectionKey,
  sectionKeys,
  sessionKeysByPlace,
} from './lifecycle-by-place.js'
import { fieldAt, type StateField, withNotes, withParts } from './lifecycle-fields.js'
import { isDots, isNothing, isStateTitle, plainTitle, titleBefore } from './lifecycle-words.js'
import { scanMarkdown } from './markdown-scanner.js'
import { cellsOf, delimiterCells } from './markdown-table.js'

// The lines of a lifecycle state file and what they are (docs/lifecycle.md, "Reading"). Everything keeps its line, so
// that an edit can leave every other line alone.

export { type SectionKey, sectionKeys } from './lifecycle-by-place.js'

/** In the order in which a new file has them. */
export const sectionTitles: Readonly<Record<SectionKey, string>> = {
  current: 'Current Step',
  completed: 'Completed Steps',
  decisions: 'Key Decisions',
  session: 'Last Session',
  retries: 'Retry Log',
  blockers: 'Blockers',
}

/** A heading with the lines below it. Places are 0-based; `heading` is the last line of it, `end` is behind the last one. */
export interface StateSection {
  key: SectionKey | undefined
  title: string
  /** Before `heading` where the heading is underlined. */
  start: number
  heading: number
  end: number
  /** What it is was told by where it stands and what it holds, not by its title. */
  byPlace?: true
}

export interface StateTable {
  /** Place of the head, and of the line under it if there is one. */
  head: number
  delimiter: number | undefined
  columns: string[]
  rows: { at: number; cells: string[] }[]
  /** Place of the head of a further table in the section that has other columns: its rows are none of these. */
  other: number | undefined
}

/** One entry of a list, with the lines that go on with it; or a row of a table in its place. */
export interface StateEntry {
  /** The cells of a row that say something, with a dash between them. */
  text: string
  at: number
  end: number
  bullet: boolean
}

export interface StateOutline {
  lines: RawLine[]
  /** Place of `# Autopilot State`. */
  title: number | undefined
  sections: StateSection[]
  /** Lines in comments, in fences and outside of what is read. */
  hidden: ReadonlySet<number>
  /** The lines between these places are the fenced text in which the whole state stands. */
  fenced: { from: number; to: number } | undefined
}

/**
 * Finds the sections of a state file, in the first fence that holds them if they stand nowhere else. What titles say goes
 * before what places tell. Never throws.
 */
export function outlineOf(text: string): StateOutline {
  const lines = rawLines(text)
  const plain = outlineWithin(lines, 0, lines.length, undefined)
  if (plain.sections.some(({ key, byPlace: told }) => key !== undefined && !told)) return plain
  const inFences = scanMarkdown(text).blocks.flatMap((block) => {
    if (block.kind !== 'fence') return []
    const inner = { from: block.line, to: block.endLine - 1 }
    const found = outlineWithin(lines, inner.from, inner.to, inner)
    const current = sectionOf(found, 'current')
    return current ? [{ found, told: current.byPlace === true }] : []
  })
  const byTitle = inFences.find(({ told }) => !told)
  if (byTitle) return byTitle.found
  if (plain.sections.some(({ key }) => key !== undefined)) return plain
  return inFences[0]?.found ?? plain
}

function outlineWithin(
  lines: RawLine[],
  from: number,
  to: number,
  fenced: StateOutline['fenced'],
): StateOutline {
  const part = lines.slice(from, to).map(({ text }) => text)
  const document = scanMarkdown(part.join('\n'))
  const hidden = new Set<number>()
  for (let at = 0; at < lines.length; at += 1) {
    const within = document.lines[at - from]?.within
    if (at < from || at >= to || (within !== undefined && within !== 'code')) hidden.add(at)
  }
  const heads = document.blocks.flatMap((block) => {
    if (block.kind !== 'heading' || block.quotes > 0) return []
    const key = keyOfTitle(block.title)
    // A line that is underlined is a heading of ours or none: below a value it is a rule that lacks its blank line.
    const isOurs = block.setext
      ? block.endLine === block.line + 1 && (key !== undefined || isStateTitle(block.title))
      : /^\uFEFF? {0,3}#/.test(part[block.line - 1] ?? '')
    if (!isOurs) return []
    const [first, last] = [from + block.line - 1, from + block.endLine - 1]
    return [{ first, last, level: block.level, title: block.title, key }]
  })
  const title = heads.find((head) => head.level === 1 && isStateTitle(head.title))
  for (const head of heads) {
    const key = head === title || head.key !== undefined ? undefined : keyOfTitle(titleBefore(head.title))
    if (key !== undefined && !heads.some((other) => other.key === key)) head.key = key
  }
  const tops = heads.filter((head) => head !== title && (head.key !== undefined || head.level <= 2))
  const sections = tops.map(({ key, title: name, first, last }, index) => ({
    key,
    title: name,
    start: first,
    heading: last,
    end: tops[index + 1]?.first ?? to,
  }))
  const plain: StateOutline = { lines, title: title?.last, sections, hidden, fenced }
  return { ...plain, sections: byPlace(plain) }
}

const keyOfTitle = (title: string) =>
  sectionKeys.find((each) => plainTitle(title) === plainTitle(sectionTitles[each]))

/** A section that nobody knows by its title is one of ours where its place and what it holds leave no doubt. */
function byPlace(outline: StateOutline): StateSection[] {
  const { sections } = outline
  const keys = keysByPlace(
    sections.map((section) => {
      const table = tableOf(outline, section)
      const fields = section.key === undefined ? fieldsOf(outline, section) : []
      return { key: section.key, fields, columns: table?.columns.length ?? 0 }
    }),
  )
  return sections.map((section, index) => {
    const key = keys[index]
    return section.key === undefined && key !== undefined ? { ...section, key, byPlace: true } : section
  })
}

/** The first section of this kind; later ones of the same name do not count. */
export function sectionOf(outline: StateOutline, key: SectionKey): StateSection | undefined {
  return outline.sections.find((section) => section.key === key)
}

/** Places of the lines of a section that can hold anything. */
function linesIn(outline: StateOutline, section: StateSection | undefined): number[] {
  if (!section) return []
  const places: number[] = []
  for (let at = section.heading + 1; at < section.end; at += 1) if (!outline.hidden.has(at)) places.push(at)
  return places
}

/** The `key: value` lines of a section; those in a fence count where no others are there. */
export function fieldsOf(outline: StateOutline, section: StateSection | undefined): StateField[] {
  const field = (at: number) => fieldAt(outline.lines[at]?.text ?? '', at) ?? []
  const told = (fields: StateField[]) => {
    const known = toldByPlace(withParts(outline.lines, fields), section)
    return section?.key === 'session' ? withNotes(outline.lines.slice(0, section.end), known) : known
  }
  const found = linesIn(outline, section).flatMap(field)
  if (found.length > 0 || !section) return told(found)
  const all = Array.from({ length: section.end - section.heading - 1 }, (_, at) => section.heading + 1 + at)
  return told(all.flatMap(field))
}

/** Keys of another language, by their places. */
function toldByPlace(fields: StateField[], section: StateSection | undefined): StateField[] {
  const keys =
    section?.key === 'session' && section.byPlace
      ? sessionKeysByPlace(fields)
      : section?.key === undefined || section.key === 'current'
        ? currentKeysByPlace(fields)
        : undefined
  if (!keys) return fields
  return fields.map((field, index) => {
    const key = keys[index]
    return key === undefined ? field : { ...field, key, told: field.key }
  })
}

/**
 * The first table of a section: every line with a bar at its beginning, however complete. What follows under the same head
 * once more goes on with it; under another head it is another table.
 */
export function tableOf(outline: StateOutline, section: StateSection | undefined): StateTable | undefined {
  const places = linesIn(outline, section).filter((at) => /^\s*\|/.test(outline.lines[at]?.text ?? ''))
  const [head, ...rest] = places
  if (head === undefined) return undefined
  const textAt = (at: number) => outline.lines[at]?.text ?? ''
  const cellsAt = (at: number) => cellsOf(textAt(at)).map(({ text }) => text.replaceAll('\\|', '|'))
  const isDelimiter = (at: number) => delimiterCells(textAt(at).trim()) > 0
  const delimiter = rest.find((at) => at === head + 1 && isDelimiter(at))
  const columns = cellsAt(head)
  const isHead = (at: number) => at > head + 1 && places.includes(at + 1) && isDelimiter(at + 1)
  const heads = rest.filter(isHead)
  const other = heads.find((at) => cellsAt(at).join('|').toLowerCase() !== columns.join('|').toLowerCase())
  const rows = rest.filter((at) => at !== delimiter && !isDelimiter(at) && !heads.includes(at))
  return {
    head,
    delimiter,
    columns,
    rows: rows.filter((at) => other === undefined || at < other).map((at) => ({ at, cells: cellsAt(at) })),
    other,
  }
}

/** Lines of a section that stand beside its table and look like rows: entries of a list, cells without a bar in front. */
export function looseRowsOf(outline: StateOutline, section: StateSection | undefined): number[] {
  return linesIn(outline, section).filter((at) => {
    const line = outline.lines[at]?.text ?? ''
    return /^ {0,3}(?:[-*+]|\d{1,3}[.)])[ \t]+\S/.test(line) || /^\s*[^|\s][^|]*\|/.test(line)
  })
}

/** Lines that follow each other and begin with a bar: which of them are rows, and which make the frame of a table. */
export function barLines(
  outline: StateOutline,
  from: number,
  stop: number,
): { frame: number[]; rows: number[] } {
  const isBar = (at: number) => at < stop && !outline.hidden.has(at) && barLine.test(textAt(outline, at))
  const isDelimiter = (at: number) => isBar(at) && delimiterCells(textAt(outline, at).trim()) > 0
  const [frame, rows]: [number[], number[]] = [[], []]
  for (let at = from; isBar(at); at += 1) (isDelimiter(at) || isDelimiter(at + 1) ? frame : rows).push(at)
  return { frame, rows }
}

const barLine = /^ {0,3}\|/
const textAt = ({ lines }: StateOutline, at: number) => lines[at]?.text ?? ''

function rowEntry(outline: StateOutline, at: number): StateEntry {
  const cells = cellsOf(textAt(outline, at)).map(({ text }) => text.replaceAll('\\|', '|'))
  const said = cells.filter((cell) => !isNothing(cell) && !isDots(cell))
  return { text: said.join(' \u2014 '), at, end: at + 1, bullet: false }
}

/**
 * The entries of a section that is a list, or a table; text without a mark is an entry too. A fence or comment belongs to
 * the entry above it only where it is indented below its mark (docs/lifecycle.md, "Reading").
 */
export function entriesOf(outline: StateOutline, section: StateSection | undefined): StateEntry[] {
  if (!section) return []
  const entries: StateEntry[] = []
  let open: StateEntry | undefined
  for (let at = section.heading + 1; at < section.end; at += 1) {
    const line = outline.lines[at]?.text ?? ''
    if (outline.hidden.has(at)) {
      const end = hiddenUntil(outline, at, section.end)
      open = open && isPartOf(outline, open, { at, end }) ? open : undefined
      if (open) open.end = end
      at = end - 1
      continue
    }
    // A fence that never closes is text, and nobody's.
    if (/^\s*(?:$|#|`{3}|~{3})/.test(line)) {
      open = undefined
      continue
    }
    if (barLine.test(line) && !(open?.bullet && /^ {2}/.test(line))) {
      const { frame, rows } = barLines(outline, at, section.end)
      entries.push(...rows.map((row) => rowEntry(outline, row)))
      open = undefined
      at += frame.length + rows.length - 1
      continue
    }
    const [mark] = /^ {0,3}(?:[-*+]|\d{1,3}[.)])(?:[ \t]+|$)/.exec(line) ?? []
    if (mark === undefined && open) {
      open.text = `${open.text} ${line.trim()}`.trim()
      open.end = at + 1
      continue
    }
    open = { text: line.slice(mark?.length ?? 0).trim(), at, end: at + 1, bullet: mark !== undefined }
    entries.push(open)
  }
  return entries
}

/** Behind the last one of the hidden lines that follow each other. */
function hiddenUntil({ hidden }: StateOutline, from: number, stop: number): number {
  let end = from + 1
  while (end < stop && hidden.has(end)) end += 1
  return end
}

/** Whole or not at all: half a fence would make another text of what stands behind it. */
function isPartOf({ lines }: StateOutline, entry: StateEntry, { at, end }: { at: number; end: number }) {
  return entry.bullet && lines.slice(at, end).every(({ text }) => /^(?: {2}|\t|\s*$)/.test(text))
}

/** Lines that a version control system leaves where two changes did not fit together, 1-based. */
export function conflictLines(lines: readonly RawLine[]): number[] {
  const marks = lines.flatMap(({ text }, at) => {
    const found = /^(<{7}|\|{7}|={7}|>{7})(?: |$)/.exec(text)
    return found?.[1] === undefined ? [] : [{ mark: found[1].charAt(0), line: at + 1 }]
  })
  const has = (mark: string) => marks.some((each) => each.mark === mark)
  return has('<') && has('>') ? marks.map(({ line }) => line) : []
}
