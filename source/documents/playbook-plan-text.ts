import { frontMatterEnd } from './front-matter.js'
import { isObject, type JsonObject } from './json.js'
import { runLength, scannedLines, skipBlanks } from './markdown-lines.js'
import { type FenceMark, lookAhead, openingFence } from './markdown-pairs.js'
import { type PlaybookLine, playbookLine } from './playbook-lines.js'
import { unclosedLine } from './unclosed.js'
import { parseYaml } from './yaml.js'

// A plan as lines (docs/playbook.md, "Plans"). Its tags stand like HTML blocks, in which Markdown knows no fences; people
// and agents write fences there all the same, so fences are looked for in every line.

export interface PlanLine extends PlaybookLine {
  /** In a fence or a comment: it is no tag, label or heading. */
  masked: boolean
}

export interface PlanText {
  lines: PlanLine[]
  /** Of its front matter; undefined where there is none or it cannot be read. */
  header: JsonObject | undefined
  warnings: string[]
}

export function planText(text: string): PlanText {
  const scanned = scannedLines(text)
  const warnings: string[] = []
  const { body, header } = frontMatterOf(scanned, warnings)
  const ahead = lookAhead(text, scanned)
  const lines: PlanLine[] = []
  let fence: { mark: FenceMark; length: number } | undefined
  let openInFence = new Set<string>()
  const around = new Map<string, number>()
  let comment = false
  for (const { number, text: raw } of scanned.slice(body)) {
    const at = skipBlanks(raw, 0)
    let masked = true
    if (fence !== undefined) {
      const length = runLength(raw, at, fence.mark)
      if (length >= fence.length && skipBlanks(raw, at + length) === raw.length) fence = undefined
      else if (closesOuter(raw, openInFence) || closesAround(raw, openInFence, around)) {
        // The fence was meant to be closed before: one was nested in another.
        fence = undefined
        masked = false
      }
    } else if (comment) comment = !raw.includes('-->')
    else {
      const opened = openingFence(raw, at) ?? openingFence(raw, behindMark(raw, at))
      if (opened !== undefined && ahead.closingRun(opened.mark, number) >= opened.length) {
        fence = opened
        openInFence = new Set()
      } else if (raw.startsWith('<!--', at) && !raw.includes('-->', at)) {
        comment = (scanned[number]?.start ?? 0) <= ahead.lastCommentEnd
        masked = comment
      } else masked = raw.startsWith('<!--', at) && /-->\s*$/.test(raw)
    }
    if (!masked) countTag(raw, around)
    lines.push({ ...playbookLine(number, raw), text: raw, masked })
  }
  return { lines, header, warnings }
}

/** Where the words of an item begin: a fence may open there (`- ```ts`). */
function behindMark(text: string, at: number): number {
  return at + (/^(?:[-*+]|\d{1,4}[.)])\s{1,4}/.exec(text.slice(at, at + 10))?.[0].length ?? 0)
}

const structure = /^\s*<(\/?)(tasks?|action|verify|done|files|behavior|acceptance_criteria)\b[^<>]*>/i

/** Whether a line in a fence closes a tag that was not opened in it. */
function closesOuter(text: string, open: Set<string>): boolean {
  const match = structure.exec(text)
  const tag = match?.[2]?.toLowerCase() ?? ''
  if (match === null) return false
  if (match[1] === '/') return !open.delete(tag)
  if (!text.includes(`</${tag}`)) open.add(tag)
  return false
}

const wholeTag = /^\s*<(\/?)([a-z][\w-]{0,60})>\s*$/i

/** Counts tags of any name that stand alone on their line and are not closed yet. */
function countTag(text: string, open: Map<string, number>): void {
  const match = wholeTag.exec(text)
  if (match === null) return
  const tag = (match[2] ?? '').toLowerCase()
  open.set(tag, Math.max(0, (open.get(tag) ?? 0) + (match[1] === '/' ? -1 : 1)))
}

/** The same of any tag that was opened before the fence, alone on its line as this one stands. */
function closesAround(text: string, inside: Set<string>, around: ReadonlyMap<string, number>): boolean {
  const match = wholeTag.exec(text)
  const tag = match?.[2]?.toLowerCase() ?? ''
  if (match === null || structure.test(text)) return false
  if (match[1] === '/') return !inside.delete(tag) && (around.get(tag) ?? 0) > 0
  inside.add(tag)
  return false
}

/** How many lines the front matter takes, 0 where there is none. One that never closes says what stands up to the first blank line. */
function frontMatterOf(
  scanned: readonly { text: string }[],
  warnings: string[],
): { body: number; header: JsonObject | undefined } {
  const end = frontMatterEnd((index) => scanned[index]?.text)
  if (end === undefined) return { body: 0, header: undefined }
  if (end === 'open') warnings.push(unclosedLine('front matter', 1))
  const blank = scanned.findIndex(({ text }) => text.trim() === '')
  const close = end === 'open' ? (blank === -1 ? scanned.length : blank) : end
  const texts = scanned.slice(1, close).map(({ text }) => text)
  return { body: end === 'open' ? 0 : close + 1, header: headerOf(texts, end === 'open' ? [] : warnings) }
}

function headerOf(lines: readonly string[], warnings: string[]): JsonObject {
  try {
    const value: unknown = parseYaml(lines.join('\n'), { maxAliasCount: 20 })
    if (isObject(value)) return value
  } catch {
    warnings.push('Its front matter is no YAML; only its plain lines are read.')
  }
  return Object.fromEntries(
    lines.flatMap((line) => {
      const match = /^([a-z_]{1,40}):\s{0,9}(?:"([^"]*)"|'([^']*)'|(.*))$/.exec(line)
      return match === null ? [] : [[match[1] ?? '', match[2] ?? match[3] ?? match[4] ?? '']]
    }),
  )
}
