import { endingOf, inOneLine, insertAfter, rawLines, replaceLine } from './edit.js'

/** The line of a session in sessions/index.md (docs/harness.md, "Summary and index"). */
export function sessionLine(slug: string, account: string): string {
  return `- [${slug}](${slug}/summary.md) — ${inOneLine(account)}`
}

/**
 * Puts the line of a session into the index: in the place of its line, else after the last line that is not
 * empty. `account` is what follows the dash. Every other byte stays.
 */
export function upsertSession(text: string | undefined, slug: string, account: string): string {
  const line = sessionLine(slug, account)
  if (text === undefined || text.trim() === '') return `## Active Sessions\n\n${line}\n`
  const lines = rawLines(text)
  const bare = (index: number) => lines[index]?.text.replace(/^\uFEFF/, '') ?? ''
  const known = lines.findIndex((_, index) => bare(index).startsWith(`- [${slug}]`))
  if (known !== -1) return replaceLine(text, known + 1, line)
  const last = lines.findLastIndex((each) => each.text.trim() !== '')
  // A list needs a blank line under its title.
  const inserted = bare(last).startsWith('#') ? `${endingOf(text)}${line}` : line
  return insertAfter(text, last + 1, inserted)
}
