import { type Complexity, complexityOf } from './complexity.js'
import type { ScannedLine } from './markdown-lines.js'
import { withoutStrike } from './phase-shape.js'
import type { Section } from './spec-section.js'

// Marks of phases in a section, and the phases that come of them (docs/harness.md, "Spec grammar").

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
      name: mark.name === '' ? `Phase ${mark.id}` : withoutStrike(mark.name),
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

/** What a line says of the phase that it begins. */
export interface Named {
  id: string
  name: string
  loose?: boolean
  done?: string | undefined
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
export function closeMarks(section: Section, open: Omit<PhaseMark, 'end'>[]): PhaseMark[] {
  const stops = headingStops(section)
  return open.map((mark, index) => {
    const limit = open[index + 1]?.start ?? section.lines.length
    return { ...mark, end: Math.min(limit, stops[mark.start] ?? limit) }
  })
}
