import type { Details, Unclosed } from './markdown-blocks.js'
import type { ScannedLine } from './markdown-lines.js'

// Folded parts: `<details>` with its summary. They hold Markdown, so they are no block of their own.

const tag = /<(\/?)(details|summary)(?=[\s>])/gi

interface Open {
  line: number
  summary: string
}

/** Every `<details>` that is closed, in the order of their beginnings, and those that are not. */
export function detailsIn(
  text: string,
  lines: readonly ScannedLine[],
): { details: Details[]; unclosed: Unclosed[] } {
  if (!/<details/i.test(text)) return { details: [], unclosed: [] }
  const details: Details[] = []
  const open: Open[] = []
  let inSummary = false
  const say = (text: string) => {
    const last = open[open.length - 1]
    if (inSummary && last !== undefined) last.summary += text
  }
  for (const line of lines) {
    if (line.within !== undefined && line.within !== 'html') continue
    if (!inSummary && !line.text.includes('<')) continue
    let read = 0
    for (const match of line.text.matchAll(tag)) {
      say(line.text.slice(read, match.index))
      read = match.index
      const closes = match[1] === '/'
      if (match[2]?.toLowerCase() === 'summary') inSummary = !closes
      else if (!closes && line.within === 'html') open.push({ line: line.number, summary: '' })
      else if (closes) {
        const last = open.pop()
        if (last !== undefined) details.push({ ...last, endLine: line.number, summary: plain(last.summary) })
        inSummary = false
      }
    }
    say(`${line.text.slice(read)} `)
  }
  details.sort((one, other) => one.line - other.line)
  return { details, unclosed: open.map(({ line }) => ({ kind: 'details', line })) }
}

/** The words of a summary, without tags. */
function plain(summary: string): string {
  return summary
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
