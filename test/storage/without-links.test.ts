import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { writeDurable } from '../../source/storage/durable-file.js'
import { acquireLock } from '../../source/storage/lock.js'
import { inTemporary } from '../support/temporary.js'

// A file system that knows no hard links, such as exFAT.
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof import('node:fs/promises')>()),
  link: () => Promise.reject(Object.assign(new Error('no links here'), { code: 'EPERM' })),
}))

describe('without hard links', () => {
  it('the backup is written from the bytes of the version before', async () => {
    await inTemporary('links', async (dir) => {
      const path = join(dir, 'a.json')
      await writeDurable(path, Buffer.from('one'))
      await writeDurable(path, Buffer.from('two'), {
        previous: { bytes: Buffer.from('one'), stamp: undefined },
      })
      expect(await readFile(`${path}.bak`, 'utf8')).toBe('one')
      expect((await readdir(dir)).sort()).toEqual(['a.json', 'a.json.bak'])
    })
  })

  it('one of two gets the lock', async () => {
    await inTemporary('links', async (dir) => {
      const both = await Promise.all([1, 2].map(() => acquireLock(dir, { version: 'test' })))
      expect(both.map(({ kind }) => kind).sort()).toEqual(['held', 'open'])
      expect(await readdir(dir)).toEqual(['lock.json'])
    })
  })
})
