import { type ScannedLine, scanLines, unclosedFence } from './fences.js'
import { type Heading, headingOf, headingsOf } from './headings.js'

// Where the phases of a spec stand: the literal section, or one whose heading means the same (docs/harness.md,
// "Spec grammar").

/** A section that may hold phases, with its lines below the heading. */
export interface Section {
  heading: Heading
  /** The heading is exactly `## Implementation Order`. */
  literal: boolean
  lines: ScannedLine[]
  /** Heading levels at which phases may stand, highest first. */
  levels: number[]
}

/** A spec cut into what the readings need. */
export interface SpecDocument {
  lines: ScannedLine[]
  headings: Heading[]
  title: string | undefined
  titleLine: number | undefined
  unclosedFence: number | undefined
}

const literalSection = /^## Implementation Order\s*$/
const tolerantSection =
  /^[*_]*(?:section\s+\w+(?:\.\d+)*\s*[:.)—–-]?\s*|(?:\d+(?:\.\d+)*|[A-Z])[.):]?\s+)?[*_]*implementation[\s-]+order\b/i

const id = String.raw`(\d+(?:\.\d+)*[a-z]?|[IVX]+|[A-Z]\d*)`
const separator = String.raw`(?:\s*(?::|[—–])\s*|\s+-+\s+|-\s+)`
const phaseWords = String.raw`(?:sub-?\s?)?(?:phase|wave|stage|step)`
const numbered = String.raw`(?:\d+(?:\.\d+)*[.)]?\s+)?`
const phaseTitle = new RegExp(`^(?:\\*\\*|__)?${numbered}${phaseWords}\\s+${id}${separator}(.*)$`, 'i')
const phaseLabel = new RegExp(`^${phaseWords}\\s+${id}\\s*$`, 'i')
const leadingSeparator = new RegExp(`^${separator}`)

/** Label and name of "Phase 1: Name" in any of its seen spellings: Wave, Stage, Step, Sub-Phase, dash for colon. */
export function phaseTitleOf(text: string): { id: string; name: string } | undefined {
  const match = phaseTitle.exec(text.trim())
  if (match?.[1] === undefined) return undefined
  return { id: match[1], name: (match[2] ?? '').trim().replace(/(?:\*\*|__)$/, '') }
}

/** Label and rest of "Phase 1" whose name follows outside, as in `**Phase 1** — Name`. */
export function phaseLabelOf(text: string, rest: string): { id: string; name: string } | undefined {
  const match = phaseLabel.exec(text.trim())
  if (match?.[1] === undefined || !leadingSeparator.test(rest)) return undefined
  return { id: match[1], name: rest.replace(leadingSeparator, '') }
}

export function openSpec(text: string): SpecDocument {
  const lines = scanLines(text)
  const headings = headingsOf(lines)
  const title = headings.find((heading) => heading.level === 1 && heading.title !== '')
  return { lines, headings, title: title?.title, titleLine: title?.line, unclosedFence: unclosedFence(lines) }
}

/** A section ends at the next heading of its level or above; a sibling that is itself a phase does not end it. */
function endsSection(heading: Heading, section: Heading, siblings: boolean): boolean {
  if (heading.level > section.level) return false
  return !(siblings && heading.level === section.level && phaseTitleOf(heading.title) !== undefined)
}

function sectionAt(document: SpecDocument, heading: Heading, siblings: boolean, levels: number[]): Section {
  const end = document.headings.find(
    (other) => other.line > heading.line && endsSection(other, heading, siblings),
  )
  const lines = document.lines.slice(heading.line, end === undefined ? undefined : end.line - 1)
  return {
    heading,
    literal: literalSection.test(document.lines[heading.line - 1]?.text ?? ''),
    lines,
    levels,
  }
}

/** All sections that could hold the phases: level 2 before 3 before 4, in file order within a level. */
export function implementationSections(document: SpecDocument): Section[] {
  return [2, 3, 4].flatMap((level) =>
    document.headings
      .filter((heading) => heading.level === level && tolerantSection.test(heading.title))
      .map((heading) => sectionAt(document, heading, level > 2, level === 4 ? [4] : [3, 4])),
  )
}

/** The section below a heading that the user chose; its phases may stand at any deeper level, or beside it. */
export function chosenSection(document: SpecDocument, line: number): Section | undefined {
  const heading = document.headings.find((candidate) => candidate.line === line)
  if (heading === undefined) return undefined
  const levels = [1, 2, 3, 4, 5, 6].filter((level) => level >= heading.level)
  return sectionAt(document, heading, true, levels)
}

/** Headings of a section, in order. */
export function headingsIn(section: Section): Heading[] {
  return section.lines.flatMap((line) => headingOf(line) ?? [])
}
