// What a mistyped word most likely stands for.

/** Letters that have to be changed, added, left out or swapped with their neighbour to get from one word to the other. */
function distance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= one.length; i += 1) {
    const above = rows[i - 1] ?? []
    const row = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1]
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row[j] = Math.min(
        (above[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (above[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    rows.push(row)
  }
  return rows[one.length]?.[other.length] ?? 0
}

const longestWord = 60

/** The candidate that a mistyped word most likely stands for; undefined where none is near. */
export function closest(typed: string, candidates: readonly string[]): string | undefined {
  const word = typed.toLowerCase()
  if (word.length === 0 || word.length > longestWord) return undefined
  const most = Math.max(1, Math.floor(word.length / 3))
  const ranked = candidates
    .filter((candidate) => candidate.length <= longestWord)
    .map((candidate) => ({ candidate, far: distance(word, candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)
  const [best] = ranked
  if (best && best.far <= most) return best.candidate
  return word.length >= 3
    ? candidates.find((candidate) => candidate.toLowerCase().startsWith(word))
    : undefined
}
