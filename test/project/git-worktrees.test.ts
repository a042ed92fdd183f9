import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Git, openGit } from '../../source/project/git.js'
import { openReader } from '../../source/project/git-read.js'
import { lostFiles } from '../../source/project/git-worktrees.js'
import { makeRepository, type TestRepository } from './repository.js'

let repository: TestRepository
let git: Git

beforeEach(async () => {
  repository = await makeRepository()
  await repository.write('.gitignore', '.autopilot/\n')
  repository.commitAll('ignore')
  git = openGit(repository.root)
})
afterEach(async () => {
  await repository.remove()
  vi.unstubAllEnvs()
})

const tree = { path: '.autopilot/worktrees/2a', branch: 'autopilot/2a' }
const read = (path: string) => readFile(join(repository.root, path), 'utf8').catch(() => null)
const inTree = async (path: string, text: string) => {
  await writeFile(join(repository.root, tree.path, path), text)
  repository.git('-C', tree.path, 'add', '-A')
  repository.git('-C', tree.path, 'commit', '-q', '-m', `part ${path}`)
}
const merge = () => git.merge({ branch: tree.branch, message: 'merge 2a', attemptId: 'try/2' })

test('a work tree is made, listed, merged and taken away, and its commits stay', async () => {
  await git.addWorktree({ ...tree, from: 'HEAD' })
  const found = await git.worktrees()
  expect(found.map(({ branch, isGone }) => [branch, isGone])).toEqual([
    ['main', false],
    ['autopilot/2a', false],
  ])
  await inTree('part.txt', 'part\n')
  await repository.write('main.txt', 'main\n')
  repository.commitAll('beside')
  expect(await merge()).toMatchObject({ done: true })
  expect([await read('part.txt'), await read('main.txt')]).toEqual(['part\n', 'main\n'])
  expect(repository.git('rev-list', '--parents', '-1', 'HEAD').trim().split(' ')).toHaveLength(3)
  expect(repository.git('status', '--porcelain')).toBe('')
  const tip = repository.git('rev-parse', tree.branch).trim()
  await git.dropWorktree(tree)
  expect(await git.worktrees()).toHaveLength(1)
  expect(repository.git('rev-parse', `refs/autopilot/kept/autopilot/2a/${tip.slice(0, 12)}`).trim()).toBe(tip)
  expect(repository.git('branch', '--list', tree.branch)).toBe('')
})

test('a conflict changes nothing and names the files', async () => {
  await git.addWorktree({ ...tree, from: 'HEAD' })
  await inTree('same.txt', 'part\n')
  await repository.write('same.txt', 'main\n')
  repository.commitAll('beside')
  const before = await git.head()
  expect(await merge()).toMatchObject({ done: 'failed', kind: 'conflict', paths: ['same.txt'] })
  expect([await git.head(), await read('same.txt'), await git.inProgress()]).toEqual([before, 'main\n', null])
})

test('a branch without commits is nothing to merge', async () => {
  await git.addWorktree({ ...tree, from: 'HEAD' })
  expect(await merge()).toEqual({ done: false })
})

test('uncommitted changes keep a work tree unless they may go; one whose folder is gone is cleared', async () => {
  await git.addWorktree({ ...tree, from: 'HEAD' })
  await writeFile(join(repository.root, tree.path, 'loose.txt'), 'x')
  expect(await git.isWorktreeDirty(tree.path)).toBe(true)
  await expect(git.dropWorktree(tree)).rejects.toThrow('worktree')
  await git.dropWorktree({ ...tree, force: true })
  expect(await git.worktrees()).toHaveLength(1)
  await git.addWorktree({ ...tree, from: 'HEAD' })
  await rm(join(repository.root, tree.path), { recursive: true })
  expect((await git.worktrees())[1]).toMatchObject({ isGone: true })
  await git.dropWorktree(tree)
  expect(await git.worktrees()).toHaveLength(1)
})

test('a file that is gone without a commit that deleted it is lost; a deleted one is not', async () => {
  const base = repository.git('rev-parse', 'HEAD').trim()
  await repository.write('a.txt', 'a')
  await repository.write('b.txt', 'b')
  repository.commitAll('two files')
  repository.git('rm', '-q', 'b.txt')
  repository.git('commit', '-q', '-m', 'b goes')
  const side = repository.git('rev-parse', 'HEAD').trim()
  const reader = openReader(repository.root)
  expect(await lostFiles(reader, { base, sides: [side, base], merged: base })).toEqual(['a.txt'])
  expect(await lostFiles(reader, { base, sides: [side, base], merged: side })).toEqual([])
})
