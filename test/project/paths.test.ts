import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Problem } from '../../source/problem.js'
import {
  findProjectRoot,
  insideRoot,
  isSessionPath,
  sessionSlug,
  toRepoPath,
  userConfigDir,
} from '../../source/project/paths.js'
import { makeRepository, type TestRepository } from './repository.js'

let repository: TestRepository
beforeEach(async () => {
  repository = await makeRepository()
})
afterEach(async () => await repository.remove())

test('the root is the nearest directory with a repository, never a directory that only looks like one', async () => {
  const { root } = repository
  await mkdir(join(root, 'a/b'), { recursive: true })
  await mkdir(join(root, 'a/.git'))
  expect(await findProjectRoot(join(root, 'a/b'))).toBe(root)
  expect(await findProjectRoot(join(root, 'a/b/not/yet/there'))).toBe(root)
  expect(await findProjectRoot(repository.home)).toBeUndefined()
  repository.git('worktree', 'add', '-q', '../tree')
  expect(await findProjectRoot(join(root, '../tree'))).toBe(join(root, '../tree'))
  await symlink(join(root, 'a'), join(repository.home, 'link'))
  expect(await findProjectRoot(join(repository.home, 'link'))).toBe(root)
})

describe('toRepoPath', () => {
  test('every way to write a path inside', async () => {
    const { root } = repository
    await repository.write('docs/spec.md', '')
    const cwd = join(root, 'docs')
    for (const input of [
      'spec.md',
      './spec.md',
      '../docs/spec.md',
      '.\\spec.md',
      '..\\docs\\spec.md',
      join(cwd, 'spec.md'),
    ]) {
      expect(toRepoPath(root, input, cwd)).toBe('docs/spec.md')
    }
    expect(toRepoPath(root, 'docs/not-yet.md', root)).toBe('docs/not-yet.md')
    await symlink(root, join(repository.home, 'link'))
    expect(toRepoPath(root, join(repository.home, 'link/docs/spec.md'), '/')).toBe('docs/spec.md')
    expect(toRepoPath(root, '..foo/x', root)).toBe('..foo/x')
  })

  test('everything outside is refused', async () => {
    const { root } = repository
    await writeFile(join(root, '../project-two'), '')
    await symlink('/etc', join(root, 'out'))
    await symlink('/nonexistent/target', join(root, 'dangling'))
    await symlink('loop', join(root, 'loop'))
    for (const input of [
      '..',
      '../x',
      'a/../../b',
      '/abs',
      '/',
      '',
      'C:\\x',
      'out/passwd',
      'out',
      'dangling',
      'loop',
      'a\0b',
      '../project-two',
      '..\\x',
    ]) {
      expect(() => toRepoPath(root, input, root), input).toThrowError(Problem)
      try {
        toRepoPath(root, input, root)
      } catch (error) {
        expect(error).toMatchObject({ code: 'outside' })
      }
    }
    expect(insideRoot(root, 'out/x')).toBe(false)
    expect(insideRoot(root, 'readme.md')).toBe(true)
    expect(insideRoot(root, '.')).toBe(false)
    expect(insideRoot(root, 'not/there')).toBe(true)
  })

  test('no text leads out of the root', () => {
    const part = fc.constantFrom('..', '.', 'a', '', '\\', '/', 'x y', '..\\', 'é')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        try {
          expect(toRepoPath(repository.root, parts.join('/'), join(repository.root, 'a'))).not.toMatch(
            /(^|\/)\.\.(\/|$)|^\/|\\/,
          )
        } catch (error) {
          expect(error).toMatchObject({ code: 'outside' })
        }
      }),
    )
  })
})

describe('sessionSlug', () => {
  test.each([
    ['docs/changes/mail-rules/proposal.md', 'changes--mail-rules--proposal'],
    ['docs/a.b.md', 'a--b'],
    ['specs/Mail.MD', 'specs--mail--md'],
    ['docs\\changes\\x.md', 'changes--x'],
    ['src/docs/x.md', 'src--docs--x'],
    ['a/..b/c.md', 'a------b--c'],
  ])('%s becomes %s', (path, slug) => {
    expect(sessionSlug(path)).toBe(slug)
  })

  test('a long path is cut and told apart by its hash', () => {
    const one = sessionSlug(`docs/${'ä'.repeat(150)}1.md`)
    const two = sessionSlug(`docs/${'ä'.repeat(150)}2.md`)
    expect(Buffer.byteLength(one)).toBeLessThanOrEqual(200)
    expect(one).toMatch(/^ä+-[0-9a-f]{8}$/)
    expect(one).not.toBe(two)
    expect(sessionSlug('x'.repeat(200))).toBe('x'.repeat(200))
    expect(sessionSlug('x'.repeat(201))).toMatch(/^x{191}-[0-9a-f]{8}$/)
  })

  test('what leaves nothing is refused', () => {
    for (const path of ['', '.', 'docs/.md', '/']) expect(() => sessionSlug(path)).toThrowError(Problem)
  })

  test('a slug is always one safe directory name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (path) => {
        try {
          const slug = sessionSlug(path)
          expect(slug).not.toMatch(/\.|\/|\\/)
          expect(slug.length).toBeGreaterThan(0)
          expect(Buffer.byteLength(slug)).toBeLessThanOrEqual(200)
        } catch (error) {
          expect(error).toMatchObject({ code: 'usage' })
        }
      }),
    )
  })
})

test('session paths', () => {
  expect(isSessionPath('.harness/sessions/x')).toBe(true)
  expect(isSessionPath('.harness/sessions-two/x')).toBe(false)
})

test('the configuration directory follows the user', () => {
  vi.stubEnv('XDG_CONFIG_HOME', '/xdg')
  expect(userConfigDir()).toBe('/xdg/autopilot')
  vi.stubEnv('AUTOPILOT_CONFIG_DIR', '/own')
  expect(userConfigDir()).toBe('/own')
})
