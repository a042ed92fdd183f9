import { rawLines } from './edit.js'

// What a version control system leaves in a file where two changes did not fit together. Pure.

/** One place where two changes did not fit, with the names that stand behind its marks. Lines are 1-based. */
export interface MergeConflict {
  from: number
  to: number
  ours: { name: string; lines: string[] }
  theirs: { name: string; lines: string[] }
}

export type ConflictReading =
  | { kind: 'conflicts'; conflicts: MergeConflict[]; take(side: 'ours' | 'theirs'): string }
  /** Marks that do not belong together, 1-based: nobody can tell the sides apart. */
  | { kind: 'broken'; lines: number[] }

type Mark = '<' | '|' | '=' | '>'
type Side = 'both' | 'ours' | 'base' | 'theirs'

/** Which mark may follow while a side is read, and what is read after it. */
const next: Record<Side, Partial<Record<Mark, Side>>> = {
  both: { '<': 'ours' },
  ours: { '|': 'base', '=': 'theirs' },
  base: { '=': 'theirs' },
  theirs: { '>': 'both' },
}

/** Reads the conflicts of a text; `take` gives the text with one side of each, every other line as it is. */
export function readConflicts(text: string): ConflictReading {
  const lines = rawLines(text)
  const sides: (Side | undefined)[] = []
  const conflicts: MergeConflict[] = []
  const marks: number[] = []
  let side: Side = 'both'
  let isBroken = false
  for (const [at, { text: line }] of lines.entries()) {
    const [, run, name = ''] = /^(<{7}|\|{7}|={7}|>{7})(?: (.*))?$/.exec(line) ?? []
    // A line of seven `=` outside of a conflict is a heading's or nobody's.
    if (run === undefined || (side === 'both' && run.startsWith('='))) {
      sides.push(side)
      takeLine(conflicts.at(-1), side, line)
      continue
    }
    marks.push(at + 1)
    sides.push(undefined)
    const mark = run.charAt(0) as Mark
    const after: Side | undefined = next[side][mark]
    if (after === undefined) isBroken = true
    else side = after
    if (mark === '<')
      conflicts.push({
        from: at + 1,
        to: at + 1,
        ours: { name, lines: [] },
        theirs: { name: '', lines: [] },
      })
    const open = conflicts.at(-1)
    if (mark === '>' && open) Object.assign(open, { to: at + 1, theirs: { ...open.theirs, name } })
  }
  if (isBroken || side !== 'both') return { kind: 'broken', lines: marks }
  const take = (wanted: 'ours' | 'theirs') =>
    lines
      .flatMap(({ text: line, ending }, at) =>
        sides[at] === 'both' || sides[at] === wanted ? [line + ending] : [],
      )
      .join('')
  return { kind: 'conflicts', conflicts, take }
}

function takeLine(conflict: MergeConflict | undefined, side: Side, line: string): void {
  if (side === 'ours' || side === 'theirs') conflict?.[side].lines.push(line)
}
