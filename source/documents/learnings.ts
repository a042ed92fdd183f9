import { appendBlock, endingOf, rawLines } from './edit.js'

// learnings.md, of the session and of the project (docs/harness.md, "Learnings and failures").

/** One entry with the lines that belong to it. */
export interface LearningEntry {
  /** 1-based. */
  line: number
  /** Lines joined by `\n`, without blank lines at the end. */
  text: string
}

const entryStart = /^(?:- \*\*|## )\d{4}-\d{2}-\d{2}/
const skipped = /^(?:# |<!-- hash:.*-->)/
const worthKeeping = /\[outcome:(?:gotcha|decision|observation)\]/

/** The entries of a file. Text before the first one is dropped, titles and hash comments are skipped. */
export function learningEntries(text: string): LearningEntry[] {
  const entries: { line: number; lines: string[] }[] = []
  rawLines(text.replace(/^\uFEFF/, '')).forEach((line, index) => {
    if (skipped.test(line.text)) return
    if (entryStart.test(line.text)) entries.push({ line: index + 1, lines: [line.text] })
    else entries.at(-1)?.lines.push(line.text)
  })
  return entries.map((entry) => ({ line: entry.line, text: entry.lines.join('\n').trim() }))
}

export function countLearnings(text: string): number {
  return learningEntries(text).length
}

/** The session's entries that are worth keeping for the project and are not there yet. The session file stays. */
export function promotable(sessionText: string, globalText: string): { promoted: string[]; kept: number } {
  const entries = learningEntries(sessionText).map((entry) => entry.text)
  const known = rawLines(globalText)
    .map((line) => line.text)
    .join('\n')
  const promoted = [...new Set(entries)].filter((entry) => worthKeeping.test(entry) && !known.includes(entry))
  return { promoted, kept: entries.length - promoted.length }
}

/** Appends entries, a blank line between them; a new file gets its title. What is there stays byte for byte. */
export function appendLearnings(text: string | undefined, entries: readonly string[]): string {
  const start = text === undefined || text.trim() === '' ? `# Learnings${endingOf(text ?? '')}` : text
  return entries.reduce((before, entry) => appendBlock(before, entry), start)
}
