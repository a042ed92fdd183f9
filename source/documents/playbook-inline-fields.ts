import { isBlankLine, type PlaybookLine, playbookLine } from './playbook-lines.js'

// Formatters that fill paragraphs put the fields of a phase behind each other: `**Goal**: It works **Depends on**: Phase 1`
// (docs/playbook.md, "Fields").

const known =
  'goal|depends\\s{1,3}on|dependencies|requirements|success\\s{1,3}criteria|plans|ui\\s{1,3}hint|mode'
const note = String.raw`(?:\s{0,3}(?:\([^()]{0,200}\)|（[^（）]{0,200}）))?`
/** A label of the grammar in bold, with its colon. */
const label = new RegExp(String.raw`\*\*(?:${known})${note}\s?(?:[:：]\*\*|\*\*${note}\s?[:：])`, 'gi')
/** A label whose end is on the next line. */
const broken = new RegExp(
  String.raw`\*\*(?:(?:success|depends|ui)|(?:${known})(?:\*\*)?\s{0,3}\([^()]{0,80})\s{0,3}$`,
  'i',
)
/** What follows a label of plans that stands behind the last criterion. */
const planCount = /^\s{0,3}(?:\d|tbd\b|one\b|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|nine\b|ten\b)/i

/** Whether the value of a label is how many plans there are, or which: it ends a list of criteria wherever it stands. */
export function countsPlans(value: string): boolean {
  return planCount.test(value)
}

/** The lines of a section with every label in bold at the beginning of a line of its own. Pure. */
export function withInlineFields(section: readonly PlaybookLine[]): PlaybookLine[] {
  return joined(section).flatMap(split)
}

function joined(section: readonly PlaybookLine[]): PlaybookLine[] {
  const lines: PlaybookLine[] = []
  for (let at = 0; at < section.length; at += 1) {
    const line = section[at] as PlaybookLine
    const next = section[at + 1]
    const goesOn = next !== undefined && next.level === 0 && next.mark === undefined && !isBlankLine(next)
    if (line.level > 0 || !goesOn || !broken.test(line.text.slice(-160))) {
      lines.push(line)
      continue
    }
    lines.push(playbookLine(line.number, `${line.text.trimEnd()} ${next.text.trim()}`))
    at += 1
  }
  return lines
}

function split(line: PlaybookLine): PlaybookLine[] {
  if (line.level > 0 || !line.text.includes('**') || /^\s*\|/.test(line.text)) return [line]
  const isItem = line.mark !== undefined || line.indent > 0
  const first = line.text.length - line.text.trimStart().length
  const starts = [...line.text.matchAll(label)].flatMap((match) => {
    const before = line.text.slice(0, match.index)
    const isBehind = match.index > first && !/^\s*(?:[-*+]|\d{1,4}[.)])\s*$/.test(before)
    // In an item a label in bold may be what it speaks of; only a count of plans ends the list.
    const rest = line.text.slice(match.index + match[0].length)
    const counts = !isItem || (/^\*\*plans/i.test(match[0]) && planCount.test(rest))
    return isBehind && counts ? [match.index] : []
  })
  if (starts.length === 0) return [line]
  return [0, ...starts].map((from, index) =>
    playbookLine(line.number, withoutDivider(line.text.slice(from, starts[index]).trimEnd(), starts[index])),
  )
}

/** The bar or dot that stands between two fields is part of neither. */
function withoutDivider(text: string, next: number | undefined): string {
  return next === undefined ? text : text.replace(/\s[|·•]$/, '').trimEnd()
}
