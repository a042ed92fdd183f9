import { chmod, symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { compareSnapshots } from '../../../source/project/snapshot/compare.js'
import type { Difference } from '../../../source/project/snapshot/difference.js'
import { takeSnapshot } from '../../../source/project/snapshot/snapshot.js'
import type { Snapshot, SnapshotPlace } from '../../../source/project/snapshot/snapshot-types.js'
import { makeRepository, type TestRepository } from '../repository.js'

let repository: TestRepository
let place: SnapshotPlace

beforeEach(async () => {
  repository = await makeRepository()
  place = { root: repository.root, store: join(repository.home, 'store') }
})

afterEach(async () => {
  await repository.remove()
})

const snapshot = async () => await takeSnapshot(place)

/** What an action leaves behind, in short words. */
async function left(action: () => unknown): Promise<string[]> {
  return words(await differences(action))
}

async function differences(action: () => unknown): Promise<Difference[]> {
  const before = await snapshot()
  await action()
  return await since(before)
}

async function since(before: Snapshot): Promise<Difference[]> {
  return await compareSnapshots(place, { before, after: await snapshot() })
}

function words(found: readonly Difference[]): string[] {
  return found.map(({ part, kind, name, change, traits }) =>
    [...(part ? [`[${part}]`] : []), kind, name, change, ...traits].join(' '),
  )
}

describe('files', () => {
  test('nothing happened: the same id, and no difference', async () => {
    const before = await snapshot()
    const after = await snapshot()
    expect(after).toEqual(before)
    expect(await since(before)).toEqual([])
  })

  test('new, changed, removed, a mode, a link, another type', async () => {
    await repository.write('a.txt', 'a')
    await repository.write('b.txt', 'b')
    await repository.write('run.sh', 'x')
    await repository.write('turn', 'x')
    repository.commitAll('files')
    expect(
      await left(async () => {
        await repository.write('new dir/new.txt', 'n')
        await repository.write('a.txt', 'A')
        await unlink(join(repository.root, 'b.txt'))
        await chmod(join(repository.root, 'run.sh'), 0o755)
        await symlink('/etc/passwd', join(repository.root, 'link'))
        await unlink(join(repository.root, 'turn'))
        await symlink('a.txt', join(repository.root, 'turn'))
      }),
    ).toEqual([
      'file a.txt changed',
      'file b.txt removed',
      'file link added link',
      'file new dir/new.txt added',
      'file run.sh changed mode',
      'file turn changed link type',
    ])
  })
})
