import { counted } from '../../counted.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { wrapText } from '../../terminal/width.js'
import type { Line, Tone } from '../theme.js'
import { line } from './line.js'

/** A text in rows, and the rows at which its parts begin. */
export interface PartedRows {
  rows: Line[]
  parts: number[]
}

interface FileOfDiff {
  name: string
  added: number
  removed: number
  lines: string[]
}

const fileHead = /^diff --git a\/(.*) b\/(.*)$/

/** What stands before a file's first change, told by its name already. */
function isHead(text: string): boolean {
  return /^(?:index [0-9a-f]|--- |\+\+\+ )/.test(text)
}

/** The files of a diff; what stands before the first one, such as a text that is no diff, has no name. */
function filesOf(lines: readonly string[]): FileOfDiff[] {
  const files: FileOfDiff[] = []
  let inHead = false
  for (const text of lines) {
    const name = fileHead.exec(text)?.[2]
    if (name !== undefined || files.length === 0)
      files.push({ name: name ?? '', added: 0, removed: 0, lines: [] })
    if (name !== undefined) inHead = true
    if (text.startsWith('@@')) inHead = false
    const file = files.at(-1)
    if (!file || name !== undefined || (inHead && isHead(text))) continue
    if (!inHead && text.startsWith('+')) file.added += 1
    if (!inHead && text.startsWith('-')) file.removed += 1
    file.lines.push(text)
  }
  return files
}

/** Added and removed lines; the marks that begin them say the same. */
export function diffTone(text: string): Tone | undefined {
  if (text.startsWith('@@')) return 'info'
  if (text.startsWith('+') && !text.startsWith('+++')) return 'good'
  return text.startsWith('-') && !text.startsWith('---') ? 'bad' : undefined
}

function wrapped(text: string, width: number): Line[] {
  return wrapText(sanitizeLine(text), width).map((row) => line(row, diffTone(text)))
}

function counts({ added, removed }: FileOfDiff): Line {
  return [
    { text: `  +${added}`, tone: 'good' },
    { text: ` -${removed}`, tone: 'bad' },
  ]
}

/** What a diff changes on the whole. */
function summaryRows(files: readonly FileOfDiff[]): Line[] {
  return [
    line(counted(files.length, 'changed file'), undefined, true),
    ...files.map((file): Line => [{ text: `  ${sanitizeLine(file.name)}` }, ...counts(file)]),
  ]
}

/** A diff file by file: what it changes on the whole, then each file under its name. */
export function diffRows(lines: readonly string[], width: number): PartedRows {
  const files = filesOf(lines)
  const named = files.filter(({ name }) => name !== '')
  if (named.length === 0) return { rows: lines.flatMap((text) => wrapped(text, width)), parts: [] }
  // One file alone is told by its own head.
  const rows = files.length === 1 ? [] : summaryRows(named)
  const parts: number[] = []
  for (const file of files) {
    if (rows.length > 0) rows.push(line(''))
    parts.push(rows.length)
    rows.push([{ text: sanitizeLine(file.name), strong: true, tone: 'accent' }, ...counts(file)])
    rows.push(...file.lines.flatMap((text) => wrapped(text, width)))
  }
  return { rows, parts }
}
