import { readlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Difference } from '../../project/snapshot/difference.js'
import { callGit, openPrivateRepository } from '../../project/snapshot/private-repository.js'
import type { Snapshot, SnapshotPlace } from '../../project/snapshot/snapshot-types.js'

// Files that gave way to a link (docs/evidence.md, "What is compared"). Moved to where git looks they are still there; behind
// a link out of the project, or to something that git ignores, they are work that reaches nobody.

/** The differences, with `led-away` on each such link and on what was in its place. */
export async function withLedAway(
  place: SnapshotPlace,
  after: Snapshot,
  differences: readonly Difference[],
): Promise<Difference[]> {
  const isFile = ({ kind, part }: Difference) => kind === 'file' && part === undefined
  const below = (link: Difference) => (one: Difference) =>
    isFile(one) && one.change === 'removed' && one.name.startsWith(`${link.name}/`)
  const links = differences.filter(
    (one) =>
      isFile(one) &&
      one.change !== 'removed' &&
      one.traits.includes('link') &&
      (one.traits.includes('type') || differences.some(below(one))),
  )
  const led = new Set<Difference>()
  for (const link of links) {
    if (!(await leadsAway(place, after, link.name))) continue
    led.add(link)
    for (const one of differences.filter(below(link))) led.add(one)
  }
  return differences.map((one) =>
    led.has(one) ? { ...one, traits: [...one.traits, 'led-away' as const] } : one,
  )
}

/** Whether git sees nothing where a link leads. */
async function leadsAway(place: SnapshotPlace, after: Snapshot, name: string): Promise<boolean> {
  const target = await readlink(join(place.root, name)).catch(() => undefined)
  // A file in the place of a link.
  if (target === undefined) return false
  const way = relative(place.root, join(place.root, dirname(name), target))
  if (target.startsWith('/') || way.startsWith('..')) return true
  const repo = await openPrivateRepository(place)
  return way !== '' && (await callGit(repo, ['cat-file', '-e', `${after.tree}:${way}`])).code !== 0
}
