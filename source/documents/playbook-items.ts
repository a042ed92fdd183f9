import { codeSpans } from './code-spans.js'
import {
  automatedCriterion,
  type CriterionContext,
  criterionOf,
  itemOfRow,
  type PlaybookCriterion,
} from './playbook-criterion.js'
import { opensWithId, playbookLine } from './playbook-lines.js'
import type { PlanLine } from './playbook-plan-text.js'
import { partsOfSeries } from './playbook-series.js'

// Lists of criteria, as a task or a plan writes them (docs/playbook.md, "Criteria").

const automated = /<automated(?:\s[^<>]*)?>([\s\S]*?)<\/automated\s*>/gi

/** Every criterion of a part: its `<automated>` commands, then its items. */
export function criteriaOfPart(lines: readonly PlanLine[], context: CriterionContext): PlaybookCriterion[] {
  const { commands, rest } = withoutAutomated(lines)
  return [...commands.map(automatedCriterion), ...itemsOf(rest).map((item) => criterionOf(item, context))]
}

/** Commands of `<automated>`, which may run over several lines, and the lines without them. */
function withoutAutomated(lines: readonly PlanLine[]): { commands: string[]; rest: PlanLine[] } {
  if (!lines.some(({ text }) => /<automated/i.test(text))) return { commands: [], rest: [...lines] }
  const commands: string[] = []
  const text = lines.map((line) => line.text).join('\n')
  // One that never closes runs to the end of what it stands in.
  const closed = /<automated[^<>]*>(?![\s\S]*<\/automated)/i.test(text) ? `${text}\n</automated>` : text
  const left = closed.replace(automated, (all: string, command: string) => {
    commands.push(trimmedCommand(command))
    return all.replace(/[^\n]/g, '')
  })
  const kept = left.split('\n')
  const rest = lines.flatMap((line, index) => {
    const text = kept[index] ?? ''
    if (text === line.text) return [line]
    const says = /[\p{L}\p{N}]/u.test(text.replace(/<\/?[a-z_-]{1,30}[^<>]*>/gi, ''))
    return says ? [{ ...playbookLine(line.number, text), masked: line.masked }] : []
  })
  return { commands, rest }
}

function trimmedCommand(command: string): string {
  const lines = command.replace(/^\s*```\w*\s*\n|\n\s*```\s*$/g, '').split('\n')
  return lines
    .map((line) => line.trim())
    .join('\n')
    .trim()
    .replace(/^`([^`]*)`$/s, '$1')
}

interface Item {
  text: string
  listed: boolean
  /** Its mark, where it may be the first of several in one line: `a)`. */
  label?: string
}

/** List items with what is indented below them; lines of prose that begin something new. */
export function itemsOf(lines: readonly PlanLine[]): string[] {
  const items: Item[] = []
  let blank = true
  let fenced = false
  for (const line of lines) {
    const text = line.text.trim()
    if (line.masked) {
      // Code below an item belongs to it, and is no item of its own.
      const last = items[items.length - 1]
      if (fenced && last !== undefined && !/^(?:```|~~~)/.test(text)) last.text += `\n${text}`
      else if (items.length === 0 && !/^(?:```|~~~)/.test(text)) items.push({ text, listed: false })
      fenced = true
      continue
    }
    fenced = false
    if (text === '' || /^<\/?[a-z_-]{1,30}(?:\s[^<>]*)?>$/i.test(text) || /^-{3,}$/.test(text)) {
      blank = true
      continue
    }
    const row = text.startsWith('|') ? itemOfRow(text) : undefined
    if (text.startsWith('|')) {
      if (row !== undefined) items.push({ text: row, listed: true })
      continue
    }
    const last = items[items.length - 1]
    if (line.level > 0) continue
    if (line.mark !== undefined) push(items, line.body, line.mark)
    else if (last !== undefined && goesOn(last, line, blank)) last.text += ` ${text}`
    else push(items, text)
    blank = false
  }
  return items.flatMap(sentences).filter((text) => text !== '')
}

/** A paragraph in which each sentence opens with its own command is as many items, and so is a series in one line. */
function sentences({ text, listed, label }: Item): string[] {
  const series = partsOfSeries(label === undefined ? text : `${label} ${text}`)
  if (series.length > 1) return series
  const parts = listed || !text.startsWith('`') ? [text] : text.split(/(?<=\.)\s(?=`)/)
  return parts.map((part) => part.trim())
}

/** A line that ends in a colon leads to the list below it and is no item. */
function push(items: Item[], text: string, mark?: string): void {
  const listed = mark !== undefined
  const last = items[items.length - 1]
  if (listed && last !== undefined && !last.listed && last.text.endsWith(':')) items.pop()
  items.push({ text, listed, ...(mark?.endsWith(')') ? { label: mark } : {}) })
}

/** How a line goes on with the one before, most of all with what a command there does. */
const outcome =
  /^\s*(?:(?:returns?|prints?|outputs?|exits?|shows?|succeeds?|pass|passes|fails?|matches|equals|gives|reports|yields|contains|is|are|has|should|must|and|or|only|in|with|from|to|for|of|on|at|by|without|where|which|that)\b|(?:>=|<=|==|=|≥|≤|→|->|=>)\s)/
/** The same at the beginning of a sentence, behind a command that ends its line. */
const outcomeSentence = /^\s*(?:\*\*|__)?(?:Should|Must|Expect|Expects|Expected)\b/

function goesOn(last: Item, line: PlanLine, blank: boolean): boolean {
  if (opensWithId(line.text)) return false
  if (last.listed) return line.indent > 0 || !blank
  if (/`$/.test(last.text) && outcomeSentence.test(line.text)) return true
  if (blank) return false
  if (!/[.;!?:]\)?$/.test(last.text) && outcome.test(line.text)) return true
  const begins = /^\s*(?:`|\*\*|(?:run|check|verify|confirm|test|ensure|manual|then)\b)/i.test(line.text)
  return !begins && !/[.;!?:]\)?$|`$/.test(last.text) && codeSpans(last.text).length === 0
}
