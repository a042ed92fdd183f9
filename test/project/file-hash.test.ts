import { lstat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rememberedHash } from '../../source/project/file-hash.js'
import { contentHash } from '../../source/project/git-status.js'
import { inTemporary } from '../support/temporary.js'

// Hashes of files are remembered only where a change would be seen by the times of the file (docs/durability.md, "Commits").

const second = 1_000_000_000n

test('a file that has long been as it is is read once, and again when anything of it changes', () =>
  inTemporary('hash', async (directory) => {
    const path = join(directory, 'file')
    await writeFile(path, 'one')
    const now = await lstat(path, { bigint: true })
    let reads = 0
    const hash = (change: object) =>
      rememberedHash('content', path, Object.assign(Object.create(now), now, change), async () =>
        String(++reads),
      )
    const old = now.ctimeNs - 60n * second
    expect([await hash({ ctimeNs: old }), await hash({ ctimeNs: old })]).toEqual(['1', '1'])
    expect(await hash({ ctimeNs: old + 1n })).toBe('2')
    expect(await hash({ ctimeNs: old + 1n, ino: now.ino + 1n })).toBe('3')
  }))

test('one that has just changed is read every time, as a second change may have the same time', () =>
  inTemporary('hash', async (directory) => {
    const path = join(directory, 'file')
    const hashes: (string | null)[] = []
    for (const text of ['one', 'two', 'six']) {
      await writeFile(path, text)
      hashes.push(await contentHash(path))
    }
    expect(new Set(hashes).size).toBe(3)
  }))
