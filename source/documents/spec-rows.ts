import { complexityColumn, isBareComplexity, withoutComments } from './complexity.js'
import { doneReason, phaseShapeOf } from './phase-shape.js'
import { boldOr, firstSentence, tidyName } from './spec-names.js'
import { closeMarks, type PhaseMark } from './spec-phases.js'
import type { Section } from './spec-section.js'

// Phases that are rows of a table or items of a numbered list (docs/harness.md, "Spec grammar").

const tableId =
  /^(?:~~)?(?:\*\*|__|`)?(?:~~)?(?:(?:phase|wave|stage|step)\s+)?(\d{1,9}(?:\.\d{1,9}){0,8}[a-z]?|[A-Z]\d{0,9})\.?(?:~~)?(?:\*\*|__|`)?(?:~~)?$/i

/** Columns that say something else of a phase than its name. */
const beside =
  /^\s*(?:priority|effort|impact|risk|status|state|time|estimates?|est\.?|duration|size|owner|assignee|depend\w*|blocked by|requires|weeks?|days?|hours?|loc|lines|files?|points|when|dates?)\b/i

const numberedCell = /^(?:\*\*|__)?(\d{1,9}(?:\.\d{1,9}){0,8}[a-z]?)[.):]\s{1,9}(\S.*)$/i

/** Label and name in one cell: `1. Landing page`, `**Phase 2: Store**`. */
function namedCell(cell: string): { id: string; name: string } | undefined {
  const shape = phaseShapeOf(cell)
  if (shape !== undefined && shape.name !== '') return { id: shape.id, name: shape.name }
  const match = numberedCell.exec(cell)
  if (match?.[1] === undefined || match[2] === undefined) return undefined
  return { id: match[1], name: match[2].replace(/(?:\*\*|__)$/, '') }
}

/** Rows of the first table whose first cell is a label, or label and name; else the name stands in the first column that can hold it. */
export function tableMarks(section: Section): PhaseMark[] {
  const offset = section.lines[0]?.number ?? 0
  for (const table of section.tables) {
    const head = table.head.map((cell) => cell.text)
    const column = complexityColumn(head)
    const nameColumn = head.findIndex(
      (cell, at) => at > 0 && at !== column && !beside.test(cell.replace(/[*_`]/g, '')),
    )
    const marks = table.rows.flatMap((row) => {
      const cells = row.cells.map((cell) => cell.text)
      const first = (cells[0] ?? '').slice(0, 1000)
      const whole = namedCell(first)
      const id = whole?.id ?? tableId.exec(first.slice(0, 100))?.[1]
      const said = whole?.name ?? cells[nameColumn] ?? ''
      const name = tidyName(boldOr(said).replaceAll('~~', ''))
      if (id === undefined || name === '') return []
      const start = row.line - offset
      const end = start + 1
      const rest = cells.slice(whole === undefined ? nameColumn + 1 : 1)
      const complexityCell = column === -1 ? rest.find(isBareComplexity) : (cells[column] ?? '')
      const isStruck = /^[*_]{0,3}~~/.test(first) || /^[*_]{0,3}~~/.test(said)
      const done = isStruck ? 'it is struck through' : doneReason(said, phaseShapeOf(`Phase 1: ${said}`))
      const mark = { id, name, done, start, body: end, end, rest: rest.join('\n') }
      return [complexityCell === undefined ? mark : { ...mark, complexityCell }]
    })
    if (marks.length > 0) return marks
  }
  return []
}

/** Top-level items of numbered lists. Mostly steps, hence only the alternative to one single phase. */
export function numberedMarks(section: Section): PhaseMark[] {
  const offset = section.lines[0]?.number ?? 0
  const open = section.items.flatMap(({ item, paragraph }) => {
    if (item.number === undefined) return []
    const { text } = section.document.markdown
    const lines = text.slice(paragraph.start, paragraph.end).split('\n')
    const whole = lines.map((line) => line.trim()).join(' ')
    const bold = boldOr(whole)
    const name = tidyName(bold === whole ? firstSentence(withoutComments(whole)) : bold)
    const start = item.line - offset
    const mark = { id: String(item.number), name, done: doneReason(name, undefined, item.checked), start }
    return [{ ...mark, body: start + lines.length, rest: lines.map((line) => line.trim()).join('\n') }]
  })
  return closeMarks(section, open)
}
