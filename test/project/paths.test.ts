import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Problem } from '../../source/problem.js'
import {
  findProjectRoot,
  gitDirectory,
  insideRoot,
  toRepoPath,
  userCacheDir,
  userConfigDir,
  userStateDir,
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

test('the git directory of a clone and of a linked work tree, by plain reads', async () => {
  const { root } = repository
  expect(await gitDirectory(root)).toBe(join(root, '.git'))
  repository.git('worktree', 'add', '-q', '../linked')
  expect(await gitDirectory(join(root, '../linked'))).toBe(join(root, '.git/worktrees/linked'))
  expect(await gitDirectory(repository.home)).toBeUndefined()
})

test('the configuration directory follows the user', () => {
  vi.stubEnv('XDG_CONFIG_HOME', '/xdg')
  expect(userConfigDir()).toBe('/xdg/autopilot')
  vi.stubEnv('AUTOPILOT_CONFIG_DIR', '/own')
  expect(userConfigDir()).toBe('/own')
})

test('the state directory follows the user, and the configuration where only that was moved', () => {
  vi.stubEnv('AUTOPILOT_CONFIG_DIR', '')
  vi.stubEnv('AUTOPILOT_STATE_DIR', '')
  vi.stubEnv('XDG_STATE_HOME', '/xdg')
  expect(userStateDir()).toBe('/xdg/autopilot')
  vi.stubEnv('AUTOPILOT_CONFIG_DIR', '/own')
  expect(userStateDir()).toBe('/own/state')
  expect(userCacheDir()).toBe('/own/cache')
  vi.stubEnv('AUTOPILOT_STATE_DIR', '/state')
  expect(userStateDir()).toBe('/state')
})
