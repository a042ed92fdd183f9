import { counted } from '../counted.js'
import { lookup } from '../lookup.js'
import type { StateField } from './lifecycle-fields.js'
import {
  barLines,
  conflictLines,
  entriesOf,
  fieldsOf,
  looseRowsOf,
  outlineOf,
  type SectionKey,
  type StateOutline,
  type StateSection,
  sectionOf,
  sectionTitles,
  tableOf,
} from './lifecycle-outline.js'
import type {
  CompletedRow,
  CurrentStep,
  LastSession,
  LifecycleRecord,
  RetryRow,
  SubStep,
} from './lifecycle-record.js'
import {
  columnPlaces,
  countOf,
  flowOf,
  isDots,
  isNothing,
  isStruck,
  plainCell,
  plainWords,
  statusOf,
  stepCellOf,
  stepTextOf,
  withoutSigns,
} from './lifecycle-words.js'

export * from './lifecycle-record.js'
export { stepIdOf } from './lifecycle-words.js'

// `_docs/_autopilot_state.md` as data (docs/lifecycle.md, "The state file" and "Reading").

/** Reads a state file of any shape; what cannot be read is in `warnings`. Never throws. */
export function readLifecycleState(text: string): LifecycleRecord {
  const outline = outlineOf(text)
  const warnings: { line: number; text: string }[] = []
  const warn = (at: number, said: string) => void warnings.push({ line: at + 1, text: said })
  const conflicts = conflictLines(outline.lines)
  for (const line of conflicts) warn(line - 1, 'a mark of an unfinished merge.')
  if (outline.title === undefined) warn(0, 'the title "# Autopilot State" is missing.')
  shapeWarnings(outline, warn)
  const record = {
    current: readCurrent(outline, warn),
    completed: readCompleted(outline, warn),
    decisions: readEntries(outline, 'decisions', warn),
    lastSession: readSession(outline),
    retryLog: readRetries(outline, warn),
    blockers: readEntries(outline, 'blockers', warn),
    unknownSections: outline.sections.flatMap(({ key, title }) => (key === undefined ? [title] : [])),
  }
  warnings.sort((one, other) => one.line - other.line)
  return { ...record, warnings: warnings.map(({ line, text: said }) => `Line ${line}: ${said}`), conflicts }
}

type Warn = (at: number, text: string) => void

function shapeWarnings(outline: StateOutline, warn: Warn): void {
  const { sections, fenced } = outline
  if (fenced) warn(fenced.from - 1, 'the whole state stands in a fence; it is read there.')
  const seen = new Set<string>()
  for (const { key, title, heading } of sections) {
    if (key === undefined) continue
    if (seen.has(key)) warn(heading, `"${title}" is there a second time; the first one counts.`)
    seen.add(key)
  }
  const told = sections.filter((section) => section.byPlace)
  for (const { title, heading, key } of told)
    warn(
      heading,
      `"${title}" is read as "${sectionTitles[key ?? 'current']}", by its place and what it holds.`,
    )
  if (!seen.has('current') || told.length > 0)
    for (const { key, title, heading } of sections)
      if (key === undefined && heading > 0)
        warn(heading, `"${title}" is none of the sections that are known; nothing of it is read.`)
  for (const { key, title, heading } of sections) {
    const meant = key === undefined ? meantBy(title) : undefined
    if (meant !== undefined && !seen.has(meant) && seen.has('current') && told.length === 0)
      warn(heading, `"${title}" is not "${sectionTitles[meant]}", which is missing; nothing of it is read.`)
  }
  if (!seen.has('current'))
    warn(Math.max(0, outline.lines.length - 1), `the section "${sectionTitles.current}" is missing.`)
}

/** What a title of somebody's own speaks of. */
const subjects: readonly (readonly [SectionKey, RegExp])[] = [
  ['completed', /\bcompleted\b/i],
  ['decisions', /\bdecisions?\b/i],
  ['session', /\blast session\b/i],
  ['retries', /\bretr(?:y|ies)\b/i],
  ['blockers', /\bblockers?\b/i],
]

function meantBy(title: string): SectionKey | undefined {
  return subjects.find(([, words]) => words.test(title.slice(0, 200)))?.[0]
}

const isPlaceholder = (value: string) => /^\[[^\]]*\]$/.test(value)

function readCurrent(outline: StateOutline, warn: Warn): CurrentStep {
  const fields = firstFields(fieldsOf(outline, sectionOf(outline, 'current')), currentKeys, warn)
  const section = sectionOf(outline, 'current')
  const value = (key: string) => {
    const field = fields.get(key)
    if (field && isPlaceholder(field.value)) {
      warn(field.at, `${key} is still "${field.value}".`)
      return ''
    }
    return field && !isNothing(field.value) ? field.value : ''
  }
  const told = [...fields.values()].flatMap(({ told: word, key }) => (word ? [`${word} (${key})`] : []))
  if (section && told.length > 0)
    warn(section.heading, `the keys are read by their places: ${told.join(', ')}.`)
  if (section) {
    const { name: behind } = stepTextOf(fields.get('step')?.value ?? '')
    for (const key of ['flow', 'step', 'name', 'status'])
      if (!fields.has(key) && !(key === 'name' && behind))
        warn(section.heading, `the current step has no ${key}.`)
    const isDone = stepTextOf(fields.get('step')?.value ?? '').step === 'done'
    for (const key of ['flow', 'step', ...(isDone ? [] : ['name', 'status'])]) {
      const field = fields.get(key)
      if (field && isNothing(field.value) && !(key === 'name' && behind))
        warn(field.at, `${key} says nothing.`)
    }
  }
  const [flow, said] = [value('flow'), value('step')]
  const { step, name: behind = '' } = stepTextOf(said)
  const subStep = subStepOf(value('sub_step'))
  return {
    flow: flowOf(flow) ?? flow,
    step: said === '' ? null : step,
    name: nameOf(value('name') || behind),
    status: readStatus(fields.get('status'), value('status'), warn),
    ...(subStep ? { subStep } : {}),
    retryCount: readCount(fields.get('retry_count'), value('retry_count'), warn),
  }
}

/** A name as the flow has it: without signs beside it, a line through it, or the target of a link. */
export const nameOf = (said: string): string => withoutSigns(plainWords(said))

const currentKeys = ['flow', 'step', 'name', 'status', 'sub_step', 'retry_count']

function firstFields(fields: readonly StateField[], known: readonly string[], warn: Warn) {
  const first = new Map<string, StateField>()
  for (const field of fields) {
    if (!first.has(field.key)) first.set(field.key, field)
    else if (known.includes(field.key)) warn(field.at, `${field.key} is there again; the first one counts.`)
  }
  return first
}

function readStatus(field: StateField | undefined, value: string, warn: Warn): string {
  if (field === undefined || value === '') return ''
  const known = statusOf(value)
  if (known === undefined) warn(field.at, `"${value}" is not a status.`)
  return known ?? value
}

function readCount(field: StateField | undefined, value: string, warn: Warn): number {
  if (field === undefined || isNothing(value)) return 0
  const count = countOf(value)
  if (count === undefined) warn(field.at, `"${value}" is not a retry count; 0 is taken.`)
  else if (count > 3) warn(field.at, `a retry count of ${count} is more than 3; 3 is taken.`)
  return Math.min(3, count ?? 0)
}

/**
 * `4 — Architecture Review`, with a long dash, a hyphen, a colon, a dot, brackets, or no name at all, also as `Step 4`.
 * Undefined for nothing.
 */
export function subStepOf(value: string): SubStep | undefined {
  if (isNothing(value)) return undefined
  const plain = value
    .replaceAll(/[*`]/g, '')
    .trim()
    .replace(/^(?:(?:sub-?)?step|phase) {1,3}(?=\p{L}?\d)/iu, '')
  const [, id, name] =
    /^([\p{L}\p{N}][\p{L}\p{N}._]{0,19}?)\s*(?:[-:\u2013\u2014]+\s*(.*)|\((.*)\)|[.)]\s+(.*))?$/u
      .exec(plain)
      ?.filter(isText) ?? []
  if (id === undefined) return { id: value, name: '' }
  return { id, name: (name ?? '').trim() }
}

const isText = (part: string | undefined) => part !== undefined

/** As a file has it. */
export function subStepText({ id, name }: SubStep): string {
  return name === '' ? id : `${id} \u2014 ${name}`
}

/** The cells of the rows of a table by the names of its columns; what is no row is left out, with a warning. */
function readRows(
  outline: StateOutline,
  key: 'completed' | 'retries',
  columns: readonly string[],
  warn: Warn,
): { at: number; cell(name: string): string }[] {
  const section = sectionOf(outline, key)
  const table = tableOf(outline, section)
  if (!table) return []
  const places = columnPlaces(table.columns, columns, section?.byPlace === true)
  const missing = columns.filter((_, at) => places[at] === -1)
  if (missing.length > 0) {
    warn(table.head, `the table has no column ${missing.join(', ')}; its rows are not read.`)
    return []
  }
  if (table.other !== undefined) warn(table.other, 'another table begins here; its rows are not read.')
  if (table.delimiter === undefined) warn(table.head, 'the line under the head of the table is missing.')
  const free = places[columns.indexOf(freeColumns[key])] ?? -1
  return table.rows.flatMap(({ at, cells: found }) => {
    const cells = withinColumns(found, table.columns.length, free)
    if (cells.length < found.length)
      warn(at, `the row has a bar too many; it is taken for a part of "${freeColumns[key]}".`)
    if (cells.every((each) => isDots(each) || isNothing(each))) return []
    if (cells.length < columns.length) {
      warn(at, `the row has ${cells.length} of ${counted(columns.length, 'cell')}; it does not count.`)
      return []
    }
    const cell = (name: string) => plainCell(cells[places[columns.indexOf(name)] ?? -1] ?? '')
    if (isPlaceholder(cell('Name'))) {
      warn(at, 'the row is still the one of the template; it does not count.')
      return []
    }
    return [{ at, cell }]
  })
}

/** The columns with words of people and programs, in which a bar may stand that was meant as one. */
const freeColumns = { completed: 'Key Outcome', retries: 'Failure Reason' } as const

/** Cells of a row with more bars than its table has: those too many are a part of the free column. */
function withinColumns(cells: readonly string[], columns: number, free: number): string[] {
  const more = cells.length - columns
  if (more <= 0 || free === -1) return [...cells]
  const text = cells.slice(free, free + more + 1).join(' | ')
  return [...cells.slice(0, free), text, ...cells.slice(free + more + 1)]
}

export const completedColumns = ['Step', 'Name', 'Completed', 'Key Outcome']
export const retryColumns = ['Attempt', 'Step', 'Name', 'SubStep', 'Failure Reason', 'Timestamp']

/** What looks like a row and stands in no table is told, since it does not count. */
function warnLoose(outline: StateOutline, key: 'completed' | 'retries', warn: Warn): void {
  for (const at of looseRowsOf(outline, sectionOf(outline, key))) {
    const text = (outline.lines[at]?.text ?? '').replace(/^\s*(?:[-*+]|\d{1,3}[.)])[ \t]+/, '')
    if (!isNothing(text) && !isDots(text) && !/^[\s|:-]*$/.test(text))
      warn(at, `this line of "${sectionTitles[key]}" stands in no table; it does not count.`)
  }
}

function readCompleted(outline: StateOutline, warn: Warn): CompletedRow[] {
  warnLoose(outline, 'completed', warn)
  return readRows(outline, 'completed', completedColumns, warn).map(({ at, cell }) => {
    const completed = plainWords(cell('Completed'))
    if (Number.isNaN(Date.parse(completed))) warn(at, `"${completed}" is not a date that can be read.`)
    const [step, name] = [stepCellOf(plainWords(cell('Step'))), nameOf(cell('Name'))]
    if (isStruck(cell('Name'))) warn(at, `${step} ${name} is struck out; it counts.`)
    return { step, name, completed, outcome: cell('Key Outcome') }
  })
}

function readRetries(outline: StateOutline, warn: Warn): RetryRow[] {
  warnLoose(outline, 'retries', warn)
  return readRows(outline, 'retries', retryColumns, warn).map(({ cell }) => ({
    attempt: cell('Attempt'),
    step: stepCellOf(plainWords(cell('Step'))),
    name: nameOf(cell('Name')),
    subStep: cell('SubStep'),
    reason: cell('Failure Reason'),
    timestamp: cell('Timestamp'),
  }))
}

function readEntries(outline: StateOutline, key: 'decisions' | 'blockers', warn: Warn): string[] {
  const section = sectionOf(outline, key)
  warnHeadless(outline, section, warn)
  return entriesOf(outline, section).flatMap(({ text, at }) => {
    if (isNothing(text) || isDots(text)) return []
    const [box, ticked] = /^\[([ xX])\] /.exec(text) ?? []
    // A box that is ticked says that the blocker is gone.
    if (key === 'blockers' && ticked?.toLowerCase() === 'x') return []
    if (!/^\[(?:decision|blocker)\b[^\]]*\]$/i.test(text)) return [text.slice(box?.length ?? 0)]
    if (!/if any/i.test(text)) warn(at, 'the entry is still the one of the template; it does not count.')
    return []
  })
}

/** Rows without a head are read one by one, a head without its line among them. */
function warnHeadless(outline: StateOutline, section: StateSection | undefined, warn: Warn): void {
  for (let at = section ? section.heading + 1 : 0; section && at < section.end; at += 1) {
    const { frame, rows } = barLines(outline, at, section.end)
    if (rows.length > 0 && frame.length === 0)
      warn(at, 'the line under the head of the table is missing; each of its lines is an entry.')
    at += frame.length + rows.length
  }
}

const sessionFields = lookup<keyof LastSession>({
  date: 'date',
  ended_at: 'endedAt',
  reason: 'reason',
  notes: 'notes',
})

function readSession(outline: StateOutline): LastSession {
  const section = sectionOf(outline, 'session')
  const session: LastSession = {}
  for (const field of fieldsOf(outline, section)) {
    const name = sessionFields[field.key]
    if (name === undefined || session[name] !== undefined || isPlaceholder(field.value)) continue
    session[name] = field.value
  }
  return session
}
