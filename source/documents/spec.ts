import { complexityOf } from './complexity.js'
import type { ScannedLine } from './fences.js'
import { type Heading, headingOf } from './headings.js'
import {
  boldMarks,
  literalMarks,
  looseHeadingMarks,
  numberedMarks,
  type PhaseMark,
  phasesFrom,
  type SpecPhase,
  tableMarks,
  type UnusedLine,
} from './spec-readings.js'
import {
  chosenSection,
  headingsIn,
  implementationSections,
  openSpec,
  phaseTitleOf,
  type Section,
  type SpecDocument,
} from './spec-section.js'
import { isDelimiter } from './table.js'

export type { SpecPhase, UnusedLine } from './spec-readings.js'

/** How the phases of a spec were found: the rows of the table in docs/harness.md, "Spec grammar", in its order. */
export type ReadingName =
  | 'literal'
  | 'spelling'
  | 'headings'
  | 'bold'
  | 'bold-numbered'
  | 'table'
  | 'numbered'
  | 'none'

/** What a spec says about its phases, with the lines it stands on. */
export interface SpecReading {
  reading: ReadingName
  section: { title: string; line: number } | null
  /** The level 1 heading. */
  title?: string
  phases: SpecPhase[]
  /** Lines of the section that belong to no phase. In a literal reading: its other H3 headings. */
  unused: UnusedLine[]
  warnings: string[]
  /** All headings, for choosing another one. */
  headings: Heading[]
  /** For a numbered list, which is read as one phase: its items as phases. */
  alternative?: SpecPhase[]
  /** Headings that look like phases but were not read as such; a person should see them. */
  overlooked: UnusedLine[]
}

type Marks = { reading: ReadingName; section: Section; marks: PhaseMark[] }

const readings: { reading: ReadingName; marks: (section: Section) => PhaseMark[] }[] = [
  { reading: 'literal', marks: (section) => (section.literal ? literalMarks(section) : []) },
  { reading: 'spelling', marks: (section) => (section.literal ? [] : literalMarks(section)) },
  { reading: 'headings', marks: looseHeadingMarks },
  { reading: 'bold', marks: (section) => boldMarks(section, 'bold') },
  { reading: 'bold-numbered', marks: (section) => boldMarks(section, 'bold-numbered') },
  { reading: 'table', marks: tableMarks },
  { reading: 'numbered', marks: numberedMarks },
]

/** Reads the phases of a spec. Never throws: what cannot be read is `reading: 'none'` with the reason in `warnings`. */
export function readSpec(text: string): SpecReading {
  const document = openSpec(text)
  return compose(document, implementationSections(document), 'There is no "Implementation Order" section.')
}

/** Reads the phases below a heading that the user chose; `headingLine` is 1-based. */
export function readSpecAt(text: string, headingLine: number): SpecReading {
  const document = openSpec(text)
  const section = chosenSection(document, headingLine)
  return compose(document, section === undefined ? [] : [section], `Line ${headingLine} is not a heading.`)
}

/** Sections of one level compete reading by reading; a higher level always wins. */
function firstMatch(sections: Section[]): Marks | undefined {
  const levels = [...new Set(sections.map((section) => section.heading.level))]
  for (const level of levels) {
    const peers = sections.filter((section) => section.heading.level === level)
    for (const { reading, marks } of readings) {
      for (const section of peers) {
        const found = marks(section)
        if (found.length > 0) return { reading, section, marks: found }
      }
    }
  }
  return undefined
}

function compose(document: SpecDocument, sections: Section[], noSection: string): SpecReading {
  const found = firstMatch(sections)
  const section = found?.section ?? sections[0]
  const base = {
    section: section === undefined ? null : { title: section.heading.title, line: section.heading.line },
    ...(document.title === undefined ? {} : { title: document.title }),
    headings: document.headings,
  }
  const warnings = [...fenceWarnings(document), ...sectionWarnings(sections, section)]
  if (found === undefined || section === undefined) {
    const reason = section === undefined ? noSection : `No phases can be read in "${section.heading.title}".`
    const unused = section === undefined ? [] : unusedLines(section.lines, [])
    return { reading: 'none', ...base, phases: [], unused, warnings: [...warnings, reason], overlooked: [] }
  }
  const single = found.reading === 'numbered'
  const items = phasesFrom(section.lines, found.marks, single ? 'Item' : 'Phase')
  const whole = single ? wholeSection(document, section) : undefined
  const phases = whole === undefined ? items.phases : [whole.phase]
  const overlooked = overlookedIn(document, found)
  return {
    reading: found.reading,
    ...base,
    phases,
    unused: found.reading === 'literal' ? otherHeadings(found) : unusedLines(section.lines, found.marks),
    warnings: [
      ...warnings,
      ...(whole?.warnings ?? []),
      ...items.warnings,
      ...(single ? [listWarning(items.phases.length)] : labelWarnings(phases)),
      ...overlooked.map(
        (each) => `Line ${each.line} looks like a phase but is not read as one: ${each.text}`,
      ),
      ...onePhase(phases),
    ],
    ...(single ? { alternative: items.phases } : {}),
    overlooked,
  }
}

/** A numbered list is mostly steps of one piece of work, so the whole section is proposed as one phase. */
function wholeSection(document: SpecDocument, section: Section): { phase: SpecPhase; warnings: string[] } {
  const title = document.title?.replace(/^(?:proposal|spec|specification|design|change|rfc)\s*[:—–-]\s+/i, '')
  const named = title !== undefined && title !== '' && document.titleLine !== undefined
  const name = named ? title : section.heading.title
  const { complexity, warnings } = complexityOf(section.lines, `the proposed phase "${name}"`)
  const phase = {
    id: '1',
    number: 1,
    name,
    complexity,
    line: named ? (document.titleLine ?? section.heading.line) : section.heading.line,
    description: section.lines
      .map((line) => line.text)
      .join('\n')
      .trim(),
  }
  return { phase, warnings }
}

function otherHeadings(found: Marks): UnusedLine[] {
  const starts = new Set(found.marks.map((mark) => found.section.lines[mark.start]?.number))
  return headingsIn(found.section)
    .filter((heading) => heading.level === 3 && !starts.has(heading.line))
    .map((heading) => ({ line: heading.line, text: `### ${heading.title}` }))
}

/** Lines outside of all phases. A heading stands for the text below it; rules and table borders say nothing. */
function unusedLines(lines: ScannedLine[], marks: PhaseMark[]): UnusedLine[] {
  const used = new Set<number>()
  for (const mark of marks) for (let at = mark.start; at < mark.end; at += 1) used.add(at)
  const unused: UnusedLine[] = []
  let underHeading = false
  lines.forEach((line, index) => {
    if (used.has(index)) {
      underHeading = false
      return
    }
    const isHeading = headingOf(line) !== undefined
    const tableHead = line.text.includes('|') && isDelimiter(lines[index + 1]?.text ?? '')
    const says =
      !tableHead &&
      line.text.trim() !== '' &&
      !isDelimiter(line.text) &&
      !/^\s*([-*_])(?:\s*\1){2,}\s*$/.test(line.text)
    if (isHeading || (says && !underHeading)) unused.push({ line: line.number, text: line.text.trim() })
    if (isHeading) underHeading = true
  })
  return unused
}

/** Phase-shaped headings that a literal or loose reading left out: in the section, or behind its end. */
function overlookedIn(document: SpecDocument, found: Marks): UnusedLine[] {
  const first = found.marks[0]
  const level = first === undefined ? undefined : headingOf(found.section.lines[first.start] ?? blank)?.level
  if (level === undefined) return []
  const used = new Set(found.marks.map((mark) => found.section.lines[mark.start]?.number))
  return document.headings
    .filter((heading) => heading.level === level && heading.line > found.section.heading.line)
    .filter((heading) => !used.has(heading.line) && phaseTitleOf(heading.title) !== undefined)
    .map((heading) => ({ line: heading.line, text: heading.title }))
}

const blank: ScannedLine = { number: 0, text: '', fenced: false }

function fenceWarnings(document: SpecDocument): string[] {
  if (document.unclosedFence === undefined) return []
  return [
    `The code block that opens on line ${document.unclosedFence} never closes; nothing after it is read.`,
  ]
}

function sectionWarnings(sections: Section[], chosen: Section | undefined): string[] {
  if (chosen === undefined || sections.length < 2) return []
  const others = sections.filter((section) => section !== chosen).map((section) => section.heading.line)
  return [
    `The section was found ${sections.length} times; line ${chosen.heading.line} is used, not line ${others.join(', ')}.`,
  ]
}

/** Numbers are labels: file order counts, and anything odd about them is said. */
function labelWarnings(phases: SpecPhase[]): string[] {
  const warnings: string[] = []
  const seen = new Map<string, number>()
  for (const phase of phases) {
    const before = seen.get(phase.id.toLowerCase())
    if (before !== undefined) {
      warnings.push(
        `The label ${phase.id} is used twice, on lines ${before} and ${phase.line}; both are phases.`,
      )
    }
    seen.set(phase.id.toLowerCase(), phase.line)
  }
  const numbers = phases.map((phase) => (/^\d+$/.test(phase.id) ? Number(phase.id) : undefined))
  if (numbers[0] === 0) warnings.push('The labels start at 0; autopilot counts phases from 1 in file order.')
  numbers.forEach((number, index) => {
    const previous = numbers[index - 1]
    if (number === undefined || previous === undefined) return
    const line = phases[index]?.line
    if (number > previous + 1) warnings.push(`Line ${line}: the labels jump from ${previous} to ${number}.`)
    if (number < previous) {
      warnings.push(`Line ${line}: the labels go back from ${previous} to ${number}; file order counts.`)
    }
  })
  return warnings
}

function listWarning(items: number): string {
  const steps = items === 1 ? 'item, which may be a step' : `${items} items, which may be steps`
  return `The section is a numbered list of ${steps}; it is proposed as one phase.`
}

function onePhase(phases: SpecPhase[]): string[] {
  return phases.length === 1 ? ['There is only one phase; the workflow is meant for two or more.'] : []
}
