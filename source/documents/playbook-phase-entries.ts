import type { PlaybookLine } from './playbook-lines.js'
import type { NamedPhase } from './playbook-phase-line.js'
import type { Scope } from './playbook-shipped.js'

// Which heading and which list line a phase is, where a roadmap names one id several times (docs/playbook.md, "Roadmap").

/** A place that names a phase. */
export interface PhaseEntry {
  phase: NamedPhase
  line: PlaybookLine
  /** Of its section; of a list line those that are indented below it. */
  lines: PlaybookLine[]
  scope: Scope
}

export interface MergedPhase {
  section: PhaseEntry | undefined
  listed: PhaseEntry | undefined
  warnings: string[]
}

/** One entry per id, in the order in which sections, then list lines, name them first. */
export function mergePhases(
  sections: readonly PhaseEntry[],
  listed: readonly PhaseEntry[],
  milestone: string | undefined,
): { phases: MergedPhase[] } {
  const bySection = grouped(sections)
  const byList = grouped(listed)
  const ids = [...new Set([...sections, ...listed].sort(byLine).map(({ phase }) => phase.id))]
  return {
    phases: ids.map((id) => {
      const own = bySection.get(id) ?? []
      const boxes = byList.get(id) ?? []
      const section = preferred(own, milestone)
      const box = section === undefined ? preferred(boxes, milestone) : boxOf(section, boxes, milestone)
      const warnings = own.length > 1 ? [repeated(own, section)] : otherPhases(section, boxes, box)
      return { section, listed: box, warnings }
    }),
  }
}

function byLine(one: PhaseEntry, other: PhaseEntry): number {
  return one.line.number - other.line.number
}

function grouped(entries: readonly PhaseEntry[]): Map<string, PhaseEntry[]> {
  const groups = new Map<string, PhaseEntry[]>()
  for (const entry of entries) {
    const group = groups.get(entry.phase.id)
    if (group === undefined) groups.set(entry.phase.id, [entry])
    else group.push(entry)
  }
  return groups
}

/** The one in the milestone of the project, else one that is not shipped, else the first. */
function preferred(entries: readonly PhaseEntry[], milestone: string | undefined): PhaseEntry | undefined {
  const current = milestone === undefined ? [] : entries.filter(({ scope }) => names(scope, milestone))
  const among = current.length > 0 ? current : entries
  return among.find(({ scope }) => !scope.shipped) ?? among[0]
}

function names(scope: Scope, milestone: string): boolean {
  const words = milestone.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const pattern = new RegExp(`(?<![\\w.])${words}(?![\\w]|\\.\\d)`, 'i')
  return scope.texts.some((text) => pattern.test(text))
}

/**
 * The list line that means the same phase as a section does. A line in a shipped part that has another name is of an older
 * phase of that id: its box says nothing of this one.
 */
function boxOf(
  section: PhaseEntry,
  boxes: readonly PhaseEntry[],
  milestone: string | undefined,
): PhaseEntry | undefined {
  const same = boxes.filter(({ phase }) => sameName(phase.name, section.phase.name))
  const alike = boxes.filter(({ scope }) => scope.shipped === section.scope.shipped)
  const both = same.filter((entry) => alike.includes(entry))
  const others = section.scope.shipped
    ? boxes
    : boxes.filter(({ phase }) => nearName(phase.name, section.phase.name))
  return preferred([both, same, alike, others].find((group) => group.length > 0) ?? [], milestone)
}

/** Whether two names have at least half of their words in common. */
function nearName(one: string, other: string): boolean {
  const words = (name: string) => new Set(name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
  const [left, right] = [words(one), words(other)]
  const shared = [...left].filter((word) => right.has(word)).length
  return shared > 0 && shared * 2 >= Math.min(left.size, right.size)
}

function sameName(one: string, other: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
  return plain(one) === plain(other)
}

function repeated(entries: readonly PhaseEntry[], chosen: PhaseEntry | undefined): string {
  const lines = entries.map(({ line }) => line.number).join(', ')
  return `Its id stands on lines ${lines}; the one on line ${chosen?.line.number} counts.`
}

/** Lists that name one id for different phases, or tick it in one place only. */
function otherPhases(
  section: PhaseEntry | undefined,
  boxes: readonly PhaseEntry[],
  chosen: PhaseEntry | undefined,
): string[] {
  if (chosen === undefined || boxes.length < 2) return []
  const first = section ?? chosen
  const differ = boxes.filter(
    ({ phase, line }) =>
      !sameName(phase.name, first.phase.name) || (line.box === ' ') !== (chosen.line.box === ' '),
  )
  return differ.length === 0 ? [] : [repeated(boxes, chosen)]
}
