import { execFileSync } from 'node:child_process'
import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  truncate,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { compareSnapshots } from '../../../source/project/snapshot/compare.js'
import type { Difference } from '../../../source/project/snapshot/difference.js'
import {
  compareProtected,
  type ProtectedOptions,
  readProtected,
} from '../../../source/project/snapshot/protected.js'
import { putBack } from '../../../source/project/snapshot/put-back.js'
import { takeSnapshot } from '../../../source/project/snapshot/snapshot.js'
import type { SnapshotPlace } from '../../../source/project/snapshot/snapshot-types.js'
import { makeRepository, type TestRepository } from '../repository.js'

/** Mixtures are chosen by their number, so that each comes again. */
const runsOfMany = 8

let repository: TestRepository
let place: SnapshotPlace
let options: ProtectedOptions

beforeEach(async () => {
  repository = await makeRepository()
  place = { root: repository.root, store: join(repository.home, 'store') }
  options = { place }
})

afterEach(async () => {
  await repository.remove()
})

const at = (path: string) => join(repository.root, path)
const keep = () => join(repository.home, 'keep')
const text = async (path: string) => await readFile(at(path), 'utf8')
const missing = async (path: string) => (await lstat(at(path)).catch(() => undefined)) === undefined

async function state() {
  const reading = await readProtected(options)
  return { reading, snapshot: await takeSnapshot(place) }
}

type State = Awaited<ReturnType<typeof state>>

async function since(before: State): Promise<Difference[]> {
  const after = await state()
  const inTree = await compareSnapshots(place, { before: before.snapshot, after: after.snapshot })
  return [...compareProtected(before.reading, after.reading), ...inTree]
}

/** Does something, puts all of it back, and gives what came of that. */
async function undo(action: () => unknown, only: (difference: Difference) => boolean = () => true) {
  const before = await state()
  await action()
  const differences = (await since(before)).filter(only)
  expect(differences).not.toEqual([])
  const request = {
    place,
    differences,
    before: before.snapshot,
    protectedBefore: before.reading.digest,
    keep: keep(),
  }
  const result = await putBack(request)
  const left = await since(before)
  // Once more, as after a crash: nothing is left to do.
  const again = await putBack(request)
  expect(again.done).toEqual(result.done)
  expect(again.kept).toEqual([])
  return { ...result, left, before, request }
}

describe('files', () => {
  test('changed, removed, new, with mode, link and strange names', async () => {
    await repository.write('a.txt', 'a')
    await repository.write('run.sh', 'x')
    await chmod(at('run.sh'), 0o755)
    await symlink('a.txt', at('link'))
    await repository.write('two\nlines', 'x')
    const bytes = Buffer.concat([Buffer.from(`${repository.root}/caf`), Buffer.from([0xe9])])
    await writeFile(bytes, 'x')
    const result = await undo(async () => {
      await repository.write('a.txt', 'A')
      await unlink(at('run.sh'))
      await unlink(at('link'))
      await repository.write('link', 'no link')
      await unlink(at('two\nlines'))
      await writeFile(bytes, 'y')
      await repository.write('deep/new/file', 'n')
    })
    expect(result).toMatchObject({ refused: [], left: [] })
    expect(await text('a.txt')).toBe('a')
    expect((await lstat(at('run.sh'))).mode & 0o111).toBe(0o111)
    expect(await readlink(at('link'))).toBe('a.txt')
    expect(await missing('deep')).toBe(true)
    const kept = await Promise.all(result.kept.map(async (each) => await readFile(each.place, 'utf8')))
    expect(kept.sort()).toEqual(['A', 'n', 'no link', 'y'])
  })

  test('a directory in the place of a file and a link in the place of a directory', async () => {
    await repository.write('a', 'file')
    await repository.write('d/x', 'x')
    const result = await undo(async () => {
      await unlink(at('a'))
      await repository.write('a/inner', 'i')
      await rename(at('d'), join(repository.home, 'elsewhere'))
      await symlink(join(repository.home, 'elsewhere'), at('d'))
    })
    expect(result).toMatchObject({ refused: [], left: [] })
    expect([await text('a'), await text('d/x')]).toEqual(['file', 'x'])
    expect(await readFile(join(repository.home, 'elsewhere/x'), 'utf8')).toBe('x')
  })

  test('through a link that stays nothing is written', async () => {
    await repository.write('d/x', 'x')
    const elsewhere = join(repository.home, 'elsewhere')
    await mkdir(elsewhere)
    const result = await undo(
      async () => {
        await rm(at('d'), { recursive: true })
        await symlink(elsewhere, at('d'))
      },
      ({ name }) => name === 'd/x',
    )
    expect(result.refused.map((each) => each.reason)).toEqual(['d is no directory any more'])
    expect(await lstat(join(elsewhere, 'x')).catch(() => 'none')).toBe('none')
  })

  test('what somebody changed after the question stays', async () => {
    const before = await state()
    await repository.write('readme.md', 'agent')
    const differences = await since(before)
    await repository.write('readme.md', 'person')
    const result = await putBack({ place, differences, before: before.snapshot, keep: keep() })
    expect(result.refused.map((each) => each.reason)).toEqual(['it was changed again since'])
    expect(await text('readme.md')).toBe('person')
  })

  test('a crash between what made way and what came back', async () => {
    const before = await state()
    await repository.write('readme.md', 'agent')
    const [difference] = await since(before)
    await mkdir(join(keep(), difference!.id), { recursive: true })
    await rename(at('readme.md'), join(keep(), difference!.id, 'readme.md'))
    const request = { place, differences: [difference!], before: before.snapshot, keep: keep() }
    expect(await putBack(request)).toMatchObject({ done: [difference!.id], refused: [] })
    expect(await text('readme.md')).toBe('hello\n')
    expect(await readFile(join(keep(), difference!.id, 'readme.md'), 'utf8')).toBe('agent')
  })

  test('bytes as they were under autocrlf, and without filters', async () => {
    repository.git('config', 'core.autocrlf', 'true')
    await repository.write('dos.txt', 'one\r\n')
    repository.commitAll('dos')
    expect(await undo(async () => await unlink(at('dos.txt')))).toMatchObject({ refused: [], left: [] })
    expect(await text('dos.txt')).toBe('one\r\n')
    expect(repository.git('status', '--porcelain')).toBe('')
  })

  test('too large to be kept: refused with the reason; a new one makes way', async () => {
    await repository.write('large', '')
    await truncate(at('large'), 6 * 1024 * 1024)
    const result = await undo(async () => {
      await truncate(at('large'), 7 * 1024 * 1024)
      await repository.write('new-large', Buffer.alloc(6 * 1024 * 1024))
    })
    expect(result.refused.map((each) => each.reason)).toEqual([expect.stringContaining('not kept')])
    expect(await missing('new-large')).toBe(true)
  })

  test('a nested repository and what an ignore file hid', async () => {
    const result = await undo(async () => {
      repository.git('init', '-q', 'nested')
      await repository.write('.gitignore', 'hidden/\n')
      await repository.write('hidden/x', 'x')
    })
    expect(result).toMatchObject({ refused: [], left: [] })
    expect([await missing('nested'), await missing('hidden')]).toEqual([true, true])
  })

  test('in a submodule', async () => {
    repository.git('init', '-q', 'sub')
    await repository.write('sub/x', 'x')
    expect(await undo(async () => await repository.write('sub/x', 'y'))).toMatchObject({
      refused: [],
      left: [],
    })
    expect(await text('sub/x')).toBe('x')
  })
})

describe('refs', () => {
  test('a commit on top goes, its work stays under a ref of ours', async () => {
    const head = repository.git('rev-parse', 'HEAD').trim()
    let made = ''
    const result = await undo(async () => {
      await repository.write('a.txt', 'a')
      await repository.write('readme.md', 'other')
      made = repository.commitAll('not asked for')
    })
    expect(result).toMatchObject({ refused: [], left: [] })
    expect(repository.git('rev-parse', 'HEAD').trim()).toBe(head)
    expect(repository.git('status', '--porcelain')).toBe('')
    const ref = result.kept.find((each) => each.place.startsWith('refs/autopilot/'))?.place ?? ''
    expect(repository.git('rev-parse', ref).trim()).toBe(made)
  })

  test('reset away: branch, index and files come back, dirty files stay', async () => {
    await repository.write('a.txt', 'a')
    repository.commitAll('second')
    await repository.write('readme.md', 'mine')
    const result = await undo(
      () => repository.git('reset', '-q', '--keep', 'HEAD~1'),
      ({ kind }) => kind === 'ref',
    )
    expect(result).toMatchObject({ refused: [], left: [] })
    expect([await text('a.txt'), await text('readme.md')]).toEqual(['a', 'mine'])
    expect(repository.git('status', '--porcelain')).toBe(' M readme.md\n')
  })

  test('the branch moves back, what somebody edited meanwhile stays', async () => {
    await repository.write('a.txt', 'a')
    repository.commitAll('second')
    const before = await state()
    await repository.write('a.txt', 'b')
    repository.commitAll('third')
    const differences = (await since(before)).filter(({ kind }) => kind === 'ref')
    await repository.write('a.txt', 'a person')
    const result = await putBack({ place, differences, before: before.snapshot, keep: keep() })
    expect(result.refused).toEqual([])
    expect(await text('a.txt')).toBe('a person')
    expect(repository.git('status', '--porcelain')).toBe(' M a.txt\n')
  })

  test('another branch checked out, a tag moved, a branch deleted', async () => {
    repository.git('tag', 'v1')
    repository.git('branch', 'other')
    const result = await undo(async () => {
      repository.git('checkout', '-q', '-b', 'aside')
      await repository.write('a.txt', 'a')
      repository.commitAll('aside')
      repository.git('tag', '-f', 'v1')
      repository.git('branch', '-D', 'other')
    })
    expect(result).toMatchObject({ refused: [], left: [] })
    expect(repository.git('branch', '--show-current').trim()).toBe('main')
    expect(repository.git('status', '--porcelain')).toBe('')
  })

  test('the branch was left and deleted', async () => {
    await repository.write('a.txt', 'a')
    repository.commitAll('second')
    const result = await undo(() => {
      repository.git('checkout', '-q', '-b', 'aside', 'HEAD~1')
      repository.git('branch', '-q', '-D', 'main')
    })
    expect(result).toMatchObject({ refused: [], left: [] })
    expect(await text('a.txt')).toBe('a')
    expect(repository.git('status', '--porcelain', '--branch')).toBe('## main\n')
  })

  test('a hook does not run, and a ref whose objects are gone is refused', async () => {
    const canary = join(repository.home, 'canary')
    await repository.write('a.txt', 'a')
    repository.commitAll('second')
    await repository.hook('reference-transaction', `touch ${canary}`)
    await rm(canary, { force: true })
    const result = await undo(() => {
      repository.git('-c', 'core.hooksPath=/dev/null', 'reset', '-q', '--hard', 'HEAD~1')
      repository.git('reflog', 'expire', '--expire=all', '--all')
      repository.git('-c', 'core.hooksPath=/dev/null', 'gc', '-q', '--prune=now')
    })
    expect(result.refused.map((each) => each.reason)).toContainEqual(expect.stringContaining('gone'))
  })

  test('the stash: one dropped, one added, all dropped', async () => {
    const stash = async (words: string) => {
      await repository.write('readme.md', words)
      repository.git('stash')
    }
    await stash('one')
    await stash('two')
    const list = repository.git('stash', 'list')
    const mixed = await undo(async () => {
      repository.git('stash', 'drop', 'stash@{1}')
      await stash('three')
    })
    expect(mixed).toMatchObject({ refused: [], left: [] })
    expect(repository.git('stash', 'list')).toBe(list)
    expect(await undo(() => repository.git('stash', 'clear'))).toMatchObject({ refused: [], left: [] })
    expect(repository.git('stash', 'list')).toBe(list)
    expect(repository.git('show', 'stash@{0}:readme.md')).toBe('two')
  })

  test('detached HEAD and a repository before its first commit', async () => {
    repository.git('checkout', '-q', '--detach')
    const detached = await undo(() => repository.git('commit', '-q', '--allow-empty', '-m', 'x'))
    expect(detached).toMatchObject({ refused: [], left: [] })
    repository.git('checkout', '-q', '--orphan', 'fresh')
    const unborn = await undo(() => repository.git('commit', '-q', '-m', 'x'))
    expect(unborn).toMatchObject({ refused: [], left: [] })
  })
})

describe('many things at once', () => {
  type Deed = () => unknown
  const deeds: Record<string, Deed> = {
    'edits a file': async () => await repository.write('one.txt', 'edited'),
    'removes a file': async () => await rm(at('two.txt'), { force: true }),
    'makes a file': async () => await repository.write('deep/er/new.txt', 'n'),
    'turns a directory into a file': async () => {
      await rm(at('dir'), { recursive: true, force: true })
      await repository.write('dir', 'file')
    },
    'stages all': () => repository.git('add', '-A'),
    unstages: () => repository.git('reset', '-q'),
    commits: () => repository.git('commit', '-q', '--allow-empty', '-am', 'x'),
    amends: () => repository.git('commit', '-q', '--amend', '--allow-empty', '-m', 'y'),
    'resets softly': () => repository.git('reset', '-q', '--soft', 'HEAD~1'),
    'checks out the commit before': () => repository.git('checkout', '-q', '-f', '--detach', 'HEAD~1'),
    'makes a branch': () => repository.git('checkout', '-q', '-B', 'aside'),
    'moves a tag': () => repository.git('tag', '-f', 'v1'),
    stashes: () => repository.git('stash', '-q'),
    'drops the stash': () => repository.git('stash', 'clear'),
    'sets bits': () => repository.git('update-index', '--skip-worktree', 'readme.md'),
    'plants a setting': () => repository.git('config', 'core.fsmonitor', 'false'),
    'plants a hook': async () => await repository.hook('post-index-change', 'false'),
  }
  const names = Object.keys(deeds)

  test.each(Array.from({ length: runsOfMany }, (_, seed) => seed))('mixture %i', async (seed) => {
    for (const name of ['one.txt', 'two.txt', 'dir/in.txt', 'dir/other.txt'])
      await repository.write(name, name)
    repository.commitAll('second')
    await repository.write('one.txt', 'stashed')
    repository.git('stash', '-q')
    repository.git('tag', 'v1')
    await repository.write('two.txt', 'third')
    repository.commitAll('third')
    await repository.write('mine.txt', 'untracked')
    await repository.write('dir/in.txt', 'dirty')
    await repository.write('staged.txt', 'staged')
    repository.git('add', 'staged.txt')
    const done: string[] = []
    let state = seed * 7919 + 13
    const result = await undo(async () => {
      for (let count = 0; count < 5; count += 1) {
        state = (state * 1103515245 + 12345) % 2147483648
        const name = names[(state >> 8) % names.length]!
        try {
          await deeds[name]!()
          done.push(name)
        } catch {
          done.push(`${name} (git refused)`)
        }
      }
      await repository.write('always.txt', 'x')
    })
    expect({ done, refused: result.refused, left: result.left }).toEqual({ done, refused: [], left: [] })
  })
})

describe('index, settings, protected files, records', () => {
  test('what was staged is staged again, what was not is not', async () => {
    await repository.write('mine.txt', 'mine')
    repository.git('add', 'mine.txt')
    await repository.write('mine.txt', 'mine, later')
    const status = repository.git('status', '--porcelain')
    const result = await undo(async () => {
      repository.git('reset', '-q')
      await repository.write('readme.md', 'x')
      repository.git('add', 'readme.md')
      repository.git('update-index', '--assume-unchanged', 'readme.md')
    })
    expect(result).toMatchObject({ refused: [], left: [] })
    expect(repository.git('status', '--porcelain')).toBe(status)
    expect(repository.git('show', ':mine.txt')).toBe('mine')
  })

  test('settings by key, others stay', async () => {
    repository.git('config', '--add', 'remote.origin.url', 'ssh://one')
    repository.git('config', '--add', 'remote.origin.url', 'ssh://two')
    const result = await undo(() => {
      repository.git('config', '--unset-all', 'remote.origin.url')
      repository.git('config', 'core.fsmonitor', 'evil')
      repository.git('config', 'filter.My "Name".clean', 'evil')
      repository.git('config', 'branch.main.remote', 'origin')
    })
    expect(result).toMatchObject({ refused: [], left: [] })
    expect(repository.git('config', '--get-all', 'remote.origin.url')).toBe('ssh://one\nssh://two\n')
    expect(repository.git('config', 'branch.main.remote')).toBe('origin\n')
  })

  test('hooks, instructions, the settings of the person, records', async () => {
    const session = at('.work/one')
    await repository.write('.work/one/state.json', '{}')
    await chmod(at('.work/one/state.json'), 0o600)
    await repository.write('AGENTS.md', 'a')
    await symlink('AGENTS.md', at('CLAUDE.md'))
    await repository.hook('pre-commit', 'mine')
    place = { ...place, ownPaths: ['.work'] }
    options = { place, records: [{ directory: session, whose: 'own' }] }
    const result = await undo(async () => {
      await unlink(at('.work/one/state.json'))
      await symlink('/etc/passwd', at('.work/one/state.json'))
      await repository.write('.work/one/extra.json', '{}')
      await unlink(at('CLAUDE.md'))
      await repository.write('CLAUDE.md', 'evil')
      await repository.hook('pre-commit', 'evil')
      await repository.hook('post-commit', 'evil')
      repository.git('config', '--global', 'alias.st', '!evil')
    })
    expect(result).toMatchObject({ refused: [], left: [] })
    expect(await text('.work/one/state.json')).toBe('{}')
    expect((await lstat(at('.work/one/state.json'))).mode & 0o777).toBe(0o600)
    expect(await readlink(at('CLAUDE.md'))).toBe('AGENTS.md')
    expect((await lstat(at('.git/hooks/pre-commit'))).mode & 0o111).toBe(0o111)
    expect(result.kept.length).toBeGreaterThan(4)
  })

  test('a pipe in the place of a record', async () => {
    await repository.write('.work/one/state.json', '{}')
    place = { ...place, ownPaths: ['.work'] }
    options = { place, records: [{ directory: at('.work/one'), whose: 'own' }] }
    const result = await undo(async () => {
      await unlink(at('.work/one/state.json'))
      execFileSync('mkfifo', [at('.work/one/state.json')])
    })
    expect(result).toMatchObject({ refused: [], left: [] })
    expect(await text('.work/one/state.json')).toBe('{}')
  })
})
