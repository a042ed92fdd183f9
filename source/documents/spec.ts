import { counted } from '../counted.js'
import { complexityOf } from './complexity.js'
import type { Heading } from './headings.js'
import { saysDone } from './phase-shape.js'
import { sizeDoubts } from './size.js'
import { boldMarks } from './spec-bold.js'
import { literalMarks, looseHeadingMarks } from './spec-headings.js'
import { type PhaseMark, phasesFrom, type SpecPhase, type UnusedLine } from './spec-phases.js'
import { numberedMarks, tableMarks } from './spec-rows.js'
import {
  chosenSection,
  implementationSections,
  openSpec,
  type Section,
  type SpecDocument,
} from './spec-section.js'
import { shown, type UnreadLine, unreadIn } from './spec-unread.js'
import { doubtfulBlocks, unclosedLines } from './unclosed.js'

export type { SpecPhase, UnusedLine } from './spec-phases.js'
export type { UnreadLine } from './spec-unread.js'

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
  title?: string | undefined
  phases: SpecPhase[]
  /** Lines of the section that belong to no phase. In a literal reading: its other H3 headings. */
  unused: UnusedLine[]
  warnings: string[]
  /** All headings, for choosing another one. */
  headings: Heading[]
  /** For a numbered list, which is read as one phase: its items as phases. */
  alternative?: SpecPhase[] | undefined
  /** Those of `unread` that nothing else stands for; a person should see them. */
  overlooked: UnusedLine[]
  /** Every line that looks like a phase and was not read as one. */
  unread: UnreadLine[]
  /** Lines that look like phases in comments, which are none. */
  inComments: UnusedLine[]
  /** Whether a person has to confirm the phases: false only for a literal spec with nothing odd in it. */
  asks: boolean
  /** Why, besides a reading that is not the literal one. */
  askReasons: string[]
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
  const unclosed = unclosedLines(document.markdown, ['fence', 'comment'])
  const doubtful = doubtfulBlocks(document.markdown)
  const size = sizeDoubts(document.markdown.text.length)
  const warnings = [
    ...size,
    ...unclosed,
    ...unclosedLines(document.markdown, ['details']),
    ...doubtful.map((block) => block.text),
    ...sectionWarnings(sections, section),
  ]
  if (found === undefined || section === undefined) {
    const reason = section === undefined ? noSection : `No phases can be read in "${section.heading.title}".`
    const unused = section === undefined ? [] : unusedLines(section, [])
    const left = unreadIn(document, undefined)
    const asks = { asks: true, askReasons: [...warnings, reason] }
    return {
      reading: 'none',
      ...base,
      phases: [],
      unused,
      ...asks,
      warnings: [...warnings, reason],
      overlooked: [],
      ...left,
    }
  }
  const single = found.reading === 'numbered'
  const items = phasesFrom(section.lines, found.marks, single ? 'Item' : 'Phase')
  const whole = single ? wholeSection(document, section) : undefined
  const folded = foldedPhases(document, whole === undefined ? items.phases : [whole.phase])
  const { phases } = folded
  const left = unreadIn(document, { section, marks: found.marks, phases: single ? items.phases : phases })
  const overlooked = single
    ? []
    : left.unread.filter((line) => line.lost).map(({ line, text }) => ({ line, text }))
  const said = [
    ...(single ? [] : looseWarnings(found)),
    ...offWarnings(phases),
    ...folded.warnings,
    ...overlooked.map((each) => `Line ${each.line} looks like a phase but is not read as one: ${each.text}`),
  ]
  const labels = single
    ? { warnings: [listWarning(items.phases.length)], repeated: [] }
    : labelWarnings(phases)
  // A comment that was left open would hide phases.
  const hiding = doubtful.filter((block) =>
    left.inComments.some(({ line }) => line >= block.line && line <= block.endLine),
  )
  const askReasons = [...size, ...unclosed, ...hiding.map((block) => block.text), ...said, ...labels.repeated]
  return {
    reading: found.reading,
    ...base,
    phases,
    unused: found.reading === 'literal' ? otherHeadings(found) : unusedLines(section, found.marks),
    warnings: [
      ...warnings,
      ...(whole?.warnings ?? []),
      ...items.warnings,
      ...labels.warnings,
      ...said,
      ...onePhase(phases),
    ],
    ...(single ? { alternative: items.phases } : {}),
    overlooked,
    ...left,
    asks: found.reading !== 'literal' || askReasons.length > 0,
    askReasons,
  }
}

/** Phases in folded parts are offered, off where the summary says that they are done. */
function foldedPhases(
  document: SpecDocument,
  phases: SpecPhase[],
): { phases: SpecPhase[]; warnings: string[] } {
  const { details } = document.markdown
  const warnings: string[] = []
  let next = 0
  const open: typeof details = []
  const marked = phases.map((phase) => {
    for (; next < details.length && (details[next]?.line ?? 0) < phase.line; next += 1) {
      const opened = details[next]
      if (opened !== undefined) open.push(opened)
    }
    while (open.length > 0 && (open[open.length - 1]?.endLine ?? 0) < phase.line) open.pop()
    const around = open.filter((each) => each.endLine >= phase.line)
    if (around.length === 0) return phase
    const done = around.find((each) => saysDone(each.summary))
    const state = done === undefined ? 'it is on' : `it is off, for the summary says "${shown(done.summary)}"`
    warnings.push(`Line ${phase.line}: phase ${phase.label} stands in a folded part; ${state}.`)
    return done === undefined
      ? phase
      : { ...phase, on: false, reason: `its folded part says "${shown(done.summary)}"` }
  })
  return { phases: marked, warnings }
}

function looseWarnings(found: Marks): string[] {
  if (found.reading !== 'literal' && found.reading !== 'spelling') return []
  return found.marks.flatMap((mark) => {
    const line = found.section.lines[mark.start]
    if (mark.loose !== true || line === undefined) return []
    return [
      `Line ${line.number} is not written as "### Phase N: name", but read as a phase: ${shown(line.text)}`,
    ]
  })
}

function offWarnings(phases: SpecPhase[]): string[] {
  return phases.flatMap((phase) =>
    phase.on ? [] : [`Line ${phase.line}: phase ${phase.label} is switched off: ${phase.reason}.`],
  )
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
    endLine: section.lines[section.lines.length - 1]?.number ?? section.heading.line,
    description: section.lines
      .map((line) => line.text)
      .join('\n')
      .trim(),
    label: '1',
    on: true,
  }
  return { phase, warnings }
}

function otherHeadings(found: Marks): UnusedLine[] {
  const starts = new Set(found.marks.map((mark) => found.section.lines[mark.start]?.number))
  return [...found.section.headings.values()]
    .filter((heading) => heading.level === 3 && !starts.has(heading.line))
    .map((heading) => ({ line: heading.line, text: `### ${shown(heading.title)}` }))
}

/** Lines outside of all phases. A heading stands for the text below it; rules and heads of tables say nothing. */
function unusedLines(section: Section, marks: PhaseMark[]): UnusedLine[] {
  const used = new Set<number>()
  for (const mark of marks) for (let at = mark.start; at < mark.end; at += 1) used.add(at)
  const silent = silentLines(section)
  const unused: UnusedLine[] = []
  let underHeading = false
  section.lines.forEach((line, index) => {
    if (used.has(index)) {
      underHeading = false
      return
    }
    const isHeading = section.headings.has(line.number)
    const says = line.text.trim() !== '' && !silent.has(line.number)
    if (isHeading || (says && !underHeading)) unused.push({ line: line.number, text: shown(line.text) })
    if (isHeading) underHeading = true
  })
  return unused
}

/** Rules, and the heads of tables with the lines below them. */
function silentLines(section: Section): Set<number> {
  const first = section.heading.line
  const last = first + section.lines.length
  const silent = new Set<number>()
  for (const table of section.tables) silent.add(table.line).add(table.line + 1)
  for (const line of section.document.rules) if (line > first && line <= last) silent.add(line)
  return silent
}

function sectionWarnings(sections: Section[], chosen: Section | undefined): string[] {
  if (chosen === undefined || sections.length < 2) return []
  const others = sections.filter((section) => section !== chosen).map((section) => section.heading.line)
  return [
    `The section was found ${sections.length} times; line ${chosen.heading.line} is used, not line ${others.join(', ')}.`,
  ]
}

/** Numbers are labels: file order counts, and anything odd about them is said. */
function labelWarnings(phases: SpecPhase[]): { warnings: string[]; repeated: string[] } {
  const repeated: string[] = []
  const seen = new Map<string, number>()
  for (const phase of phases) {
    const before = seen.get(phase.id.toLowerCase())
    if (before !== undefined) {
      repeated.push(
        `The label ${phase.id} is used twice, on lines ${before} and ${phase.line}; both are phases.`,
      )
    }
    seen.set(phase.id.toLowerCase(), phase.line)
  }
  const warnings = [...repeated]
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
  return { warnings, repeated }
}

function listWarning(items: number): string {
  const steps = counted(items, 'item, which may be a step', 'items, which may be steps')
  return `The section is a numbered list of ${steps}; it is proposed as one phase.`
}

function onePhase(phases: SpecPhase[]): string[] {
  return phases.length === 1 ? ['There is only one phase; the workflow is meant for two or more.'] : []
}
