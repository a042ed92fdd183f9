import { type StructuredPatchHunk, structuredPatch } from 'diff'

// Line diffs, by the package `diff`. Its search is cut off where texts differ too much, so that time stays linear.

/** Comparisons of lines that one diff may cost; beyond it the changed middle is shown as removed and added. */
const budget = 20_000_000
const mostEdits = 2_000

/**
 * What changed between two texts, as lines with `-`, `+` or a blank in front, with two lines of context; `@@` stands
 * for lines left out. Empty when the lines are the same. Line endings are not compared.
 */
export function lineDiff(before: string, after: string): string[] {
  const [old, fresh] = [wholeLines(before), wholeLines(after)]
  const hunks = hunksOf(old, fresh, 2)
  const last = hunks[hunks.length - 1]
  if (last === undefined) return []
  const shown = hunks.flatMap((hunk, index) => {
    const gap = index > 0 || hunk.oldStart > 1 || hunk.newStart > 1
    return [...(gap ? ['@@'] : []), ...hunk.lines]
  })
  return last.oldStart + last.oldLines <= countLines(old) ? [...shown, '@@'] : shown
}

/** A change of one file in the unified form, three lines of context around it. Empty when nothing changed. */
export function unifiedDiff(path: string, before: string, after: string): string {
  const hunks = before === after ? [] : hunksOf(before, after, 3)
  if (hunks.length === 0) return ''
  const lines = [
    before === '' ? '--- /dev/null' : `--- ${path}`,
    after === '' ? '+++ /dev/null' : `+++ ${path}`,
    ...hunks.flatMap((hunk) => [
      `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`,
      // It is meant for reading: whether the last line of a file ends in a newline is not told.
      ...hunk.lines.filter((line) => !line.startsWith('\\')),
    ]),
  ]
  return `${lines.join('\n')}\n`
}

function range(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`
}

/** The text with `\n` only, and one behind its last line. */
function wholeLines(text: string): string {
  const plain = text.replaceAll('\r\n', '\n')
  return plain === '' || plain.endsWith('\n') ? plain : `${plain}\n`
}

function countLines(text: string): number {
  return text.split('\n').length - 1
}

function hunksOf(before: string, after: string, context: number): StructuredPatchHunk[] {
  const lines = countLines(before) + countLines(after) + 1
  const maxEditLength = Math.min(mostEdits, Math.max(10, Math.floor(budget / lines)))
  return (
    structuredPatch('', '', before, after, '', '', { context, maxEditLength })?.hunks ?? [
      wholeChange(before, after, context),
    ]
  )
}

/** One hunk from the first to the last line that differs. */
function wholeChange(before: string, after: string, context: number): StructuredPatchHunk {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  const shorter = Math.min(old.length, fresh.length)
  let head = 0
  while (head < shorter && old[head] === fresh[head]) head += 1
  let tail = 0
  while (tail < shorter - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail += 1
  const from = Math.max(0, head - context)
  const leading = old.slice(from, head).map((line) => ` ${line}`)
  const trailing = old.slice(old.length - tail, old.length - tail + context).map((line) => ` ${line}`)
  const removed = old.slice(head, old.length - tail).map((line) => `-${line}`)
  const added = fresh.slice(head, fresh.length - tail).map((line) => `+${line}`)
  const around = leading.length + trailing.length
  return {
    oldStart: from + 1,
    oldLines: around + removed.length,
    newStart: from + 1,
    newLines: around + added.length,
    lines: [...leading, ...removed, ...added, ...trailing],
  }
}

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines[lines.length - 1] === '') lines.pop()
  return lines
}
