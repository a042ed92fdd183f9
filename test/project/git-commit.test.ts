import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { planConfinement } from '../../source/processes/confine/policy.js'
import { runningProcess } from '../../source/processes/process-identity.js'
import { readProcessStat } from '../../source/processes/process-stat.js'
import { type CommitResult, type Git, openGit } from '../../source/project/git.js'
import { openGitCalls } from '../../source/project/git-calls.js'
import { here } from '../processes/confine/confined.js'
import { makeRepository, type TestRepository } from './repository.js'

let repository: TestRepository
let git: Git

beforeEach(async () => {
  repository = await makeRepository()
  git = openGit(repository.root, { ownPaths: ['.harness/sessions'] })
})
afterEach(async () => await repository.remove())

async function commit(paths: string[], message = '[autopilot] Checkpoint 1: work'): Promise<CommitResult> {
  return await git.commit({ paths, message, attemptId: 'a-1' })
}

function committedPaths(): string[] {
  return repository
    .git('show', '-z', '--format=', '--name-only', '--no-renames', 'HEAD')
    .split('\0')
    .filter(Boolean)
}

function status(): string {
  return repository.git('status', '--porcelain', '--untracked-files=all')
}

async function isRunning(pid: number): Promise<boolean> {
  const stat = readProcessStat(pid)
  if (process.platform === 'linux') return stat !== undefined && stat.state !== 'Z'
  return (await runningProcess(pid)) !== undefined
}

test('commits new, changed and deleted files, also in new directories, with the trailer', async () => {
  await repository.write('gone.txt', 'x')
  repository.commitAll('second')
  await unlink(join(repository.root, 'gone.txt'))
  await repository.write('deep/er/new.txt', 'new')
  await repository.write('readme.md', 'changed')
  const result = await commit(['gone.txt', 'deep/er/new.txt', 'readme.md'])
  expect(result).toEqual({
    committed: true,
    sha: repository.git('rev-parse', 'HEAD').trim(),
    message: '[autopilot] Checkpoint 1: work',
  })
  expect(committedPaths()).toEqual(['deep/er/new.txt', 'gone.txt', 'readme.md'])
  expect(repository.git('log', '-1', '--format=%(trailers:key=Autopilot-Attempt,valueonly)').trim()).toBe(
    'a-1',
  )
  expect(status()).toBe('')
})

test('what the user staged and what the list does not name stays out and stays staged', async () => {
  await repository.write('mine.txt', 'mine')
  await repository.write('theirs.txt', 'theirs')
  await repository.write('loose.txt', 'loose')
  repository.git('add', 'theirs.txt')
  expect((await commit(['mine.txt'])).committed).toBe(true)
  expect(committedPaths()).toEqual(['mine.txt'])
  expect(status()).toBe('A  theirs.txt\n?? loose.txt\n')
})

test('partial staging of another file is kept', async () => {
  await repository.write('partial.txt', 'one\n')
  repository.commitAll('second')
  await repository.write('partial.txt', 'one\ntwo\n')
  repository.git('add', 'partial.txt')
  await repository.write('partial.txt', 'one\ntwo\nthree\n')
  await repository.write('new.txt', 'n')
  expect((await commit(['new.txt'])).committed).toBe(true)
  expect(status()).toBe('MM partial.txt\n')
  expect(repository.git('show', ':partial.txt')).toBe('one\ntwo\n')
})

test('a hook that fails without a word is a failure, not a commit', async () => {
  await repository.hook('pre-commit', 'exit 1')
  const before = repository.git('rev-parse', 'HEAD')
  await repository.write('a.txt', 'a')
  const result = await commit(['a.txt'])
  expect(result).toMatchObject({ committed: 'failed', kind: 'hook' })
  expect(JSON.stringify(result)).toContain('said nothing')
  expect(repository.git('rev-parse', 'HEAD')).toBe(before)
  expect(status()).toBe('?? a.txt\n')
})

test('the output of a failing hook is handed over, and skipping hooks skips all of them', async () => {
  await repository.hook('commit-msg', 'echo "bad message" >&2; exit 1')
  await repository.hook('prepare-commit-msg', 'exit 1')
  await repository.write('a.txt', 'a')
  expect(await commit(['a.txt'])).toMatchObject({ committed: 'failed', kind: 'hook' })
  await unlink(join(repository.root, '.git/hooks/prepare-commit-msg'))
  expect(JSON.stringify(await commit(['a.txt']))).toContain('bad message')
  await repository.hook('prepare-commit-msg', 'exit 1')
  const skipped = await git.commit({ paths: ['a.txt'], message: 'm', attemptId: 'a-1', skipHooks: true })
  expect(skipped.committed).toBe(true)
})

test('a hook that hangs is ended with its children', async () => {
  const pidFile = join(repository.root, '.git/hook-child')
  await repository.hook('pre-commit', `sleep 600 & echo $! > "${pidFile}"; wait`)
  await repository.write('a.txt', 'a')
  const impatient = openGit(repository.root, { commitMs: 1_500, graceMs: 300 })
  const result = await impatient.commit({ paths: ['a.txt'], message: 'm', attemptId: 'a-1' })
  expect(result).toMatchObject({ committed: 'failed', kind: 'hook' })
  const child = Number(await readFile(pidFile, 'utf8'))
  expect(await isRunning(child)).toBe(false)
  expect(existsSync(join(repository.root, '.git/index.lock'))).toBe(false)
})

test('a post-commit hook that hangs does not hide the commit', async () => {
  await repository.hook('post-commit', 'sleep 600')
  await repository.write('a.txt', 'a')
  const impatient = openGit(repository.root, { commitMs: 1_500, graceMs: 300 })
  expect(await impatient.commit({ paths: ['a.txt'], message: 'm', attemptId: 'a-1' })).toMatchObject({
    committed: true,
  })
  expect(status()).toBe('')
})

test('a hook has no terminal and no input', async () => {
  await repository.hook('pre-commit', 'cat > /dev/null; (: < /dev/tty) 2>/dev/null && exit 1; exit 0')
  await repository.write('a.txt', 'a')
  expect((await commit(['a.txt'])).committed).toBe(true)
})

test('a hook that formats a file commits the formatted content and leaves a clean tree', async () => {
  await repository.hook('pre-commit', 'echo formatted > a.txt; git add a.txt')
  await repository.write('a.txt', 'raw')
  expect((await commit(['a.txt'])).committed).toBe(true)
  expect(repository.git('show', 'HEAD:a.txt')).toBe('formatted\n')
  expect(status()).toBe('')
})

test('a conflicted merge is refused and not concluded', async () => {
  repository.git('checkout', '-q', '-b', 'other')
  await repository.write('readme.md', 'theirs\n')
  repository.commitAll('theirs')
  repository.git('checkout', '-q', 'main')
  await repository.write('readme.md', 'ours\n')
  repository.commitAll('ours')
  expect(() => repository.git('merge', 'other')).toThrow()
  await repository.write('a.txt', 'a')
  expect(await commit(['a.txt', 'readme.md'])).toMatchObject({ committed: 'failed', kind: 'in-progress' })
  expect(await git.inProgress()).toBe('merge')
  // Even when the marker of the merge is lost, conflict markers are not committed.
  await unlink(join(repository.root, '.git/MERGE_HEAD'))
  expect(await commit(['a.txt', 'readme.md'])).toMatchObject({ committed: 'failed', kind: 'in-progress' })
})

test.each([
  'with space.txt',
  '"quoted".txt',
  "it's.txt",
  'new\nline.txt',
  '-rf',
  ':(top)x',
  ':(exclude)readme.md',
  '*',
  '[a]?.txt',
  '#hash',
  'tab\there',
  'a\\b',
  'C:\\x',
  'ü-é.txt',
  '$(touch pwned)',
])('the name %j is taken literally', async (name) => {
  await repository.write(name, 'content')
  await repository.write('other.txt', 'other')
  expect((await commit([name])).committed).toBe(true)
  expect(committedPaths()).toEqual([name])
  expect(status()).toBe('?? other.txt\n')
  expect(await git.changedFiles('HEAD~1')).toEqual([name])
})

test('ignored, large, absent, foreign and nested paths are left out with a reason', async () => {
  await repository.write('.gitignore', 'ignored.txt\n:(top)ignored\n')
  await repository.write('tracked-but-ignored.txt', '1')
  repository.commitAll('second')
  await repository.write('.gitignore', 'ignored.txt\n:(top)ignored\ntracked-but-ignored.txt\n')
  repository.commitAll('third')
  await repository.write('ignored.txt', 'i')
  await repository.write(':(top)ignored', 'i')
  await repository.write('tracked-but-ignored.txt', '2')
  await repository.write('large.bin', Buffer.alloc(5 * 1024 * 1024 + 1))
  await mkdir(join(repository.root, 'nested'))
  repository.git('init', '-q', 'nested')
  await repository.write('nested/file.txt', 'n')
  await repository.write('good.txt', 'g')
  const result = await commit([
    'ignored.txt',
    ':(top)ignored',
    'tracked-but-ignored.txt',
    'large.bin',
    'nested/file.txt',
    'nested',
    'absent.txt',
    '../outside.txt',
    '/etc/hosts',
    '.git/config',
    'good.txt',
  ])
  expect(result).toMatchObject({ committed: true })
  expect(committedPaths()).toEqual(['good.txt', 'tracked-but-ignored.txt'])
  const left = result.committed === true ? (result.leftOut ?? []) : []
  expect(left.map((each) => each.path).sort()).toEqual(
    [
      '../outside.txt',
      '.git/config',
      '/etc/hosts',
      ':(top)ignored',
      'absent.txt',
      'ignored.txt',
      'large.bin',
      'nested',
      'nested/file.txt',
    ].sort(),
  )
})

test('session files never enter a commit, not even when they are tracked', async () => {
  await repository.write('.harness/sessions/s/state.json', '1')
  repository.commitAll('tracked by mistake')
  await repository.write('.harness/sessions/s/state.json', '2')
  await repository.write('a.txt', 'a')
  expect((await git.dirty()).map((each) => each.path)).toEqual(['a.txt'])
  expect((await commit(['a.txt', '.harness/sessions/s/state.json'])).committed).toBe(true)
  expect(committedPaths()).toEqual(['a.txt'])
  expect(await commit(['.harness/sessions/s/state.json'])).toMatchObject({ committed: false })
})

test('nothing to commit is no failure', async () => {
  expect(await commit([])).toMatchObject({ committed: false })
  expect(await commit(['readme.md'])).toMatchObject({ committed: false })
})

test('an index lock is shown, and kept', async () => {
  const lock = join(repository.root, '.git/index.lock')
  await writeFile(lock, '')
  await repository.write('a.txt', 'a')
  const result = await commit(['a.txt'])
  expect(result).toMatchObject({ committed: 'failed', kind: 'index-lock' })
  expect(existsSync(lock)).toBe(true)
})

test('a lock that appears during the commit delays only the index, which follows later', async () => {
  const lock = join(repository.root, '.git/index.lock')
  await repository.hook('post-commit', `: > "${lock}"`)
  const impatient = openGit(repository.root, { syncTries: 1 })
  await repository.write('a.txt', 'a')
  const result = await impatient.commit({ paths: ['a.txt'], message: 'm', attemptId: 'a-1' })
  expect(result).toMatchObject({ committed: true })
  expect(result.committed === true && result.message).toContain('index')
  await unlink(lock)
  await impatient.finishAttempt(repository.git('rev-parse', 'HEAD').trim(), null)
  expect(status()).toBe('')
})

test('without an identity the kind says so', async () => {
  await writeFile(join(repository.home, '.gitconfig'), '[user]\n\tuseConfigOnly = true\n')
  await repository.write('a.txt', 'a')
  expect(await commit(['a.txt'])).toMatchObject({ committed: 'failed', kind: 'identity' })
})

test('another HEAD or branch than expected is refused', async () => {
  const head = await git.head()
  await repository.write('user.txt', 'u')
  repository.commitAll('by the user')
  await repository.write('a.txt', 'a')
  const request = { paths: ['a.txt'], message: 'm', attemptId: 'a-1' }
  expect(await git.commit({ ...request, expected: { head, branch: 'main' } })).toMatchObject({
    kind: 'head-moved',
  })
  const now = await git.head()
  expect(await git.commit({ ...request, expected: { head: now, branch: 'x' } })).toMatchObject({
    kind: 'head-moved',
  })
  expect(await git.commit({ ...request, expected: { head: now, branch: 'main' } })).toMatchObject({
    committed: true,
  })
})

test('a hook that commits past our index: ours was made all the same', async () => {
  await repository.hook(
    'post-commit',
    'rm .git/hooks/post-commit; unset GIT_INDEX_FILE; git commit -q --allow-empty -m "by the hook"',
  )
  await repository.write('a.txt', 'a')
  const result = await commit(['a.txt'])
  expect(result).toMatchObject({ committed: true, sha: repository.git('rev-parse', 'HEAD~1').trim() })
})

test.each([
  ['-leading dash', '-leading dash'],
  ['`whoami` $(id)', '`whoami` $(id)'],
  ['nul\0inside', 'nulinside'],
  ['  \n ', '[autopilot] Checkpoint'],
  ['# not a comment', '# not a comment'],
])('the message %j is kept as text', async (message, subject) => {
  await repository.write('a.txt', 'a')
  expect((await commit(['a.txt'], message)).committed).toBe(true)
  expect(repository.git('log', '-1', '--format=%s').trim()).toBe(subject)
  expect(await git.findAttempt('a-1', null)).toBe(await git.head())
})

test('a message of 100 KB and one with its own trailers', async () => {
  await repository.write('a.txt', 'a')
  expect((await commit(['a.txt'], `long\n\n${'x'.repeat(100 * 1024)}`)).committed).toBe(true)
  await repository.write('a.txt', 'b')
  expect((await commit(['a.txt'], 'subject\n\nReviewed-by: A <a@b>')).committed).toBe(true)
  expect(repository.git('log', '-1', '--format=%(trailers:key=Reviewed-by,valueonly)').trim()).toBe('A <a@b>')
})

test('after a crash the trailer finds the commit and the index is brought up to date', async () => {
  const start = await git.head()
  await repository.write('a.txt', 'a')
  await repository.write('staged.txt', 's')
  repository.git('add', 'staged.txt')
  const index = await readFile(join(repository.root, '.git/index'))
  await commit(['a.txt'])
  // The state after a crash between commit and index: the old index is still there.
  await writeFile(join(repository.root, '.git/index'), index)
  expect(status()).toContain('D  a.txt')
  expect(await git.findAttempt('a-1', start)).toBe(await git.head())
  expect(await git.findAttempt('a-2', start)).toBeNull()
  expect(await git.findAttempt('a-1', await git.head())).toBeNull()
  await git.finishAttempt((await git.head()) ?? '', start)
  expect(status()).toBe('A  staged.txt\n')
})

test('a file that became a directory, a directory that became a link', async () => {
  await repository.write('thing', 'file')
  await repository.write('folder/x.txt', 'x')
  repository.commitAll('second')
  await unlink(join(repository.root, 'thing'))
  await repository.write('thing/inside.txt', 'i')
  await rm(join(repository.root, 'folder'), { recursive: true })
  await symlink('/etc', join(repository.root, 'folder'))
  const paths = (await git.dirty()).map((each) => each.path)
  expect(paths).toEqual(['folder', 'folder/x.txt', 'thing', 'thing/inside.txt'])
  expect((await commit(paths)).committed).toBe(true)
  expect(status()).toBe('')
  expect(repository.git('ls-tree', 'HEAD', 'folder')).toMatch(/^120000/)
})

test('renames, the executable bit and CRLF come through', async () => {
  await repository.write('old.txt', 'a\nb\nc\n')
  await repository.write('script.sh', 'echo\n')
  repository.git('config', 'core.autocrlf', 'true')
  repository.commitAll('second')
  await rename(join(repository.root, 'old.txt'), join(repository.root, 'new.txt'))
  await chmod(join(repository.root, 'script.sh'), 0o755)
  await repository.write('readme.md', 'hello\r\n')
  await repository.write('dos.txt', 'a\r\nb\r\n')
  const dirty = (await git.dirty()).map((each) => each.path)
  expect(dirty).toEqual(expect.arrayContaining(['dos.txt', 'new.txt', 'old.txt', 'script.sh']))
  expect((await commit([...dirty, 'readme.md'])).committed).toBe(true)
  expect(repository.git('show', 'HEAD:dos.txt')).toBe('a\nb\n')
  expect(committedPaths()).not.toContain('readme.md')
  expect(repository.git('ls-tree', 'HEAD', 'script.sh')).toMatch(/^100755/)
  // Git itself goes on to list a file whose size alone differs.
  expect(status().replace(' M readme.md\n', '')).toBe('')
})

test('works in a worktree, whose .git is a file', async () => {
  const tree = join(repository.root, '../tree')
  repository.git('worktree', 'add', '-q', '-b', 'side', tree)
  await writeFile(join(tree, 'a.txt'), 'a')
  const inTree = openGit(tree)
  expect(await inTree.branch()).toBe('side')
  expect(await inTree.startProblems()).toEqual([])
  expect(await inTree.commit({ paths: ['a.txt'], message: 'm', attemptId: 'a-1' })).toMatchObject({
    committed: true,
  })
  expect(await inTree.dirty()).toEqual([])
  expect(await git.branch()).toBe('main')
  await writeFile(join(repository.root, '.git/worktrees/tree/MERGE_HEAD'), `${await git.head()}\n`)
  expect(await inTree.inProgress()).toBe('merge')
  expect(await git.inProgress()).toBeNull()
})

test('commits asked for at the same time are made one after the other', async () => {
  await Promise.all([1, 2, 3].map(async (n) => await repository.write(`f${n}.txt`, String(n))))
  const results = await Promise.all(
    [1, 2, 3].map(
      async (n) => await git.commit({ paths: [`f${n}.txt`], message: `m${n}`, attemptId: `a-${n}` }),
    ),
  )
  expect(results.map((each) => each.committed)).toEqual([true, true, true])
  expect(status()).toBe('')
})

test('hooks get no key of the user, and no variable that points git elsewhere', async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-ant-0123456789abcdef')
  vi.stubEnv('GH_TOKEN', 'gh-token')
  vi.stubEnv('NODE_OPTIONS', '--no-warnings')
  await repository.hook('pre-commit', 'env > "$HOME/seen"')
  await repository.write('a.txt', 'a')
  expect(await commit(['a.txt'])).toMatchObject({ committed: true })
  const seen = await readFile(join(repository.home, 'seen'), 'utf8')
  expect(seen).toContain('HOME=')
  expect(seen).not.toMatch(/ANTHROPIC|GH_TOKEN|NODE_OPTIONS/)
})

test('git is started by its path outside of the project, and only when the guard lets it', async () => {
  await repository.write('node_modules/.bin/git', '#!/bin/sh\necho > "$HOME/planted"\n')
  await chmod(join(repository.root, 'node_modules/.bin/git'), 0o755)
  vi.stubEnv('PATH', `${repository.root}/node_modules/.bin:${process.env.PATH}`)
  let trusted = true
  const guard = async () => {
    if (!trusted) throw new Error('changed')
  }
  const guarded = openGit(repository.root, { guard })
  expect(await guarded.head()).toBe(repository.git('rev-parse', 'HEAD').trim())
  await repository.write('a.txt', 'a')
  const request = { paths: ['a.txt'], message: 'a', attemptId: 'a-1' }
  trusted = false
  for (const call of [() => guarded.version(), () => guarded.dirty(), () => guarded.commit(request)])
    await expect(call()).rejects.toThrow('changed')
  trusted = true
  expect(await guarded.commit(request)).toMatchObject({ committed: true })
  expect(existsSync(join(repository.home, 'planted'))).toBe(false)
})

test.skipIf(!here.works)('hooks run confined, with their arguments, and what they say counts', async () => {
  if (!here.works) throw new Error(here.reason)
  const { tool } = here
  const { root, home } = repository
  const confined = openGit(root, {
    confineHooks: (writable) =>
      planConfinement({
        tool,
        root,
        home,
        env: { PATH: process.env.PATH ?? '' },
        ownPaths: [],
        autopilotPaths: [],
        allowed: [],
        readOnly: [],
        binds: [],
        writable,
      }),
  })
  await repository.hook('pre-commit', 'echo out > "$HOME/escaped"; echo in > inside.txt; git add inside.txt')
  await repository.hook('commit-msg', 'echo "Reviewed-by: hook" >> "$1"')
  await repository.write("it's.txt", 'a')
  const request = { paths: ["it's.txt"], message: 'one', attemptId: 'a-1' }
  expect(await confined.commit(request)).toMatchObject({ committed: true })
  expect(existsSync(join(home, 'escaped'))).toBe(false)
  expect(repository.git('log', '-1', '--format=%B')).toContain('Reviewed-by: hook')
  expect(committedPaths()).toEqual(['inside.txt', "it's.txt"])
  await repository.hook('pre-commit', 'echo no >&2; exit 1')
  await repository.write('b.txt', 'b')
  const refused = await confined.commit({ ...request, paths: ['b.txt'], attemptId: 'a-2' })
  expect(refused).toMatchObject({ committed: 'failed', kind: 'hook', output: expect.stringContaining('no') })
})

// A commit that was made is never called failed, and the user's index never shows it as taken back.

test.each([
  ['rewrites the message', 'commit-msg', 'echo "TICKET-1 work" > "$1"'],
  ['rewrites it and fails no more', 'prepare-commit-msg', 'echo "all new" > "$1"'],
  ['changes what is committed', 'pre-commit', 'echo extra >> a.txt; git add a.txt; true'],
])('a hook that %s', async (_what, hook, script) => {
  await repository.hook(hook, script)
  await repository.write('a.txt', 'a\n')
  const result = await commit(['a.txt'])
  expect(result).toMatchObject({ committed: true, sha: repository.git('rev-parse', 'HEAD').trim() })
  expect(status()).toBe('')
})

test('a hook that commits again: ours is found below it, and nothing is shown as taken back', async () => {
  await repository.hook(
    'post-commit',
    '[ -e log.txt ] && exit 0; echo noted > log.txt; git add log.txt; git commit -q --no-verify -m "note it"',
  )
  await repository.write('mine.txt', 'm')
  await repository.write('theirs.txt', 't')
  repository.git('add', 'theirs.txt')
  const result = await commit(['mine.txt'])
  expect(result).toMatchObject({ committed: true, sha: repository.git('rev-parse', 'HEAD~1').trim() })
  expect(repository.git('log', '-1', '--format=%s').trim()).toBe('note it')
  expect(status()).toBe('A  theirs.txt\n')
  // What an agent commits next deletes nothing.
  repository.git('commit', '-q', '--no-verify', '-m', 'agent')
  expect(repository.git('ls-files')).toContain('mine.txt')
  expect(repository.git('ls-files')).toContain('log.txt')
})

test('after a crash behind hooks that rewrite and commit again it is found, and the index follows', async () => {
  const start = await git.head()
  await repository.hook('commit-msg', 'echo "TICKET-1 work" > "$1"')
  await repository.hook(
    'post-commit',
    '[ -e log.txt ] && exit 0; echo noted > log.txt; git add log.txt; git commit -q --no-verify -m "note it"',
  )
  await repository.write('a.txt', 'a')
  const index = await readFile(join(repository.root, '.git/index'))
  await commit(['a.txt'])
  await writeFile(join(repository.root, '.git/index'), index)
  const ours = await git.findAttempt('a-1', start, ['a.txt'])
  expect(ours).toBe(repository.git('rev-parse', 'HEAD~1').trim())
  expect(await git.findAttempt('a-1', start, ['b.txt'])).toBeNull()
  await git.finishAttempt(ours ?? '', start)
  expect(status()).toBe('')
})

test('a hook that hangs is named while it does, and ended with its children when the run stops', async () => {
  const pidFile = join(repository.root, '.git/hook-child')
  await repository.hook('pre-commit', `setsid sleep 600 & echo $! > "${pidFile}"; wait`)
  await repository.write('a.txt', 'a')
  const calls = openGitCalls('run-1')
  const watched = openGit(repository.root, { calls, graceMs: 300 })
  const made = watched.commit({ paths: ['a.txt'], message: 'm', attemptId: 'a-1' })
  await vi.waitFor(() => expect(existsSync(pidFile)).toBe(true), { timeout: 20_000 })
  await vi.waitFor(
    async () => expect(await calls.slowest(0)).toMatchObject({ name: 'git commit, hook pre-commit' }),
    { timeout: 20_000 },
  )
  calls.end(0)
  expect(await made).toMatchObject({ committed: 'failed' })
  const child = Number(await readFile(pidFile, 'utf8'))
  await vi.waitFor(async () => expect(await isRunning(child)).toBe(false), { timeout: 10_000 })
  expect(await calls.slowest(0)).toBeUndefined()
})

test('hooks carry the marker of the run, so that its guard ends them', async () => {
  const seen = join(repository.root, '.git/seen')
  await repository.hook('pre-commit', `echo "$AUTOPILOT_RUN_ID" > "${seen}"`)
  await repository.write('a.txt', 'a')
  const watched = openGit(repository.root, { calls: openGitCalls('run-1') })
  await watched.commit({ paths: ['a.txt'], message: 'm', attemptId: 'a-1' })
  expect(await readFile(seen, 'utf8')).toBe('run-1\n')
})

test('names that git takes no file of, or that are no text, do not keep the others out', async () => {
  await repository.write('d/git~1', 'x')
  await repository.write('d/.git ', 'x')
  await repository.write('good.txt', 'g')
  await writeFile(Buffer.concat([Buffer.from(`${repository.root}/bad`), Buffer.from([0xff])]), 'x')
  const result = await commit((await git.dirty()).map(({ path }) => path))
  expect(committedPaths()).toEqual(['good.txt'])
  const left = result.committed === true ? (result.leftOut ?? []) : []
  expect(left.map(({ path, why }) => [path, why])).toEqual([
    ['bad\ufffd', 'its name is not UTF-8'],
    ['d/.git ', 'git takes no file of this name'],
    ['d/git~1', 'git takes no file of this name'],
  ])
})

test('what a hook puts into the commit besides is told', async () => {
  await repository.write('mine.txt', 'm')
  await repository.write('theirs.txt', 't')
  expect(await commit(['mine.txt'])).not.toHaveProperty('added')
  await repository.write('more.txt', 'm')
  await repository.hook('pre-commit', 'git add -A')
  expect(await commit(['more.txt'])).toMatchObject({ committed: true, added: ['theirs.txt'] })
})
