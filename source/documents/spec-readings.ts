import {
  type Complexity,
  complexityColumn,
  complexityOf,
  isBareComplexity,
  withoutComplexity,
} from './complexity.js'
import { isMarkup, type ScannedLine } from './markdown-lines.js'
import { doneReason, type PhaseShape, phaseShapeOf } from './phase-shape.js'
import type { Section } from './spec-section.js'

// One function per row of the table of readings in docs/harness.md, "Spec grammar".

/** One phase of a spec. */
export interface SpecPhase {
  /** The label as written: `1`, `5a`, `A`. */
  id: string
  /** 1-based position in file order. */
  number: number
  name: string
  complexity: Complexity
  /** 1-based line on which the name stands. */
  line: number
  /** 1-based, the last line of its text. */
  endLine: number
  /** Text of its own lines, in whatever shape it was read from. */
  description: string
  /** The label as the spec has it, for people and prompts; as `id`. */
  label: string
  /** Whether it is proposed to be run. */
  on: boolean
  /** Why it is not on. */
  reason?: string | undefined
}

/** A line of the section that belongs to no phase. */
export interface UnusedLine {
  line: number
  text: string
}

/** Where a phase stands in the lines of its section: from `start` up to `end`, both 0-based. */
export interface PhaseMark {
  id: string
  name: string
  start: number
  end: number
  /** Text after the name on its own line. */
  rest: string
  /** Where the lines of the description begin: after the name, which may wrap. */
  body: number
  /** What the cell of a table says about complexity. */
  complexityCell?: string
  /** Not written as the reading wants it, but read. */
  loose?: boolean
  /** Why it counts as done. */
  done?: string | undefined
}

export interface ReadPhases {
  phases: SpecPhase[]
  warnings: string[]
}

const literalPhase = /^### Phase (\d+): (.+)$/
const listBold = {
  bold: /^(\s*)(?:[-*+]\s+(?:(\[[ xX]\])\s+)?)?(\*\*|__)(?=\S)(.*)$/,
  'bold-numbered': /^(\s*)\d{1,9}[.)]\s+(?:(\[[ xX]\])\s+)?(\*\*|__)(?=\S)(.*)$/,
}
const tableId =
  /^(?:\*\*|__|`)?(?:phase\s+)?(\d{1,9}(?:\.\d{1,9}){0,8}[a-z]?|[A-Z]\d{0,9})\.?(?:\*\*|__|`)?$/i

/**
 * Turns marks into phases: description, complexity, a name where there is none.
 * @param noun what the warnings call one of them
 */
export function phasesFrom(lines: ScannedLine[], marks: PhaseMark[], noun = 'Phase'): ReadPhases {
  const warnings: string[] = []
  const phases = marks.map((mark, index) => {
    const first = lines[mark.start]
    const line = first?.number ?? 0
    const named = mark.name === '' ? '' : ` "${mark.name}"`
    const label = `${noun} ${mark.id}${named} (line ${line})`
    const cell = mark.complexityCell === undefined ? undefined : { text: mark.complexityCell, line }
    const complexity = complexityOf(lines.slice(mark.start, mark.end), label, cell)
    warnings.push(...complexity.warnings)
    if (mark.name === '') warnings.push(`${label} has no name.`)
    const body = lines.slice(mark.body, mark.end).map((each) => each.text)
    return {
      id: mark.id,
      number: index + 1,
      name: mark.name === '' ? `Phase ${mark.id}` : mark.name,
      complexity: complexity.complexity,
      line,
      endLine: lines[mark.end - 1]?.number ?? line,
      description: [mark.rest, ...body].join('\n').trim(),
      label: mark.id,
      on: mark.done === undefined,
      ...(mark.done === undefined ? {} : { reason: mark.done }),
    }
  })
  return { phases, warnings }
}

interface Named {
  id: string
  name: string
  loose?: boolean
  done?: string | undefined
}

type ReadHeading = (line: ScannedLine, title: string, section: Section) => Named | undefined

function headingMarks(section: Section, level: number, read: ReadHeading): PhaseMark[] {
  const stops = [...section.headings.values()].filter((heading) => heading.level <= level)
  const offset = section.lines[0]?.number ?? 0
  return stops.flatMap((stop, index) => {
    const start = stop.line - offset
    const line = section.lines[start]
    const named = line === undefined || stop.level !== level ? undefined : read(line, stop.title, section)
    if (named === undefined) return []
    const next = stops[index + 1]
    const end = next === undefined ? section.lines.length : next.line - offset
    // The line below an underlined heading is its underline.
    const underlined = line !== undefined && !/^ {0,3}#/.test(line.text)
    return [{ ...named, start, body: start + (underlined ? 2 : 1), end, rest: '' }]
  })
}

const literalName: ReadHeading = (line) => {
  const match = literalPhase.exec(line.text)
  if (match?.[1] === undefined) return undefined
  const name = withoutHashes(withoutComplexity(match[2] ?? ''))
  return { id: match[1], name, done: doneReason(name) }
}

/** Without a closing run of hashes. */
function withoutHashes(name: string): string {
  let end = name.length
  while (name[end - 1] === '#') end -= 1
  return end < name.length && /\s/.test(name.charAt(end - 1)) ? name.slice(0, end).trimEnd() : name
}

const looseName: ReadHeading = (_, title, section) => {
  const shape = phaseShapeOf(withoutComplexity(title), section.words)
  if (shape === undefined || shape.bare) return undefined
  return { id: shape.id, name: shape.name, loose: true, done: doneReason(shape.name, shape) }
}

/** Phases that stand exactly as `### Phase N: Name`, and beside them those that are meant to. */
export function literalMarks(section: Section): PhaseMark[] {
  const marks = headingMarks(section, 3, (...heading) => literalName(...heading) ?? looseName(...heading))
  return marks.every((mark) => mark.loose === true) ? [] : marks.map(withoutRepeat)
}

/** "Phase 1: Phase 1: X" is called X. */
function withoutRepeat(mark: PhaseMark): PhaseMark {
  const inner = mark.loose === true ? undefined : phaseShapeOf(mark.name)
  const repeats = inner?.id === mark.id && inner.name !== '' && inner.word.toLowerCase() === 'phase'
  return repeats ? { ...mark, name: inner.name } : mark
}

/** Headings such as `### Wave A — Name`, all on the highest level that has any. */
export function looseHeadingMarks(section: Section): PhaseMark[] {
  for (const level of section.levels) {
    const marks = headingMarks(section, level, looseName)
    if (marks.length > 0) return marks
  }
  return []
}

/** The first sentence of a text: up to a full stop or colon that ends a word. */
function firstSentence(text: string): string {
  const end = /[.:](?=\s|$)/.exec(text)
  return (end === null ? text : text.slice(0, end.index)).trim()
}

function tidyName(text: string): string {
  const name = withoutComplexity(text)
  let end = name.length
  while (end > 0 && /[.:\s]/.test(name.charAt(end - 1))) end -= 1
  return name.slice(0, end).trimStart()
}

interface BoldText {
  inner: string
  after: string
  /** Where the lines behind it begin. */
  body: number
}

/** Bold text from its opening to its closing marker, which may be up to two lines further down. */
function boldAt(lines: ScannedLine[], start: number, opener: string, rest: string): BoldText {
  let text = rest
  for (let body = start + 1; body <= start + 3; body += 1) {
    const close = text.indexOf(opener)
    if (close !== -1) return { inner: text.slice(0, close), after: text.slice(close + opener.length), body }
    const next = lines[body]
    if (next === undefined || !isMarkup(next) || next.text.trim() === '') break
    text = `${text.trimEnd()} ${next.text.trim()}`
  }
  return { inner: rest, after: '', body: start + 1 }
}

function boldName(
  { inner, after }: BoldText,
  words: readonly string[],
): (Named & { rest: string }) | undefined {
  const whole = phaseShapeOf(withoutComplexity(inner), words)
  if (whole === undefined) return undefined
  if (whole.name !== '') return named(whole, whole.name, restOf(whole, after))
  const shape = whole.bare ? phaseShapeOf(`${inner}${after}`, words) : whole
  if (shape === undefined || shape.bare) return undefined
  const text = whole.bare ? shape.name : after
  return named(shape, firstSentence(withoutComplexity(text)), restOf(shape, text))
}

function named(shape: PhaseShape, name: string, rest: string): Named & { rest: string } {
  return { id: shape.id, name: tidyName(name), rest, done: doneReason(name, shape) }
}

/** What is said beside the name stays with the phase. */
function restOf(shape: PhaseShape, after: string): string {
  const rest = after
    .trim()
    .replace(/^(?:[:：—–]|-(?=\s))/, '')
    .trimStart()
  return shape.aside === '' ? rest : `${shape.aside} ${rest}`.trim()
}

/** For each line the next one that is a heading or an end; as many as there are lines. */
function headingStops(section: Section): number[] {
  const stops = new Array<number>(section.lines.length)
  let next = section.lines.length
  for (let at = section.lines.length - 1; at >= 0; at -= 1) {
    stops[at] = next
    if (section.headings.has(section.lines[at]?.number ?? 0)) next = at
  }
  return stops
}

/** Each mark ends where the next begins, or at a heading of any level. */
function closeMarks(section: Section, open: Omit<PhaseMark, 'end'>[]): PhaseMark[] {
  const stops = headingStops(section)
  return open.map((mark, index) => {
    const limit = open[index + 1]?.start ?? section.lines.length
    return { ...mark, end: Math.min(limit, stops[mark.start] ?? limit) }
  })
}

/** A line that opens in bold and is no phase: a field of one, or something after the last. */
interface BoldLine {
  index: number
  indent: number
  text: string
  numbered: boolean
}

const endWords =
  /^(?:wrap-?up|total|summary|follow-?up|out of scope|deferred|later|future|notes?|timeline|not in scope)\b/i

/** The first line after the last phase that cannot be part of it. */
function endOfLast(marks: PhaseMark[], others: BoldLine[], indent: number): number | undefined {
  const [first, last] = [marks[0], marks[marks.length - 1]]
  if (first === undefined || last === undefined) return undefined
  const fields = new Set(
    others.filter((line) => line.index > first.start && line.index < last.start).map((line) => line.text),
  )
  return others.find((line) => {
    if (line.index <= last.start || line.index >= last.end || line.indent !== indent) return false
    return line.numbered || endWords.test(line.text) || (marks.length > 1 && !fields.has(line.text))
  })?.index
}

const boldLine = /^(\s*)(?:[-*+]\s+|(\d{1,9})[.)]\s+)?(?:\[[ xX]\]\s+)?(\*\*|__)(?=\S)(.*)$/
const numberedLine = /^(\s*)\d{1,9}[.)]\s+\S/

/** Paragraphs, bullets or numbered items that open with `**Phase 1 — Name.**`, all at the indent of the first. */
export function boldMarks(section: Section, shape: 'bold' | 'bold-numbered'): PhaseMark[] {
  let indent: number | undefined
  const others: BoldLine[] = []
  const open = section.lines.flatMap((line, start) => {
    if (!isMarkup(line) || line.quoted) return []
    const match = listBold[shape].exec(line.text)
    const width = match?.[1]?.length
    const fits = width !== undefined && (indent === undefined || width === indent)
    const text = fits ? boldAt(section.lines, start, match?.[3] ?? '', match?.[4] ?? '') : undefined
    const name = text === undefined ? undefined : boldName(text, section.words)
    if (name === undefined || text === undefined) {
      others.push(...boldLineOf(line, start, shape))
      return []
    }
    indent = width
    const checked = match?.[2] === undefined ? undefined : /[xX]/.test(match[2])
    const done = name.done ?? doneReason('', undefined, checked)
    return [{ ...name, done, start, body: text.body }]
  })
  const marks = closeMarks(section, open)
  const end = endOfLast(marks, others, indent ?? 0)
  return marks.map((mark, index) =>
    index === marks.length - 1 && end !== undefined ? { ...mark, end } : mark,
  )
}

function boldLineOf(line: ScannedLine, index: number, shape: 'bold' | 'bold-numbered'): BoldLine[] {
  const bold = boldLine.exec(line.text)
  if (bold?.[1] !== undefined) {
    const text = (bold[4] ?? '').split(bold[3] ?? '**')[0] ?? ''
    const numbered = shape === 'bold-numbered' && bold[2] !== undefined
    return [{ index, indent: bold[1].length, text: text.toLowerCase(), numbered }]
  }
  const item = shape === 'bold-numbered' ? numberedLine.exec(line.text) : null
  return item?.[1] === undefined ? [] : [{ index, indent: item[1].length, text: line.text, numbered: true }]
}

/** A name that opens in bold is its bold text. */
function boldOr(text: string): string {
  const opener = text.startsWith('**') ? '**' : text.startsWith('__') ? '__' : undefined
  const close = opener === undefined ? -1 : text.indexOf(opener, 2)
  return close > 2 ? text.slice(2, close) : text
}

/** Rows of the first table whose first cell is a label and whose second is a name, or the complexity before a name. */
export function tableMarks(section: Section): PhaseMark[] {
  const offset = section.lines[0]?.number ?? 0
  for (const table of section.tables) {
    const head = table.head.map((cell) => cell.text)
    const column = complexityColumn(head)
    const nameColumn = column === 1 ? 2 : 1
    const marks = table.rows.flatMap((row) => {
      const cells = row.cells.map((cell) => cell.text)
      const id = tableId.exec((cells[0] ?? '').slice(0, 100))?.[1]
      const name = tidyName(boldOr(cells[nameColumn] ?? ''))
      if (id === undefined || name === '') return []
      const start = row.line - offset
      const end = start + 1
      const rest = cells.slice(nameColumn + 1)
      const complexityCell = column === -1 ? rest.find(isBareComplexity) : (cells[column] ?? '')
      const done = doneReason(cells[nameColumn] ?? '', phaseShapeOf(`Phase 1: ${cells[nameColumn] ?? ''}`))
      const mark = { id, name, done, start, body: end, end, rest: rest.join('\n') }
      return [complexityCell === undefined ? mark : { ...mark, complexityCell }]
    })
    if (marks.length > 0) return marks
  }
  return []
}

/** Top-level items of numbered lists. Mostly steps, hence only the alternative to one single phase. */
export function numberedMarks(section: Section): PhaseMark[] {
  const offset = section.lines[0]?.number ?? 0
  const open = section.items.flatMap(({ item, paragraph }) => {
    if (item.number === undefined) return []
    const { text } = section.document.markdown
    const lines = text.slice(paragraph.start, paragraph.end).split('\n')
    const whole = lines.map((line) => line.trim()).join(' ')
    const bold = boldOr(whole)
    const name = tidyName(bold === whole ? firstSentence(withoutComplexity(whole)) : bold)
    const start = item.line - offset
    const mark = { id: String(item.number), name, done: doneReason(name, undefined, item.checked), start }
    return [{ ...mark, body: start + lines.length, rest: lines.map((line) => line.trim()).join('\n') }]
  })
  return closeMarks(section, open)
}
