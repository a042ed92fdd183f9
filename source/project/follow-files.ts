import { statSync } from 'node:fs'

export interface FollowLimits {
  /** Levels that are followed. */
  deepest: number
  /** Files that are found at most. */
  most: number
}

/** What files lead to, one through the other, level by level; each once. `namedBy`: what one of them leads to. */
export async function followFiles(
  from: readonly string[],
  namedBy: (file: string) => Promise<readonly string[]>,
  { deepest, most }: FollowLimits,
): Promise<Set<string>> {
  const found = new Set<string>()
  let level = [...from]
  for (let depth = 0; depth < deepest && level.length > 0; depth += 1) {
    const next: string[] = []
    for (const file of level)
      for (const path of await namedBy(file)) {
        if (found.has(path) || found.size >= most) continue
        found.add(path)
        next.push(path)
      }
    level = next
  }
  return found
}

/** True for a regular file, links followed. Most of what is asked for is not there, and an error for each would cost more. */
export function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true
  } catch {
    return false
  }
}
