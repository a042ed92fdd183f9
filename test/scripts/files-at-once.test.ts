import * as promises from 'node:fs/promises'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inTemporary } from '../support/temporary.js'

// What the quick commands read files by (scripts/files-at-once.js) against what it stands for.

type Files = typeof promises
const atOnce: Files = await import('../../scripts/files-at-once.js' as string)

async function tree(root: string): Promise<void> {
  await mkdir(join(root, 'folder'))
  await writeFile(join(root, 'folder/file.txt'), 'some text\n')
  await symlink('folder/file.txt', join(root, 'link'))
  await symlink('nowhere', join(root, 'dangling'))
}

const reads: [string, (files: Files, root: string) => Promise<unknown>][] = [
  ['access', ({ access }, root) => access(join(root, 'link'))],
  ['access of nothing', ({ access }, root) => access(join(root, 'none'))],
  ['stat', async ({ stat }, root) => (await stat(join(root, 'link'))).size],
  ['stat of nothing', ({ stat }, root) => stat(join(root, 'dangling'))],
  ['lstat', async ({ lstat }, root) => (await lstat(join(root, 'dangling'))).isSymbolicLink()],
  ['readdir', async ({ readdir }, root) => (await readdir(root)).toSorted()],
  ['readdir of a file', ({ readdir }, root) => readdir(join(root, 'link'))],
  [
    'readdir with kinds',
    async ({ readdir }, root) =>
      (await readdir(root, { withFileTypes: true }))
        .map((entry) => `${entry.name} ${entry.isDirectory()} ${entry.isSymbolicLink()}`)
        .toSorted(),
  ],
  ['readFile', ({ readFile }, root) => readFile(join(root, 'link'), 'utf8')],
  ['readFile of a folder', ({ readFile }, root) => readFile(join(root, 'folder'), 'utf8')],
  ['readlink', ({ readlink }, root) => readlink(join(root, 'dangling'))],
  ['realpath', ({ realpath }, root) => realpath(join(root, 'link'))],
  ['realpath of nothing', ({ realpath }, root) => realpath(join(root, 'dangling'))],
  ['statfs', async ({ statfs }, root) => (await statfs(root)).type],
  ['open of nothing', ({ open }, root) => open(join(root, 'none'), 'r')],
  [
    'an open file',
    async ({ open }, root) => {
      const file = await open(join(root, 'link'), 'r')
      try {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, 5)
        const { size } = await file.stat({ bigint: true })
        return [bytesRead, buffer.toString(), size, await file.readFile('utf8')]
      } finally {
        await file.close()
      }
    },
  ],
]

describe('files read at once', () => {
  test.each(reads)('%s is as with promises', async (_, read) => {
    await inTemporary('at-once', async (root) => {
      await tree(root)
      const outcome = (files: Files) =>
        read(files, root).catch(({ code, path }: NodeJS.ErrnoException) => ({ code, path }))
      expect(await outcome(atOnce)).toEqual(await outcome(promises))
    })
  })
})
