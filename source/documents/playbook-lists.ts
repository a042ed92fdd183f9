import { numberWords } from '../number-words.js'
import { cellsOf, delimiterCells } from './markdown-table.js'
import { itemOfRow } from './playbook-criterion.js'
import { type Field, isWave, textOf } from './playbook-fields.js'
import { normalPhaseId, paddedPhaseId, phaseIdPattern } from './playbook-id.js'
import { isBlankLine, opensWithId, type PlaybookLine } from './playbook-lines.js'

// Lists of a phase's section: criteria, plans, requirements (docs/playbook.md, "Fields").

/** Each item is a criterion; what is indented below it belongs to it. */
export function criteriaOf(field: Field): string[] {
  const criteria: string[] = []
  const inline = field.value.replace(/^[-–—]\s+/, '')
  if (/[\p{L}\p{N}]/u.test(inline) && !/^tbd\b/i.test(inline)) criteria.push(inline)
  const isTable = /^\s*\|/.test(field.lines.find((line) => !isBlankLine(line))?.text ?? '')
  if (isTable) return [...criteria, ...criteriaOfTable(field.lines)]
  for (const line of field.lines) {
    if (isBlankLine(line)) continue
    if (line.mark !== undefined) criteria.push(line.body)
    else if (criteria.length > 0 && !opensWithId(line.text))
      criteria.push(`${criteria.pop()} ${line.text.trim()}`)
    else criteria.push(line.text.trim())
  }
  return criteria.map((text) => text.trim()).filter((text) => text !== '' && !/^tbd\.?$/i.test(text))
}

const criterionHead = /criteri|truth|outcome|behaviou?r|description|requirement|what\b|must\b/i

/** Each row but the head is one: its command with what it shows, else the cell that its head names, else the first in words. */
function criteriaOfTable(lines: readonly PlaybookLine[]): string[] {
  const rows = lines.filter((line) => /^\s*\|/.test(line.text)).map(({ text }) => text.trim())
  const rule = rows.findIndex((row) => delimiterCells(row) > 0)
  const cells = (row: string) => cellsOf(row).map(({ text }) => text.replaceAll('\\|', '|').trim())
  const column = cells(rows[rule - 1] ?? '').findIndex((head) => criterionHead.test(head))
  return rows
    .slice(rule + 1)
    .map((row) => {
      const all = cells(row)
      return (
        itemOfRow(row) ??
        (all[column] ||
          all.find((text) => /\p{L}\S*\s+\S/u.test(text)) ||
          all.find((text) => /\p{L}/u.test(text)))
      )
    })
    .filter((text) => text !== undefined && text !== '')
    .map(String)
}

/** How many plans the value says: `3 plans`, `2/3 plans complete`, `three plans`. */
function planCount(value: string): number | null {
  const digits =
    /^\D{0,20}?(?:\d{1,4}\s{0,3}(?:\/|of)\s{0,3})?(\d{1,4})(?:\s{1,3}\w{1,20})?\s{1,3}plans?/i.exec(value)
  if (digits?.[1] !== undefined) return Number(digits[1])
  const bare = /^(?:\d{1,4}\s{0,3}\/\s{0,3})?(\d{1,4})(?![\w.-])/.exec(value)
  if (bare?.[1] !== undefined) return Number(bare[1])
  const said = /^([a-z]{3,6})\b/i.exec(value)?.[1]?.toLowerCase() ?? ''
  const count = said === 'single' ? 1 : numberWords.indexOf(said)
  return count === -1 ? null : count
}

const planId = new RegExp(
  String.raw`(?<![\w./-])(?!(?:19|20)\d\d-(?:0[1-9]|1[0-2])(?!\d))(${phaseIdPattern})-(?:plan-)?(\d{1,3}[a-z]?)(?![\w]|\.\d|\s{1,3}plans?\b)(?=-|\.md|[^\w-]|$)`,
  'giu',
)
const opening = new RegExp(`^(?:${planId.source})`, 'iu')
const loneFile = /(?<![\w./-])(\d{1,3})-PLAN\.md/i

export interface PlansOfPhase {
  plans: string[]
  count: number | null
  warnings: string[]
}

/** Plans of a phase as its fields and its boxes list them; those of another phase are left out and told. */
export function plansOf(
  fields: readonly Field[],
  phase: string,
  boxed: readonly PlaybookLine[] = [],
): PlansOfPhase {
  const plans: string[] = []
  const foreign: string[] = []
  let count: number | null = null
  for (const field of fields) {
    // `6 plansPlans:` is two lines that were glued together.
    const below = field.lines[0]?.mark === undefined ? (field.lines[0]?.text.trim() ?? '') : ''
    count ??= planCount(field.value || below)
    // Behind a number there may be a list (`2 plans — 39-01, 39-02`) or words that have a date in them.
    const counts = /^\s*(?:\*\*)?\d{1,4}\s*(?:\/\s*\d{1,4}\s*)?plans?/i.test(field.value)
    sortPlans(field.value, phase, plans, counts ? [] : foreign)
    for (const { body } of field.lines.filter(isItem)) sortPlans(leadOf(body), phase, plans, foreign)
  }
  for (const { body } of boxed) sortPlans(leadOf(body), phase, plans, foreign)
  const warnings =
    foreign.length === 0
      ? []
      : [`Its list names plans of another phase, which are left out: ${foreign.join(', ')}.`]
  return { plans: [...new Set(plans)], count, warnings }
}

function isItem(line: PlaybookLine): boolean {
  return line.mark !== undefined && !isWave(line)
}

/**
 * Items with a box that open with a plan of this phase (`- [ ] 01-03-PLAN.md`). They are its plans wherever they stand in
 * its section: lists begin below other fields, and words on gaps and waves stand between.
 */
export function boxedPlans(lines: readonly PlaybookLine[], phase: string): PlaybookLine[] {
  return lines.filter(({ box, body }) => {
    if (box === undefined) return false
    const lead = leadOf(body).replace(/^[[\s]*(?:plan\s{1,3})?/i, '')
    return normalPhaseId(opening.exec(lead)?.[1] ?? '') === phase
  })
}

/** The part of an item before its description. */
function leadOf(body: string): string {
  const plain = body.replace(/[*`~]/g, '')
  const end = /:\s|\s[–—-]+\s|\s\(/.exec(plain)
  return plain.slice(0, end?.index ?? 120)
}

/** `20-01 through 20-08`, `20-01–20-08` */
const planRange = new RegExp(
  String.raw`(?<![\w./-])(${phaseIdPattern})-(\d{1,3})\s{0,3}(?:–|—|…|\.{2,3}|\bthrough\b|\bto\b)\s{0,3}(${phaseIdPattern})-(\d{1,3})(?!\w)`,
  'giu',
)
const longestRange = 99

/** The text with every plan of a range in it named. */
function withRanges(text: string): string {
  return text.replace(planRange, (all: string, ...groups: string[]) => {
    const [phase, from = '', other, to] = groups
    const [first, last] = [Number(from), Number(to)]
    if (other !== phase || last < first || last - first > longestRange) return all
    const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index)
    return numbers.map((number) => `${phase}-${String(number).padStart(from.length, '0')}`).join(', ')
  })
}

function sortPlans(given: string, phase: string, plans: string[], foreign: string[]): void {
  let found = false
  if (!given.includes('-') && !/plan/i.test(given)) return
  const text = withRanges(given.replaceAll('`', ''))
  for (const match of text.matchAll(planId)) {
    const [owner, number = ''] = [normalPhaseId(match[1] ?? ''), match[2]]
    if (owner === undefined) continue
    found = true
    const id = `${match[1]}-${number}`
    if (owner === phase) plans.push(id)
    else foreign.push(id)
  }
  if (found) return
  const lone = loneFile.exec(text)?.[1]
  if (lone !== undefined) plans.push(`${paddedPhaseId(phase)}-${lone}`)
  const numbered = /^\W{0,9}plan\s{1,3}(\d{1,3})(?![\w]|\.\d)/i.exec(text)?.[1]
  if (numbered !== undefined) plans.push(`${paddedPhaseId(phase)}-${numbered.padStart(2, '0')}`)
}

/** What stands in parentheses at the end speaks of all of them: `[A-01, A-02] (see REQUIREMENTS.md)`. */
function withoutRemark(text: string): string {
  return text.replace(/(?<=[\w\]])\s{1,9}\([^()]{0,300}\)\.?$/, '').trim()
}

/** `AUTH-01, AUTH-02`, in brackets or as a list. */
export function requirementsOf(field: Field): string[] {
  const listed = field.lines.filter((line) => line.mark !== undefined)
  const texts =
    listed.length > 0 && field.value === ''
      ? listed.map(({ body }) => body)
      : withoutRemark(textOf(field))
          .replace(/^\[([^[\]]*)\]$/, '$1')
          .split(/[,;]/)
  return texts
    .map((text) =>
      text
        .replace(/[*`]/g, '')
        .trim()
        .replace(/^\[([^[\]]*)\]$/, '$1'),
    )
    .filter((text) => text !== '' && !/^(?:none|n\/a|tbd|[-–—]+)\b/i.test(text) && !/^[-–—]+$/.test(text))
}
