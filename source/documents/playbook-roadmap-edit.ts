import { rawLines } from './edit.js'
import { scanMarkdown } from './markdown-scanner.js'
import { cellsOf, delimiterCells } from './markdown-table.js'
import { normalPhaseId, phaseIdPattern } from './playbook-id.js'
import { playbookLine, playbookLines } from './playbook-lines.js'
import { namedPhase } from './playbook-phase-line.js'

// The two places of a roadmap that say how far a phase is: its box and its row in the table of progress
// (docs/playbook.md, "Roadmap"). Every other byte stays as it is.

export interface RoadmapEdit {
  text: string
  box: 'ticked' | 'was ticked' | 'none'
  /** `failed`: there is a table of progress, and no row of this phase in it that could be filled in. */
  row: 'filled' | 'was filled' | 'failed' | 'none'
}

const box = /\[([ ~xX✓✔✅-])\]/

/** The roadmap with its phase completed on this day (YYYY-MM-DD). Pure. */
export function completedInRoadmap(text: string, id: string, day: string): RoadmapEdit {
  const said = new Set(playbookLines(scanMarkdown(text)).map(({ number }) => number))
  const edit: RoadmapEdit = { text: '', box: 'none', row: 'none' }
  let columns: Columns | undefined
  let previous = ''
  const out = rawLines(text).map(({ text: line, ending }, index) => {
    if (!said.has(index + 1)) return line + ending
    if (delimiterCells(line) > 0) columns = columnsOf(previous)
    else if (!line.includes('|')) columns = undefined
    previous = line
    if (columns !== undefined && edit.row === 'none') edit.row = 'failed'
    const isRow = columns !== undefined && delimiterCells(line) === 0 && isRowOf(line, columns, id)
    return (isRow && columns ? filled(line, columns, day, edit) : ticked(line, id, edit)) + ending
  })
  return { ...edit, text: out.join('') }
}

/** The box of the line that is read as the phase, and no other. */
function ticked(line: string, id: string, edit: RoadmapEdit): string {
  const read = playbookLine(0, line)
  if (read.box === undefined) return line
  const named = namedPhase(read.body)
  if (named?.id !== id || named.removed) return line
  const isOpen = /[ ~-]/.test(read.box)
  if (isOpen || edit.box === 'none') edit.box = isOpen ? 'ticked' : 'was ticked'
  return isOpen ? line.replace(box, '[x]') : line
}

/** Places of the columns of a table of progress. */
interface Columns {
  phase: number
  status: number
  plans: number
  completed: number
}

/** Undefined for the head of another table. */
function columnsOf(head: string): Columns | undefined {
  const names = cellsOf(head).map(({ text }) => text.replaceAll('*', '').trim().toLowerCase())
  const at = (word: RegExp) => names.findIndex((name) => word.test(name))
  const found = {
    phase: at(/^phase\b/),
    status: at(/^status\b/),
    plans: at(/^plans\b/),
    completed: at(/^(?:completed|done|finished|date)\b/),
  }
  return found.phase === -1 || found.status === -1 ? undefined : found
}

const leading = new RegExp(
  String.raw`^(?:\*\*)?(?:Phase )?(${phaseIdPattern})(?=$|[\s.:)|*\u2013\u2014-])`,
  'i',
)

function isRowOf(line: string, { phase }: Columns, id: string): boolean {
  const name = cellsOf(line)[phase]?.text ?? ''
  return normalPhaseId(leading.exec(name)?.[1] ?? '') === id
}

/** The row with its status, its day and its count of plans; what is filled in already stays. */
function filled(line: string, columns: Columns, day: string, edit: RoadmapEdit): string {
  const cells = cellsOf(line)
  if (cells[columns.status] === undefined) return line
  const wanted = new Map<number, string>()
  const textOf = (column: number) => cells[column]?.text ?? ''
  if (!/^\**(?:complete|done\b|\u2705|\u2713|\u2714)/i.test(textOf(columns.status)))
    wanted.set(columns.status, 'Complete')
  if (columns.completed !== columns.status && /^[-\u2013\u2014]?$/.test(textOf(columns.completed)))
    wanted.set(columns.completed, day)
  const plans = /^(\d{1,4})(\s?\/\s?)(\d{1,4})$/.exec(textOf(columns.plans))
  if (plans && plans[1] !== plans[3]) wanted.set(columns.plans, `${plans[3]}${plans[2]}${plans[3]}`)
  edit.row = wanted.size > 0 ? 'filled' : 'was filled'
  return [...wanted]
    .filter(([column]) => cells[column] !== undefined)
    .sort(([one], [other]) => other - one)
    .reduce((text, [column, word]) => {
      const { start, end } = cells[column] ?? { start: 0, end: 0 }
      const before = text.slice(0, start)
      // An empty cell has no place of its own between its blanks.
      if (start === end) return `${before.trimEnd()} ${word} ${text.slice(end).trimStart()}`
      return before + word + text.slice(end)
    }, line)
}
