import type { ScannedLine } from './fences.js'

/** An ATX heading outside of fences. */
export interface Heading {
  /** 1-based. */
  line: number
  level: number
  /** Without the hashes, otherwise as written. */
  title: string
}

const atx = /^ {0,3}(#{1,6})(?:\s+(.*))?$/

const longestHeading = 1000

/** The text of a heading without a closing run of hashes ("## Title ##"); "C#" keeps its own. */
function withoutClosing(title: string): string {
  return title.replace(/(?:^|\s+)#+\s*$/, '').trim()
}

/** The heading that a line is, if it is one. */
export function headingOf(line: ScannedLine): Heading | undefined {
  if (line.fenced || line.text.length > longestHeading) return undefined
  const match = atx.exec(line.text)
  if (match?.[1] === undefined) return undefined
  return { line: line.number, level: match[1].length, title: withoutClosing(match[2] ?? '') }
}

export function headingsOf(lines: ScannedLine[]): Heading[] {
  return lines.flatMap((line) => headingOf(line) ?? [])
}
