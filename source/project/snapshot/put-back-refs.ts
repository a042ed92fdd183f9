import { lstat, mkdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { treeDifferences } from './compare.js'
import type { Difference } from './difference.js'
import { copyAway, placeContent, Refusal, stateAt } from './file-states.js'
import { entryOfFile, type IndexEntry } from './index-file.js'
import { fileAt, pathOfBytes, rawOfPath } from './path-bytes.js'
import { emptyTree, entriesOf } from './person-index.js'
import { bareEnvironment, callGit, type PrivateRepository } from './private-repository.js'
import { contentOf } from './put-back-work.js'
import { keepFor, type PuttingBack } from './putting-back.js'
import { readRefs } from './refs.js'
import { writeWhole } from './store.js'

// Refs, the stash and the person's index. Git writes them in the project's own directory, with no hook, filter or setting
// of the project.

/** Runs git in the repository of the project. Throws a Refusal with what git said. */
async function projectGit(repo: PrivateRepository, args: string[]): Promise<string> {
  // An empty date is now: the log of a ref tells when.
  const now = { GIT_AUTHOR_DATE: '', GIT_COMMITTER_DATE: '' }
  const env = { ...bareEnvironment(repo.gitDir, repo.place.root), ...now }
  const quiet = ['core.hooksPath=/dev/null', 'core.fsmonitor=false'].flatMap((each) => ['-c', each])
  const result = await callGit(repo, [...quiet, ...args], { env })
  if (result.code !== 0) throw new Refusal(result.stderr.trim() || `git ${args[0]} ended with ${result.code}`)
  return result.stdout.toString('utf8')
}

async function mustExist(repo: PrivateRepository, id: string): Promise<void> {
  const found = await callGit(repo, ['cat-file', '-e', id])
  if (found.code !== 0) throw new Refusal(`the object ${id.slice(0, 12)} is gone from the repository`)
}

/** Commits that a ref led to stay under a ref of ours. */
async function keepObject(setting: PuttingBack, difference: Difference, id: string): Promise<void> {
  const name = `refs/autopilot/kept/${difference.id}/${id.slice(0, 12)}`
  await projectGit(setting.repo, ['update-ref', name, id])
  setting.kept(difference, name)
}

/** Moves a ref back, with index and work tree where HEAD stands on it. */
export async function putBackRef(setting: PuttingBack, difference: Difference): Promise<void> {
  const { repo } = setting
  const { name, before, after } = difference
  if (name === 'shallow') return await putBackShallow(setting, difference)
  const refs = await readRefs(repo)
  const now = name === 'HEAD' ? refs.headText : refs.refs[name]
  if (now === before) return
  if (now !== after) throw new Refusal('it moved again since')
  const ofHead = name === 'HEAD' || name === refs.branch
  // A branch that is gone comes back to where it was.
  const target = name === 'HEAD' ? commitOfHead({ ...setting.lists.refs, ...refs.refs }, before) : before
  if (target !== undefined) await mustExist(repo, target)
  if (ofHead && refs.head !== null) await keepObject(setting, difference, refs.head)
  else if (now !== undefined && !now.startsWith('ref: ')) await keepObject(setting, difference, now)
  if (ofHead) await follow(setting, difference, { from: refs.head, to: target ?? null })
  if (name === 'HEAD') return await moveHead(repo, before ?? '')
  const zero = '0'.repeat(repo.idBytes * 2)
  if (before === undefined) await projectGit(repo, ['update-ref', '-d', name, now ?? zero])
  else await projectGit(repo, ['update-ref', name, before, now ?? zero])
}

function commitOfHead(refs: Record<string, string>, text = ''): string | undefined {
  const branch = /^ref: (\S+)/.exec(text)?.[1]
  return branch === undefined ? text || undefined : refs[branch]
}

async function moveHead(repo: PrivateRepository, text: string): Promise<void> {
  const branch = /^ref: (\S+)/.exec(text)?.[1]
  if (branch !== undefined) await projectGit(repo, ['symbolic-ref', 'HEAD', branch])
  else await projectGit(repo, ['update-ref', '--no-deref', 'HEAD', text])
}

/**
 * Index and work tree follow HEAD, as in `read-tree -m -u`: only paths that differ between the two commits and that are
 * as the commit has them. Whatever else somebody did to a file stays. The bytes come from the snapshot, so no filter runs.
 */
async function follow(
  setting: PuttingBack,
  difference: Difference,
  { from, to }: { from: string | null; to: string | null },
): Promise<void> {
  const { repo, before } = setting
  if (from === null || from === to) return
  const paths = await treeDifferences(repo, from, to ?? (await emptyTree(repo)))
  const index = new Map((await entriesOf(repo)).map((entry) => [pathOfBytes(entry.raw), entry]))
  const snapshot = await treeDifferences(repo, await emptyTree(repo), before.tree)
  const lines: string[] = []
  for (const [path, { before: ofFrom, after: ofTo }] of paths) {
    const entry = index.get(path)
    const state = entry && `${entry.mode.toString(8)} ${entry.oid}`
    if (state !== ofFrom) continue
    if (await isClean(repo, path, entry)) {
      const wanted = setting.lists.loose[path] ?? snapshot.get(path)?.after
      await giveContent(setting, difference, { path, wanted })
    }
    const staged = setting.lists.staged[path] ?? ofTo
    lines.push(indexLine(repo, path, staged))
  }
  await writeEntries(repo, lines)
}

/**
 * True if git would call the file unchanged: nothing there where nothing is tracked, else by size and times, else by its
 * bytes. An agent that was confined has written another owner into the index.
 */
async function isClean(
  repo: PrivateRepository,
  path: string,
  entry: IndexEntry | undefined,
): Promise<boolean> {
  const stats = await lstat(fileAt(repo.place.root, path), { bigint: true }).catch(() => undefined)
  if (entry === undefined || stats === undefined) return entry === undefined && stats === undefined
  if (stats.isDirectory()) return false
  const { times, ownerAndSize } = entryOfFile(entry.raw, entry.oid, stats)
  // Times and inode, not the device; of owner and size all.
  const same = times.subarray(0, 16).equals(entry.times.subarray(0, 16))
  if (same && ownerAndSize.equals(entry.ownerAndSize)) return true
  return (await stateAt(repo, path)) === `${entry.mode.toString(8)} ${entry.oid}`
}

async function giveContent(
  setting: PuttingBack,
  difference: Difference,
  { path, wanted }: { path: string; wanted: string | undefined },
): Promise<void> {
  const { repo } = setting
  const file = fileAt(repo.place.root, path)
  const keep = join(keepFor(setting, difference), 'files', dirname(path))
  const there = await lstat(file).catch(() => undefined)
  const content = wanted === undefined ? undefined : await contentOf(repo, wanted)
  if (there) setting.kept(difference, await copyAway(file, keep))
  if (content === undefined) {
    if (there) await unlink(file)
  } else await placeContent(repo.place.root, file, content)
}

/** Gives one path of the person's index its entry of before. */
export async function putBackIndex(setting: PuttingBack, difference: Difference): Promise<void> {
  const { repo, before } = setting
  const { name } = difference
  const head = before.head === null ? undefined : await stateInTree(repo, before.head, name)
  const wanted = setting.lists.staged[name] ?? head
  const now = (await entriesOf(repo))
    .filter((entry) => pathOfBytes(entry.raw) === name)
    .map(
      (entry) =>
        `${entry.mode.toString(8)} ${entry.oid}${entry.intent ? ' intent' : entry.stage ? ` ${entry.stage}` : ''}`,
    )
    .join(';')
  if (now === (wanted ?? '')) return
  if (/intent$/.test(wanted ?? '')) throw new Refusal('it was only announced to git (`git add -N`)')
  await writeEntries(repo, [
    indexLine(repo, name, undefined),
    ...(wanted ? [indexLine(repo, name, wanted)] : []),
  ])
}

async function stateInTree(repo: PrivateRepository, tree: string, path: string): Promise<string | undefined> {
  const listed = await callGit(repo, ['ls-tree', '-z', tree, '--', path])
  const [mode, , id] = listed.stdout.toString('latin1').split('\t')[0]?.split(' ') ?? []
  return mode && id ? `${mode} ${id}` : undefined
}

/** Lines of `update-index --index-info`: `mode id`, with a stage behind it in a conflict; none takes the path out. */
function indexLine(repo: PrivateRepository, path: string, state: string | undefined): string {
  const raw = rawOfPath(path)
  if (state === undefined || /^0+ /.test(state)) return `0 ${'0'.repeat(repo.idBytes * 2)}\t${raw}\0`
  return state
    .split(';')
    .map((each) => `${each}\t${raw}\0`)
    .join('')
}

/** Written by git itself, so that its lock holds; our own settings keep filters and monitors out of it. */
async function writeEntries(repo: PrivateRepository, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return
  await personIndexGit(repo, ['update-index', '-z', '--index-info'], lines.join(''))
}

async function personIndexGit(repo: PrivateRepository, args: string[], input: string): Promise<void> {
  const env = { GIT_INDEX_FILE: join(repo.gitDir, 'index') }
  const result = await callGit(repo, args, { env, input: Buffer.from(input, 'latin1') })
  if (result.code !== 0) throw new Refusal(result.stderr.trim() || 'git could not write the index')
}

/** Gives a path of the person's index its bits of before. */
export async function putBackBits(setting: PuttingBack, { name, before = '' }: Difference): Promise<void> {
  const input = `${rawOfPath(name)}\0`
  for (const bit of ['assume-unchanged', 'skip-worktree']) {
    const flag = before.includes(bit) ? `--${bit}` : `--no-${bit}`
    await personIndexGit(setting.repo, ['update-index', flag, '-z', '--stdin'], input)
  }
}

/** Gives the stash its entries of before, in their order. */
export async function putBackStash(setting: PuttingBack, difference: Difference): Promise<void> {
  const { repo, lists } = setting
  const refs = await readRefs(repo)
  const now = refs.stash.join(' ')
  if (now === difference.before) return
  const [newest] = lists.stash
  const half = newest !== undefined && refs.stash[0] === newest
  if (now !== difference.after && !half) throw new Refusal('the stash was changed again since')
  for (const id of lists.stash) await mustExist(repo, id)
  for (const id of refs.stash) {
    if (!lists.stash.includes(id)) await keepObject(setting, difference, id)
  }
  if (newest === undefined) {
    await projectGit(repo, ['update-ref', '-d', 'refs/stash'])
    return
  }
  await projectGit(repo, ['update-ref', '--create-reflog', 'refs/stash', newest])
  const log = join(repo.commonDir, 'logs', 'refs', 'stash')
  await mkdir(dirname(log), { recursive: true })
  await writeWhole(log, lists.stashLog)
}

async function putBackShallow(setting: PuttingBack, difference: Difference): Promise<void> {
  const { repo, lists } = setting
  const path = join(repo.commonDir, 'shallow')
  if ((await readRefs(repo)).shallow === lists.shallow) return
  if (await lstat(path).catch(() => undefined))
    setting.kept(difference, await copyAway(path, keepFor(setting, difference)))
  await writeWhole(path, lists.shallow)
}
