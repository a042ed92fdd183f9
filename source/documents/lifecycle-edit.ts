import { endingOf, type RawLine } from './edit.js'
import type { StateField } from './lifecycle-fields.js'
import {
  entriesOf,
  fieldsOf,
  outlineOf,
  type SectionKey,
  type StateOutline,
  type StateSection,
  sectionKeys,
  sectionOf,
  sectionTitles,
  tableOf,
} from './lifecycle-outline.js'
import {
  type CompletedRow,
  completedColumns,
  type LastSession,
  nameOf,
  type RetryRow,
  retryColumns,
  type StepId,
  type SubStep,
  subStepOf,
  subStepText,
} from './lifecycle-state.js'
import { columnPlaces, countOf, flowOf, isNothing, statusOf, stepTextOf } from './lifecycle-words.js'

// Changes of a state file, line by line: what is not changed stays byte for byte (docs/lifecycle.md, "Writing").

/** What a change of the current step sets; a `subStep` of null takes it out. */
export interface CurrentChange {
  flow?: string
  step?: StepId
  name?: string
  status?: string
  subStep?: SubStep | null
  retryCount?: number
}

/** The file of a project that has none yet. */
export function newLifecycleState(flow: string, step: StepId, name: string): string {
  return `# Autopilot State

## Current Step
flow: ${oneLine(flow)}
step: ${step}
name: ${oneLine(name)}
status: not_started
retry_count: 0

## Completed Steps

${headOf(completedColumns).join('\n')}

## Key Decisions

## Last Session

## Retry Log

${headOf(retryColumns).join('\n')}

## Blockers
- none
`
}

function headOf(columns: readonly string[]): string[] {
  return [`| ${columns.join(' | ')} |`, `|${columns.map((name) => '-'.repeat(name.length + 2)).join('|')}|`]
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Sets keys of the current step; those that say the same already stay as they are written. */
export function setCurrent(text: string, change: CurrentChange): string {
  const values: [string, string | null | undefined][] = [
    ['flow', change.flow],
    ['step', change.step === undefined ? undefined : String(change.step)],
    ['name', change.name],
    ['status', change.status],
    ['sub_step', change.subStep ? subStepText(change.subStep) : change.subStep],
    ['retry_count', change.retryCount === undefined ? undefined : String(change.retryCount)],
  ]
  return values.reduce(
    (latest, [key, value]) =>
      value === undefined ? latest : setField(latest, 'current', { key, value, order: currentOrder }),
    text,
  )
}

const currentOrder = ['flow', 'step', 'name', 'status', 'sub_step', 'retry_count']
const sessionOrder = ['date', 'ended_at', 'reason', 'notes']

/** Replaces what is said of the last session. Keys that are nobody's stay. */
export function setLastSession(text: string, session: LastSession): string {
  const values: Record<string, string | undefined> = {
    date: session.date,
    ended_at: session.endedAt,
    reason: session.reason,
    notes: session.notes,
  }
  return sessionOrder.reduce(
    (latest, key) => setField(latest, 'session', { key, value: values[key] ?? null, order: sessionOrder }),
    text,
  )
}

interface FieldEdit {
  key: string
  value: string | null
  order: readonly string[]
}

function setField(text: string, key: SectionKey, { key: name, value, order }: FieldEdit): string {
  const outline = outlineOf(text)
  const section = sectionOf(outline, key)
  const fields = fieldsOf(outline, section)
  const found = fields.find((field) => field.key === name)
  const plain = value === null ? null : oneLine(value)
  if (found) {
    // Lines that somebody has written below the notes stay, whatever is said in front of them.
    const isNotes = name === 'notes' && found.below !== undefined
    if (plain === null && !isNotes) return without(outline, [found.at, ...(found.below ?? [])])
    if (plain !== null && sameValue(name, found.value, plain)) return text
    const line = outline.lines[found.at]?.text ?? ''
    if (plain === null) return replaced(outline, found.at, line.slice(0, found.from).trimEnd())
    const space = found.from > 0 && /[:=]/.test(line[found.from - 1] ?? '') ? ' ' : ''
    const behind = line.slice(found.to).includes('\u2190') ? '' : line.slice(found.to)
    const next = replaced(outline, found.at, `${line.slice(0, found.from)}${space}${plain}${behind}`)
    return found.below && !isNotes ? without(outlineOf(next), found.below) : next
  }
  if (plain === null || (key === 'current' && name === 'name' && nameBehindStep(fields) === plain))
    return text
  const isRow = fields.some(({ at }) => (outline.lines[at]?.text ?? '').trimStart().startsWith('|'))
  const line = isRow ? `| ${name} | ${plain.replaceAll('|', '\\|')} |` : `${name}: ${plain}`
  if (!section) return inNewSection(text, key, [line])
  const earlier = order.slice(0, order.indexOf(name))
  const before = fields.findLast((field) => earlier.includes(field.key))
  const [first] = fields
  if (before) return inserted(outline, before.at + 1, [line])
  return inserted(outline, first ? first.at : section.heading + 1, [line])
}

/** `step: 3 — Plan` says the name too. */
const nameBehindStep = (fields: readonly StateField[]) =>
  stepTextOf(fields.find(({ key }) => key === 'step')?.value ?? '').name

function sameValue(key: string, found: string, wanted: string): boolean {
  if (found === wanted || oneLine(found) === wanted) return true
  if (key === 'status') return statusOf(found) === wanted
  if (key === 'name') return nameOf(found) === wanted
  if (key === 'flow') return flowOf(found) === wanted
  if (key === 'step') return String(stepTextOf(found).step) === wanted
  if (key === 'retry_count') return String(countOf(found)) === wanted
  if (key !== 'sub_step') return false
  const [one, other] = [subStepOf(found), subStepOf(wanted)]
  return one !== undefined && one.id === other?.id && one.name === other.name
}

/** Adds a row below the last one. */
export function addCompleted(text: string, row: CompletedRow): string {
  return addRow(text, 'completed', [String(row.step), row.name, row.completed, row.outcome])
}

/** Adds a row of a failed retry. */
export function addRetry(text: string, row: RetryRow): string {
  const { attempt, step, name, subStep, reason, timestamp } = row
  return addRow(text, 'retries', [attempt, String(step), name, subStep, reason, timestamp])
}

const tableColumns = { completed: completedColumns, retries: retryColumns }
const longestCell = 500
/** What a person decides is kept whole; a blocker is told by what an agent said. */
const longestBlocker = 2000

const cutTo = (text: string, longest: number) =>
  text.length > longest ? `${text.slice(0, longest - 1)}\u2026` : text

function cellText(text: string): string {
  const cut = cutTo(oneLine(text), longestCell)
  // A backslash in front of a border would take the border away.
  return cut.replaceAll(/\\(?=\||$)/g, '/').replaceAll('|', '\\|')
}

function addRow(text: string, key: 'completed' | 'retries', cells: readonly string[]): string {
  const columns = tableColumns[key]
  const outline = outlineOf(text)
  const section = sectionOf(outline, key)
  const table = tableOf(outline, section)
  if (!section || !table) {
    const lines = [...headOf(columns), `| ${cells.map(cellText).join(' | ')} |`]
    return section ? atEndOf(outline, section, ['', ...lines]) : inNewSection(text, key, ['', ...lines])
  }
  const places = columnPlaces(table.columns, columns, section.byPlace === true)
  const known = !places.includes(-1)
  // A table of another kind gets no row of ours: a second one, which is read from then on, stands before it.
  if (!known) {
    const lines = [...headOf(columns), `| ${cells.map(cellText).join(' | ')} |`, '']
    return inserted(outline, table.head, lines)
  }
  const row = table.columns.map((_, at) => cellText(cells[places.indexOf(at)] ?? ''))
  const last = table.rows.at(-1)?.at ?? table.delimiter ?? table.head
  const missing =
    table.delimiter === undefined && table.rows.length === 0 ? headOf(table.columns).slice(1) : []
  return inserted(outline, last + 1, [...missing, `| ${row.join(' | ')} |`])
}

/** Takes every row out of the Retry Log. */
export function clearRetries(text: string): string {
  const outline = outlineOf(text)
  const places = tableOf(outline, sectionOf(outline, 'retries'))?.rows.map(({ at }) => at)
  return without(outline, places ?? [])
}

/** Adds an entry to Key Decisions. */
export function addDecision(text: string, decision: string): string {
  return addEntry(text, 'decisions', decision)
}

/** Adds a blocker, in the place of `none` if that stands there. */
export function addBlocker(text: string, blocker: string): string {
  return addEntry(text, 'blockers', cutTo(oneLine(blocker), longestBlocker))
}

function addEntry(text: string, key: 'decisions' | 'blockers', entry: string): string {
  const outline = outlineOf(text)
  const section = sectionOf(outline, key)
  const line = `- ${oneLine(entry)}`
  if (!section) return inNewSection(text, key, [line])
  const entries = entriesOf(outline, section)
  const last = entries.at(-1)
  if (last && isNothing(last.text))
    return isBar(outline, last.at)
      ? inserted(outlineOf(without(outline, [last.at])), last.at, ['', line])
      : replaced(outline, last.at, line)
  if (last?.bullet) return inserted(outline, last.end, [line])
  if (last) return inserted(outline, last.end, ['', line])
  // Behind a table that has no rows, so that its head is no part of the entry.
  return hasBars(outline, section)
    ? atEndOf(outline, section, ['', line])
    : inserted(outline, section.heading + 1, [line])
}

const isBar = ({ lines, hidden }: StateOutline, at: number) =>
  !hidden.has(at) && /^ {0,3}\|/.test(lines[at]?.text ?? '')

const hasBars = (outline: StateOutline, { heading, end }: StateSection) =>
  Array.from({ length: end - heading - 1 }, (_, at) => heading + 1 + at).some((at) => isBar(outline, at))

/** Takes every blocker out. */
export function clearBlockers(text: string): string {
  const outline = outlineOf(text)
  const section = sectionOf(outline, 'blockers')
  const entries = entriesOf(outline, section).filter((entry) => !isNothing(entry.text))
  const [first] = entries
  if (!section || !first) return text
  const bare = without(
    outline,
    entries.flatMap(({ at, end }) => Array.from({ length: end - at }, (_, index) => at + index)),
  )
  if (entriesOf(outlineOf(bare), sectionOf(outlineOf(bare), 'blockers')).length > 0) return bare
  return inserted(outlineOf(bare), first.at, ['- none'])
}

function joined(lines: readonly RawLine[]): string {
  return lines.map(({ text, ending }) => text + ending).join('')
}

function replaced({ lines }: StateOutline, at: number, text: string): string {
  return joined(lines.map((line, index) => (index === at ? { ...line, text } : line)))
}

function without({ lines }: StateOutline, places: readonly number[]): string {
  const gone = new Set(places)
  return joined(lines.filter((_, index) => !gone.has(index)))
}

/** Puts lines before the line at `at`, in the ending of the file. */
function inserted({ lines }: StateOutline, at: number, added: readonly string[]): string {
  const ending = endingOf(joined(lines))
  const before = lines.slice(0, at)
  const last = before.at(-1)
  const fresh = added.map((text) => ({ text, ending }))
  if (last === undefined || last.ending !== '') return joined([...before, ...fresh, ...lines.slice(at)])
  const open = fresh.map((line, index) => (index === fresh.length - 1 ? { ...line, ending: '' } : line))
  return joined([...before.slice(0, -1), { ...last, ending }, ...open])
}

/** Behind the last line of a section that is not blank. */
function atEndOf(outline: StateOutline, section: StateSection, added: readonly string[]): string {
  let end = section.end
  while (end > section.heading + 1 && (outline.lines[end - 1]?.text ?? '').trim() === '') end -= 1
  return inserted(outline, end, added)
}

/** A section that was missing, behind those that come before it in a new file. */
function inNewSection(text: string, key: SectionKey, body: readonly string[]): string {
  const outline = outlineOf(text)
  const earlier = sectionKeys.slice(0, sectionKeys.indexOf(key))
  const before = outline.sections.findLast(
    (section) => section.key !== undefined && earlier.includes(section.key),
  )
  const lines = ['', `## ${sectionTitles[key]}`, ...body]
  if (before) {
    const next = outline.lines[before.end]
    const blank = next === undefined || next.text.trim() === '' ? [] : ['']
    const behind = (outline.lines[before.end - 1]?.text ?? '').trim() === '' ? [] : blank
    return atEndOf(outline, before, next === undefined ? lines : [...lines, ...behind])
  }
  const [first] = outline.sections
  if (first) return inserted(outline, first.start, [...lines.slice(1), ''])
  const end = outline.fenced?.to ?? outline.lines.length
  return inserted(outline, end, lines)
}
