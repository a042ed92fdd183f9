import { complexityColumn, isBareComplexity, withoutComplexity } from './complexity.js'
import { doneReason, phaseShapeOf } from './phase-shape.js'
import { boldOr, firstSentence, tidyName } from './spec-names.js'
import { closeMarks, type PhaseMark } from './spec-phases.js'
import type { Section } from './spec-section.js'

// Phases that are rows of a table or items of a numbered list (docs/harness.md, "Spec grammar").

const tableId =
  /^(?:\*\*|__|`)?(?:phase\s+)?(\d{1,9}(?:\.\d{1,9}){0,8}[a-z]?|[A-Z]\d{0,9})\.?(?:\*\*|__|`)?$/i

/** Rows of the first table whose first cell is a label and whose second is a name, or the complexity before a name. */
export function tableMarks(section: Section): PhaseMark[] {
  const offset = section.lines[0]?.number ?? 0
  for (const table of section.tables) {
    const head = table.head.map((cell) => cell.text)
    const column = complexityColumn(head)
    const nameColumn = column === 1 ? 2 : 1
    const marks = table.rows.flatMap((row) => {
      const cells = row.cells.map((cell) => cell.text)
      const id = tableId.exec((cells[0] ?? '').slice(0, 100))?.[1]
      const name = tidyName(boldOr(cells[nameColumn] ?? ''))
      if (id === undefined || name === '') return []
      const start = row.line - offset
      const end = start + 1
      const rest = cells.slice(nameColumn + 1)
      const complexityCell = column === -1 ? rest.find(isBareComplexity) : (cells[column] ?? '')
      const done = doneReason(cells[nameColumn] ?? '', phaseShapeOf(`Phase 1: ${cells[nameColumn] ?? ''}`))
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
    const name = tidyName(bold === whole ? firstSentence(withoutComplexity(whole)) : bold)
    const start = item.line - offset
    const mark = { id: String(item.number), name, done: doneReason(name, undefined, item.checked), start }
    return [{ ...mark, body: start + lines.length, rest: lines.map((line) => line.trim()).join('\n') }]
  })
  return closeMarks(section, open)
}
