import { counted } from '../../../counted.js'
import { rawLines } from '../../../documents/edit.js'
import { withoutTargets } from '../../../documents/link-text.js'
import { scanMarkdown } from '../../../documents/markdown-scanner.js'
import { cellsOf, delimiterCells } from '../../../documents/markdown-table.js'
import { numberWords } from '../../../number-words.js'
import { dependenciesIn, waitsForNone } from './task-dependencies.js'

// `_dependencies_table.md` as data (docs/lifecycle.md, "Tasks and batches"). Pure.

export interface Task {
  id: string
  name: string
  points: number
  dependencies: string[]
  epic: string
}

export interface TaskTable {
  tasks: Task[]
  /** As the file says; null where it does not. */
  declared: { tasks: number | null; points: number | null }
  /** What is not as it should be, each beginning with its 1-based line. */
  warnings: string[]
}

/** More are no table of one project. */
const mostTasks = 2000

/** Cells of a table, whatever stands in them; lines are 1-based. */
interface RawTable {
  line: number
  head: string[]
  rows: { line: number; cells: string[] }[]
}

/** A row as it is written, before its dependencies are looked up. */
interface Row extends Omit<Task, 'dependencies' | 'points'> {
  line: number
  /** NaN where its cell has no number; undefined where its table has no such column. */
  points: number | undefined
  said: string | undefined
  /** What stands in the column `#`: other rows may mean it by that. */
  number: string
}

/** Reads the tables of tasks; columns are found by their names. What is not read is named. Never throws. */
export function readTaskTable(text: string): TaskTable {
  const warnings: string[] = []
  const proper = tablesOf(text)
  const tables = proper.some(isOfTasks) ? proper : looseTables(text)
  // The columns may be spread over tables: one with the points, another with the dependencies.
  const isSpread = !tables.some((table) => isOfTasks(table) && columnsOf(table).points !== -1)
  const counts = (table: RawTable) =>
    isOfTasks(table) ||
    (isSpread && tables.some(isOfTasks) && columnsOf(table).task !== -1 && columnsOf(table).points !== -1)
  if (!proper.some(isOfTasks) && tables.some(isOfTasks))
    warnings.push(
      `Line ${tables.find(isOfTasks)?.line}: the table is not a whole one of Markdown; it is read.`,
    )
  const all = merged(
    tables.filter(counts).flatMap((table) => rowsOf(table, warnings)),
    warnings,
  )
  const rows = all.slice(0, mostTasks)
  if (all.length > mostTasks)
    warnings.push(
      `Line ${all[mostTasks]?.line}: only the first ${counted(mostTasks, 'task')} are read, of ${all.length}.`,
    )
  if (rows.length === 0)
    for (const { line, rows: lost } of tables)
      warnings.push(
        `Line ${line}: the table has no columns Task and Dependencies; its ${counted(lost.length, 'row')} ${lost.length === 1 ? 'is' : 'are'} not read.`,
      )
  const tasks = withDependencies(rows, warnings)
  const circle = circleOf(tasks)
  if (circle.length > 0) {
    const names = circle.slice(0, 10).join(', ')
    warnings.push(
      `Line ${rows[0]?.line ?? 1}: these tasks wait for each other: ${names}; batches begin with the first.`,
    )
  }
  return { tasks, declared: declaredIn(rawLines(text).map((line) => line.text)), warnings: byLine(warnings) }
}

const byLine = (warnings: readonly string[]) =>
  [...warnings].sort((one, other) => Number(/\d+/.exec(one)) - Number(/\d+/.exec(other)))

function tablesOf(text: string): RawTable[] {
  return scanMarkdown(text).blocks.flatMap((block) =>
    block.kind === 'table'
      ? [
          {
            line: block.line,
            head: block.head.map((cell) => cell.text),
            rows: block.rows.map(({ cells, line }) => ({ line, cells: cells.map((cell) => cell.text) })),
          },
        ]
      : [],
  )
}

/** Lines with a bar at their beginning that follow each other: without the line under the head, or in a fence. */
function looseTables(text: string): RawTable[] {
  const tables: RawTable[] = []
  let open: RawTable | undefined
  for (const [at, { text: line }] of rawLines(text).entries()) {
    if (!/^\s{0,8}\|/.test(line)) {
      open = undefined
      continue
    }
    const cells = cellsOf(line).map((cell) => cell.text)
    if (open === undefined) {
      open = { line: at + 1, head: cells, rows: [] }
      tables.push(open)
    } else if (delimiterCells(line.trim()) === 0) open.rows.push({ line: at + 1, cells })
  }
  return tables
}

interface Columns {
  task: number
  name: number
  points: number
  dependencies: number
  epic: number
  number: number
}

const isIdHead =
  /^(?:(?:task|ticket|issue|jira)[ _-]?(?:id|key|no\.?|number|#)|id|key|ticket|issue|jira)(?: \(.{0,40}\))?$/

function columnsOf({ head }: RawTable): Columns {
  const names = head.map((cell) => cell.replaceAll(/[*`]/g, '').toLowerCase().trim())
  const find = (...words: string[]) => {
    for (const word of words) {
      const at = names.findIndex((name) => name === word || name.startsWith(`${word} `))
      if (at !== -1) return at
    }
    return -1
  }
  const first = (...patterns: RegExp[]) =>
    patterns.map((pattern) => names.findIndex((name) => pattern.test(name))).find((at) => at !== -1) ?? -1
  const task = find('task')
  const id = names.findIndex((each, at) => at !== task && isIdHead.test(each))
  const name = find('name', 'title', 'summary')
  // `| Ticket | Task | .. |`: the second is the name, where no column is called one.
  const isNamed = task !== -1 && id !== -1 && name === -1 && !/\bid\b/.test(names[task] ?? '')
  return {
    task: isNamed || task === -1 ? id : task,
    name: isNamed ? task : name,
    points: first(/complexity|points|estimate/, /^(?:effort|size|sp|est|pts|weight)\b/),
    dependencies: first(/^(?:depend|deps?\b|blocked by)/, /^(?:requires|needs|waits for|prerequisites?)\b/),
    epic: find('epic'),
    number: names.findIndex((each) => /^(?:#|no\.?|\u2116|nr\.?)$/.test(each)),
  }
}

function isOfTasks(table: RawTable): boolean {
  const { task, dependencies } = columnsOf(table)
  return task !== -1 && dependencies !== -1
}

/** Rows that are no tasks: a sum, dots, a place that is held. */
const noTask = /^(?:\.{3}|\u2026|(?:sub)?totals?|sum|tbd|none|-|\u2013|\u2014)$/i

/** Signs of how far a task is, before or behind its id. */
const signs =
  /^(?:\s|\p{Extended_Pictographic}|\p{Variation_Selector}|\u2713){1,9}|(?:\s|\p{Extended_Pictographic}|\p{Variation_Selector}|\u2713){1,9}$/gu

/** The first number of a cell, in digits or as a word: `M (3)`, `5 points`, `three`. An id, such as `T-12`, is none. */
function pointsOf(cell: string): number {
  const digits = /(?<![\p{L}\d][-_]?)\d{1,6}(?:[.,]\d{1,2}(?!\d))?(?!\d)/u.exec(cell)?.[0]
  if (digits !== undefined) return Number(digits.replace(',', '.'))
  const at = numberWords.indexOf(/^[a-z]{3,5}\b/i.exec(cell)?.[0].toLowerCase() ?? '')
  return at === -1 ? Number.NaN : at
}

function rowsOf(table: RawTable, warnings: string[]): Row[] {
  const at = columnsOf(table)
  return table.rows.flatMap(({ cells, line }) => {
    const cell = (index: number) => plainCell(cells[index] ?? '')
    const raw = cell(at.task).replace(signs, '')
    const id = raw
      .replaceAll('~~', '')
      .replace(/^\[[ xX]\] {0,3}/, '')
      .replace(signs, '')
      .replace(/\.md$/i, '')
    if (id === '' || noTask.test(id) || isBand(table, cells, id)) return []
    if (cells.length < table.head.length)
      warnings.push(`Line ${line}: the row has ${cells.length} of ${table.head.length} cells.`)
    if (raw.includes('~~')) warnings.push(`Line ${line}: task ${id} is struck out; it is counted.`)
    const points = at.points === -1 ? undefined : pointsOf(cell(at.points))
    const said = at.dependencies === -1 ? undefined : plainDependencies(cells[at.dependencies] ?? '')
    return [{ line, id, name: cell(at.name), points, said, epic: cell(at.epic), number: cell(at.number) }]
  })
}

/** The points of every task, and of its dependencies those that are tasks of the table. */
function withDependencies(rows: readonly Row[], warnings: string[]): Task[] {
  const dependenciesOf = dependenciesIn(rows)
  return rows.map(({ line, said = '', number: _, points: count = Number.NaN, ...task }, index) => {
    const isNumber = !Number.isNaN(count)
    if (!isNumber) warnings.push(`Line ${line}: task ${task.id} has no complexity; 0 is taken.`)
    const { dependencies, unknown } = dependenciesOf(said, index)
    for (const each of unknown)
      warnings.push(`Line ${line}: ${task.id} depends on ${each}, which the table does not have.`)
    return { ...task, points: isNumber ? count : 0, dependencies }
  })
}

/** A row over others that is their title alone: no id, and nothing in any other cell. */
function isBand({ head }: RawTable, cells: readonly string[], id: string): boolean {
  const filled = cells.filter((cell) => plainCell(cell) !== '').length
  return cells.length >= head.length && filled === 1 && !/^\S*\d\S*$/.test(id)
}

const saidAs = ({ said = '' }: Row) => (waitsForNone(said) ? '' : said.toLowerCase())

/** One row for each task: the first one of an id counts, and of later ones what it does not have a column for. */
function merged(rows: readonly Row[], warnings: string[]): Row[] {
  const known = new Map<string, Row>()
  for (const row of rows) {
    const first = known.get(row.id.toLowerCase())
    if (first === undefined) {
      known.set(row.id.toLowerCase(), { ...row })
      continue
    }
    const isOther = first.points === undefined || first.said === undefined
    const isSame = row.points === undefined && saidAs(row) === saidAs(first)
    if (!isOther && !isSame)
      warnings.push(`Line ${row.line}: task ${row.id} is there again; the first one counts.`)
    first.points ??= row.points
    first.said ??= row.said
    first.name ||= row.name
    first.epic ||= row.epic
  }
  return [...known.values()]
}

/** Tasks that wait for themselves by way of others, in the order of the table. */
function circleOf(tasks: readonly Task[]): string[] {
  const waits = new Map(tasks.map(({ id, dependencies }) => [id, dependencies]))
  const needs = new Map<string, string[]>(tasks.map(({ id }) => [id, []]))
  for (const { id, dependencies } of tasks) for (const one of dependencies) needs.get(one)?.push(id)
  const left = peeled(peeled(new Set(waits.keys()), waits, needs), needs, waits)
  return [...left]
}

/** What is left when everything that waits for nothing more is taken away, again and again. */
function peeled(
  all: ReadonlySet<string>,
  waits: ReadonlyMap<string, readonly string[]>,
  needs: ReadonlyMap<string, readonly string[]>,
): Set<string> {
  const left = new Set(all)
  const count = new Map(
    [...left].map((id) => [id, (waits.get(id) ?? []).filter((one) => left.has(one)).length]),
  )
  const open = [...left].filter((id) => count.get(id) === 0)
  for (const id of open) {
    left.delete(id)
    for (const next of needs.get(id) ?? []) {
      const now = (count.get(next) ?? 0) - 1
      count.set(next, now)
      if (now === 0 && left.has(next)) open.push(next)
    }
  }
  return left
}

/** Without emphasis, code marks, and the targets of links. */
function plainCell(text: string): string {
  return withoutTargets(text).replaceAll(/[*`]/g, '').trim()
}

/** Breaks of a line part what depends on different things. */
const plainDependencies = (text: string) => plainCell(text.replaceAll(/<br {0,3}\/?>/gi, ', '))

function declaredIn(lines: readonly string[]): TaskTable['declared'] {
  const number = (label: string) => {
    for (const line of lines) {
      const plain = line
        .replace(/^\s{0,8}[-*+]\s/, '')
        .replaceAll('*', '')
        .trim()
        .toLowerCase()
      if (!plain.startsWith(label)) continue
      const found = /\d{1,3}(?:[,\u00a0\u202f']\d{3}){1,2}(?!\d)|\d{1,9}/.exec(plain.slice(label.length))
      if (found) return Number(found[0].replaceAll(/\D/g, ''))
    }
    return null
  }
  return { tasks: number('total tasks'), points: number('total complexity points') }
}
