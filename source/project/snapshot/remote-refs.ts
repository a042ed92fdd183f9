import { join } from 'node:path'
import { localRemotes, parseGitConfig } from '../git-config.js'
import { isAncestor, isRebased } from './ancestry.js'
import { type Difference, difference, type Trait } from './difference.js'
import { readPlainText } from './plain-read.js'
import type { PrivateRepository } from './private-repository.js'
import { gitDirectoryIn } from './refs.js'
import type { ListPair } from './snapshot-types.js'

// What has happened to remotes meanwhile, as far as plain reads show it. A fetch is free: it changes nothing of anybody. A push is
// told by the log that git keeps of `refs/remotes`; a remote on this machine is looked at itself. Nothing here reaches over a
// network, and nothing can be put back.

type Refs = Readonly<Record<string, string>>

/** Pushes, and what has gone from remotes or moved back there. */
export async function remoteDifferences(repo: PrivateRepository, lists: ListPair): Promise<Difference[]> {
  const { before, after } = lists
  const found: Difference[] = []
  for (const [path, refs] of Object.entries(before.remotes ?? {})) {
    const now = after.remotes?.[path]
    if (now !== undefined) found.push(...(await movedThere(repo, path, [refs, now])))
    // One that is only named no more is told with the setting that named it.
    else if ((await gitDirectoryIn(path)) === undefined)
      found.push(difference({ kind: 'ref', name: path, change: 'removed', traits: there }, path))
  }
  return [...found, ...(await trackedDifferences(repo, lists))]
}

const there: Trait[] = ['remote', 'unstored']

/** Of a remote on this machine: branches and tags that are gone, or hold no more what they held. */
async function movedThere(
  repo: PrivateRepository,
  path: string,
  [before, after]: [Refs, Refs],
): Promise<Difference[]> {
  const found: Difference[] = []
  const objects = alsoIn(repo, await gitDirectoryIn(path))
  for (const [ref, was] of Object.entries(before)) {
    const is = after[ref]
    if (is === was) continue
    const isTag = ref.startsWith('refs/tags/')
    if (is !== undefined && !isTag && (await isAncestor(repo, was, is, objects))) continue
    if (is !== undefined && !isTag && (await isRebased(repo, was, is))) continue
    const change = is === undefined ? 'removed' : 'changed'
    found.push(difference({ kind: 'ref', name: `${path} ${ref}`, change, traits: there }, was, is))
  }
  return found
}

/** Objects may lie in the remote alone: a list of paths, divided as git divides it. */
function alsoIn(repo: PrivateRepository, directory: string | undefined): Record<string, string> {
  const places = [join(repo.commonDir, 'objects'), ...(directory ? [join(directory, 'objects')] : [])]
  return places.some((path) => /[:"\n]/.test(path))
    ? {}
    : { GIT_ALTERNATE_OBJECT_DIRECTORIES: places.join(':') }
}

/** Of all remotes, as it is known here. */
async function trackedDifferences(
  repo: PrivateRepository,
  { before, after }: ListPair,
): Promise<Difference[]> {
  const found: Difference[] = []
  const looked = await remotesHere(repo, Object.keys(before.remotes ?? {}))
  const hasFetched = before.fetched !== after.fetched
  const [old, now] = [before.tracking ?? after.tracking ?? {}, after.tracking ?? {}]
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const [was, is] = [old[name], now[name]]
    // `origin/HEAD` is another name of a branch, and only known here.
    if (was === is || was?.startsWith('ref: ') || is?.startsWith('ref: ')) continue
    const isSeen = looked.some((remote) => name.startsWith(`refs/remotes/${remote}/`))
    if (is === undefined) {
      if (isSeen) continue
      const traits: Trait[] = hasFetched ? [...there, 'fetched'] : there
      found.push(difference({ kind: 'ref', name, change: 'removed', traits }, was))
      continue
    }
    const moved = await movedHere(repo, { name, was, is, isSeen })
    if (moved) found.push(difference({ kind: 'ref', name, ...moved }, was, is))
  }
  return found
}

/** Names of remotes that lie at one of these paths. */
async function remotesHere(
  { commonDir, place }: PrivateRepository,
  paths: readonly string[],
): Promise<string[]> {
  return parseGitConfig(await readPlainText(join(commonDir, 'config'))).flatMap((entry) => {
    const name = /^remote\.(.+)\.url$/s.exec(entry.key)?.[1]
    const [path] = localRemotes(place.root, [entry])
    return name !== undefined && path !== undefined && paths.includes(path) ? [name] : []
  })
}

interface Tracked {
  name: string
  was: string | undefined
  is: string
  /** The remote itself was looked at. */
  isSeen: boolean
}

/** A push forward, or one over what was there; undefined for what a fetch has brought. */
async function movedHere(
  repo: PrivateRepository,
  { name, was, is, isSeen }: Tracked,
): Promise<Pick<Difference, 'change' | 'traits'> | undefined> {
  const steps = await stepsOf(repo, name, [was, is])
  const pushes = steps?.filter(({ how }) => how === 'update by push') ?? []
  const own = new Set(pushes.map((step) => step.is))
  const traits: Trait[] = ['remote', 'pushed', 'unstored']
  if (!isSeen) {
    for (const push of pushes) {
      if (/^0+$/.test(push.was) || own.has(push.was) || (await isAncestor(repo, push.was, push.is))) continue
      if (await isRebased(repo, push.was, push.is)) continue
      return { change: 'changed', traits }
    }
    // Nothing tells who has moved it.
    const isTold = steps !== undefined || was === undefined
    if (!isTold && !(await isAncestor(repo, was, is)) && !(await isNoted(repo, is)))
      return { change: 'changed', traits: there }
  }
  if (pushes.length === 0) return undefined
  return { change: was === undefined ? 'added' : 'forward', traits }
}

/** The last fetch has seen it there. */
async function isNoted({ gitDir }: PrivateRepository, id: string): Promise<boolean> {
  return (await readPlainText(join(gitDir, 'FETCH_HEAD')))
    .split('\n')
    .some((line) => line.startsWith(`${id}\t`))
}

interface Step {
  was: string
  is: string
  how: string
}

/** By which steps a ref has come from one commit to another, in their order; undefined where its log does not tell. */
async function stepsOf(
  { commonDir }: PrivateRepository,
  name: string,
  [from, to]: [string | undefined, string],
): Promise<Step[] | undefined> {
  const text = await readPlainText(join(commonDir, 'logs', name))
  const steps: Step[] = []
  let wanted = to
  for (const line of text.trimEnd().split('\n').reverse()) {
    const [who = '', how = ''] = line.split('\t', 2)
    const [was = '', is] = who.split(' ', 2)
    if (is !== wanted) return undefined
    steps.unshift({ was, is, how })
    if (was === from || (from === undefined && /^0+$/.test(was))) return steps
    wanted = was
  }
  return undefined
}
