import { basename, join, relative } from 'node:path'
import { followFiles } from '../../project/follow-files.js'
import { importsIn, placeOfImport } from '../../project/instruction-imports.js'
import { type Difference, nameTraits } from '../../project/snapshot/difference.js'
import { callGit, openPrivateRepository } from '../../project/snapshot/private-repository.js'
import type { Snapshot, SnapshotPlace } from '../../project/snapshot/snapshot-types.js'

// Files that an instruction file somewhere below the root takes in. Those of the root are protected by plain reads; here what
// they were before is asked of the snapshot, once something has changed (docs/evidence.md, "Snapshots").

const mostFiles = 100
const deepest = 5

/** The differences, with `instructions` on each file that agents took orders from in this way before. */
export async function withImportedOrders(
  place: SnapshotPlace,
  before: Snapshot,
  differences: readonly Difference[],
): Promise<Difference[]> {
  const mayBe = ({ kind, name, part, change, traits }: Difference) =>
    kind === 'file' &&
    part === undefined &&
    change !== 'added' &&
    !traits.includes('instructions') &&
    importsIn(`@${name}`).length > 0
  if (!differences.some(mayBe)) return [...differences]
  const ordering = await importedBefore(place, before)
  return differences.map((one) =>
    mayBe(one) && ordering.has(one.name) ? { ...one, traits: [...one.traits, 'instructions' as const] } : one,
  )
}

async function importedBefore(place: SnapshotPlace, { tree }: Snapshot): Promise<Set<string>> {
  const repo = await openPrivateRepository(place)
  const listed = await callGit(repo, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', tree])
  if (listed.code !== 0) return new Set()
  const names = listed.stdout.toString('utf8').split('\0')
  const isOrder = (path: string) => path.includes('/') && nameTraits(path).includes('instructions')
  const files = names.filter((path) => isOrder(path) && /\.mdc?$/i.test(basename(path))).slice(0, mostFiles)
  const all = new Set(names)
  const namedBy = async (file: string) => {
    const { code, stdout } = await callGit(repo, ['cat-file', 'blob', `${tree}:${file}`])
    return (code === 0 ? importsIn(stdout.toString('utf8')) : [])
      .map((path) => relative(place.root, placeOfImport(join(place.root, file), path)))
      .filter((path) => all.has(path))
  }
  return followFiles(files, namedBy, { deepest, most: mostFiles })
}
