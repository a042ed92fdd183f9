import { appendBlock, endingOf, rawLines } from './edit.js'

// learnings.md, of the session and of the project (docs/harness.md, "Learnings and failures").

/** One entry with the lines that belong to it. */
export interface LearningEntry {
  /** 1-based. */
  line: number
  /** Lines joined by `\n`, without blank lines. */
  text: string
}

const entryStart = /^(?:- \*\*|## )\d{4}-\d{2}-\d{2}/
const skipped = /^(?:# |<!-- hash:)/
const worthKeeping = /\[outcome:(?:gotcha|decision|observation)\]/

/** The entries of a file. Text before the first one is dropped; titles, hash comments and blank lines belong to none. */
export function learningEntries(text: string): LearningEntry[] {
  const entries: { line: number; lines: string[] }[] = []
  rawLines(text.replace(/^\uFEFF/, '')).forEach((line, index) => {
    if (skipped.test(line.text) || line.text.trim() === '') return
    if (entryStart.test(line.text)) entries.push({ line: index + 1, lines: [line.text] })
    else entries.at(-1)?.lines.push(line.text)
  })
  return entries.map((entry) => ({ line: entry.line, text: entry.lines.join('\n').trim() }))
}

export function countLearnings(text: string): number {
  return learningEntries(text).length
}

/**
 * The session's entries that are worth keeping for the project and are not there yet. The session file stays. An entry
 * is there when one of the project begins with its text, blank lines aside: other programs leave them out or in.
 */
export function promotable(sessionText: string, globalText: string): { promoted: string[]; kept: number } {
  const entries = learningEntries(sessionText).map((entry) => entry.text)
  const known = new Map<string, string[]>()
  for (const { text } of learningEntries(globalText)) {
    const first = firstLine(text)
    known.set(first, [...(known.get(first) ?? []).slice(-longestRun), text])
  }
  const isKnown = (entry: string) =>
    (known.get(firstLine(entry)) ?? []).some((text) => text.startsWith(entry))
  const promoted = [...new Set(entries)].filter((entry) => worthKeeping.test(entry) && !isKnown(entry))
  return { promoted, kept: entries.length - promoted.length }
}

/** Entries with the same first line that are compared at most. */
const longestRun = 100

/** Where entries are compared first; an entry of one line may be the beginning of a longer one. */
function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 ? text : text.slice(0, end)
}

/** Appends entries, a blank line between them; a new file gets its title. What is there stays byte for byte. */
export function appendLearnings(text: string | undefined, entries: readonly string[]): string {
  const start = text === undefined || text.trim() === '' ? `# Learnings${endingOf(text ?? '')}` : text
  if (entries.length === 0) return start
  return appendBlock(start, entries.join('\n\n'))
}
