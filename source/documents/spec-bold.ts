import { withoutComments } from './complexity.js'
import { isMarkup, type ScannedLine } from './markdown-lines.js'
import { doneReason, doneTail, type PhaseShape, phaseShapeOf } from './phase-shape.js'
import { firstSentence, tidyName } from './spec-names.js'
import { closeMarks, type Named, type PhaseMark } from './spec-phases.js'
import type { Section } from './spec-section.js'

// Phases that open in bold (docs/harness.md, "Spec grammar").

const listBold = {
  bold: /^(\s*)(?:[-*+]\s+(?:(\[[^\][]\])\s+)?)?(?:~~)?(\*\*|__)(?=\S)(.*)$/,
  'bold-numbered': /^(\s*)\d{1,9}[.)]\s+(?:(\[[^\][]\])\s+)?(?:~~)?(\*\*|__)(?=\S)(.*)$/,
}

interface BoldText {
  inner: string
  after: string
  /** Where the lines behind it begin. */
  body: number
}

/** Bold text from its opening to its closing marker, which may be up to two lines further down. */
function boldAt(lines: ScannedLine[], start: number, opener: string, rest: string): BoldText {
  let text = rest
  for (let body = start + 1; body <= start + 3; body += 1) {
    const close = text.indexOf(opener)
    if (close !== -1) return { inner: text.slice(0, close), after: text.slice(close + opener.length), body }
    const next = lines[body]
    if (next === undefined || !isMarkup(next) || next.text.trim() === '') break
    text = `${text.trimEnd()} ${next.text.trim()}`
  }
  return { inner: rest, after: '', body: start + 1 }
}

function boldName(
  { inner, after }: BoldText,
  words: readonly string[],
): (Named & { rest: string }) | undefined {
  const whole = phaseShapeOf(withoutComments(inner), words)
  if (whole === undefined) return undefined
  if (whole.name !== '') return named(whole, whole.name, restOf(whole, after))
  const shape = whole.bare ? phaseShapeOf(`${inner}${after}`, words) : whole
  if (shape === undefined || shape.bare) return undefined
  const text = whole.bare ? shape.name : after
  return named(shape, firstSentence(withoutComments(text)), restOf(shape, text))
}

function named(shape: PhaseShape, name: string, rest: string): Named & { rest: string } {
  return { id: shape.id, name: tidyName(name), rest, done: doneReason(name, shape) ?? doneBeside(rest) }
}

/** What is said right behind the bold text: `**Phase 1: Store** ✅`, `**Phase 1: Store** (done)`. */
function doneBeside(rest: string): string | undefined {
  const mark = /^[✅☑✔✓]/u.exec(rest)?.[0]
  if (mark !== undefined) return `it is marked ${mark}`
  const aside = /^[*_~]{0,3}(?:\([^()]{1,100}\)|\[[^[\]]{1,100}\])/.exec(rest)?.[0]
  const tail = aside === undefined ? undefined : doneTail(`x ${aside}`)
  return tail === undefined ? undefined : `it says "${tail}"`
}

/** What is said beside the name stays with the phase. */
function restOf(shape: PhaseShape, after: string): string {
  const rest = after
    .trim()
    .replace(/^(?:[:：—–]|-(?=\s))/, '')
    .trimStart()
  return shape.aside === '' ? rest : `${shape.aside} ${rest}`.trim()
}

/** A line that opens in bold and is no phase: a field of one, or something after the last. */
interface BoldLine {
  index: number
  indent: number
  text: string
  numbered: boolean
}

const endWords =
  /^(?:wrap-?up|total|summary|follow-?up|out of scope|deferred|later|future|notes?|timeline|not in scope)\b/i

/** The first line after the last phase that cannot be part of it. */
function endOfLast(marks: PhaseMark[], others: BoldLine[], indent: number): number | undefined {
  const [first, last] = [marks[0], marks[marks.length - 1]]
  if (first === undefined || last === undefined) return undefined
  const fields = new Set(
    others.filter((line) => line.index > first.start && line.index < last.start).map((line) => line.text),
  )
  return others.find((line) => {
    if (line.index <= last.start || line.index >= last.end || line.indent !== indent) return false
    return line.numbered || endWords.test(line.text) || (marks.length > 1 && !fields.has(line.text))
  })?.index
}

const boldLine = /^(\s*)(?:[-*+]\s+|(\d{1,9})[.)]\s+)?(?:\[[^\][]\]\s+)?(\*\*|__)(?=\S)(.*)$/
const numberedLine = /^(\s*)\d{1,9}[.)]\s+\S/

/** Paragraphs, bullets or numbered items that open with `**Phase 1 — Name.**`, all at the indent of the first. */
export function boldMarks(section: Section, shape: 'bold' | 'bold-numbered'): PhaseMark[] {
  let indent: number | undefined
  const others: BoldLine[] = []
  const open = section.lines.flatMap((line, start) => {
    if (!isMarkup(line) || line.quoted) return []
    const match = listBold[shape].exec(line.text)
    const width = match?.[1]?.length
    const fits = width !== undefined && (indent === undefined || width === indent)
    const text = fits ? boldAt(section.lines, start, match?.[3] ?? '', match?.[4] ?? '') : undefined
    const name = text === undefined ? undefined : boldName(text, section.words)
    const struck = /^[^*_]*~~(?:\*\*|__)/.test(line.text)
    if (name === undefined || text === undefined) {
      others.push(...boldLineOf(line, start, shape))
      return []
    }
    indent = width
    const checked = match?.[2] === undefined ? undefined : /[xX]/.test(match[2])
    const done = struck ? 'it is struck through' : (name.done ?? doneReason('', undefined, checked))
    return [{ ...name, done, start, body: text.body }]
  })
  const marks = closeMarks(section, open)
  const end = endOfLast(marks, others, indent ?? 0)
  return marks.map((mark, index) =>
    index === marks.length - 1 && end !== undefined ? { ...mark, end } : mark,
  )
}

function boldLineOf(line: ScannedLine, index: number, shape: 'bold' | 'bold-numbered'): BoldLine[] {
  const bold = boldLine.exec(line.text)
  if (bold?.[1] !== undefined) {
    const text = (bold[4] ?? '').split(bold[3] ?? '**')[0] ?? ''
    const numbered = shape === 'bold-numbered' && bold[2] !== undefined
    return [{ index, indent: bold[1].length, text: text.toLowerCase(), numbered }]
  }
  const item = shape === 'bold-numbered' ? numberedLine.exec(line.text) : null
  return item?.[1] === undefined ? [] : [{ index, indent: item[1].length, text: line.text, numbered: true }]
}
