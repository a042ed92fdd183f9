import { rmSync, symlinkSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openGit } from '../../source/project/git.js'
import { isLooseCommit, plainHead } from '../../source/project/git-plain.js'
import { createProject, type TestProject } from '../support/project.js'

// What the files of a repository tell has to be what git says, or nothing.

let project: TestProject

async function repository(): Promise<TestProject> {
  project = await createProject({ files: { 'a.txt': 'a\n' } })
  return project
}

const askGit = async () => ({
  branch: await project.git('symbolic-ref', '-q', '--short', 'HEAD').catch(() => null),
  commit: await project.git('rev-parse', 'HEAD'),
})

describe('HEAD', () => {
  test('on a branch, on one with a slash, and detached', async () => {
    await repository()
    expect(await plainHead(project.dir)).toEqual(await askGit())
    await project.git('checkout', '-q', '-b', 'feature/box')
    expect(await plainHead(project.dir)).toEqual({ ...(await askGit()), branch: 'feature/box' })
    await project.git('checkout', '-q', '--detach')
    expect(await plainHead(project.dir)).toEqual({ ...(await askGit()), branch: null })
  })

  test('as a link to the file of its branch, and on a branch that is another name, is for git to tell', async () => {
    await repository()
    await project.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main')
    await project.git('symbolic-ref', 'HEAD', 'refs/heads/alias')
    expect(await plainHead(project.dir)).toBeUndefined()
    rmSync(project.path('.git/HEAD'))
    symlinkSync('refs/heads/main', project.path('.git/HEAD'))
    expect(await plainHead(project.dir)).toBeUndefined()
    expect(await openGit(project.dir).branch()).toBe('main')
  })

  test('of a linked work tree is its own', async () => {
    await repository()
    await project.git('worktree', 'add', '-q', '-b', 'side', project.path('tree'))
    const { commit } = await askGit()
    expect(await plainHead(project.path('tree'))).toEqual({ branch: 'side', commit })
  })

  test('a branch without a commit has none, and a packed one is for git to tell', async () => {
    await repository()
    await project.git('pack-refs', '--all')
    expect(await plainHead(project.dir)).toEqual({ branch: 'main', commit: undefined })
    await project.git('checkout', '-q', '--orphan', 'again')
    expect(await plainHead(project.dir)).toEqual({ branch: 'again', commit: undefined })
  })

  test('is nothing without a repository, and nothing where refs lie in tables', async () => {
    await repository()
    await project.write('.git/HEAD', 'ref: refs/heads/.invalid\n')
    expect(await plainHead(project.dir)).toBeUndefined()
    expect(await plainHead(project.path('nowhere'))).toBeUndefined()
  })
})

describe('a commit', () => {
  test('is one that lies in its own file, and nothing else', async () => {
    await repository()
    const commit = await project.git('rev-parse', 'HEAD')
    expect(await isLooseCommit(project.dir, commit)).toBe(true)
    await project.git('tag', '-a', 'v1', '-m', 'v1')
    for (const other of ['HEAD^{tree}', 'HEAD:a.txt', 'v1'])
      expect(await isLooseCommit(project.dir, await project.git('rev-parse', other))).toBe(false)
    expect(await isLooseCommit(project.dir, commit.slice(0, 12))).toBe(false)
    expect(await isLooseCommit(project.dir, 'f'.repeat(40))).toBe(false)
    await project.git('gc', '-q')
    expect(await isLooseCommit(project.dir, commit)).toBe(false)
  })
})
