import { saysSomething } from '../../../documents/says-something.js'
import type { Git } from '../../../project/git.js'
import { readText } from '../../../project/text-files.js'
import type { Detector, Flows } from '../flow/flow.js'
import { docsDir } from '../flow/flow.js'
import { matchesGlob } from '../flow/patterns.js'
import type { Listing } from './listing.js'

/** Larger ones say something. */
const largest = 4096

/** Globs of the documents that show steps to be done. */
function shownBy({ flows }: Flows): string[] {
  const globs = new Set<string>()
  const take = (detector: Detector): void => {
    if ('exists' in detector) globs.add(detector.exists)
    else if ('all' in detector) detector.all.forEach(take)
    else if ('any' in detector) detector.any.forEach(take)
  }
  for (const { steps } of Object.values(flows)) for (const { done } of steps) take(done)
  return [...globs]
}

/**
 * Documents that say nothing any more and said something in one of these commits (docs/lifecycle.md, "Drift"): they show
 * nothing. One that never said anything is another matter, and none of these. `commits` are looked at as far as they exist.
 */
export async function emptiedIn(
  { root, git }: { root: string; git: Pick<Git, 'textAt' | 'exists'> },
  flows: Flows,
  { docs }: Pick<Listing, 'docs'>,
  commits: readonly string[],
): Promise<Set<string>> {
  const globs = shownBy(flows)
  const emptied = new Set<string>()
  for (const { path, size } of docs) {
    const isDocument = size <= largest && /\.md$/i.test(path)
    if (!isDocument || !globs.some((glob) => matchesGlob(glob, path.slice(docsDir.length + 1)))) continue
    const text = await readText({ root }, path).catch(() => undefined)
    if (text === undefined || saysSomething(text)) continue
    for (const commit of commits) {
      const before = (await git.exists(commit)) ? await git.textAt(commit, path) : undefined
      if (before !== undefined && saysSomething(before)) emptied.add(path)
    }
  }
  return emptied
}
