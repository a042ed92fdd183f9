import { endingOf, gapBehind, type RawLine, rawLines } from './edit.js'

// learnings.md, of the session and of the project (docs/harness.md, "Learnings and failures").

/** One entry with the lines that belong to it. */
export interface LearningEntry {
  /** 1-based. */
  line: number
  /** Lines joined by `\n`, without blank lines. */
  text: string
  /** The same with the line endings of the file. */
  written: string
}

const entryStart = /^(?:- \*\*|## )\d{4}-\d{2}-\d{2}/
const skipped = /^(?:# |<!-- hash:)/
const worthKeeping = /\[outcome:(?:gotcha|decision|observation)\]/

/** The entries of a file. Text before the first one is dropped; titles, hash comments and blank lines belong to none. */
export function learningEntries(text: string): LearningEntry[] {
  const entries: { line: number; lines: RawLine[] }[] = []
  rawLines(text.replace(/^\uFEFF/, '')).forEach((line, index) => {
    if (skipped.test(line.text) || line.text.trim() === '') return
    if (entryStart.test(line.text)) entries.push({ line: index + 1, lines: [line] })
    else entries.at(-1)?.lines.push(line)
  })
  return entries.map(({ line, lines }) => {
    const written = lines.map((each) => each.text + (each.ending || '\n')).join('')
    return {
      line,
      text: lines
        .map((each) => each.text)
        .join('\n')
        .trim(),
      written: written.trim(),
    }
  })
}

export function countLearnings(text: string): number {
  return learningEntries(text).length
}

/**
 * The session's entries that are worth keeping for the project and are not there yet. The session file stays. An entry
 * is there when one of the project begins with its text, blanks and blank lines aside: other programs leave them out or in.
 * Handed back as they are written: another program that promotes looks for these very bytes.
 */
export function promotable(sessionText: string, globalText: string): { promoted: string[]; kept: number } {
  const entries = learningEntries(sessionText)
  const known = new Map<string, string[]>()
  for (const { text } of learningEntries(globalText)) {
    const said = withoutSpacing(text)
    const first = firstLine(said)
    known.set(first, [...(known.get(first) ?? []).slice(-longestRun), said])
  }
  const isKnown = (entry: string) =>
    (known.get(firstLine(entry)) ?? []).some((text) => text.startsWith(entry))
  const promoted = new Map<string, string>()
  for (const { text, written } of entries) {
    const said = withoutSpacing(text)
    if (worthKeeping.test(text) && !isKnown(said) && !promoted.has(said)) promoted.set(said, written)
  }
  return { promoted: [...promoted.values()], kept: entries.length - promoted.size }
}

/** Lines without what an editor adds or takes away: blanks at their ends, runs of them within. */
function withoutSpacing(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim().replace(/[ \t]{1,1000}/g, ' '))
    .join('\n')
}

/** Entries with the same first line that are compared at most. */
const longestRun = 100

/** Where entries are compared first; an entry of one line may be the beginning of a longer one. */
function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 ? text : text.slice(0, end)
}

/** Appends entries, a blank line between them; a new file gets its title. What is there, and each entry, stays byte for byte. */
export function appendLearnings(text: string | undefined, entries: readonly string[]): string {
  const start = text === undefined || text.trim() === '' ? `# Learnings${endingOf(text ?? '')}` : text
  if (entries.length === 0) return start
  const ending = endingOf(start)
  return `${start}${gapBehind(start)}${entries.join(`${ending}${ending}`)}${ending}`
}
