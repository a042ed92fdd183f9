import { execFileSync } from 'node:child_process'
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { compareSnapshots, deeperHistory } from '../../../source/project/snapshot/compare.js'
import type { Difference } from '../../../source/project/snapshot/difference.js'
import { differenceText } from '../../../source/project/snapshot/difference-text.js'
import { takeSnapshot } from '../../../source/project/snapshot/snapshot.js'
import type { Snapshot, SnapshotPlace } from '../../../source/project/snapshot/snapshot-types.js'
import { makeRepository, type TestRepository } from '../repository.js'

let repository: TestRepository
let place: SnapshotPlace

beforeEach(async () => {
  repository = await makeRepository()
  place = { root: repository.root, store: join(repository.home, 'store') }
})

afterEach(async () => {
  await repository.remove()
})

const at = (path: string) => join(repository.root, path)
const snapshot = async () => await takeSnapshot(place)

async function since(before: Snapshot, beforehand: string[] = []): Promise<Difference[]> {
  return await compareSnapshots(place, { before, after: await snapshot(), beforehand })
}

/** What an action leaves behind. */
async function differences(action: () => unknown): Promise<Difference[]> {
  const before = await snapshot()
  await action()
  return await since(before)
}

function words(found: readonly Difference[]): string[] {
  return found.map(({ part, kind, name, change, traits }) =>
    [...(part ? [`[${part}]`] : []), kind, name, change, ...traits].join(' '),
  )
}

const left = async (action: () => unknown) => words(await differences(action))

describe('files', () => {
  test('nothing happened: the same id, and no difference', async () => {
    const before = await snapshot()
    expect(await snapshot()).toEqual(before)
    expect(await since(before)).toEqual([])
  })

  test('new, changed, removed, a mode, a link, another type', async () => {
    await repository.write('a.txt', 'a')
    await repository.write('b.txt', 'b')
    await repository.write('run.sh', 'x')
    await repository.write('turn', 'x')
    repository.commitAll('files')
    const found = await left(async () => {
      await repository.write('new dir/new.txt', 'n')
      await repository.write('a.txt', 'A')
      await unlink(at('b.txt'))
      await chmod(at('run.sh'), 0o755)
      await symlink('/etc/passwd', at('link'))
      await unlink(at('turn'))
      await symlink('a.txt', at('turn'))
    })
    expect(found).toEqual([
      'file a.txt changed',
      'file b.txt removed',
      'file link added link',
      'file new dir/new.txt added',
      'file run.sh changed mode',
      'file turn changed link type',
    ])
  })

  test('content of the same length with the old time of change is seen', async () => {
    await repository.write('a.txt', 'one')
    const old = new Date(1_600_000_000_000)
    await utimes(at('a.txt'), old, old)
    const found = await left(async () => {
      await repository.write('a.txt', 'two')
      await utimes(at('a.txt'), old, old)
    })
    expect(found).toEqual(['file a.txt changed'])
  })

  test('a touched file and one that was changed back are no difference', async () => {
    const found = await left(async () => {
      await repository.write('readme.md', 'other\n')
      await repository.write('readme.md', 'hello\n')
      await utimes(at('readme.md'), new Date(), new Date())
    })
    expect(found).toEqual([])
  })

  test('a directory in the place of a file, and a link in the place of a directory', async () => {
    await repository.write('a', 'file')
    await repository.write('d/x', 'x')
    const found = await left(async () => {
      await unlink(at('a'))
      await repository.write('a/inner', 'i')
      await rename(at('d'), join(repository.home, 'elsewhere'))
      await symlink(join(repository.home, 'elsewhere'), at('d'))
    })
    expect(found).toEqual(['file a removed', 'file a/inner added', 'file d added link', 'file d/x removed'])
  })

  test('names with a newline, with quotes, with bytes that are no UTF-8', async () => {
    const strange = Buffer.concat([Buffer.from(`${repository.root}/caf`), Buffer.from([0xe9, 0xff])])
    const found = await differences(async () => {
      await repository.write('two\nlines', 'x')
      await repository.write('"quoted" \\ ä', 'x')
      await writeFile(strange, 'x')
    })
    expect(found.map((each) => each.name)).toEqual(['"quoted" \\ ä', 'caf\udce9\udcff', 'two\nlines'].sort())
    expect(JSON.parse(JSON.stringify(found))).toEqual(found)
    await unlink(strange)
  })

  test('a rename that changes only case', async () => {
    await repository.write('Name.txt', 'n')
    repository.commitAll('name')
    expect(await left(async () => await rename(at('Name.txt'), at('name.txt')))).toEqual([
      'file Name.txt removed',
      'file name.txt added',
    ])
  })

  test('pipes and sockets are never opened, also in the place of a file', async () => {
    await repository.write('was-file', 'x')
    const server = createServer()
    const found = await left(async () => {
      execFileSync('mkfifo', [at('pipe')])
      await new Promise<void>((resolve) => server.listen(at('socket'), resolve))
      await unlink(at('was-file'))
      execFileSync('mkfifo', [at('was-file')])
    })
    server.close()
    expect(found).toEqual(['file was-file removed'])
    expect(await left(() => undefined)).toEqual([])
  })

  test('files that cannot be read are compared by size and times', async () => {
    await repository.write('closed', 'x')
    await chmod(at('closed'), 0o000)
    const before = await snapshot()
    expect(words(await since(before))).toEqual([])
    await writeFile(at('open'), 'x')
    expect(words(await since(before))).toEqual(['file open added'])
  })

  test('a file of 300 MB is known by size and times, costs nothing and leaves nothing in .git', async () => {
    await repository.write('large', '')
    await truncate(at('large'), 300 * 1024 * 1024)
    const before = await snapshot()
    expect(words(await since(before))).toEqual([])
    await utimes(at('large'), new Date(1_600_000_000_000), new Date(1_600_000_000_000))
    const middle = await snapshot()
    expect(await snapshot()).toEqual(middle)
    await truncate(at('large'), 1)
    expect(words(await since(before))).toEqual(['file large changed unstored by-lstat'])
    const objects = await readdir(join(place.store, 'git/objects'), { recursive: true, withFileTypes: true })
    expect(objects.filter((each) => each.isFile()).length).toBeLessThan(30)
  })

  test('untracked content is kept up to 64 MB in all', async () => {
    for (let file = 0; file < 17; file += 1)
      await repository.write(`out/${file}`, Buffer.alloc(4 * 1024 * 1024, `${file} `))
    const before = await snapshot()
    await rm(at('out'), { recursive: true })
    const found = await since(before)
    expect(found.length).toBe(17)
    expect(found.filter((each) => each.traits.includes('unstored')).length).toBe(1)
  })

  test('paths that were dirty before the run are named as such', async () => {
    const before = await snapshot()
    await repository.write('readme.md', 'other')
    expect(words(await since(before, ['readme.md']))).toEqual(['file readme.md changed beforehand'])
  })

  test('session files are no change of the project', async () => {
    place = { ...place, ownPaths: ['.work/sessions'] }
    await repository.write('.work/sessions/one/state.json', '{}')
    repository.commitAll('session')
    const found = await left(async () => {
      await repository.write('.work/sessions/one/state.json', '{"a":1}')
      await repository.write('.work/sessions/two/state.json', '{}')
      await repository.write('.work/other', 'x')
    })
    expect(found).toEqual(['file .work/other added'])
  })
})

describe('what is executed', () => {
  test('filters, monitors, hooks, attributes and the settings of the person do nothing', async () => {
    const canary = join(repository.home, 'canary')
    const run = `touch ${canary}; cat`
    repository.git('config', 'filter.evil.clean', run)
    repository.git('config', 'filter.evil.smudge', run)
    repository.git('config', 'core.fsmonitor', `touch ${canary}; false`)
    repository.git('config', '--global', 'core.hooksPath', at('hooks'))
    for (const hook of ['post-index-change', 'reference-transaction', 'pre-commit'])
      await repository.write(`hooks/${hook}`, `#!/bin/sh\ntouch ${canary}\n`)
    for (const hook of await readdir(at('hooks'))) await chmod(at(`hooks/${hook}`), 0o755)
    await repository.write('.gitattributes', '* filter=evil text eol=crlf\n')
    await repository.write('a.txt', 'a\n')
    const found = await left(async () => await repository.write('a.txt', 'b\n'))
    expect(found).toEqual(['file a.txt changed'])
    expect(await lstat(canary).catch(() => 'none')).toBe('none')
  })

  test('autocrlf: bytes are compared, and a touched file is no difference', async () => {
    repository.git('config', 'core.autocrlf', 'true')
    await repository.write('dos.txt', 'one\r\ntwo\r\n')
    repository.commitAll('dos')
    const before = await snapshot()
    await utimes(at('dos.txt'), new Date(), new Date())
    expect(words(await since(before))).toEqual([])
    await repository.write('dos.txt', 'one\ntwo\n')
    expect(words(await since(before))).toEqual(['file dos.txt changed'])
  })

  test('nothing is written into the project', async () => {
    const look = async () =>
      (await readdir(at('.git'), { recursive: true })).filter((each) => !each.includes('logs')).sort()
    await repository.write('new.txt', 'n')
    const before = await look()
    await snapshot()
    expect(await look()).toEqual(before)
  })
})

describe('refs', () => {
  test('a commit on top, new branches and tags', async () => {
    const found = await left(async () => {
      await repository.write('a.txt', 'a')
      repository.commitAll('work')
      repository.git('branch', 'other')
      repository.git('tag', 'v1')
    })
    expect(found).toEqual([
      'file a.txt added',
      'ref refs/heads/main forward current-branch',
      'ref refs/heads/other added',
      'ref refs/tags/v1 added',
    ])
  })

  test('amended, reset away, a tag moved, a branch deleted, another branch checked out', async () => {
    await repository.write('a.txt', 'a')
    repository.commitAll('second')
    repository.git('tag', 'v1')
    repository.git('branch', 'other')
    const amended = await left(() => repository.git('commit', '-q', '--amend', '-m', 'forged'))
    expect(amended).toEqual(['ref refs/heads/main changed current-branch'])
    const reset = await left(() => repository.git('reset', '-q', '--hard', 'HEAD~1'))
    expect(reset).toEqual(['file a.txt removed', 'ref refs/heads/main changed current-branch backward'])
    const rest = await left(() => {
      repository.git('tag', '-f', 'v1')
      repository.git('branch', '-D', 'other')
      repository.git('checkout', '-q', '-b', 'aside')
    })
    expect(rest).toEqual([
      'ref HEAD changed',
      'ref refs/heads/aside added',
      'ref refs/heads/other removed',
      'ref refs/tags/v1 changed',
    ])
  })

  test('the stash, entry by entry', async () => {
    const stash = async (text: string) => {
      await repository.write('readme.md', text)
      repository.git('stash')
    }
    await stash('one')
    expect(await left(async () => await stash('two'))).toEqual(['stash refs/stash added'])
    expect(await left(() => repository.git('stash', 'drop', 'stash@{1}'))).toEqual([
      'stash refs/stash removed',
    ])
  })

  test('git gc, fetched remote branches and push -u are no difference', async () => {
    const found = await left(() => {
      repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
      repository.git('config', 'branch.main.remote', 'origin')
      repository.git('gc', '-q')
    })
    expect(found).toEqual([])
  })

  test('pushes, and what is moved back or gone at a remote, here and elsewhere; a fetch is free', async () => {
    const origin = join(repository.home, 'origin.git')
    const head = repository.git('rev-parse', 'HEAD').trim()
    repository.git('init', '-q', '--bare', origin)
    repository.git('remote', 'add', 'origin', origin)
    repository.git('push', '-q', 'origin', 'main', 'main:old', 'main:refs/tags/r1')
    const pushed = await left(async () => {
      repository.git('commit', '-q', '--allow-empty', '-m', 'more')
      repository.git('push', '-q', 'origin', 'main', 'main:new')
    })
    const there = (...refs: string[]) => refs.map((ref) => `ref refs/remotes/origin/${ref}`)
    expect(pushed).toEqual([
      'ref refs/heads/main forward current-branch',
      ...there('main forward remote pushed unstored', 'new added remote pushed unstored'),
    ])
    const forced = await left(() =>
      repository.git('push', '-q', 'origin', `+${head}:refs/heads/main`, ':old', ':refs/tags/r1'),
    )
    const ofOrigin = [
      'heads/main changed remote unstored',
      'heads/old removed remote unstored',
      'tags/r1 removed remote unstored',
    ]
    expect(forced).toEqual([
      ...ofOrigin.map((ref) => `ref ${origin} refs/${ref}`),
      ...there('main forward remote pushed unstored'),
    ])
    repository.git('remote', 'set-url', 'origin', 'https://example.invalid/x.git')
    repository.git('push', '-q', origin, 'main:main', 'main:old')
    const instead = ['-c', `url.${origin}.insteadOf=https://example.invalid/x.git`]
    expect(await left(() => repository.git(...instead, 'fetch', '-q', '--prune'))).toEqual([])
    expect(
      await left(() => repository.git(...instead, 'push', '-q', 'origin', `+${head}:main`, ':old')),
    ).toEqual(there('main changed remote pushed unstored', 'old removed remote unstored'))
    repository.git('push', '-q', origin, 'main:main', ':new')
    expect(await left(() => repository.git(...instead, 'fetch', '-q', '--prune'))).toEqual(
      there('new removed remote unstored fetched'),
    )
  })

  test('refs of other kinds come, go and move; those of a moment are free', async () => {
    const [head, other] = [
      repository.git('rev-parse', 'HEAD').trim(),
      repository.git('commit-tree', '-m', 'other', 'HEAD^{tree}').trim(),
    ]
    for (const ref of ['refs/backup/main', 'refs/reviews/1', 'refs/wip/main'])
      repository.git('update-ref', ref, other)
    repository.git('pack-refs', '--all')
    const found = await left(() => {
      repository.git('update-ref', 'refs/backup/main', head)
      repository.git('update-ref', '-d', 'refs/reviews/1')
      repository.git(
        'update-ref',
        'refs/wip/main',
        repository.git('commit-tree', '-p', other, '-m', 'x', 'HEAD^{tree}').trim(),
      )
      repository.git('update-ref', 'refs/checkpoints/1', head)
      repository.git('update-ref', 'refs/bisect/bad', head)
    })
    expect(found).toEqual([
      'ref refs/backup/main changed',
      'ref refs/checkpoints/1 added',
      'ref refs/reviews/1 removed',
      'ref refs/wip/main forward',
    ])
  })

  test('a replaced object and a graft do not change what is compared', async () => {
    const first = repository.git('rev-parse', 'HEAD').trim()
    await repository.write('a.txt', 'a')
    const second = repository.commitAll('second')
    const found = await left(() => repository.git('replace', second, first))
    expect(found).toEqual([`ref refs/replace/${second} added`])
  })

  test('another work tree moves its branch', async () => {
    repository.git('worktree', 'add', '-q', join(repository.home, 'tree'), '-b', 'side')
    const found = await left(() =>
      repository.git('-C', join(repository.home, 'tree'), 'commit', '-q', '--allow-empty', '-m', 'x'),
    )
    expect(found).toEqual(['ref refs/heads/side forward other-worktree'])
  })

  test('another work tree rebases its branch, and takes commits from it', async () => {
    const tree = join(repository.home, 'tree')
    repository.git('worktree', 'add', '-q', tree, '-b', 'side')
    for (const name of ['one', 'two']) {
      await writeFile(join(tree, name), name)
      repository.git('-C', tree, 'add', name)
      repository.git('-C', tree, 'commit', '-q', '-m', name)
    }
    await repository.write('main.txt', 'main')
    repository.commitAll('main')
    expect(await left(() => repository.git('-C', tree, 'rebase', '-q', 'main'))).toEqual([
      'ref refs/heads/side changed other-worktree rebased',
    ])
    expect(await left(() => repository.git('-C', tree, 'reset', '-q', '--hard', 'HEAD~1'))).toEqual([
      'ref refs/heads/side changed other-worktree',
    ])
  })
})

describe('the index', () => {
  test('staged, unstaged, and committed by the dispatch', async () => {
    await repository.write('mine.txt', 'm')
    repository.git('add', 'mine.txt')
    const staged = await left(async () => {
      await repository.write('readme.md', 'r')
      repository.git('add', 'readme.md')
    })
    expect(staged).toEqual(['file readme.md changed', 'index readme.md added staged'])
    expect(await left(() => repository.git('reset', '-q', 'mine.txt'))).toEqual([
      'index mine.txt removed unstaged beforehand',
    ])
    expect(await left(() => repository.git('commit', '-q', '-m', 'x'))).toEqual([
      'index readme.md removed unstaged beforehand',
      'ref refs/heads/main forward current-branch',
    ])
  })

  test('bits that hide a change are seen, and so is the change', async () => {
    const found = await left(async () => {
      repository.git('update-index', '--assume-unchanged', 'readme.md')
      await repository.write('readme.md', 'hidden')
    })
    expect(found).toEqual(['bits readme.md added', 'file readme.md changed'])
    repository.git('update-index', '--no-assume-unchanged', '--skip-worktree', 'readme.md')
    expect(await left(async () => await repository.write('readme.md', 'again'))).toEqual([
      'file readme.md changed',
    ])
  })

  test('a sparse checkout that grows shows what it had left out', async () => {
    await repository.write('far/a.txt', 'a')
    await repository.write('near/a.txt', 'a')
    repository.commitAll('far and near')
    repository.git('sparse-checkout', 'set', '--cone', 'near')
    const found = await left(() => repository.git('sparse-checkout', 'add', 'far'))
    expect(found).toEqual(['bits far/a.txt removed left-out', 'file far/a.txt added'])
    repository.git('update-index', '--skip-worktree', 'near/a.txt')
    const shown = await left(() => repository.git('update-index', '--no-skip-worktree', 'near/a.txt'))
    expect(shown).toEqual(['bits near/a.txt removed'])
  })

  test('split index, index version 4 and a conflict', async () => {
    await repository.write('a/long/path/one.txt', '1')
    await repository.write('a/long/path/two.txt', '2')
    repository.commitAll('two')
    repository.git('update-index', '--split-index')
    expect(await left(async () => await repository.write('a/long/path/one.txt', 'x'))).toEqual([
      'file a/long/path/one.txt changed',
    ])
    repository.git('update-index', '--no-split-index', '--index-version', '4')
    repository.git('update-index', '--assume-unchanged', 'a/long/path/two.txt')
    const before = await snapshot()
    repository.git('update-index', '--no-assume-unchanged', 'a/long/path/two.txt')
    expect(words(await since(before))).toEqual(['bits a/long/path/two.txt removed'])
  })
})

describe('what is ignored', () => {
  test('single files by size and time, directories free', async () => {
    await repository.write('.gitignore', '*.log\n.env\nbuild/\n')
    await repository.write('.env', 'A=1')
    await repository.write('old.log', 'x')
    const found = await left(async () => {
      await repository.write('.env', 'A=22')
      await repository.write('new.log', 'x')
      await repository.write('build/out.js', 'x')
      await unlink(at('old.log'))
    })
    expect(found).toEqual([
      'ignored .env changed unstored by-lstat secret-name',
      'ignored old.log removed unstored by-lstat',
    ])
  })

  test('what an edited ignore file hides is listed, whatever was tracked stays seen', async () => {
    await repository.write('.gitignore', '*.log\n')
    await repository.write('there.txt', 't')
    const found = await left(async () => {
      await repository.write('.gitignore', '*.log\nsecret/\nthere.txt\n')
      await repository.write('secret/work.js', 'x')
      await repository.write('there.txt', 'changed')
      await repository.write('a.log', 'x')
    })
    expect(found).toEqual([
      'file .gitignore changed ignore-file',
      'file there.txt changed',
      'hidden secret added unstored directory',
    ])
  })

  test('info/exclude hides nothing either, and a cache that ignores itself says so', async () => {
    const found = await differences(async () => {
      await writeFile(at('.git/info/exclude'), 'hidden.txt\n')
      await repository.write('hidden.txt', 'x')
      await repository.write('.cache/.gitignore', '*\n')
      await repository.write('.cache/x', 'x')
    })
    expect(words(found)).toEqual([
      'hidden .cache added unstored directory',
      'hidden hidden.txt added unstored',
    ])
    expect(found[0]?.detail).toBe('ignores itself')
  })

  test('the list of the person counts', async () => {
    await mkdir(join(repository.home, '.config/git'), { recursive: true })
    await writeFile(join(repository.home, '.config/git/ignore'), '.DS_Store\n')
    expect(await left(async () => await repository.write('.DS_Store', 'x'))).toEqual([])
  })
})

describe('kinds of repositories', () => {
  test('without a repository there is a clear error', async () => {
    await expect(takeSnapshot({ ...place, root: repository.home })).rejects.toMatchObject({
      code: 'repository',
      what: expect.stringContaining('no git repository'),
    })
  })

  test('.git replaced by a file that leads nowhere, and by one that leads elsewhere', async () => {
    const before = await snapshot()
    await rename(at('.git'), join(repository.home, 'moved'))
    await writeFile(at('.git'), 'gitdir: /nowhere\n')
    await expect(snapshot()).rejects.toMatchObject({ code: 'repository' })
    await writeFile(at('.git'), `gitdir: ${join(repository.home, 'moved')}\n`)
    expect(words(await since(before))).toEqual(['protected .git changed git-settings'])
    await unlink(at('.git'))
    execFileSync('mkfifo', [at('.git')])
    await expect(snapshot()).rejects.toMatchObject({ code: 'repository' })
  })

  test('a linked work tree', async () => {
    const tree = join(repository.home, 'tree')
    repository.git('worktree', 'add', '-q', tree, '-b', 'side')
    place = { ...place, root: tree }
    const found = await left(async () => {
      await writeFile(join(tree, 'new.txt'), 'n')
      repository.git('-C', tree, 'add', '-A')
      repository.git('-C', tree, 'commit', '-q', '-m', 'x')
    })
    expect(found).toEqual(['file new.txt added', 'ref refs/heads/side forward current-branch'])
  })

  test('a shallow clone', async () => {
    await repository.write('a.txt', 'a')
    repository.commitAll('second')
    const clone = join(repository.home, 'clone')
    repository.git('clone', '-q', '--depth', '1', `file://${repository.root}`, clone)
    place = { ...place, root: clone }
    const found = await differences(() => {
      repository.git('-C', clone, 'commit', '-q', '--allow-empty', '-m', 'x')
      repository.git('-C', clone, 'fetch', '-q', '--unshallow')
    })
    expect(words(found)).toEqual(['ref refs/heads/main forward current-branch', 'ref shallow changed'])
    expect(found[1]?.detail).toBe(deeperHistory)
    const head = repository.git('-C', clone, 'rev-parse', 'HEAD')
    const [cut] = await differences(() => writeFile(join(clone, '.git/shallow'), head))
    expect([cut?.name, cut?.detail]).toEqual(['shallow', undefined])
  })

  test('a shallow clone that gets a few commits more, and one that is cut off again behind them', async () => {
    for (const name of ['a', 'b', 'c', 'd']) {
      await repository.write(name, name)
      repository.commitAll(name)
    }
    const clone = join(repository.home, 'clone')
    repository.git('clone', '-q', '--depth', '1', `file://${repository.root}`, clone)
    place = { ...place, root: clone }
    const [deeper] = await differences(() => repository.git('-C', clone, 'fetch', '-q', '--deepen', '2'))
    expect([deeper?.name, deeper?.detail]).toEqual(['shallow', deeperHistory])
    const head = repository.git('-C', clone, 'rev-parse', 'HEAD')
    const [cut] = await differences(() => {
      repository.git('-C', clone, 'fetch', '-q', '--unshallow')
      return writeFile(join(clone, '.git/shallow'), head)
    })
    expect([cut?.name, cut?.detail]).toEqual(['shallow', undefined])
  })

  test('on a branch that is another name of a branch', async () => {
    const head = repository.git('rev-parse', 'HEAD').trim()
    repository.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main')
    repository.git('symbolic-ref', 'HEAD', 'refs/heads/alias')
    expect((await snapshot()).head).toBe(head)
  })

  test('before the first commit, and a detached HEAD', async () => {
    const head = repository.git('rev-parse', 'HEAD').trim()
    repository.git('checkout', '-q', '--orphan', 'fresh')
    expect((await snapshot()).head).toBe(null)
    expect(await left(() => repository.git('commit', '-q', '-m', 'first'))).toContain(
      'ref refs/heads/fresh added current-branch',
    )
    repository.git('checkout', '-q', head)
    expect(await snapshot()).toMatchObject({ head, branch: null })
    expect(await left(() => repository.git('commit', '-q', '--allow-empty', '-m', 'on'))).toEqual([
      'ref HEAD forward current-branch',
    ])
  })

  test('submodules and nested repositories have snapshots of their own', async () => {
    const other = await import('node:fs/promises').then(
      async ({ mkdtemp }) => await mkdtemp(join(repository.home, 'o')),
    )
    repository.git('-C', other, 'init', '-q')
    await writeFile(join(other, 'inner.txt'), 'i')
    repository.git('-C', other, 'add', '-A')
    repository.git('-C', other, 'commit', '-q', '-m', 'inner')
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'sub')
    repository.commitAll('submodule')
    const changed = await left(async () => await writeFile(at('sub/inner.txt'), 'changed'))
    expect(changed).toEqual(['[sub] file inner.txt changed'])
    const nested = await left(() => repository.git('init', '-q', 'nested'))
    expect(nested).toEqual(['file nested added nested'])
    expect(await left(async () => await writeFile(at('nested/x'), 'x'))).toEqual(['[nested] file x added'])
  })

  test('what is kept is damaged: all is read anew', async () => {
    const before = await snapshot()
    await writeFile(join(place.store, 'git/index'), 'garbage')
    await repository.write('a.txt', 'a')
    expect(words(await since(before))).toEqual(['file a.txt added'])
  })
})

describe('after a crash of ours', () => {
  const inStore = (path: string) => join(place.store, 'git', path)

  test('the index was brought up to date, its tree was not written down', async () => {
    const before = await snapshot()
    const [tree, commit] = await Promise.all(
      ['tree', 'refs/heads/snapshot'].map(async (path) => await readFile(inStore(path))),
    )
    await repository.write('a.txt', 'a')
    const after = await snapshot()
    await writeFile(inStore('tree'), tree!)
    await writeFile(inStore('refs/heads/snapshot'), commit!)
    expect(await snapshot()).toEqual(after)
    await writeFile(inStore('tree'), after.tree)
    await writeFile(inStore('refs/heads/snapshot'), commit!)
    expect(await snapshot()).toEqual(after)
    expect(words(await since(before))).toEqual(['file a.txt added'])
  })

  test('a lock that a killed git left behind', async () => {
    const before = await snapshot()
    await writeFile(inStore('index.lock'), '')
    await repository.write('a.txt', 'a')
    expect(words(await since(before))).toEqual(['file a.txt added'])
  })
})

describe('in full', () => {
  test('the diff of a file, of a large one, the commits of a ref', async () => {
    const found = await differences(async () => {
      await repository.write('readme.md', 'goodbye\n')
      repository.commitAll('other words')
      await repository.write('big', Buffer.alloc(6 * 1024 * 1024))
    })
    const texts = await Promise.all(found.map(async (each) => await differenceText(place, each)))
    expect(texts[0]).toContain('content that is not kept')
    expect(texts[1]).toContain('-hello\n+goodbye')
    expect(texts[2]).toMatch(/\+ [0-9a-f]+ other words/)
  })
})
