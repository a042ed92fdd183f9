import { execFileSync } from 'node:child_process'
import { chmod, link, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { quarantine, removeOwnTemps } from '../../source/storage/beside-file.js'
import { checkContained, ensureDir } from '../../source/storage/contained-path.js'
import {
  backupPath,
  readVerified,
  sameStamp,
  stampAt,
  writeDurable,
} from '../../source/storage/durable-file.js'
import { inTemporary } from '../support/temporary.js'

const text = (value: string) => Buffer.from(value, 'utf8')
const earlier = (value: string) => ({ bytes: text(value), stamp: undefined })

describe('writeDurable', () => {
  it('replaces a file, private, with the stamp of what is there and nothing left beside it', async () => {
    await inTemporary('durable', async (dir) => {
      const path = join(dir, 'a.json')
      await writeFile(path, 'old')
      await chmod(path, 0o644)
      const stamp = await writeDurable(path, text('new'))
      expect(await readFile(path, 'utf8')).toBe('new')
      expect((await stat(path)).mode & 0o777).toBe(0o600)
      expect(sameStamp(stamp, await stampAt(path))).toBe(true)
      expect(await readdir(dir)).toEqual(['a.json'])
    })
  })

  it('a file of the project keeps who may read it, whatever the umask; a new one follows the umask', async () => {
    await inTemporary('durable', async (dir) => {
      const path = join(dir, 'a.md')
      const mode = async (name: string) => (await stat(join(dir, name))).mode & 0o777
      await writeDurable(path, text('new'), { readers: 'shared' })
      expect(await mode('a.md')).toBe(0o666 & ~process.umask())
      for (const permissions of [0o664, 0o640, 0o600, 0o755]) {
        await chmod(path, permissions)
        const previous = { bytes: await readFile(path), stamp: undefined }
        await writeDurable(path, text(`version ${permissions}`), { readers: 'shared', previous })
        expect([await mode('a.md'), await mode('a.md.bak')]).toEqual([permissions, permissions])
      }
    })
  })

  it('keeps the version before as a second name of the old file', async () => {
    await inTemporary('durable', async (dir) => {
      const path = join(dir, 'a.json')
      await writeDurable(path, text('one'))
      const first = await stampAt(path)
      await writeDurable(path, text('two'), { previous: earlier('one') })
      expect(sameStamp(await stampAt(backupPath(path)), first)).toBe(true)
      await writeDurable(path, text('three'), { previous: earlier('two') })
      expect(await readFile(backupPath(path), 'utf8')).toBe('two')
      expect((await readdir(dir)).sort()).toEqual(['a.json', 'a.json.bak'])
    })
  })

  it('takes nothing for the version before that has not its stamp', async () => {
    await inTemporary('durable', async (dir) => {
      const path = join(dir, 'a.json')
      const stamp = await writeDurable(path, text('one'))
      await writeFile(path, 'of somebody else')
      await writeDurable(path, text('two'), { previous: { bytes: text('one'), stamp } })
      expect(await readdir(dir)).toEqual(['a.json'])
    })
  })

  it('leaves no name behind when backup and file are the same file already', async () => {
    await inTemporary('durable', async (dir) => {
      const path = join(dir, 'a.json')
      await writeDurable(path, text('one'))
      await link(path, backupPath(path))
      await writeDurable(path, text('two'), { previous: earlier('one') })
      expect((await readdir(dir)).sort()).toEqual(['a.json', 'a.json.bak'])
      expect(await readFile(backupPath(path), 'utf8')).toBe('one')
    })
  })

  it('changes nothing when the check before the rename refuses', async () => {
    await inTemporary('durable', async (dir) => {
      const path = join(dir, 'a.json')
      await writeDurable(path, text('one'))
      const beforeRename = () => Promise.reject(new Error('fenced'))
      await expect(
        writeDurable(path, text('two'), { previous: earlier('one'), beforeRename }),
      ).rejects.toMatchObject({
        code: 'storage',
      })
      expect(await readdir(dir)).toEqual(['a.json'])
      expect(await readFile(path, 'utf8')).toBe('one')
    })
  })

  it('names path and cause when the directory is gone', async () => {
    await inTemporary('durable', async (dir) => {
      const path = join(dir, 'gone', 'a.json')
      await expect(writeDurable(path, text('x'))).rejects.toMatchObject({
        code: 'storage',
        what: expect.stringContaining(path),
      })
    })
  })
})

describe('readVerified', () => {
  it('reads regular files and tells everything else apart without blocking', async () => {
    await inTemporary('read', async (dir) => {
      await writeFile(join(dir, 'file'), 'text')
      await symlink(join(dir, 'file'), join(dir, 'link'))
      await mkdir(join(dir, 'directory'))
      execFileSync('mkfifo', [join(dir, 'pipe')])
      expect(await readVerified(join(dir, 'file'))).toMatchObject({ kind: 'ok', bytes: text('text') })
      expect(await readVerified(join(dir, 'none'))).toEqual({ kind: 'missing' })
      expect(await readVerified(join(dir, 'link'))).toEqual({
        kind: 'unreadable',
        reason: 'it is a symbolic link',
      })
      expect(await readVerified(join(dir, 'directory'))).toMatchObject({ kind: 'unreadable' })
      expect(await readVerified(join(dir, 'pipe'))).toMatchObject({ kind: 'unreadable' })
      expect(await readVerified(join(dir, 'file'), 3)).toMatchObject({ kind: 'unreadable' })
    })
  })
})

describe('leftovers', () => {
  it('removes a thousand temporary files of killed writers, a planted link among them, and nothing else', async () => {
    await inTemporary('temps', async (dir) => {
      await writeFile(join(dir, 'precious'), 'kept')
      for (let index = 0; index < 1000; index++) {
        await writeFile(join(dir, `.a.json.${index + 2}.0123456789ab.tmp`), '')
      }
      await symlink(join(dir, 'precious'), join(dir, '.a.json.1.ba9876543210.tmp'))
      await writeFile(join(dir, '.mine.tmp'), '')
      await mkdir(join(dir, '.b.json.1.ba9876543210.tmp'))
      expect(await removeOwnTemps(dir)).toBe(1002)
      expect((await readdir(dir)).sort()).toEqual(['.b.json.1.ba9876543210.tmp', '.mine.tmp', 'precious'])
      expect(await readFile(join(dir, 'precious'), 'utf8')).toBe('kept')
    })
  })

  it('removes only those of one file where the directory belongs to others too', async () => {
    await inTemporary('temps', async (dir) => {
      for (const name of ['state.md', 'other.md'])
        await writeFile(join(dir, `.${name}.12.0123456789ab.tmp`), '')
      expect(await removeOwnTemps(dir, 'state.md')).toBe(1)
      expect(await readdir(dir)).toEqual(['.other.md.12.0123456789ab.tmp'])
    })
  })

  it('keeps the newest five of what was moved aside', async () => {
    await inTemporary('aside', async (dir) => {
      const path = join(dir, 'a.json')
      const moved: string[] = []
      for (let index = 0; index < 7; index++) {
        await writeFile(path, String(index))
        moved.push(await quarantine(path))
      }
      const kept = await readdir(dir)
      expect(kept).toHaveLength(5)
      expect(await readFile(moved[6]!, 'utf8')).toBe('6')
      expect(kept.every((name) => /^a\.json\.corrupt-\d{8}T\d{9}Z-[0-9a-f]{6}$/.test(name))).toBe(true)
    })
  })
})

describe('containment', () => {
  it('creates private directories below the root, and leaves the mode of others alone', async () => {
    await inTemporary('contained', async (root) => {
      await mkdir(join(root, 'open'), { mode: 0o755 })
      await ensureDir(join(root, 'open', 'a', 'b'), root)
      expect((await stat(join(root, 'open'))).mode & 0o777).toBe(0o755)
      expect((await stat(join(root, 'open', 'a', 'b'))).mode & 0o777).toBe(0o700)
    })
  })

  it('refuses links, files and ways out, and creates nothing then', async () => {
    await inTemporary('contained', async (root) => {
      await inTemporary('elsewhere', async (elsewhere) => {
        await symlink(elsewhere, join(root, 'link'))
        await writeFile(join(root, 'file'), '')
        for (const path of ['link', 'link/session', 'file/session', '../out', 'a/../../out', 'nul\0']) {
          await expect(ensureDir(`${root}/${path}`, root), path).rejects.toMatchObject({ code: 'outside' })
        }
        await expect(checkContained(join(root, 'link', 'state.json'), root)).rejects.toMatchObject({
          code: 'outside',
        })
        await checkContained(join(root, 'not', 'there', 'state.json'), root)
        expect(await readdir(elsewhere)).toEqual([])
      })
    })
  })

  it('does not care that the clock went back', async () => {
    await inTemporary('clock', async (dir) => {
      const path = join(dir, 'a.json')
      await writeDurable(path, text('one'))
      await utimes(path, new Date('2099-01-01'), new Date('2099-01-01'))
      await writeDurable(path, text('two'), { previous: earlier('one') })
      expect(await readFile(path, 'utf8')).toBe('two')
    })
  })
})
