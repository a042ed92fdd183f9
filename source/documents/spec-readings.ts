import {
  type Complexity,
  complexityColumn,
  complexityOf,
  isBareComplexity,
  withoutComplexity,
} from './complexity.js'
import { isMarkup, type ScannedLine } from './fences.js'
import { headingOf } from './headings.js'
import { headingsIn, phaseLabelOf, phaseTitleOf, type Section } from './spec-section.js'
import { tablesIn } from './table.js'

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
  description: string
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
}

export interface ReadPhases {
  phases: SpecPhase[]
  warnings: string[]
}

const literalPhase = /^### Phase (\d+): (.+)$/
const listBold = {
  bold: /^(\s*)(?:[-*+]\s+(?:\[[ xX]\]\s+)?)?(\*\*|__)(?=\S)(.*)$/,
  'bold-numbered': /^(\s*)\d{1,9}[.)]\s+(?:\[[ xX]\]\s+)?(\*\*|__)(?=\S)(.*)$/,
}
const listItem = /^( {0,3})(\d{1,9})[.)]\s+(\S.*)$/
const tableId = /^(?:\*\*|__|`)?(?:phase\s+)?(\d+(?:\.\d+)*[a-z]?|[A-Z]\d*)\.?(?:\*\*|__|`)?$/i

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
      description: [mark.rest, ...body].join('\n').trim(),
    }
  })
  return { phases, warnings }
}

function headingMarks(
  section: Section,
  level: number,
  read: (line: ScannedLine) => Named | undefined,
): PhaseMark[] {
  const stops = headingsIn(section).filter((heading) => heading.level <= level)
  const offset = section.lines[0]?.number ?? 0
  return stops.flatMap((stop, index) => {
    const start = stop.line - offset
    const line = section.lines[start]
    const named = line === undefined || stop.level !== level ? undefined : read(line)
    if (named === undefined) return []
    const next = stops[index + 1]
    return [
      {
        ...named,
        start,
        body: start + 1,
        end: next === undefined ? section.lines.length : next.line - offset,
        rest: '',
      },
    ]
  })
}

interface Named {
  id: string
  name: string
}

function literalName(line: ScannedLine): Named | undefined {
  const match = literalPhase.exec(line.text)
  if (match?.[1] === undefined) return undefined
  return { id: match[1], name: withoutComplexity(match[2] ?? '').replace(/\s+#+$/, '') }
}

/** Phases that stand exactly as `### Phase N: Name`. */
export function literalMarks(section: Section): PhaseMark[] {
  return headingMarks(section, 3, literalName)
}

function looseName(line: ScannedLine): Named | undefined {
  const title = phaseTitleOf(withoutComplexity(headingOf(line)?.title ?? ''))
  return title === undefined ? undefined : { id: title.id, name: title.name.trim() }
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
  return withoutComplexity(text)
    .replace(/[.:\s]+$/, '')
    .trim()
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
    if (next === undefined || next.fenced || next.text.trim() === '') break
    text = `${text.trimEnd()} ${next.text.trim()}`
  }
  return { inner: rest, after: '', body: start + 1 }
}

function boldName({ inner, after }: BoldText): (Named & { rest: string }) | undefined {
  const whole = phaseTitleOf(withoutComplexity(inner))
  if (whole !== undefined && whole.name !== '')
    return { id: whole.id, name: tidyName(whole.name), rest: after }
  if (whole !== undefined)
    return { id: whole.id, name: tidyName(firstSentence(withoutComplexity(after))), rest: after }
  const outside = phaseLabelOf(inner, after)
  if (outside === undefined) return undefined
  return {
    id: outside.id,
    name: tidyName(firstSentence(withoutComplexity(outside.name))),
    rest: outside.name,
  }
}

/** Each mark ends where the next begins, or at a heading of any level. */
function closeMarks(lines: ScannedLine[], open: Omit<PhaseMark, 'end'>[]): PhaseMark[] {
  return open.map((mark, index) => {
    const limit = open[index + 1]?.start ?? lines.length
    const heading = lines.findIndex(
      (line, at) => at > mark.start && at < limit && headingOf(line) !== undefined,
    )
    return { ...mark, end: heading === -1 ? limit : heading }
  })
}

/** Paragraphs, bullets or numbered items that open with `**Phase 1 — Name.**`, all at the indent of the first. */
export function boldMarks(section: Section, shape: 'bold' | 'bold-numbered'): PhaseMark[] {
  let indent: number | undefined
  const open = section.lines.flatMap((line, start) => {
    const match = !isMarkup(line) ? null : listBold[shape].exec(line.text)
    if (match?.[1] === undefined || match[2] === undefined) return []
    if (indent !== undefined && match[1].length !== indent) return []
    const text = boldAt(section.lines, start, match[2], match[3] ?? '')
    const named = boldName(text)
    if (named === undefined) return []
    indent = match[1].length
    return [
      {
        ...named,
        start,
        body: text.body,
        rest: named.rest.replace(/^\s*(?:[:—–]|-(?=\s))?\s*/, '').trimEnd(),
      },
    ]
  })
  return closeMarks(section.lines, open)
}

/** Rows of the first table whose first cell is a label and whose second is a name, or the complexity before a name. */
export function tableMarks(section: Section): PhaseMark[] {
  for (const { head, rows } of tablesIn(section.lines)) {
    const column = complexityColumn(head)
    const nameColumn = column === 1 ? 2 : 1
    const marks = rows.flatMap((row) => {
      const id = tableId.exec(row.cells[0] ?? '')?.[1]
      const name = tidyName((row.cells[nameColumn] ?? '').replace(/^(?:\*\*|__)(.*?)(?:\*\*|__)/, '$1'))
      if (id === undefined || name === '') return []
      const end = row.index + 1
      const rest = row.cells.slice(nameColumn + 1)
      const complexityCell = column === -1 ? rest.find(isBareComplexity) : (row.cells[column] ?? '')
      const mark = { id, name, start: row.index, body: end, end, rest: rest.join('\n') }
      return [complexityCell === undefined ? mark : { ...mark, complexityCell }]
    })
    if (marks.length > 0) return marks
  }
  return []
}

function itemName(text: string): string {
  const bold = /^(?:\*\*|__)(.+?)(?:\*\*|__)/.exec(text)
  return tidyName(bold?.[1] ?? firstSentence(withoutComplexity(text)))
}

/** Top-level items of numbered lists. Mostly steps, hence only the alternative to one single phase. */
export function numberedMarks(section: Section): PhaseMark[] {
  let indent: number | undefined
  const open = section.lines.flatMap((line, start) => {
    const match = !isMarkup(line) ? null : listItem.exec(line.text)
    if (match?.[1] === undefined || match[2] === undefined || match[3] === undefined) return []
    if (indent !== undefined && match[1].length !== indent) return []
    indent = match[1].length
    return [{ id: match[2], name: itemName(match[3]), start, body: start + 1, rest: match[3] }]
  })
  return closeMarks(section.lines, open)
}
