import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ensureIgnored } from '../../source/project/gitignore.js'
import { makeRepository, type TestRepository } from './repository.js'

let repository: TestRepository
beforeEach(async () => {
  repository = await makeRepository()
})
afterEach(async () => await repository.remove())

describe('ensureIgnored', () => {
  const file = () => join(repository.root, '.harness/.gitignore')

  test('writes the entry once, and git agrees', async () => {
    expect(await ensureIgnored(repository.root, '.harness', 'sessions')).toBe(true)
    expect(await ensureIgnored(repository.root, '.harness', 'sessions')).toBe(false)
    expect(await readFile(file(), 'utf8')).toBe('sessions/\n')
    await repository.write('.harness/sessions/s/a', '')
    expect(repository.git('status', '--porcelain', '-uall')).toBe('?? .harness/.gitignore\n')
  })

  test.each([
    ['cache/', 'cache/\nsessions/\n'],
    ['cache/\r\nlogs\r\n', 'cache/\r\nlogs\r\nsessions/\r\n'],
    ['# sessions/\n', '# sessions/\nsessions/\n'],
    ['sessions/\n!sessions/\n', 'sessions/\n!sessions/\nsessions/\n'],
    ['', 'sessions/\n'],
  ])('%j keeps every byte', async (before, after) => {
    await repository.write('.harness/.gitignore', before)
    expect(await ensureIgnored(repository.root, '.harness', 'sessions')).toBe(true)
    expect(await readFile(file(), 'utf8')).toBe(after)
    await repository.write('.harness/sessions/s/a', '')
    expect(repository.git('check-ignore', '.harness/sessions/s/a')).toContain('sessions')
  })

  test.each(['sessions/\n', '/sessions\r\n', '*\n', '\uFEFFsessions\n', 'sessions/  \n'])(
    '%j already says it',
    async (text) => {
      await repository.write('.harness/.gitignore', text)
      expect(await ensureIgnored(repository.root, '.harness', 'sessions')).toBe(false)
      await repository.write('.harness/sessions/s/a', '')
      expect(repository.git('check-ignore', '.harness/sessions/s/a')).toContain('sessions')
    },
  )

  test('a link is not written through', async () => {
    await mkdir(join(repository.root, '.harness'))
    await writeFile(join(repository.home, 'target'), 'x')
    await symlink(join(repository.home, 'target'), file())
    await expect(ensureIgnored(repository.root, '.harness', 'sessions')).rejects.toMatchObject({
      code: 'outside',
    })
    expect(await readFile(join(repository.home, 'target'), 'utf8')).toBe('x')
  })
})
