import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readRegular, readRegularText } from '../../source/storage/read-file.js'
import { inTemporary } from '../support/temporary.js'

it('reads a regular file, and says of a missing one that it is', async () => {
  await inTemporary('read', async (root) => {
    await writeFile(join(root, 'plan.md'), '# Plan')
    expect(await readRegularText('plan.md', { root })).toBe('# Plan')
    expect(await readRegular(join(root, 'other.md'), { root })).toBeUndefined()
  })
})

it.each([
  ['a pipe', async (path: string): Promise<void> => void execFileSync('mkfifo', [path]), 'unreadable'],
  ['a device', (path: string) => symlink('/dev/zero', path), 'unreadable'],
  ['a link', (path: string) => symlink('/etc/hostname', path), 'unreadable'],
  ['a directory', (path: string): Promise<unknown> => mkdir(path), 'unreadable'],
  ['a file that is too large', (path: string) => writeFile(path, 'x'.repeat(101)), 'unreadable'],
] as const)('refuses %s at once, with its path', async (_name, make, code) => {
  await inTemporary('read', async (root) => {
    const path = join(root, 'handoff.json')
    await make(path)
    const reading = readRegular(path, { root, maxBytes: 100 })
    await expect(reading).rejects.toMatchObject({ code, what: expect.stringContaining(path) })
  })
})

it('refuses a directory on the way that is a link, and a path out of the root', async () => {
  await inTemporary('read', async (root) => {
    await mkdir(join(root, 'real'))
    await writeFile(join(root, 'real/state.json'), '{}')
    await symlink('real', join(root, 'linked'))
    await expect(readRegular('linked/state.json', { root })).rejects.toMatchObject({ code: 'outside' })
    await expect(readRegular('../state.json', { root })).rejects.toMatchObject({ code: 'outside' })
  })
})
