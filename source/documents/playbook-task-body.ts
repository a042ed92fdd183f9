import type { PlanLine } from './playbook-plan-text.js'

// What a task says of itself: tags, or labels of Markdown (docs/playbook.md, "Tasks").

export type TaskField =
  | 'name'
  | 'files'
  | 'action'
  | 'verify'
  | 'automated'
  | 'done'
  | 'behavior'
  | 'read_first'
  | 'acceptance_criteria'
  | 'type'
  | 'complexity'
  | 'goal'
  | 'options'
  | 'context'
  | 'other'

export interface TaskPart {
  field: TaskField
  /** Its lines; the first and the last one without tag or label. */
  lines: PlanLine[]
}

export interface TaskBody {
  parts: TaskPart[]
  /** The first heading in it. */
  heading: string | undefined
  warnings: string[]
}

const tags: Readonly<Record<string, TaskField>> = {
  name: 'name',
  title: 'name',
  files: 'files',
  action: 'action',
  implementation: 'action',
  verify: 'verify',
  verification: 'verify',
  automated: 'automated',
  done: 'done',
  behavior: 'behavior',
  read_first: 'read_first',
  acceptance_criteria: 'acceptance_criteria',
  options: 'options',
  decision: 'goal',
  'what-built': 'goal',
  'how-to-verify': 'action',
  instructions: 'action',
  context: 'context',
  'resume-signal': 'other',
  interfaces: 'other',
  rationale: 'other',
}
const tagStart = new RegExp(String.raw`^\s*<(${Object.keys(tags).join('|')})(?:\s[^<>]*)?>`, 'i')

const labels: readonly [RegExp, TaskField][] = [
  [/^(?:name|title)$/i, 'name'],
  [
    /^(?:files?|files? (?:to (?:modify|create|change|edit|touch)|modified|created|changed|touched|affected)(?:[/ ,&]{1,3}(?:and |or )?(?:to )?(?:modify|create|change|modified|created)){0,3}|(?:new|modified|created|affected) files?)$/i,
    'files',
  ],
  [/^(?:actions?|implementation|steps)$/i, 'action'],
  [/^(?:acceptance(?: criteria)?)$/i, 'acceptance_criteria'],
  [/^(?:verify|verification)$/i, 'verify'],
  [/^done(?: when| criteria)?$/i, 'done'],
  [/^type$/i, 'type'],
  [/^complexity$/i, 'complexity'],
  [/^(?:goal|objective|description)$/i, 'goal'],
  [/^(?:read first|read_first)$/i, 'read_first'],
  [/^behaviou?r$/i, 'behavior'],
  [/^automated$/i, 'automated'],
  [/^options$/i, 'options'],
]
const boldLabel =
  /^\s*(?:[-*+]\s+)?(?:\*\*|__)([^*_:\n][^*:\n]{0,58}?)(?:\s*\([^()\n]{0,80}\))?\s?(:?)(?:\*\*|__)\s?(?:\([^()\n]{0,80}\)\s?)?(:?)\s?(.*)$/
const plainLabel = /^\s{0,9}(?:[-*+]\s{1,9})?([A-Z][A-Za-z_ /]{2,40}):(?:\s{1,9}(.*))?$/

interface Label {
  field: TaskField
  rest: string
}

function labelOf(line: PlanLine): Label | undefined {
  if (line.level > 0) {
    const field = fieldNamed(line.body.replace(/[*_]{2}|:$/g, '').trim())
    return field === undefined ? undefined : { field, rest: '' }
  }
  const bold = boldLabel.exec(line.text)
  if (bold !== null && `${bold[2]}${bold[3]}` !== '')
    return { field: fieldNamed(bold[1]?.trim() ?? '') ?? 'other', rest: bold[4] ?? '' }
  const plain = plainLabel.exec(line.text)
  const field = plain === null ? undefined : fieldNamed(plain[1] ?? '')
  return field === undefined ? undefined : { field, rest: plain?.[2] ?? '' }
}

function fieldNamed(label: string): TaskField | undefined {
  return labels.find(([pattern]) => pattern.test(label))?.[1]
}

/** Reads the lines between the tag or heading of a task and its end. Tags go before labels. */
export function taskBody(given: readonly PlanLine[]): TaskBody {
  const lines = [...given]
  const parts: TaskPart[] = []
  const warnings: string[] = []
  const rest: PlanLine[] = []
  const ahead = tagsAhead(lines)
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as PlanLine
    const open = line.masked ? null : tagStart.exec(line.text)
    if (open === null) {
      rest.push(line)
      at += 1
      continue
    }
    const tag = open[1]?.toLowerCase() ?? ''
    const end = closeOf(lines, at, tag, ahead)
    if (end.unclosed) warnings.push(`Line ${line.number}: <${tag}> is never closed.`)
    parts.push({
      field: tags[tag] ?? 'other',
      lines: cut(lines.slice(at, end.at + 1), open[0].length, end.unclosed ? undefined : tag),
    })
    at = end.at + 1
    const behind = end.unclosed ? undefined : tagBehind(lines[end.at] as PlanLine, tag)
    if (behind !== undefined) {
      at = end.at
      lines[at] = behind
    }
  }
  const heading = rest.find((line) => line.level > 0 && !line.masked && labelOf(line) === undefined)?.body
  const labelled = labelledParts(rest, parts.length > 0)
  return { parts: [...parts, ...labelled, ...shownInActions([...parts, ...labelled])], heading, warnings }
}

const showing: ReadonlySet<TaskField> = new Set(['verify', 'automated', 'acceptance_criteria'])

/** Where no tag says how a task is shown, what is listed below such a label in its action does. */
function shownInActions(parts: readonly TaskPart[]): TaskPart[] {
  if (parts.some(({ field }) => showing.has(field))) return []
  return parts
    .filter(({ field }) => field === 'action')
    .flatMap(({ lines }) => labelledParts(lines, true))
    .filter(({ field }) => showing.has(field))
    .map(({ field, lines: [first, ...rest] }) => {
      const end = rest.findIndex((line) => line.masked || !(line.mark !== undefined || line.indent > 0))
      const listed = end === -1 ? rest : rest.slice(0, end)
      return { field, lines: first === undefined ? listed : [first, ...listed] }
    })
}

/** What stands behind a closing tag, where it opens another one: formatters that fill paragraphs put them on one line. */
function tagBehind(line: PlanLine, tag: string): PlanLine | undefined {
  const close = line.text.toLowerCase().lastIndexOf(`</${tag}`)
  const text = line.text.slice(line.text.indexOf('>', close) + 1)
  return tagStart.test(text) ? withText(line, text) : undefined
}

/** Where tags close for the last time, and where the next one opens: what never closes is seen without a search. */
interface Ahead {
  lastClose: ReadonlyMap<string, number>
  nextOpen: readonly number[]
}

function tagsAhead(lines: readonly PlanLine[]): Ahead {
  const lastClose = new Map<string, number>()
  const nextOpen = new Array<number>(lines.length).fill(lines.length)
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at] as PlanLine
    nextOpen[at] = nextOpen[at + 1] ?? lines.length
    if (line.masked || !line.text.includes('<')) continue
    if (tagStart.test(line.text)) nextOpen[at] = at
    for (const match of line.text.matchAll(/<\/([a-z_-]{1,30})/gi)) {
      const tag = match[1]?.toLowerCase() ?? ''
      if (!lastClose.has(tag)) lastClose.set(tag, at)
    }
  }
  return { lastClose, nextOpen }
}

/** The line on which a tag closes; where it does not, the one before the next tag. */
function closeOf(
  lines: readonly PlanLine[],
  from: number,
  tag: string,
  { lastClose, nextOpen }: Ahead,
): { at: number; unclosed: boolean } {
  const close = new RegExp(`</${tag}\\s*>`, 'i')
  for (let at = from; at <= (lastClose.get(tag) ?? -1); at += 1) {
    const line = lines[at] as PlanLine
    if (!line.masked && close.test(line.text)) return { at, unclosed: false }
  }
  return { at: (nextOpen[from + 1] ?? lines.length) - 1, unclosed: true }
}

function cut(lines: readonly PlanLine[], from: number, tag: string | undefined): PlanLine[] {
  return lines.map((line, index) => {
    let text = line.text
    if (index === lines.length - 1 && tag !== undefined) {
      const close = text.toLowerCase().lastIndexOf(`</${tag}`)
      text = text.slice(0, Math.max(close, 0))
    }
    if (index === 0) text = text.slice(from)
    return withText(line, text)
  })
}

function withText(line: PlanLine, text: string): PlanLine {
  if (text === line.text) return line
  const item = /^\s*(?:([-*+]|\d{1,4}[.)])\s+)?(?:\[[ xX~]\]\s+)?/.exec(text)
  return { ...line, text, mark: item?.[1], body: text.slice(item?.[0].length ?? 0).trim(), level: 0 }
}

/** Parts by labels. In a task of tags only labels of the grammar count, for prose uses bold words too. */
function labelledParts(lines: readonly PlanLine[], hasTags: boolean): TaskPart[] {
  const parts: TaskPart[] = []
  let open: { part: TaskPart; indent: number } | undefined
  for (const line of lines) {
    const label = line.masked ? undefined : labelOf(line)
    const foreign = label?.field === 'other'
    if (label !== undefined && !(foreign && hasTags) && !isInside(open, line, foreign)) {
      const part: TaskPart = { field: label.field, lines: [withText(line, label.rest)] }
      open = { part, indent: line.indent }
      parts.push(part)
    } else if (line.level > 0 && !line.masked) open = undefined
    else if (open?.part.field === 'files' && endsFiles(open.part, line)) open = undefined
    else open?.part.lines.push(line)
  }
  return parts.filter(({ field }) => field !== 'other')
}

/** Paths stand on the line of their label, or in a list below it. */
function endsFiles(part: TaskPart, line: PlanLine): boolean {
  if (line.text.trim() === '') return false
  const [first] = part.lines
  const isInline = first !== undefined && first.text.trim() !== ''
  return line.masked || (line.mark === undefined && (isInline || line.indent === 0))
}

/** Words in bold deeper than a label, or within what is to be done, are a part of what it says. */
function isInside(
  open: { part: TaskPart; indent: number } | undefined,
  line: PlanLine,
  foreign: boolean,
): boolean {
  if (open === undefined) return false
  if (foreign) return line.indent > open.indent || open.part.field === 'action'
  return line.indent > open.indent && line.mark !== undefined && open.part.field !== 'goal'
}
