import { commentsOn, withoutComments } from './complexity.js'
import type { Block } from './markdown-blocks.js'
import type { ScannedLine } from './markdown-lines.js'
import { type PhaseShape, phaseShapeOf } from './phase-shape.js'
import type { PhaseMark, SpecPhase, UnusedLine } from './spec-phases.js'
import type { Section, SpecDocument } from './spec-section.js'

// Lines that look like phases and were not read as such: nothing is left out silently (docs/harness.md, "Spec grammar").

/** A line that looks like a phase, and why it is none. */
export interface UnreadLine extends UnusedLine {
  reason: string
  /** Nothing else stands for it, so a person should say whether it is a phase. */
  lost: boolean
}

/** What was looked through: the section that was used and the marks in it. */
export interface ReadSection {
  section: Section
  marks: PhaseMark[]
  phases: SpecPhase[]
}

/** Longest text of a line that is shown; the whole line stays in the file. */
export const longestShown = 200

/** A line cut for display. */
export function shown(text: string): string {
  const line = text.trim()
  return line.length > longestShown ? `${line.slice(0, longestShown)}…` : line
}

interface Candidate {
  line: ScannedLine
  shape: PhaseShape
  /** Level of a heading, 0 for text in bold, -1 for plain text. */
  level: number
}

/** Quotes, the mark of an item, and tags in which people put what folds or stands out. */
const opening = /^[\s>]*(?:[-*+]\s+|\d{1,9}[.)]\s+)?(?:<(?:details|summary|b|strong|h\d)>\s{0,3}){0,3}/i

/** A line as a phase would begin in it: as a heading, in bold, or at the beginning of a paragraph or item. */
function candidateOf(
  document: SpecDocument,
  line: ScannedLine,
  heads: Map<number, number>,
): Candidate | undefined {
  if (!/phase|wave|stage|step/i.test(line.text)) return undefined
  const inner =
    line.within === 'comment' ? line.text.replace(/^[\s>]*<!--/, '').replace('-->', '') : line.text
  const text = withoutComments(inner.slice(opening.exec(inner)?.[0].length ?? 0))
  const hashes = /^#{1,6}\s*/.exec(text)?.[0] ?? ''
  const level = heads.get(line.number) ?? hashes.trim().length
  const shape = phaseShapeOf(text.slice(hashes.length))
  if (shape === undefined) return undefined
  if (level > 0) return { line, shape, level }
  if (!/phase/i.test(shape.word) || shape.bare) return undefined
  if (/^(?:[^\p{L}\p{N}]{0,8})(?:\*\*|__)/u.test(text)) return { line, shape, level: 0 }
  const begins =
    opening.exec(inner)?.[0].trim() !== '' || line.within === 'fence' || startsAlone(document, line)
  return begins ? { line, shape, level: -1 } : undefined
}

/** Inside of a comment that begins and ends on one line. */
function isPhaseText(said: string): boolean {
  const shape = phaseShapeOf(said.replace(/^\s*#{1,6}(?!#)/, ''))
  return shape !== undefined && !shape.bare && /phase/i.test(shape.word)
}

/** A blank line or another such line stands above it: it is no text that goes on. */
function startsAlone(document: SpecDocument, line: ScannedLine): boolean {
  const above = document.markdown.lines[line.number - 2]?.text.trim() ?? ''
  const shape = above === '' ? undefined : phaseShapeOf(withoutComments(above))
  return above === '' || (shape !== undefined && !shape.bare && /phase/i.test(shape.word))
}

/** Levels of the headings of a document by their line, those in quotes too. */
function headingLevels(blocks: readonly Block[]): Map<number, number> {
  return new Map(
    blocks.flatMap((block) => (block.kind === 'heading' ? [[block.line, block.level] as const] : [])),
  )
}

/** Lines that look like phases but are none, and those in comments, which nobody is asked about. */
export function unreadIn(
  document: SpecDocument,
  read: ReadSection | undefined,
): { unread: UnreadLine[]; inComments: UnusedLine[] } {
  const unread: UnreadLine[] = []
  const inComments: UnusedLine[] = []
  const heads = headingLevels(document.markdown.blocks)
  const place = placeIn(document, read)
  for (const line of document.markdown.lines) {
    if (line.within === undefined && commentsOn(line.text).some((said) => isPhaseText(said)))
      inComments.push({ line: line.number, text: shown(line.text) })
    if (place.starts.has(line.number)) continue
    const found = candidateOf(document, line, heads)
    if (found === undefined) continue
    const seen = { line: line.number, text: shown(line.text) }
    if (line.within === 'comment') inComments.push(seen)
    else if (line.within !== 'front matter' && line.within !== 'code')
      unread.push({ ...seen, reason: reasonOf(found, place), lost: isLost(found, place) })
  }
  return { unread, inComments }
}

interface Place {
  /** Lines on which the read phases begin. */
  starts: Set<number>
  labels: Set<string>
  level: number | undefined
  from: number
  to: number
  /** The phase in whose text a line stands. */
  phaseAround: (line: number) => SpecPhase | undefined
  /** Lines in fences that seem to have been left open. */
  doubtful: Set<number>
}

function placeIn(document: SpecDocument, read: ReadSection | undefined): Place {
  const phases = read?.phases ?? []
  const around = new Map<number, SpecPhase>()
  for (const phase of phases)
    for (let line = phase.line; line <= phase.endLine; line += 1) around.set(line, phase)
  const doubtful = new Set<number>()
  for (const block of document.markdown.blocks) {
    if (block.kind !== 'fence' || block.opensInside === undefined) continue
    for (let line = block.line; line <= block.endLine; line += 1) doubtful.add(line)
  }
  const from = read?.section.heading.line ?? 0
  const first = phases[0]
  const heading = first === undefined ? undefined : read?.section.headings.get(first.line)
  return {
    starts: new Set(phases.map((phase) => phase.line)),
    labels: new Set(phases.map((phase) => phase.id.toLowerCase())),
    level: heading?.level,
    from,
    to: from + (read?.section.lines.length ?? 0),
    phaseAround: (line) => around.get(line),
    doubtful,
  }
}

function reasonOf({ line, shape }: Candidate, place: Place): string {
  if (line.within === 'fence') return 'it stands in a code block'
  if (line.within === 'html') return 'it stands in HTML'
  if (line.quoted) return 'it stands in a quote'
  if (line.number <= place.from || line.number > place.to) return 'it stands outside of the section'
  const around = place.phaseAround(line.number)
  if (around !== undefined) return `it stands in the text of phase ${around.label}`
  return shape.bare ? 'it has no name' : 'it is not written as the others are'
}

/** A label that nothing else stands for, or a heading among or behind the phases on their level. */
function isLost({ line, shape, level }: Candidate, place: Place): boolean {
  if (line.within === 'fence') return place.doubtful.has(line.number)
  const inSection = line.number > place.from && line.number <= place.to
  if (!line.quoted && line.within === undefined && level === place.level && line.number > place.from)
    return true
  const id = shape.id.toLowerCase()
  const ends = id.split(/\s?(?:[-–—/+&]|of|and)\s?/)
  const known = place.labels.has(id) || (ends.length === 2 && ends.every((end) => place.labels.has(end)))
  return !known && /phase/i.test(shape.word) && (level >= 0 || inSection)
}
