import { countsPlans, withInlineFields } from './playbook-inline-fields.js'
import { isBlankLine, isRuleLine, type PlaybookLine } from './playbook-lines.js'

// Labelled values of a section (docs/playbook.md, "Fields").

export type FieldName = 'goal' | 'dependsOn' | 'requirements' | 'criteria' | 'plans' | 'uiHint' | 'mode'

/** One label with all that belongs to it. */
export interface Field {
  /** Undefined for a label that means nothing to the workflow. */
  name: FieldName | undefined
  /** As written. */
  label: string
  /** What stands behind the label, on its line. */
  value: string
  line: PlaybookLine
  /** Lines that belong to it, without blank ones at the end. */
  lines: PlaybookLine[]
  /** Stands below a deeper heading that is no label: of a part of the section, such as a plan. */
  inPart: boolean
}

/** What one line opens. */
type Opened = Omit<Field, 'lines' | 'inPart'>

export interface FieldsOfSection {
  fields: Field[]
  /** Lines of no field. */
  rest: PlaybookLine[]
}

const names: Readonly<Record<string, FieldName>> = {
  goal: 'goal',
  'depends on': 'dependsOn',
  dependencies: 'dependsOn',
  requirements: 'requirements',
  'success criteria': 'criteria',
  plans: 'plans',
  'ui hint': 'uiHint',
  mode: 'mode',
}
const known = Object.keys(names).join('|')
const note = String.raw`(?:\s{0,9}(?:\([^()]{0,200}\)|（[^（）]{0,200}）))?`
/** The colon may stand before or behind the closing marks and a remark. */
const knownField = new RegExp(
  String.raw`^\s*(?:[-*+]\s+)?([*_]{1,3})?\s{0,3}(${known})${note}\s{0,3}([:：]?)\s{0,3}([*_]{1,3})?${note}\s{0,3}([:：]?)(?:\*\*)?(.*)$`,
  'i',
)
const boldField =
  /^\s*(?:[-*+]\s+)?(?:\*\*|__)([^*_:：\n]{1,60}?)(?:\s{0,9}\([^()]{0,200}\))?\s{0,3}([:：]?)\s{0,3}(?:\*\*|__)\s{0,3}([:：]?)(.*)$/
const plainField = /^\s{0,3}([A-Z][\w /&'-]{1,40}):(?:\s{1,9}(.*))?$/
const headingField = new RegExp(
  String.raw`^(?:\*\*|__)?(${known})${note}\s{0,3}[:：]?(?:\*\*|__)?\s{0,3}$`,
  'i',
)

/** The label that a line opens with. */
export function fieldOf(line: PlaybookLine): Opened | undefined {
  if (line.level > 0) {
    const label = headingField.exec(line.body)?.[1]
    return label === undefined ? undefined : { name: nameOf(label), label, value: '', line }
  }
  // Most lines of a roadmap are no label, and none is one without its colon.
  if (!line.text.includes(':') && !line.text.includes('：')) return undefined
  const match = knownField.exec(line.text)
  if (match !== null && `${match[3]}${match[5]}` !== '') {
    // `*Goal: All of it in italics*`
    const marks = match[4] === undefined ? (match[1] ?? '') : ''
    const said = (match[6] ?? '').trim()
    const value = marks !== '' && said.endsWith(marks) ? said.slice(0, -marks.length).trim() : said
    return { name: nameOf(match[2] ?? ''), label: match[2] ?? '', value, line }
  }
  const bold = boldField.exec(line.text)
  if (bold !== null && `${bold[2]}${bold[3]}` !== '')
    return { name: undefined, label: (bold[1] ?? '').trim(), value: (bold[4] ?? '').trim(), line }
  const plain = line.mark === undefined ? plainField.exec(line.text) : null
  if (plain === null) return undefined
  return { name: undefined, label: plain[1] ?? '', value: (plain[2] ?? '').trim(), line }
}

function nameOf(label: string): FieldName | undefined {
  return names[label.toLowerCase().replace(/\s+/g, ' ')]
}

/** Splits a section into its fields and the rest. Pure; every line goes to one of them. */
export function fieldsOf(section: readonly PlaybookLine[]): FieldsOfSection {
  const fields: Field[] = []
  const rest: PlaybookLine[] = []
  let open: Field | undefined
  let part = 0
  for (const line of withInlineFields(section.filter((each) => !isStruck(each)))) {
    const begins = fieldOf(line)
    if (line.level > 0 && (part === 0 || line.level <= part)) part = begins === undefined ? line.level : 0
    if (begins !== undefined && !(open !== undefined && holds(open, line, begins))) {
      open = { ...begins, lines: [], inPart: part > 0 }
      fields.push(open)
    } else if (open !== undefined && belongs(open, line)) open.lines.push(line)
    else {
      open = undefined
      if (!isBlankLine(line) && !isRuleLine(line) && line.level === 0) rest.push(line)
    }
  }
  for (const field of fields) trimBlanks(field.lines)
  return { fields, rest }
}

/** A whole line that is struck through is taken back; an item of a list is judged by what reads the list. */
function isStruck(line: PlaybookLine): boolean {
  if (!line.text.includes('~~')) return false
  const text = line.text.trim()
  return line.mark === undefined && text.length > 4 && text.startsWith('~~') && text.endsWith('~~')
}

/** Within a list of criteria or plans a label deeper than the list's own label is a part of an item. */
function holds(open: Field, line: PlaybookLine, { name, value }: Opened): boolean {
  if (open.name !== 'criteria' && open.name !== 'plans') return false
  if (line.level > 0) return false
  if (open.name === 'criteria' && name === 'plans' && line.mark === undefined && countsPlans(value))
    return false
  if (open.line.level === 0 && line.indent > open.line.indent) return true
  if (isBeside(open, line)) return false
  // `- **Login**: works` is an item, for no label of the grammar is meant.
  return name === undefined && line.mark !== undefined
}

/** An item beside a label that is an item itself and has its list on its line or below it: the next field, or none. */
function isBeside(open: Field, line: PlaybookLine): boolean {
  if (open.line.mark === undefined || line.mark === undefined || line.indent > open.line.indent) return false
  return (
    open.value !== '' ||
    open.lines.some(({ mark, indent }) => mark !== undefined && indent > open.line.indent)
  )
}

function belongs(open: Field, line: PlaybookLine): boolean {
  if (line.level > 0 || ((open.name === 'criteria' || open.name === 'plans') && isBeside(open, line)))
    return false
  if (open.name === 'criteria') return inList(line) || inTable(open, line)
  if (open.name === 'plans') {
    // `2/2 plans complete` may stand on the line below the label.
    const isValue = open.value === '' && open.lines.length === 0 && /^\d/.test(line.text)
    return inList(line) || isWave(line) || isValue
  }
  const started = open.value !== '' || open.lines.length > 0
  if (isBlankLine(line)) {
    // A label on a line of its own may be followed by a blank one.
    return !started
  }
  if (isRuleLine(line) || /^\s*(?:\||<\/?(?:details|summary))/i.test(line.text)) return false
  const isListed = open.lines[0]?.mark !== undefined
  if (line.mark !== undefined && line.indent <= open.line.indent && started && !isListed)
    return open.name === 'requirements' && open.value === ''
  return true
}

/** A list goes on over blanks, items at any indent, and indented lines; an unindented other line ends it. */
function inList(line: PlaybookLine): boolean {
  if (isRuleLine(line)) return false
  return isBlankLine(line) || line.mark !== undefined || line.indent > 0
}

/** Criteria may be the rows of a table, where nothing else stands before it. */
function inTable(open: Field, line: PlaybookLine): boolean {
  const isRow = (each: PlaybookLine) => /^\s*\|/.test(each.text)
  return isRow(line) && open.lines.every((each) => isBlankLine(each) || isRow(each))
}

/** `**Wave 1**`, `Wave 2 *(after Wave 1)*` between the plans of a list. */
export function isWave(line: PlaybookLine): boolean {
  return /^[\s>*_-]*wave\s{1,9}\w/i.test(line.text)
}

function trimBlanks(lines: PlaybookLine[]): void {
  while (lines.length > 0 && isBlankLine(lines[lines.length - 1] as PlaybookLine)) lines.pop()
}

/** Value and lines of a field as one text. */
export function textOf(field: Field): string {
  const parts = [field.value, ...field.lines.map((line) => (line.mark === undefined ? line.text : line.body))]
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ')
}
