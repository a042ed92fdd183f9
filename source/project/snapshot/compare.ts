import { join } from 'node:path'
import { counted } from '../../counted.js'
import { isAncestor, isRebased } from './ancestry.js'
import { type Difference, difference, nameTraits, type Trait } from './difference.js'
import { hiddenSince } from './hidden.js'
import { pathOfBytes } from './path-bytes.js'
import { readPlainText } from './plain-read.js'
import { callGit, mustGit, openPrivateRepository, type PrivateRepository } from './private-repository.js'
import { remoteDifferences } from './remote-refs.js'
import { partOf } from './snapshot.js'
import type { FileFacts, ListPair, SnapshotLists, SnapshotPair, SnapshotPlace } from './snapshot-types.js'
import { dataOf, digestOf } from './store.js'
import { isUnstored } from './work-tree.js'

/**
 * What differs between two snapshots of the same place, sorted by kind and name. Only what is known to be harmless is no
 * difference: remote branches, packed refs, what is in ignored directories. Throws Problem ('unreadable') where the store
 * has lost one of them.
 */
export async function compareSnapshots(place: SnapshotPlace, pair: SnapshotPair): Promise<Difference[]> {
  if (pair.before.id === pair.after.id) return []
  const differences = await compareOne(place, pair)
  const { before, after } = pair
  for (const path of new Set([...Object.keys(before.parts), ...Object.keys(after.parts)])) {
    const [was, is] = [before.parts[path], after.parts[path]]
    if (was && is) {
      const inside = await compareSnapshots(partOf(place, path), { before: was, after: is })
      differences.push(...inside.map((each) => withPart(each, path)))
    } else {
      const change = is ? 'added' : 'removed'
      const [idBefore, idAfter] = [was?.id, is?.id]
      const traits: Trait[] = is ? ['nested'] : ['nested', 'unstored']
      differences.push(difference({ kind: 'file', name: path, change, traits }, idBefore, idAfter))
    }
  }
  return differences.sort((a, b) => (order(a) < order(b) ? -1 : 1))
}

function order({ part = '', kind, name }: Difference): string {
  return `${part}\0${kind}\0${name}`
}

function withPart(inner: Difference, path: string): Difference {
  const part = inner.part === undefined ? path : `${path}/${inner.part}`
  const { id: _, ...facts } = inner
  return { id: digestOf(JSON.stringify([facts, part])).slice(0, 16), ...facts, part }
}

async function compareOne(place: SnapshotPlace, pair: SnapshotPair): Promise<Difference[]> {
  const repo = await openPrivateRepository(place)
  const before = await dataOf<SnapshotLists>(place.store, pair.before.lists)
  const after = await dataOf<SnapshotLists>(place.store, pair.after.lists)
  const lists = { before, after }
  const files = await fileDifferences(repo, pair, lists)
  return [
    ...files,
    ...(await refDifferences(repo, pair, lists)),
    ...(await remoteDifferences(repo, lists)),
    ...stashDifferences(lists),
    ...indexDifferences(pair, lists),
    ...(await bitDifferences(repo, pair, lists)),
    ...ignoredDifferences(lists),
    ...(await hiddenSince(repo, pair, lists)),
  ]
}

function changeOf(before: unknown, after: unknown): Difference['change'] {
  return before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
}

/** States of all paths whose trees differ, as `mode id`. */
export async function treeDifferences(
  repo: PrivateRepository,
  from: string,
  to: string,
): Promise<Map<string, { before?: string; after?: string }>> {
  const found = new Map<string, { before?: string; after?: string }>()
  if (from === to) return found
  const args = ['diff-tree', '-r', '--raw', '--no-renames', '--no-abbrev', '-z', from, to, '--']
  const records = (await mustGit(repo, args)).toString('latin1').split('\0')
  for (let at = 0; at + 1 < records.length; at += 2) {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = (records[at] ?? '').slice(1).split(' ')
    const state = (mode: string, id: string) => (/^0+$/.test(mode) ? undefined : `${mode} ${id}`)
    const before = state(oldMode, oldId)
    const after = state(newMode, newId)
    found.set(pathOfBytes(records[at + 1] ?? ''), {
      ...(before ? { before } : {}),
      ...(after ? { after } : {}),
    })
  }
  return found
}

async function fileDifferences(
  repo: PrivateRepository,
  pair: SnapshotPair,
  lists: ListPair,
): Promise<Difference[]> {
  const states = await treeDifferences(repo, pair.before.tree, pair.after.tree)
  // What was written in the last moment before a snapshot is in no tree, but its state is known.
  for (const side of ['before', 'after'] as const) {
    for (const [path, state] of Object.entries(lists[side].loose)) {
      const other = side === 'before' ? lists.after.loose[path] : lists.before.loose[path]
      const known = states.get(path) ?? {}
      states.set(path, { ...(other ? { before: other, after: other } : {}), ...known, [side]: state })
    }
  }
  const beforehand = new Set(pair.beforehand)
  const found: Difference[] = []
  for (const [name, { before, after }] of states) {
    if (before === after) continue
    const traits = fileTraits(name, before, after)
    if (beforehand.has(name)) traits.push('beforehand')
    found.push(difference({ kind: 'file', name, change: changeOf(before, after), traits }, before, after))
  }
  return found
}

function fileTraits(name: string, before?: string, after?: string): Trait[] {
  const [oldMode = '', oldId = ''] = before?.split(' ') ?? []
  const [newMode = '', newId = ''] = after?.split(' ') ?? []
  const traits: Trait[] = []
  if (before !== undefined && isUnstored(oldId)) traits.push('unstored')
  if (isUnstored(oldId) || isUnstored(newId)) traits.push('by-lstat')
  if (oldMode === '120000' || newMode === '120000') traits.push('link')
  if (before !== undefined && after !== undefined) {
    if (oldMode.slice(0, 3) !== newMode.slice(0, 3)) traits.push('type')
    else if (oldId === newId) traits.push('mode')
  }
  return [...traits, ...nameTraits(name)]
}

/** A short name that git may take for another ref: of a tag and a branch, or of HEAD itself. */
function isAmbiguous(name: string, refs: Readonly<Record<string, string>>): boolean {
  const [, kind, short = ''] = /^refs\/(heads|tags)\/(.+)$/s.exec(name) ?? []
  if (kind === undefined) return false
  const other = kind === 'heads' ? 'tags' : 'heads'
  return refs[`refs/${other}/${short}`] !== undefined || /^(?:[A-Z]+_)?HEAD$/.test(short)
}

/** What the last fetch has noted: `id<tab>not-for-merge<tab>tag 'name' of url`. */
async function fetchedRefs({ gitDir }: PrivateRepository): Promise<(name: string, id: string) => boolean> {
  const tags = new Map<string, string>()
  const ids = new Set<string>()
  for (const line of (await readPlainText(join(gitDir, 'FETCH_HEAD'))).split('\n')) {
    const [, id, tag] = /^([0-9a-f]{40,64})\t[^\t]*\t(?:tag '([^']{1,250})' of )?/.exec(line) ?? []
    if (id === undefined) continue
    if (tag !== undefined) tags.set(`refs/tags/${tag}`, id)
    ids.add(id)
  }
  // A branch of here is moved by no fetch; what is neither branch nor tag mirrors something there.
  return (name, id) => tags.get(name) === id || (!/^refs\/(?:heads|tags|replace)\//.test(name) && ids.has(id))
}

async function refDifferences(
  repo: PrivateRepository,
  pair: SnapshotPair,
  lists: ListPair,
): Promise<Difference[]> {
  const { before, after } = lists
  const found: Difference[] = []
  const isFetched = await fetchedRefs(repo)
  for (const name of new Set([...Object.keys(before.refs), ...Object.keys(after.refs)])) {
    const [was, is] = [before.refs[name], after.refs[name]]
    // Put back keeps there what had to make way; only that it is kept is watched.
    if (was === is || (was === undefined && name.startsWith('refs/autopilot/'))) continue
    const traits: Trait[] = []
    if (name === pair.before.branch) traits.push('current-branch')
    if (before.otherWorktrees[name] !== undefined) traits.push('other-worktree')
    if (was === undefined && isAmbiguous(name, after.refs)) traits.push('ambiguous')
    const mayBeFetched = was === undefined || !/^refs\/(?:heads|tags|notes)\//.test(name)
    if (is !== undefined && mayBeFetched && isFetched(name, is)) traits.push('fetched')
    const change = await refChange(repo, { name, was, is })
    if (change === 'changed' && traits.includes('other-worktree') && (await isRebased(repo, was, is)))
      traits.push('rebased')
    found.push(difference({ kind: 'ref', name, traits, change }, was, is))
  }
  if (before.headText !== after.headText) {
    const detached = pair.before.branch === null && pair.after.branch === null
    const move = { name: 'HEAD', was: before.headText, is: after.headText }
    const change = detached ? await refChange(repo, move) : 'changed'
    const traits: Trait[] = detached ? ['current-branch'] : []
    found.push(difference({ kind: 'ref', name: 'HEAD', change, traits }, before.headText, after.headText))
  }
  if (await isBackward(repo, pair)) {
    const at = found.find(({ name }) => name === 'HEAD' || name === pair.after.branch)
    if (at) found.splice(found.indexOf(at), 1, { ...at, traits: [...at.traits, 'backward'] })
  }
  if (before.shallow !== after.shallow) {
    const deeper = (await isDeeper(repo, before.shallow, after.shallow)) ? { detail: deeperHistory } : {}
    const facts = { kind: 'ref' as const, name: 'shallow', change: 'changed' as const, traits: [], ...deeper }
    found.push(difference(facts, digestOf(before.shallow), digestOf(after.shallow)))
  }
  if (before.gitDir !== after.gitDir) {
    const facts = { kind: 'protected' as const, name: '.git', change: 'changed' as const }
    found.push(difference({ ...facts, traits: ['git-settings'] }, before.gitDir, after.gitDir))
  }
  return found
}

/** HEAD is at a commit that the one of before already had behind it. */
async function isBackward(repo: PrivateRepository, { before, after }: SnapshotPair): Promise<boolean> {
  if (before.head === null || after.head === null || before.head === after.head) return false
  return await isAncestor(repo, after.head, before.head)
}

/** What is said of a shallow history of which more is there. */
export const deeperHistory = 'more of the history is there'

/** Where the history was cut off before, it goes on; and where it is cut off now, it was not known. */
async function isDeeper(repo: PrivateRepository, before: string, after: string): Promise<boolean> {
  const ids = (text: string) => text.split('\n').filter((line) => /^[0-9a-f]{40,64}$/.test(line))
  const [was, is] = [ids(before), ids(after)]
  const opened = was.filter((id) => !is.includes(id))
  if (opened.length === 0) return false
  for (const id of opened) {
    const { code, stdout } = await callGit(repo, ['cat-file', 'commit', id])
    if (code !== 0) return false
    for (const [, parent = ''] of stdout.toString('latin1').matchAll(/^parent ([0-9a-f]{40,64})$/gm))
      if ((await callGit(repo, ['cat-file', '-e', parent])).code !== 0) return false
  }
  for (const id of is.filter((one) => !was.includes(one))) {
    const older = await Promise.all(opened.map(async (one) => await isAncestor(repo, id, one)))
    if (opened.includes(id) || !older.includes(true)) return false
  }
  return true
}

/** Forward is what still holds all it held. Tags never move forward: somebody else may have the old one. */
async function refChange(
  repo: PrivateRepository,
  { name, was, is }: { name: string; was: string | undefined; is: string | undefined },
): Promise<Difference['change']> {
  if (was === undefined || is === undefined) return changeOf(was, is)
  if (/^refs\/(?:tags|replace)\//.test(name)) return 'changed'
  if (was.startsWith('?') || is.startsWith('?')) return 'changed'
  return (await isAncestor(repo, was, is)) ? 'forward' : 'changed'
}

function stashDifferences({ before, after }: ListPair): Difference[] {
  if (JSON.stringify(before.stash) === JSON.stringify(after.stash)) return []
  const gone = before.stash.filter((id) => !after.stash.includes(id)).length
  const added = after.stash.filter((id) => !before.stash.includes(id)).length
  const change = gone === 0 && added > 0 ? 'added' : added === 0 && gone > 0 ? 'removed' : 'changed'
  const detail = `${counted(before.stash.length, 'entry', 'entries')} before, ${after.stash.length} now`
  const states = [before.stash, after.stash].map((ids) => ids.join(' '))
  return [difference({ kind: 'stash', name: 'refs/stash', change, traits: [], detail }, ...states)]
}

function indexDifferences(pair: SnapshotPair, { before, after }: ListPair): Difference[] {
  const found: Difference[] = []
  const beforehand = new Set(pair.beforehand)
  for (const name of new Set([...Object.keys(before.staged), ...Object.keys(after.staged)])) {
    const [was, is] = [before.staged[name], after.staged[name]]
    if (was === is) continue
    const traits: Trait[] = is === undefined ? ['unstaged'] : ['staged']
    if (was !== undefined || beforehand.has(name)) traits.push('beforehand')
    found.push(difference({ kind: 'index', name, change: changeOf(was, is), traits }, was, is))
  }
  return found
}

async function bitDifferences(
  repo: PrivateRepository,
  pair: SnapshotPair,
  { before, after }: ListPair,
): Promise<Difference[]> {
  const words = (lists: SnapshotLists) => {
    const bits = new Map<string, string>()
    for (const path of lists.assumeUnchanged) bits.set(path, 'assume-unchanged')
    for (const path of lists.skipWorktree)
      bits.set(path, bits.has(path) ? 'assume-unchanged skip-worktree' : 'skip-worktree')
    return bits
  }
  const [was, is] = [words(before), words(after)]
  const gone = [...was.keys()].filter((name) => was.get(name) === 'skip-worktree' && !is.has(name))
  const there = gone.length > 0 ? await pathsIn(repo, pair.before.tree) : undefined
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((name) => {
    const [old, now] = [was.get(name), is.get(name)]
    if (old === now) return []
    const traits: Trait[] = there && gone.includes(name) && !there.has(name) ? ['left-out'] : []
    return [difference({ kind: 'bits', name, change: changeOf(old, now), traits }, old, now)]
  })
}

async function pathsIn(repo: PrivateRepository, tree: string): Promise<Set<string> | undefined> {
  const { code, stdout } = await callGit(repo, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', tree])
  return code === 0 ? new Set(stdout.toString('latin1').split('\0').map(pathOfBytes)) : undefined
}

function isAsBefore(was: FileFacts, is: FileFacts): boolean {
  const same = is.size === was.size && is.mtimeNs === was.mtimeNs
  return same && (was.ctimeNs === undefined || is.ctimeNs === undefined || is.ctimeNs === was.ctimeNs)
}

/** Single ignored files that were there before. New ones are free, unless an edited rule hides them. */
function ignoredDifferences({ before, after }: ListPair): Difference[] {
  const found: Difference[] = []
  for (const [name, was] of Object.entries(before.ignored)) {
    const is = after.ignored[name]
    // Not ignored any more means: listed with the work tree now.
    if (is === undefined && after.ignoredDirectories.some((path) => name.startsWith(`${path}/`))) continue
    if (is && isAsBefore(was, is)) continue
    const traits: Trait[] = ['unstored', 'by-lstat', ...nameTraits(name)]
    const [old, now] = [was, is].map(
      (facts) => facts && [facts.size, facts.mtimeNs, facts.ctimeNs ?? ''].join(' ').trim(),
    )
    found.push(difference({ kind: 'ignored', name, change: changeOf(old, now), traits }, old, now))
  }
  return found
}
