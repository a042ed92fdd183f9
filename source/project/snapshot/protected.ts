import { type BigIntStats, constants, lstatSync, readlinkSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { isOwnTemporary } from '../../storage/durable-file.js'
import { ordersIn } from '../agent-settings.js'
import { instructionFiles } from '../instruction-files.js'
import { importedInstructions } from '../instruction-imports.js'
import type { PersonalPlace } from '../personal-places.js'
import { filesOfCommands } from './command-files.js'
import { type Difference, difference, type Trait } from './difference.js'
import { leftLocks } from './git-locks.js'
import { readGitSettings } from './git-settings.js'
import { pathOfBytes } from './path-bytes.js'
import { readPlain } from './plain-read.js'
import { shownPath } from './private-repository.js'
import { repositoryOf } from './repository-of.js'
import type { SnapshotPlace } from './snapshot-types.js'
import { dataOf, digestOf, isKept, keepBytes, keepData } from './store.js'
import { largestKeptBytes } from './work-tree.js'

// What nobody may change unasked, by plain reads: no program, and no git, is started (docs/evidence.md, "Order of trust").

export interface RecordPlace {
  /** Absolute. */
  directory: string
  whose: 'own' | 'other-session' | 'other-tool'
  /** Paths below it that grow by themselves: only their type, mode, owner and links are compared. */
  growing?: readonly string[]
  /** Paths below it that are not looked at. */
  free?: readonly string[]
}

export interface ProtectedOptions {
  place: SnapshotPlace
  /** Spec, approved plans, settings of the project: absolute, or relative to the root. */
  named?: readonly string[]
  /** Test and validate commands. */
  commands?: readonly (readonly string[])[]
  /** Everything that was trusted: absolute, or relative to the root. */
  trusted?: readonly string[]
  records?: readonly RecordPlace[]
  /** Files of the person that agents can write. */
  personal?: readonly PersonalPlace[]
}

export interface ProtectedEntry {
  /** Absolute path; of a setting or a text that of the file that holds it. */
  path: string
  kind: 'file' | 'config' | 'record'
  why: Trait
  /** `text` is a part of a file; `other` a pipe, a socket, a device. */
  type: 'file' | 'link' | 'directory' | 'text' | 'other' | 'unreadable'
  /** Digest of the content, or values of a setting as JSON, or the target of a link. */
  content: string
  /** Permissions, owner and number of links. */
  shape: string
  /** Its bytes lie in the store. */
  kept: boolean
}

export interface ProtectedReading {
  /** Under which the store holds `entries`. */
  digest: string
  /** By name, as a difference has it. */
  entries: Record<string, ProtectedEntry>
}

/** Below each place; so a place full of files takes no look from another one. */
const mostFiles = 5_000
const deepest = 8

interface Reading {
  place: SnapshotPlace
  entries: Record<string, ProtectedEntry>
  looked: number
}

/** Reads everything protected and keeps its bytes. Throws Problem ('repository') where there is no repository. */
export async function readProtected(options: ProtectedOptions): Promise<ProtectedReading> {
  const { place } = options
  const { root } = place
  await mkdir(place.store, { recursive: true, mode: 0o700 })
  const reading: Reading = { place, entries: {}, looked: 0 }
  const { gitDir, commonDir } = await repositoryOf(root)
  const commands = await filesOfCommands(root, options.commands ?? [])
  const take = async (paths: readonly string[], why: Trait) => {
    for (const path of paths) await takePath(reading, resolve(root, path), { kind: 'file', why, depth: 0 })
  }
  await take(options.trusted ?? [], 'trust')
  await take(options.named ?? [], 'named')
  for (const each of options.personal ?? []) await takePersonal(reading, each)
  // `npm test` names a script and no folder; work below a folder of tests is what agents are for.
  await take(commands.files.filter(isNoDirectory), 'command')
  for (const [name, text] of Object.entries(commands.texts))
    reading.entries[`file ${name}`] = textEntry(join(root, 'package.json'), text, 'command')
  await take(instructionFiles, 'instructions')
  await take(await importedInstructions(filesTaken(reading, 'instructions')), 'instructions')
  await take(['.gitattributes', join(commonDir, 'info', 'attributes')], 'attributes')
  await takeGit(reading, gitDir, commonDir)
  for (const record of options.records ?? []) await takeRecords(reading, record)
  return { digest: await keepData(place.store, reading.entries), entries: reading.entries }
}

/** A reading that the store holds. Throws Problem ('unreadable') where it is lost. */
export async function loadProtected(store: string, digest: string): Promise<ProtectedReading> {
  return { digest, entries: await dataOf<Record<string, ProtectedEntry>>(store, digest) }
}

async function takePersonal(reading: Reading, { path, why, program }: PersonalPlace): Promise<void> {
  if (program === undefined) return await takePath(reading, path, { kind: 'file', why, depth: 0 })
  const text = (await readPlain(path))?.toString('utf8') ?? ''
  for (const [part, content] of Object.entries(ordersIn(program, text)))
    reading.entries[`file ${shownPath(reading.place.root, path)}#${part}`] = textEntry(path, content, why)
}

/** Absolute paths of the files that were taken for this reason. */
function filesTaken({ entries }: Reading, why: Trait): string[] {
  return Object.values(entries).flatMap((one) => (one.why === why && one.type === 'file' ? [one.path] : []))
}

function isNoDirectory(path: string): boolean {
  return !lstatSync(path, { throwIfNoEntry: false })?.isDirectory()
}

/** What git leaves in its directory while something is begun and not finished: the next commit would conclude it. */
const underWay = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'BISECT_LOG',
  'sequencer',
  'rebase-merge',
  'rebase-apply',
]

async function takeGit(reading: Reading, gitDir: string, commonDir: string): Promise<void> {
  const { root } = reading.place
  const settings = await readGitSettings(root, gitDir, commonDir)
  for (const path of settings.files)
    await takePath(reading, path, { kind: 'file', why: 'user-settings', depth: 0 })
  for (const { path, settings: keys } of settings.repository) {
    const shown = shownPath(root, path)
    for (const [key, values] of Object.entries(keys)) {
      const isPart = path !== join(commonDir, 'config') && !shown.endsWith('config.worktree')
      const name = isPart
        ? `${shown} ${key}`
        : shown.endsWith('config.worktree')
          ? `config.worktree ${key}`
          : key
      const entry = textEntry(path, JSON.stringify(values), 'git-settings')
      reading.entries[`config ${name}`] = { ...entry, kind: 'config', content: JSON.stringify(values) }
    }
  }
  const marker = lstatSync(join(root, '.git'), { bigint: true, throwIfNoEntry: false })
  const files = ['info/exclude', 'info/grafts', 'objects/info/alternates'].map((each) =>
    join(commonDir, each),
  )
  if (!marker?.isDirectory()) files.push(join(root, '.git'))
  files.push(join(gitDir, 'commondir'))
  for (const path of files) await takePath(reading, path, { kind: 'file', why: 'git-settings', depth: 0 })
  for (const name of underWay)
    await takePath(reading, join(gitDir, name), { kind: 'file', why: 'under-way', depth: 0 })
  for (const path of await leftLocks(gitDir, commonDir))
    await takePath(reading, path, { kind: 'file', why: 'git-lock', depth: 0 })
  for (const directory of settings.hookDirectories) {
    await takePath(reading, directory, { kind: 'file', why: 'hook', depth: 0 })
  }
}

function textEntry(path: string, text: string, why: Trait): ProtectedEntry {
  return { path, kind: 'file', why, type: 'text', content: digestOf(text), shape: '', kept: false }
}

async function takeRecords(reading: Reading, record: RecordPlace): Promise<void> {
  const below = (paths: readonly string[] = []) =>
    new Set(paths.map((path) => resolve(record.directory, path)))
  await takePath(reading, record.directory, {
    kind: 'record',
    why: record.whose,
    depth: 0,
    growing: below(record.growing),
    free: below(record.free),
  })
}

interface Taken {
  kind: 'file' | 'record'
  why: Trait
  depth: number
  /** How many were looked at before this place. */
  since?: number
  growing?: ReadonlySet<string>
  free?: ReadonlySet<string>
}

/** Takes a path as it is there, and what is in it where it is a directory. The first reason for a path stays. */
async function takePath(reading: Reading, path: string, taken: Taken): Promise<void> {
  const name = shownPath(reading.place.root, path)
  const key = `${taken.kind} ${name}`
  if (taken.free?.has(path) || reading.entries[key] !== undefined) return
  // What is written beside the work is not there a moment later.
  if (taken.kind === 'record' && isOwnTemporary(path)) return
  if (path.endsWith('.sample') && taken.why === 'hook') return
  let stats: BigIntStats | undefined
  try {
    stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    // A name through a file or a loop of links: nothing is there.
  }
  if (stats === undefined) return
  reading.looked += 1
  if (reading.looked % 64 === 0) await breathe()
  const seen = await entryOf(reading.place.store, path, { stats, growing: taken.growing?.has(path) })
  reading.entries[key] = { path, kind: taken.kind, why: taken.why, ...seen }
  if (!stats.isDirectory() || taken.depth >= deepest) return
  const names = await readdir(path, { encoding: 'latin1' }).catch(() => [])
  const since = taken.since ?? reading.looked
  for (const each of names.sort()) {
    if (reading.looked - since > mostFiles) return
    if (each === '.git' || each === 'node_modules') continue
    await takePath(reading, join(path, pathOfBytes(each)), { ...taken, since, depth: taken.depth + 1 })
  }
}

type Seen = Pick<ProtectedEntry, 'content' | 'kept' | 'type' | 'shape'>

async function entryOf(
  store: string,
  path: string,
  { stats, growing }: { stats: BigIntStats; growing?: boolean | undefined },
): Promise<Seen> {
  // A directory gets other links and times with every file in it; what is in it is listed. A file of a package has links in
  // every project that was installed from the same store.
  const links = stats.isDirectory() || path.split(sep).includes('node_modules') ? '' : ` links ${stats.nlink}`
  const shape = `mode ${(stats.mode & 0o7777n).toString(8)} owner ${stats.uid}${links}`
  return { shape, ...(await contentOf(store, path, { stats, growing })) }
}

/** How one path is now; undefined where nothing is. */
export async function lookAt(
  place: { store: string; root: string },
  path: string,
): Promise<ProtectedEntry | undefined> {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (stats === undefined) return undefined
  return { path, kind: 'file', why: 'named', ...(await entryOf(place.store, path, { stats })) }
}

async function contentOf(
  store: string,
  path: string,
  { stats, growing }: { stats: BigIntStats; growing?: boolean | undefined },
): Promise<Pick<ProtectedEntry, 'content' | 'kept' | 'type'>> {
  if (stats.isDirectory()) return { type: 'directory', content: '', kept: true }
  if (stats.isSymbolicLink()) return await linkOf(path)
  if (!stats.isFile()) return { type: 'other', content: '', kept: false }
  if (growing) return { type: 'file', content: `file ${stats.ino}`, kept: false }
  if (stats.size > BigInt(largestKeptBytes))
    return { type: 'file', content: `${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`, kept: false }
  const known = remembered.get(path)
  const signature = signatureOf(store, stats)
  if (known?.signature === signature && isKept(store, known.digest))
    return { type: 'file', content: known.digest, kept: true }
  const bytes = await readPlain(path, constants.O_NOFOLLOW)
  if (bytes === undefined)
    return { type: 'unreadable', content: `${stats.size} ${stats.mtimeNs}`, kept: false }
  const digest = await keepBytes(store, bytes)
  if (remembered.size >= mostFiles) remembered.clear()
  if (Date.now() - Number(stats.ctimeMs) > settledMs) remembered.set(path, { signature, digest })
  return { type: 'file', content: digest, kept: true }
}

/** Digests of this process, by path: the time of the last change cannot be set by anybody. */
const remembered = new Map<string, { signature: string; digest: string }>()
/** A file may change twice within one tick of the clock of its file system. */
const settledMs = 1_000

function signatureOf(store: string, { dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [store, dev, ino, size, mtimeNs, ctimeNs].join(' ')
}

/** A link counts by where it leads and by what is read through it. */
async function linkOf(path: string): Promise<Pick<ProtectedEntry, 'content' | 'kept' | 'type'>> {
  const target = readlinkSync(path)
  const behind = await readPlain(path)
  return { type: 'link', content: JSON.stringify([target, behind ? digestOf(behind) : null]), kept: true }
}

/**
 * The reading with what an earlier one held beside: a file that nothing names any more, such as the program of an agent
 * that was not chosen this time, is looked at where it was. What named it is a difference of its own.
 */
export async function withOldPlaces(
  place: SnapshotPlace,
  before: ProtectedReading,
  after: ProtectedReading,
): Promise<ProtectedReading> {
  const reading: Reading = { place, entries: { ...after.entries }, looked: 0 }
  for (const [key, { path, kind, why, type }] of Object.entries(before.entries)) {
    if (kind !== 'file' || type === 'text' || reading.entries[key] !== undefined) continue
    await takePath(reading, path, { kind, why, depth: deepest })
  }
  return { digest: after.digest, entries: reading.entries }
}

/** What differs between two readings, sorted by name. */
export function compareProtected(before: ProtectedReading, after: ProtectedReading): Difference[] {
  const found: Difference[] = []
  for (const key of new Set([...Object.keys(before.entries), ...Object.keys(after.entries)])) {
    const [was, is] = [before.entries[key], after.entries[key]]
    const some = is ?? was
    if (some === undefined) continue
    const [old, now] = [was && stateOf(was), is && stateOf(is)]
    if (old === now) continue
    if (some.kind === 'config' && isFresh(before, key, is)) continue
    // A directory that came or went shows by what is in it.
    if (some.type === 'directory' && some.kind === 'file' && (was === undefined || is === undefined)) continue
    const traits: Trait[] = [some.why]
    if (was && !was.kept && was.kind !== 'config') traits.push('unstored')
    if (was?.type === 'link' || is?.type === 'link') traits.push('link')
    if (was && is && was.type !== is.type) traits.push('type')
    if (was && is && was.type === is.type && was.content === is.content) traits.push('shape')
    const kind = some.kind === 'file' ? 'protected' : some.kind
    const name = key.slice(key.indexOf(' ') + 1)
    const change = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed'
    found.push(difference({ kind, name, change, traits }, old, now))
  }
  return found.sort((a, b) => (a.kind + a.name < b.kind + b.name ? -1 : 1))
}

/** What git writes into the settings of a submodule that it has just cloned. */
const ofClone =
  /\/config (?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|worktree|ignorecase|precomposeunicode|symlinks)|remote\..*\.(?:url|fetch|promisor|partialclonefilter)|submodule\..*|extensions\.(?:partialclone|objectformat))$/s

/** A setting of a submodule that was not there before, or is not there any more. */
function isFresh({ entries }: ProtectedReading, key: string, is: ProtectedEntry | undefined): boolean {
  const at = key.lastIndexOf('/config ')
  if (at < 0) return false
  const file = key.slice(0, at + '/config '.length)
  const wasThere = Object.keys(entries).some((each) => each.startsWith(file))
  if (is === undefined) return !lstatSync(entries[key]?.path ?? '', { throwIfNoEntry: false })
  return !wasThere && ofClone.test(key)
}

/** The state of an entry in the form that differences carry. */
export function stateOf(entry: ProtectedEntry): string {
  return [entry.type, entry.shape, entry.content].join('|')
}
