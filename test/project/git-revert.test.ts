import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Git, openGit } from '../../source/project/git.js'
import { makeRepository, type TestRepository } from './repository.js'

let repository: TestRepository
let git: Git

beforeEach(async () => {
  repository = await makeRepository()
  git = openGit(repository.root)
})
afterEach(async () => {
  await repository.remove()
  vi.unstubAllEnvs()
})

const read = (path: string) => readFile(join(repository.root, path), 'utf8').catch(() => null)
const commit = async (path: string, text: string) => {
  await repository.write(path, text)
  return repository.commitAll(`change ${path}`).trim()
}
const head = () => repository.git('rev-parse', 'HEAD').trim()
const request = (commits: string[], more: object = {}) => ({
  commits,
  message: 'rollback: revert to phase 2 checkpoint',
  attemptId: 'try/1',
  ...more,
})

test('takes several commits back in one, with history, files, index and nothing left over', async () => {
  await commit('a.txt', 'one\n')
  const first = await commit('a.txt', 'two\n')
  await commit('b.txt', 'kept\n')
  const second = await commit('c.txt', 'new\n')
  const result = await git.revert(request([first, second]))
  expect(result).toEqual({ done: true, sha: head() })
  expect([await read('a.txt'), await read('b.txt'), await read('c.txt')]).toEqual(['one\n', 'kept\n', null])
  expect(repository.git('status', '--porcelain')).toBe('')
  expect(repository.git('log', '--format=%s', '-2').trim().split('\n')).toEqual([
    'rollback: revert to phase 2 checkpoint',
    'change c.txt',
  ])
  expect(repository.git('worktree', 'list').trim().split('\n')).toHaveLength(1)
  expect(await git.findAttempt('try/1', second)).toBe(head())
})

test('folders that stay are as HEAD has them, those that came with the commits too', async () => {
  const work = await commit('a.txt', 'one\n')
  await repository.write('.planning/PLAN.md', 'plan\n')
  await repository.write('b.txt', 'b\n')
  const plan = repository.commitAll('both').trim()
  expect(await git.revert(request([work, plan], { keep: ['.planning'] }))).toMatchObject({ done: true })
  expect([await read('.planning/PLAN.md'), await read('a.txt'), await read('b.txt')]).toEqual([
    'plan\n',
    null,
    null,
  ])
})

test('a merge goes back by its first parent', async () => {
  repository.git('checkout', '-q', '-b', 'side')
  await commit('side.txt', 'side\n')
  repository.git('checkout', '-q', 'main')
  await commit('main.txt', 'main\n')
  repository.git('merge', '-q', '--no-ff', '-m', 'merge side', 'side')
  expect(await git.revert(request([head()]))).toMatchObject({ done: true })
  expect([await read('side.txt'), await read('main.txt')]).toEqual([null, 'main\n'])
})

test('what a merge has brought goes back with it, however often its lines were changed', async () => {
  await commit('a.txt', 'one\n')
  repository.git('checkout', '-q', '-b', 'side')
  const brought = [await commit('a.txt', 'two\n'), await commit('a.txt', 'three\n')]
  repository.git('checkout', '-q', 'main')
  const own = await commit('b.txt', 'b\n')
  repository.git('merge', '-q', '--no-ff', '-m', 'merge side', 'side')
  expect(await git.revert(request([head(), ...brought, own]))).toMatchObject({ done: true })
  expect([await read('a.txt'), await read('b.txt')]).toEqual(['one\n', null])
})

test('a conflict changes nothing and names the files', async () => {
  const first = await commit('a.txt', 'one\n')
  await commit('a.txt', 'two\n')
  const before = head()
  expect(await git.revert(request([first]))).toMatchObject({
    done: 'failed',
    kind: 'conflict',
    paths: ['a.txt'],
  })
  expect([head(), await read('a.txt'), repository.git('status', '--porcelain')]).toEqual([
    before,
    'two\n',
    '',
  ])
  expect(await git.inProgress()).toBeNull()
})

test('a dirty file elsewhere stays, one in the way stops it before anything is written', async () => {
  await commit('other.txt', 'o\n')
  const work = await commit('a.txt', 'one\n')
  await repository.write('other.txt', 'mine\n')
  await repository.write('a.txt', 'mine too\n')
  const before = head()
  expect(await git.revert(request([work]))).toMatchObject({ done: 'failed', kind: 'dirty', paths: ['a.txt'] })
  expect([head(), await read('a.txt'), await read('other.txt')]).toEqual([before, 'mine too\n', 'mine\n'])
  const ref = await git.putAside(['a.txt'], 'refs/autopilot/run')
  expect(ref).toBe('refs/autopilot/run/1')
  expect(await read('a.txt')).toBe('one\n')
  expect(repository.git('show', `${ref}:a.txt`)).toBe('mine too\n')
  expect(await git.revert(request([work]))).toMatchObject({ done: true })
  expect([await read('a.txt'), await read('other.txt')]).toEqual([null, 'mine\n'])
})

test('what is put aside is kept, untracked files too, and twice under two names', async () => {
  await commit('a.txt', 'one\n')
  await repository.write('a.txt', 'mine\n')
  await repository.write('new file.txt', 'new\n')
  expect(await git.putAside(['a.txt', 'new file.txt'], 'refs/autopilot/run')).toBe('refs/autopilot/run/1')
  expect([await read('a.txt'), await read('new file.txt')]).toEqual(['one\n', null])
  expect(repository.git('show', 'refs/autopilot/run/1:new file.txt')).toBe('new\n')
  expect(await git.putAside(['a.txt'], 'refs/autopilot/run')).toBeNull()
  await repository.write('a.txt', 'again\n')
  expect(await git.putAside(['a.txt'], 'refs/autopilot/run')).toBe('refs/autopilot/run/2')
})

test('what was put aside is given back, twice alike; what was changed meanwhile is left alone', async () => {
  await commit('a.txt', 'one\n')
  await commit('b.txt', 'one\n')
  await commit('c.txt', 'one\n')
  await repository.write('a.txt', 'mine\n')
  await repository.write('b.txt', 'mine\n')
  await repository.write('new file.txt', 'new\n')
  await rm(join(repository.root, 'c.txt'))
  const ref = (await git.putAside(['a.txt', 'b.txt', 'c.txt', 'new file.txt'], 'refs/autopilot/run')) ?? ''
  expect(repository.git('status', '--porcelain')).toBe('')
  await commit('b.txt', 'of the run\n')
  const came = { given: ['a.txt', 'c.txt', 'new file.txt'], left: ['b.txt'] }
  for (const _ of [1, 2]) {
    expect(await git.giveBack(ref)).toEqual(came)
    expect([
      await read('a.txt'),
      await read('b.txt'),
      await read('c.txt'),
      await read('new file.txt'),
    ]).toEqual(['mine\n', 'of the run\n', null, 'new\n'])
  }
  // Nothing of it is in the index.
  expect(repository.git('diff', '--cached', '--name-only')).toBe('')
})

test('nothing to take back is told, and a commit that is not there is a problem', async () => {
  expect(await git.revert(request([]))).toEqual({ done: false })
  const work = await commit('a.txt', 'one\n')
  await git.revert(request([work]))
  await expect(git.revert(request(['deadbeef']))).rejects.toThrow('not a commit')
})

test('no hook of the repository runs for it', async () => {
  const work = await commit('a.txt', 'one\n')
  for (const name of [
    'pre-commit',
    'commit-msg',
    'post-checkout',
    'reference-transaction',
    'post-index-change',
  ])
    await repository.hook(name, 'touch "$(git rev-parse --show-toplevel)/hook-ran"; exit 1')
  expect(await git.revert(request([work]))).toMatchObject({ done: true })
  expect(await read('hook-ran')).toBeNull()
})

test('it is signed where the commits of the person are, and not made where that fails', async () => {
  const work = await commit('a.txt', 'one\n')
  const signer = join(repository.home, 'signer')
  const sign = `cat > /dev/null; echo '[GNUPG:] SIG_CREATED D' >&2; printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'`
  await writeFile(signer, `#!/bin/sh\n${sign}\n`, { mode: 0o755 })
  repository.git('config', 'commit.gpgSign', 'true')
  repository.git('config', 'gpg.program', signer)
  const before = head()
  expect(await git.revert(request([work]))).toMatchObject({ done: true })
  expect(repository.git('cat-file', 'commit', 'HEAD')).toContain('BEGIN PGP SIGNATURE')
  expect(head()).not.toBe(before)
  await writeFile(signer, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  const signed = head()
  expect(await git.revert(request([signed]))).toMatchObject({ done: 'failed', kind: 'other' })
  expect(head()).toBe(signed)
})

test('a branch gets a number where its name is taken', async () => {
  expect(await git.branchHere('autopilot-diagnostic-phase-2')).toBe('autopilot-diagnostic-phase-2')
  expect(await git.branchHere('autopilot-diagnostic-phase-2')).toBe('autopilot-diagnostic-phase-2-2')
  expect(repository.git('rev-parse', 'autopilot-diagnostic-phase-2-2').trim()).toBe(head())
})
