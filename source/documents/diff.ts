import { rawLines } from './edit.js'

const contextLines = 2
/** Beyond this many line pairs the changed middle is shown as removed and added, not matched line by line. */
const maximumPairs = 1_000_000

type Change = { sign: ' ' | '-' | '+'; text: string }

/**
 * What changed between two texts, as lines with `-`, `+` or a blank in front, with two lines of context; `@@` stands
 * for lines left out. Empty when the lines are the same. Line endings are not compared.
 */
export function lineDiff(before: string, after: string): string[] {
  const changes = compare(textLines(before), textLines(after))
  const shown = changes.map((_, index) =>
    changes
      .slice(Math.max(0, index - contextLines), index + contextLines + 1)
      .some(({ sign }) => sign !== ' '),
  )
  if (!shown.includes(true)) return []
  return changes.flatMap((change, index) => {
    if (shown[index]) return [`${change.sign}${change.text}`]
    return index === 0 || shown[index - 1] ? ['@@'] : []
  })
}

function textLines(text: string): string[] {
  return rawLines(text).map((line) => line.text)
}

function compare(before: string[], after: string[]): Change[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1
  let tail = 0
  const room = Math.min(before.length, after.length) - head
  while (tail < room && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1
  const same = (text: string): Change => ({ sign: ' ', text })
  return [
    ...before.slice(0, head).map(same),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ]
}

function middle(before: string[], after: string[]): Change[] {
  if (before.length * after.length > maximumPairs) {
    return [
      ...before.map((text): Change => ({ sign: '-', text })),
      ...after.map((text): Change => ({ sign: '+', text })),
    ]
  }
  return walk(before, after, commonLengths(before, after))
}

/** Length of the longest common subsequence of each pair of ends. */
function commonLengths(before: string[], after: string[]): Uint32Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  for (let left = before.length - 1; left >= 0; left -= 1) {
    for (let right = after.length - 1; right >= 0; right -= 1) {
      const row = lengths[left]
      if (row === undefined) continue
      row[right] =
        before[left] === after[right]
          ? at(lengths, left + 1, right + 1) + 1
          : Math.max(at(lengths, left + 1, right), at(lengths, left, right + 1))
    }
  }
  return lengths
}

function at(lengths: Uint32Array[], left: number, right: number): number {
  return lengths[left]?.[right] ?? 0
}

function walk(before: string[], after: string[], lengths: Uint32Array[]): Change[] {
  const changes: Change[] = []
  let left = 0
  let right = 0
  while (left < before.length || right < after.length) {
    const [old, fresh] = [before[left], after[right]]
    if (old !== undefined && old === fresh) {
      changes.push({ sign: ' ', text: old })
      left += 1
      right += 1
    } else if (
      old !== undefined &&
      (fresh === undefined || at(lengths, left + 1, right) >= at(lengths, left, right + 1))
    ) {
      changes.push({ sign: '-', text: old })
      left += 1
    } else {
      changes.push({ sign: '+', text: fresh ?? '' })
      right += 1
    }
  }
  return changes
}
