import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openGit } from '../../source/project/git.js'
import { lookForBeginning } from '../../source/project/git-beginning.js'
import { withTrailer } from '../../source/project/git-commit.js'
import { parseStatus } from '../../source/project/git-status.js'
import { secretKinds } from '../../source/project/secrets.js'
import { makeRepository, type TestRepository } from './repository.js'

let repository: TestRepository
beforeEach(async () => {
  repository = await makeRepository()
})
afterEach(async () => await repository.remove())

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

test('a healthy repository has no start problems', async () => {
  const git = openGit(repository.root)
  expect(await git.startProblems()).toEqual([])
  expect(await git.startDoubts()).toEqual([])
  expect(await git.branch()).toBe('main')
  expect(await git.version()).toMatch(/^\d+\.\d+/)
  expect(await git.head()).toBe(repository.git('rev-parse', 'HEAD').trim())
})

async function problemsOf(root: string): Promise<string[]> {
  const problems = await openGit(root).startProblems()
  for (const problem of problems)
    for (const part of [problem.what, problem.why, problem.todo]) expect(part).not.toBe('')
  return problems.map((problem) => `${problem.code}: ${problem.what}`)
}

test('no repository, a broken one, a bare one', async () => {
  expect(await problemsOf(repository.home)).toEqual([expect.stringMatching(/^repository: .*home directory/)])
  const plain = join(repository.home, 'plain')
  await mkdir(plain)
  expect(await problemsOf(plain)).toEqual([expect.stringMatching(/^repository: git does not accept/)])
  repository.git('init', '-q', '--bare', join(repository.home, 'bare.git'))
  expect(await problemsOf(join(repository.home, 'bare.git'))).toEqual([
    expect.stringMatching(/without a working tree/),
  ])
  await unlink(join(repository.root, '.git/HEAD'))
  expect(await problemsOf(repository.root)).toEqual([
    expect.stringMatching(/^repository: git does not accept/),
  ])
})

test('no commit, no identity', async () => {
  const empty = await makeRepository({ empty: true })
  try {
    await writeFile(join(empty.home, '.gitconfig'), '[user]\n\tuseConfigOnly = true\n')
    expect(await problemsOf(empty.root)).toEqual([
      expect.stringContaining('no commit yet'),
      expect.stringContaining('who you are'),
    ])
    const git = openGit(empty.root)
    expect(await git.head()).toBeNull()
    expect(await git.findAttempt('a', null)).toBeNull()
    expect(await git.commit({ paths: [], message: 'm', attemptId: 'a' })).toMatchObject({
      committed: 'failed',
    })
  } finally {
    await empty.remove()
  }
})

test('a commit or a branch that cannot be read is no missing first commit', async () => {
  const branch = join(repository.root, '.git/refs/heads/main')
  const id = repository.git('rev-parse', 'HEAD').trim()
  const object = join(repository.root, '.git/objects', id.slice(0, 2), id.slice(2))
  const bytes = await readFile(object)
  await rm(object)
  expect(await problemsOf(repository.root)).toEqual([
    `repository: HEAD names the commit ${id}, which cannot be read.`,
  ])
  await writeFile(object, bytes)
  expect(await problemsOf(repository.root)).toEqual([])
  for (const damage of ['', '\0'.repeat(41)]) {
    await writeFile(branch, damage)
    expect(await problemsOf(repository.root)).toEqual([
      'repository: The file of the branch main names no commit.',
    ])
    await expect(lookForBeginning(repository.root, [])).rejects.toMatchObject({ code: 'repository' })
  }
})

test.each([
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['sequencer', 'sequence of picks'],
  ['BISECT_LOG', 'bisect'],
])('%s is an operation in progress', async (file, operation) => {
  await writeFile(join(repository.root, '.git', file), '')
  expect(await openGit(repository.root).inProgress()).toBe(operation)
  expect(await problemsOf(repository.root)).toEqual([
    expect.stringContaining(`A ${operation} is in progress`),
  ])
})

test('an index lock and a missing git are start problems', async () => {
  await writeFile(join(repository.root, '.git/index.lock'), '')
  expect(await problemsOf(repository.root)).toEqual([expect.stringContaining('index.lock')])
  vi.stubEnv('PATH', join(repository.home, 'nothing'))
  expect(await problemsOf(repository.root)).toEqual([expect.stringMatching(/^git: git was not found/)])
  await expect(openGit(repository.root).dirty()).rejects.toMatchObject({ code: 'git' })
})

test('dirty submodules and missing large-file storage are doubts', async () => {
  const other = await makeRepository()
  try {
    repository.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', other.root, 'sub')
    await repository.write('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n')
    repository.commitAll('second')
    await repository.write('sub/readme.md', 'changed')
    const bin = join(repository.home, 'bin')
    await mkdir(bin)
    const git = repository.git('--exec-path').trim()
    await symlink(join(git, 'git'), join(bin, 'git'))
    vi.stubEnv('PATH', bin)
    const open = openGit(repository.root)
    expect((await open.startDoubts()).map((doubt) => doubt.what)).toEqual([
      expect.stringContaining('sub'),
      expect.stringContaining('git-lfs'),
    ])
    repository.git('config', 'filter.lfs.clean', 'git-lfs clean -- %f')
    expect(await open.startDoubts()).toHaveLength(2)
    // Somebody stores them with another program.
    repository.git('config', 'filter.lfs.clean', 'cat')
    expect(await open.startDoubts()).toHaveLength(1)
    expect(await open.dirty()).toEqual([])
  } finally {
    await other.remove()
  }
})

test('dirty paths carry hashes; what changed since is told apart from what was dirty before', async () => {
  const git = openGit(repository.root)
  await repository.write('user.txt', 'one')
  await repository.write('same.txt', 'same')
  await repository.write('deep/er/untracked.txt', 'u')
  repository.git('add', 'same.txt')
  const before = await git.dirty()
  expect(before).toEqual([
    { path: 'deep/er/untracked.txt', hash: sha256('u'), staged: false },
    { path: 'same.txt', hash: sha256('same'), staged: true },
    { path: 'user.txt', hash: sha256('one'), staged: false },
  ])
  await repository.write('user.txt', 'two')
  await repository.write('agent.txt', 'a')
  await unlink(join(repository.root, 'readme.md'))
  expect(await git.changedSince(before)).toEqual({
    mine: ['agent.txt', 'readme.md'],
    beforehand: ['user.txt'],
  })
  expect((await git.dirty()).find((each) => each.path === 'readme.md')?.hash).toBeNull()
})

test('a staged rename is both of its paths', async () => {
  repository.git('config', 'status.renames', 'true')
  repository.git('mv', 'readme.md', 'renamed.md')
  expect((await openGit(repository.root).dirty()).map((each) => [each.path, each.staged])).toEqual([
    ['readme.md', true],
    ['renamed.md', true],
  ])
  expect(
    parseStatus('2 R. N... 100644 100644 100644 a b R100 new name\0old name\0? x\0').map((e) => e.path),
  ).toEqual(['new name', 'old name', 'x'])
})

test('inherited GIT_ variables point git nowhere else', async () => {
  const other = await makeRepository()
  try {
    vi.stubEnv('GIT_DIR', join(other.root, '.git'))
    vi.stubEnv('GIT_INDEX_FILE', '/nonexistent/index')
    vi.stubEnv('GIT_WORK_TREE', other.root)
    vi.stubEnv('EDITOR', 'false')
    await repository.write('a.txt', 'a')
    const git = openGit(repository.root)
    expect((await git.dirty()).map((each) => each.path)).toEqual(['a.txt'])
    expect(await git.commit({ paths: ['a.txt'], message: 'm', attemptId: 'a' })).toMatchObject({
      committed: true,
    })
    expect(repository.git('log', '-1', '--format=%s').trim()).toBe('m')
  } finally {
    await other.remove()
  }
})

test('reading runs neither the file watcher, the pager, nor external diffs of the repository', async () => {
  const trap = join(repository.home, 'trap')
  await writeFile(trap, `#!/bin/sh\necho ran >> "${repository.home}/ran"\n`)
  await chmod(trap, 0o755)
  for (const key of [
    'core.fsmonitor',
    'core.pager',
    'diff.external',
    'diff.x.textconv',
    'core.editor',
    'gpg.program',
  ]) {
    repository.git('config', key, trap)
  }
  repository.git('config', 'log.showSignature', 'true')
  await repository.write('.gitattributes', '*.md diff=x\n')
  const git = openGit(repository.root)
  await repository.write('readme.md', 'changed\n')
  await git.dirty()
  const from = await git.head()
  await git.commit({ paths: ['readme.md', '.gitattributes'], message: 'm', attemptId: 'a' })
  expect(await git.diff(from ?? '', 'HEAD', 10_000)).toContain('+changed')
  expect((await git.log(from ?? '')).map((each) => each.subject)).toEqual(['m'])
  expect(await git.changedFiles(from ?? '')).toEqual(['.gitattributes', 'readme.md'])
  expect(existsSync(join(repository.home, 'ran'))).toBe(false)
})

test('revisions: names, short ids, options and nonsense', async () => {
  const git = openGit(repository.root)
  const head = (await git.head()) ?? ''
  expect(await git.resolveRevision('HEAD')).toBe(head)
  expect(await git.resolveRevision(head.slice(0, 8))).toBe(head)
  for (const text of ['', 'nope', '--all', '-n1', 'HEAD..HEAD', 'HEAD HEAD', 'a\0b', '--output=x']) {
    expect(await git.resolveRevision(text)).toBeNull()
  }
  expect(await git.exists(head)).toBe(true)
  expect(await git.exists(head.replace(/^./, (c) => (c === '0' ? '1' : '0')))).toBe(false)
  expect(await git.exists('HEAD')).toBe(false)
  await expect(git.changedFiles('nope')).rejects.toMatchObject({ code: 'git' })
  await expect(git.log('--output=x')).rejects.toMatchObject({ code: 'git' })
})

test('log, diff and its cap leave session files out', async () => {
  const git = openGit(repository.root, { ownPaths: ['.harness/sessions'] })
  const from = (await git.head()) ?? ''
  expect(await git.hasDiff(from)).toBe(false)
  await repository.write('.harness/sessions/s/x.json', '{}')
  repository.commitAll('session by mistake')
  expect(await git.hasDiff(from)).toBe(false)
  await repository.write('big.txt', 'line\n'.repeat(10_000))
  repository.git('add', '-A')
  repository.git('commit', '-q', '-m', 'subject', '-m', 'body one\n\nbody two')
  expect(await git.hasDiff(from)).toBe(true)
  expect((await git.log(from)).map(({ subject, body }) => [subject, body])).toEqual([
    ['subject', 'body one\n\nbody two'],
    ['session by mistake', ''],
  ])
  const dated = await git.commitTimes(from, 10)
  expect(dated.map(({ subject }) => subject)).toEqual(['session by mistake', 'subject'])
  expect(Math.abs(Date.parse(dated[1]?.at ?? '') - Date.now())).toBeLessThan(3_600_000)
  expect((await git.commitTimes(from, 1)).map(({ subject }) => subject)).toEqual(['subject'])
  const diff = await git.diff(from, 'HEAD', 1_000)
  expect(diff).toContain('big.txt')
  expect(diff).toContain('cut after 1000 bytes')
  expect(diff.length).toBeLessThan(1_100)
  expect(diff).not.toContain('x.json')
})

test('a deleted repository is a problem, not an empty answer', async () => {
  const git = openGit(repository.root)
  await git.dirty()
  await rm(join(repository.root, '.git'), { recursive: true })
  await expect(git.dirty()).rejects.toMatchObject({ code: 'git' })
  await expect(git.commit({ paths: ['readme.md'], message: 'm', attemptId: 'a' })).rejects.toMatchObject({
    code: 'git',
  })
})

test('secrets are found by name and content, and their value is not told', async () => {
  // Put together here so that the test file itself holds nothing that looks like a secret.
  const values = {
    'AWS access key': `AKIA${'ABCDEFGH12345678'}`,
    'GitHub token': `ghp_${'a1'.repeat(18)}`,
    'API key': `sk-${'ant-a1b2c3d4e5f6g7h8i9'}`,
    'Slack token': `xoxb-${'1234567890-abcdef'}`,
    'Google API key': `AIza${'a'.repeat(35)}`,
    'private key': `-----BEGIN RSA ${'PRIVATE'} KEY-----`,
    'JSON web token': `eyJ${'hbGciOiJI'}.eyJ${'zdWIiOiIx'}.${'c2lnbmF0dXJl'}`,
  }
  for (const [kind, value] of Object.entries(values)) expect(secretKinds(`x = "${value}"`)).toEqual([kind])
  expect(
    secretKinds('run the task-list-of-the-week-2024-edition-now, .sk-folding-cube-container-big'),
  ).toEqual([])
  await repository.write('code.ts', `const key = '${values['AWS access key']}'\n`)
  await repository.write('.env.local', 'A=1')
  await repository.write('id_rsa', 'x')
  await repository.write('clean.ts', 'const a = 1')
  await symlink('/etc/passwd', join(repository.root, 'credentials'))
  const paths = [
    'code.ts',
    '.env.local',
    'id_rsa',
    'clean.ts',
    'credentials',
    'absent.pem',
    '../home/.gitconfig',
  ]
  const hits = await openGit(repository.root).secretsIn(paths)
  expect(hits).toEqual([
    { path: 'code.ts', kind: 'AWS access key' },
    { path: '.env.local', kind: 'file name .env.local' },
    { path: 'id_rsa', kind: 'file name id_rsa' },
  ])
  expect(JSON.stringify(hits)).not.toContain(values['AWS access key'])
})

test('the trailer joins a block of trailers and stands apart from text', () => {
  expect(withTrailer('subject', 'x')).toBe('subject\n\nAutopilot-Attempt: x\n')
  expect(withTrailer('fix: it', 'x')).toBe('fix: it\n\nAutopilot-Attempt: x\n')
  expect(withTrailer('s\n\nRefs: #1', 'x')).toBe('s\n\nRefs: #1\nAutopilot-Attempt: x\n')
})

test('a pipe in the place of a file is named in the difference, and the rest of it is shown', async () => {
  const from = repository.git('rev-parse', 'HEAD').trim()
  await repository.write('other.txt', 'one\n')
  repository.git('add', 'other.txt')
  await rm(join(repository.root, 'readme.md'))
  execFileSync('mkfifo', [join(repository.root, 'readme.md')])
  const text = await openGit(repository.root).diffSince(from, 10_000)
  expect(text).toContain('b/readme.md\n[not shown: no regular file any more]')
  expect(text).toContain('+one')
})

test.each([
  ['trailer.separators', '='],
  ['core.commentChar', 'A'],
])('a commit of ours is found again whatever %s is', async (name, value) => {
  const from = repository.git('rev-parse', 'HEAD').trim()
  await repository.write('a.txt', 'a')
  const git = openGit(repository.root)
  const made = await git.commit({ paths: ['a.txt'], message: 'm', attemptId: 'a-1' })
  repository.git('config', name, value)
  expect(made).toMatchObject({ sha: await git.findAttempt('a-1', from) })
})
