import type { PlanLine } from './playbook-plan-text.js'

// Where tasks begin and end in a plan (docs/playbook.md, "Tasks").

export interface TaskBlock {
  /** How it is written. */
  form: 'tag' | 'heading' | 'counted' | 'feature' | 'short' | 'bold' | 'plan' | 'step' | 'numbered'
  attributes: Readonly<Record<string, string>>
  /** Words of its heading behind the mark, with its number. */
  number: string | undefined
  title: string
  line: number
  endLine: number
  /** Between its first and its last line. */
  lines: PlanLine[]
  wave: number | undefined
}

export interface TaskBlocks {
  blocks: TaskBlock[]
  /** Lines of no task. */
  outside: PlanLine[]
  warnings: string[]
}

const taskTag = /^\s*<task(?=[\s>])((?:[^>"']|"[^"]*"|'[^']*')*)>/i
const attribute = /([a-z_-]{1,30})\s*=\s*(?:"([^"]*)"|'([^']*)')/gi
const waveHeading = /^(?:execution\s+)?wave\s+(\d{1,3})\b/i
const separated = String.raw`(?:\s*[:—–]\s*|\s+-+\s+|\.\s+|$)`
/** What may stand between number and sign: `(optional)`, `[P]`, a mark, how many tasks there are. */
const remarks = String.raw`(?:\s{0,9}(?:\([^()]{0,60}\)|\[[^\][]{0,30}\]|[✅✓✔☑⬜🔲]️?|of\s\d{1,4}\b|\/\s?\d{1,4}\b)){0,3}`
const taskHeading = new RegExp(
  String.raw`^(?:[^\p{L}\p{N}<|]|\[[ xX]\])*task\s+#?\x60?([A-Za-z]{0,12}-?\d{1,6}[a-z]?(?:[.-][\w]{1,12}){0,6}|[A-Z]\d{0,3})\x60?${remarks}(?:\*\*)?${separated}(.*)$`,
  'iu',
)
/** `1. Task: Name`: the number stands before the word. */
const countedHeading =
  /^(?:\*\*)?(\d{1,4}(?:\.\d{1,4}){0,3}[a-z]?)[.)]?\s{1,3}task(?:\s{0,3}[:：]|\s{1,3}[—–-]{1,3}\s)\s{0,9}(.*)$/i
const planHeading = new RegExp(
  String.raw`^(?:\*\*)?plan\s+(\d{1,6}(?:\.\d{1,6}){0,4}(?:-\d{1,4})?[a-z]?)(?:\*\*)?${separated}(.*)$`,
  'iu',
)
const stepHeading = new RegExp(
  String.raw`^(?:\*\*)?step\s+(\d{1,4}(?:\.\d{1,4}){0,3}[a-z]?)(?:\*\*)?${separated}(.*)$`,
  'iu',
)

const shortHeading = new RegExp(
  String.raw`^(?:\*\*)?T(\d{1,4}(?:\.\d{1,4}){0,3}[a-z]?)(?:\*\*)?${separated}(.*)$`,
  'iu',
)

/** Tags, else headings, else the looser forms, each only where nothing before it was found. */
export function taskBlocks(lines: readonly PlanLine[]): TaskBlocks {
  const tagged = taggedBlocks(lines)
  if (tagged.blocks.length > 0) return tagged
  const headed = headedBlocks(lines, taskHeading, 'heading')
  if (headed.blocks.length > 0) return headed
  const loose =
    featureBlock(lines) ??
    firstOf([
      () => headedBlocks(lines, countedHeading, 'counted'),
      () => headedBlocks(lines, shortHeading, 'short'),
      () => boldBlocks(lines),
      () => headedBlocks(lines, planHeading, 'plan'),
      () => headedBlocks(lines, stepHeading, 'step'),
      () => numberedBlocks(lines),
    ])
  if (loose === undefined || loose.blocks.length === 0)
    return { blocks: [], outside: [...lines], warnings: [] }
  const names = {
    feature: 'a <feature>',
    counted: '"1. Task: Name" headings',
    short: '"T1" headings',
    bold: 'lines in bold such as "**Task 1: Name**"',
    plan: '"Plan N" headings',
    step: '"Step N" headings',
    numbered: 'numbered headings below "Tasks", "Steps" or "Plans"',
    tag: '',
    heading: '',
  }
  const form = names[loose.blocks[0]?.form ?? 'step']
  return {
    ...loose,
    warnings: [`It has no tasks; ${form} ${form.startsWith('a ') ? 'is' : 'are'} read as tasks.`],
  }
}

function firstOf(tries: readonly (() => TaskBlocks)[]): TaskBlocks | undefined {
  for (const each of tries) {
    const found = each()
    if (found.blocks.length > 0) return found
  }
  return undefined
}

function taggedBlocks(lines: readonly PlanLine[]): TaskBlocks {
  const blocks: TaskBlock[] = []
  const outside: PlanLine[] = []
  const warnings: string[] = []
  let wave: number | undefined
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as PlanLine
    const open = line.masked ? null : taskTag.exec(line.text)
    if (open === null) {
      if (line.level > 0 && !line.masked) wave = waveOf(line) ?? wave
      outside.push(line)
      continue
    }
    const end = endOfTask(lines, at)
    if (!end.closed)
      warnings.push(`Line ${line.number}: <task> is never closed; it ends before line ${end.next}.`)
    const attributes = attributesOf(open[1] ?? '')
    blocks.push({
      form: 'tag',
      attributes,
      number: undefined,
      title: '',
      line: line.number,
      endLine: lines[end.at]?.number ?? line.number,
      lines: insideOf(lines, at, end, open[0].length),
      wave: /^\d+$/.test(attributes.wave ?? '') ? Number(attributes.wave) : wave,
    })
    at = end.at
  }
  return { blocks, outside, warnings }
}

interface End {
  at: number
  closed: boolean
  /** Number of the line behind it. */
  next: number
}

/** Its closing tag, whatever headings stand before it; without one a heading ends it, too. */
function endOfTask(lines: readonly PlanLine[], from: number): End {
  let heading: End | undefined
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] as PlanLine
    if (line.masked) continue
    if (/<\/task\s*>/i.test(line.text)) return { at, closed: true, next: line.number + 1 }
    if (at === from) continue
    const here = { at: at - 1, closed: false, next: line.number }
    if (taskTag.test(line.text) || /^\s*<\/tasks\s*>/i.test(line.text)) return heading ?? here
    if (line.level > 0 && line.level <= 2) heading ??= here
  }
  const last = { at: lines.length - 1, closed: false, next: (lines[lines.length - 1]?.number ?? 0) + 1 }
  return heading ?? last
}

/** What stands between the tags, what stands on their lines included. */
function insideOf(lines: readonly PlanLine[], from: number, end: End, opening: number): PlanLine[] {
  const inside = lines.slice(from, end.at + 1).map((line, index, all) => {
    let text = line.text
    if (end.closed && index === all.length - 1) text = text.slice(0, text.search(/<\/task\s*>/i))
    if (index === 0) text = text.slice(opening)
    return text === line.text ? line : { ...line, text, body: text.trim(), level: 0 }
  })
  return inside.filter((line, index) => line.text.trim() !== '' || (index > 0 && index < inside.length - 1))
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(attribute)].map((match) => [
      (match[1] ?? '').toLowerCase(),
      match[2] ?? match[3] ?? '',
    ]),
  )
}

function headedBlocks(lines: readonly PlanLine[], pattern: RegExp, form: TaskBlock['form']): TaskBlocks {
  const blocks: TaskBlock[] = []
  const outside: PlanLine[] = []
  let wave: number | undefined
  let open: { block: TaskBlock; level: number } | undefined
  for (const line of lines) {
    const level = line.masked ? 0 : line.level
    const match = level >= 2 && level <= 4 ? pattern.exec(line.body) : null
    if (match !== null) {
      const block: TaskBlock = {
        form,
        attributes: {},
        number: match[1],
        title: match[2]?.trim() ?? '',
        line: line.number,
        endLine: line.number,
        lines: [],
        wave,
      }
      open = { block, level }
      blocks.push(block)
      continue
    }
    if (level > 0) {
      wave = waveOf(line) ?? wave
      if (open !== undefined && level <= open.level) open = undefined
    }
    if (open === undefined) outside.push(line)
    else {
      open.block.lines.push(line)
      if (line.text.trim() !== '') open.block.endLine = line.number
    }
  }
  return { blocks, outside, warnings: [] }
}

/** `**Task 1: Name**` at the beginning of a line or of an item with or without a box. */
const boldTask = /^ {0,3}(?:[-*+]\s{1,3}(?:\[[^\]]{1,2}\]\s{1,3})?)?\*\*\s?(task\s[^*]{1,300})\*\*(.*)$/i

/** What such a line says behind its marks; undefined for every other line. */
export function boldTaskName(line: PlanLine): string | undefined {
  const bold = line.masked ? null : boldTask.exec(line.text)
  return bold === null ? undefined : `${bold[1]}${bold[2]}`.trim()
}

/** Such lines with what follows them, up to the next one or the next heading. */
function boldBlocks(lines: readonly PlanLine[]): TaskBlocks {
  const headed = lines.map((line): PlanLine => {
    if (line.masked) return line
    const bold = boldTaskName(line)
    if (bold !== undefined) return { ...line, level: 4, body: bold }
    return /^\s*<\/tasks\s*>/i.test(line.text) ? { ...line, level: 4, body: '' } : line
  })
  return headedBlocks(headed, taskHeading, 'bold')
}

const numberedHeading =
  /^(?:\*\*)?(\d{1,3}(?:\.\d{1,3}){0,3}-\d{1,3}[a-z]?|\d{1,3}[a-z]?)(?:\*\*)?(?:[.):]\s{1,20}|\s{1,9}[—–-]{1,3}\s{1,9})(.*)$/i

/** `### 1. Name` or `### 04-01: Name` below a heading that says nothing but `Tasks`, `Steps` or `Plans`. */
function numberedBlocks(lines: readonly PlanLine[]): TaskBlocks {
  const from = lines.findIndex(
    (line) =>
      !line.masked &&
      line.level > 0 &&
      /^(?:\d{1,2}\.\s)?(?:implementation\s)?(?:tasks?|steps|plans)(?:\s(?:list|breakdown))?:?$/i.test(
        line.body,
      ),
  )
  const level = lines[from]?.level ?? 0
  const next = lines.findIndex(
    (line, at) => at > from && !line.masked && line.level > 0 && line.level <= level,
  )
  const to = next === -1 ? lines.length : next
  const found = headedBlocks(from === -1 ? [] : lines.slice(from + 1, to), numberedHeading, 'numbered')
  return { ...found, outside: [...lines.slice(0, from + 1), ...found.outside, ...lines.slice(to)] }
}

/** A plan of one feature, whose tests come first. */
function featureBlock(lines: readonly PlanLine[]): TaskBlocks | undefined {
  const from = lines.findIndex((line) => !line.masked && /^\s*<feature(?:\s[^>]*)?>/i.test(line.text))
  if (from === -1) return undefined
  const close = lines.findIndex((line, at) => at > from && !line.masked && /<\/feature\s*>/i.test(line.text))
  const to = close === -1 ? lines.length - 1 : close
  const first = lines[from] as PlanLine
  const block: TaskBlock = {
    form: 'feature',
    attributes: { type: 'tdd' },
    number: undefined,
    title: '',
    line: first.number,
    endLine: lines[to]?.number ?? first.number,
    lines: lines.slice(from + 1, close === -1 ? undefined : to),
    wave: undefined,
  }
  return { blocks: [block], outside: [...lines.slice(0, from), ...lines.slice(to + 1)], warnings: [] }
}

function waveOf(line: PlanLine): number | undefined {
  const wave = waveHeading.exec(line.body.replace(/^\W+/, ''))?.[1]
  return wave === undefined ? undefined : Number(wave)
}

/** Number and title of a heading or name such as `Task 2: Parse`. */
export function numberedTitle(text: string): { number: string | undefined; title: string } {
  const match = taskHeading.exec(text)
  if (match === null) return { number: undefined, title: text.trim() }
  return { number: match[1], title: match[2]?.trim() || text.trim() }
}
