import { withoutComments } from './complexity.js'
import type { ScannedLine } from './markdown-lines.js'
import { doneReason, phaseShapeOf } from './phase-shape.js'
import type { Named, PhaseMark } from './spec-phases.js'
import type { Section } from './spec-section.js'

// Phases that are headings (docs/harness.md, "Spec grammar").

const literalPhase = /^### Phase (\d+): (.+)$/

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
  const name = withoutHashes(withoutComments(match[2] ?? ''))
  return { id: match[1], name, done: doneReason(name) }
}

/** Without a closing run of hashes. */
function withoutHashes(name: string): string {
  let end = name.length
  while (name[end - 1] === '#') end -= 1
  return end < name.length && /\s/.test(name.charAt(end - 1)) ? name.slice(0, end).trimEnd() : name
}

const looseName: ReadHeading = (_, title, section) => {
  const shape = phaseShapeOf(withoutComments(title), section.words)
  if (shape === undefined || shape.bare) return undefined
  // `### Phase 1 (Quick wins):` is called by what stands in its parentheses.
  const name = shape.name === '' ? shape.aside.replace(/^\(|\)$/g, '') : shape.name
  return { id: shape.id, name, loose: true, done: doneReason(name, shape) }
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
