import { scanMarkdown } from './markdown-scanner.js'

const listMark = /^(?:[-*+]|\d{1,9}[.)])\s/
const box = /^\[[ xX]\]\s/

/**
 * Whether two Markdown texts say the same, however they are laid out: other bullets, blanks and line breaks, and ticked
 * boxes, are no difference (docs/evidence.md, "Plan and spec"). Code is compared line by line.
 */
export function sameContent(one: string, other: string): boolean {
  return one === other || contentOf(one) === contentOf(other)
}

function contentOf(text: string): string {
  const words: string[] = []
  for (const line of scanMarkdown(text).lines) {
    if (line.within === 'fence') words.push(`\n${line.text.trimEnd()}\n`)
    else
      words.push(
        ...plainLine(line.text)
          .split(/\s+/)
          .filter((word) => word !== ''),
      )
  }
  return words.join(' ')
}

/** List items begin with one mark whatever they were written with; an ordered one keeps no number. */
function plainLine(text: string): string {
  const trimmed = text.trim()
  const rest = trimmed.replace(listMark, '').trimStart().replace(box, '')
  return rest === trimmed ? trimmed : `- ${rest}`
}
