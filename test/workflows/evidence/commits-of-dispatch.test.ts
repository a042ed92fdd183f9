import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takeSnapshot } from '../../../source/project/snapshot/snapshot.js'
import type { SnapshotLists, SnapshotPlace } from '../../../source/project/snapshot/snapshot-types.js'
import { dataOf } from '../../../source/project/snapshot/store.js'
import { commitsMade } from '../../../source/workflows/evidence/commits-of-dispatch.js'
import type { JudgeFacts } from '../../../source/workflows/evidence/judging/verdict.js'
import { letGoDoubts } from '../../../source/workflows/evidence/other-forms.js'
import { findingLine } from '../../../source/workflows/evidence/touched-question.js'
import { createProject, type TestProject } from '../../support/project.js'

// Every commit of a dispatch gets the look that our own commits get.

const key = `sk-${'a1'.repeat(12)}`

async function made(
  project: TestProject,
  work: () => Promise<unknown>,
  beforehand: string[] = [],
): Promise<{ paths: string[]; doubts: string[] }> {
  const place: SnapshotPlace = {
    root: project.dir,
    store: join(project.root, 'snapshots'),
    ownPaths: ['.own'],
  }
  const before = await takeSnapshot(place)
  await work()
  const after = await takeSnapshot(place)
  const { refs } = await dataOf<SnapshotLists>(place.store, before.lists)
  const { refs: refsAfter, otherWorktrees } = await dataOf<SnapshotLists>(place.store, after.lists)
  const asked = { before, after, refs, refsAfter, otherWorktrees, beforehand }
  const { paths, doubts } = await commitsMade(place, asked)
  return {
    paths: paths.sort(),
    doubts: doubts.map(findingLine).map((line) => line.replace(/[0-9a-f]{7}/, 'ID')),
  }
}

const start = () => createProject({ files: { 'readme.md': 'x\n', 'keys.txt': `old ${key}\n` } })

test('secrets, large files and files of the person, also where a later commit takes them out again', async () => {
  const project = await start()
  const seen = await made(project, async () => {
    await project.commit('feat: settings', { '.env': 'A=1\n', 'src/a.js': `const key = "${key}"\n` })
    await project.git('rm', '-q', '.env')
    await project.git('commit', '-q', '-m', 'chore: no settings')
    await project.commit('docs: film', { 'film.bin': 'x'.repeat(5 * 1024 * 1024 + 1), 'mine.txt': 'mine\n' })
  }, ['mine.txt'])
  expect(seen.paths).toEqual(['.env', 'film.bin', 'mine.txt', 'src/a.js'])
  expect(seen.doubts).toEqual([
    '.env in ID (committed): it has the name of a secret file',
    'film.bin in ID (committed): it is larger than 5 MB',
    'mine.txt in ID (committed): it had uncommitted changes of yours before',
    'src/a.js in ID (committed): it holds what looks like a secret (API key)',
  ])
})

test('what an honest agent commits: examples, a file that held a key before, a removal, a merge of what was known', async () => {
  const project = await start()
  await project.git('checkout', '-q', '-b', 'side')
  await project.commit('a key of the person', { '.env.local': 'A=1\n' })
  await project.git('checkout', '-q', 'main')
  const seen = await made(project, async () => {
    await project.commit('docs: example', { '.env.example': 'A=\n', 'keys.txt': `old ${key}\nand more\n` })
    await project.git('rm', '-q', 'readme.md')
    await project.git('commit', '-q', '-m', 'no readme')
    await project.git('merge', '-q', '--no-ff', '--no-edit', 'side')
  })
  expect(seen).toEqual({ paths: ['.env.example', 'keys.txt', 'readme.md'], doubts: [] })
})

test('what stands in a message goes where the commit goes; marks in it hide no file', async () => {
  const project = await start()
  const seen = await made(project, async () => {
    await project.commit(`docs: use ${key}`, { 'readme.md': 'y\n' })
    await project.commit('docs: \x01more\x02\n\n[Autopilot] is a word.', { '.env': 'A=1\n', 'a.md': 'a\n' })
    await project.git('tag', '-a', 'v1', '-m', `with ${key}`)
    await project.git('tag', 'v2')
  })
  expect(seen.doubts).toEqual([
    'ID docs: use [redacted] (committed): its message holds what looks like a secret (API key)',
    'refs/tags/v1 (committed): its message holds what looks like a secret (API key)',
    '.env in ID (committed): it has the name of a secret file',
  ])
})

test('what is there to be handed out is no secret: public keys and certificates', async () => {
  const project = await start()
  const armour = (kind: string) => `-----BEGIN ${kind}-----\nMIIC\n-----END ${kind}-----\n`
  const seen = await made(project, () =>
    project.commit('test: certificates', {
      'test/ca.pem': armour('CERTIFICATE'),
      'test/public.pem': armour('PUBLIC KEY'),
      'id_ed25519.pub': 'ssh-ed25519 AAAA a@b\n',
      'test/both.pem': armour('CERTIFICATE') + armour('EC PARAMETERS'),
    }),
  )
  expect(seen.doubts).toEqual(['test/both.pem in ID (committed): it has the name of a secret file'])
})

test('commits on a branch beside, which could be merged later as something known', async () => {
  const project = await start()
  const seen = await made(project, async () => {
    await project.git('checkout', '-q', '-b', 'side')
    await project.commit('feat: settings', { '.env': 'A=1\n' })
    await project.git('checkout', '-q', 'main')
  })
  expect(seen).toEqual({ paths: [], doubts: ['.env in ID (committed): it has the name of a secret file'] })
})

test('what a tag alone held before is looked at when it comes onto the branch', async () => {
  const project = await start()
  await project.git('checkout', '-q', '-b', 'side')
  await project.commit('feat: settings', { '.env': 'A=1\n' })
  await project.git('tag', 'kept')
  await project.git('checkout', '-q', 'main')
  await project.git('branch', '-q', '-D', 'side')
  const seen = await made(project, async () => project.git('merge', '-q', 'kept'))
  expect(seen.doubts).toEqual(['.env in ID (committed): it has the name of a secret file'])
})

test('records of a session that git ignores and that were put in by force', async () => {
  const project = await start()
  const force = async () => {
    await project.write('.own/state.json', `${Math.random()}\n`)
    await project.git('add', '-f', '.own/state.json')
    await project.git('commit', '-q', '-m', 'records')
  }
  await project.commit('chore: ignore', { '.gitignore': '.own/\n' })
  const told = '.own/state.json in ID (committed): a record of a session, which git is told to leave out'
  expect((await made(project, force)).doubts).toEqual([told])
  // Where a person keeps them in git it is nothing new.
  expect((await made(project, force)).doubts).toEqual([])
})

test('a second key beside an old one is found; files of sessions are not looked at; a commit in our name is told', async () => {
  const project = await start()
  const seen = await made(project, async () => {
    await project.commit('[autopilot] Checkpoint', {
      'keys.txt': `old ${key}\nnew ${key.replace('a1', 'b2')}\n`,
      '.own/.env': 'A=1\n',
    })
  })
  expect(seen.paths).toEqual(['.own/.env', 'keys.txt'])
  expect(seen.doubts).toEqual([
    'ID [autopilot] Checkpoint (committed): a commit in the name of autopilot that it did not make',
    'keys.txt in ID (committed): it holds what looks like a secret (API key)',
  ])
})

test('files that give way to a repository of nobody knows where; one that says where it comes from is a submodule', async () => {
  const project = await createProject({ files: { 'src/a.js': '1\n', 'lib/b.js': '1\n' } })
  const swallow = async (path: string, ...more: string[]) => {
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-q', '-m', 'all'],
    ])
      await project.git('-C', path, ...args)
    await project.git('rm', '-r', '-q', '--cached', path)
    await project.git('add', path, ...more)
    await project.git('commit', '-q', '-m', `refactor: ${path}`)
  }
  const seen = await made(project, async () => {
    await swallow('src')
    await project.write('.gitmodules', '[submodule "lib"]\n\tpath = lib\n\turl = ../lib\n')
    await swallow('lib', '.gitmodules')
  })
  expect(seen.doubts).toEqual([
    'src in ID (committed): a repository of its own is in the place of files, and what is in it reaches nobody',
  ])
})

test('files that git let go and that lie where they did are named, unless there is a reason', async () => {
  const text = 'x\n'
  const project = await createProject({
    files: { 'src/a.js': text, 'src/b.js': text, 'dist/a.js': text, '.env': text, 'planned.ini': text },
  })
  const place: SnapshotPlace = { root: project.dir, store: join(project.root, 'snapshots') }
  const before = await takeSnapshot(place)
  await project.git('rm', '-q', '-r', '--cached', 'src/a.js', 'dist', '.env', 'planned.ini')
  await project.git('rm', '-q', 'src/b.js')
  await project.commit('chore: ignore', { '.gitignore': '/src/a.js\n/dist\n.env\n*.ini\n' })
  const after = await takeSnapshot(place)
  const { refs, otherWorktrees } = await dataOf<SnapshotLists>(place.store, after.lists)
  const asked = { before, after, refs: {}, refsAfter: refs, otherWorktrees, beforehand: [] }
  const { letGo } = await commitsMade(place, asked)
  expect(letGo).toEqual(['.env', 'dist/a.js', 'planned.ini', 'src/a.js'])
  const contract = { may: [], noted: [] } as unknown as JudgeFacts['contract']
  const ground = { places: {}, frozen: [], planned: ['planned.ini'] } as unknown as JudgeFacts['ground']
  const doubts = letGoDoubts(letGo, { contract, ground, backendFiles: [] } as unknown as JudgeFacts)
  expect(doubts.map(({ name }) => name)).toEqual(['src/a.js'])
})
