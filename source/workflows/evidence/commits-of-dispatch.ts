import { basename, dirname, join } from 'node:path'
import { inOneLine } from '../../documents/edit.js'
import { attemptTrailer } from '../../project/git-made.js'
import { gitFailed } from '../../project/git-read.js'
import { ignores } from '../../project/gitignore.js'
import { secretKinds, secretsIn } from '../../project/secrets.js'
import {
  callGit,
  openPrivateRepository,
  type PrivateRepository,
} from '../../project/snapshot/private-repository.js'
import type { Snapshot, SnapshotPlace } from '../../project/snapshot/snapshot-types.js'
import { treeBlobs } from '../../project/snapshot/tree-blobs.js'
import { redacted } from '../../secrets/redact.js'
import { type Commit, type CommittedFile, contentDoubts, readObjects } from './committed-content.js'
import type { Finding } from './judge.js'

// Which commits a dispatch has made, read in the repository of the snapshots, so that nothing of the project is executed.

export interface CommitsMade {
  /** Repo-relative paths in them, each once. */
  paths: string[]
  /** What somebody has to know of. */
  doubts: Finding[]
  /** Paths that HEAD has no more, though they lie where they did. */
  letGo?: string[]
}

export interface CommitsAsked {
  before: Snapshot
  after: Snapshot
  /** Ids by full name of ref, before and after. */
  refs: Readonly<Record<string, string>>
  refsAfter: Readonly<Record<string, string>>
  /** Branches that other work trees have checked out: those commits are others' matter. */
  otherWorktrees: Readonly<Record<string, string>>
  /** Paths that were dirty before the work began and whose changes nobody has handed over. */
  beforehand: readonly string[]
  /** Subjects of commits that only the program makes, beside those that begin with its name. */
  ownSubjects?: readonly RegExp[]
}

const mostCommits = 2_000

/**
 * Commits between two snapshots that no branch held before: on HEAD, and on every branch that came or moved, so that nothing is
 * known by the time it is merged. Tags and replacements make nothing known. `paths` are those on HEAD.
 */
export async function commitsMade(place: SnapshotPlace, asked: CommitsAsked): Promise<CommitsMade> {
  const { before, after, refs, beforehand } = asked
  const moved = movedBranches(asked)
  const headMoved = after.head !== null && after.head !== before.head
  const isTagged = Object.keys(asked.refsAfter).some(
    (name) => name.startsWith('refs/tags/') && refs[name] === undefined,
  )
  if (!headMoved && moved.length === 0 && !isTagged) return { paths: [], doubts: [] }
  const repo = await openPrivateRepository(place)
  const known = [before.head, ...branches(refs).map(([, id]) => id)]
  const onHead = headMoved ? await readCommits(repo, [after.head ?? ''], known) : []
  const beside = moved.length > 0 ? await readCommits(repo, moved, [...known, after.head]) : []
  const commits = [...onHead, ...beside]
  const letGo = await letGoBy(repo, onHead, after)
  return {
    ...(letGo.length > 0 ? { letGo } : {}),
    paths: [...new Set(onHead.flatMap(({ files }) => files.map(({ path }) => path)))],
    doubts: [
      ...(onHead.length > mostCommits || beside.length > mostCommits ? [tooMany] : []),
      ...commits.flatMap((commit) => nameDoubts(commit, asked.ownSubjects ?? [])),
      ...commits.flatMap(({ id, subject, message }) =>
        messageDoubts(`${id.slice(0, 7)} ${withoutSecrets(subject)}`, message),
      ),
      ...(isTagged ? await tagDoubts(repo, asked) : []),
      ...commits.flatMap(swallowedFiles),
      ...(await contentDoubts(repo, commits, new Set(beforehand))),
      ...(await ownRecords(repo, commits, before)),
    ],
  }
}

/** Files that commits took out of git and left in the work tree. */
async function letGoBy(
  repo: PrivateRepository,
  commits: readonly Commit[],
  after: Snapshot,
): Promise<string[]> {
  const files = commits.flatMap((commit) => commit.files)
  const gone = files.flatMap(({ path, blob, before, nested }) =>
    blob === null && before.length > 0 && !nested ? [path] : [],
  )
  if (gone.length === 0 || after.head === null) return []
  const [here, held] = await Promise.all([
    treeBlobs(repo, after.tree, gone),
    treeBlobs(repo, after.head, gone),
  ])
  return [...new Set(gone)].filter((path) => here?.has(path) && held?.has(path) === false).sort()
}

const tooMany: Finding = {
  name: `more than ${mostCommits} commits`,
  change: 'committed',
  why: 'more was committed than is looked through',
  by: 'agent',
}

const branches = (refs: Readonly<Record<string, string>>) =>
  Object.entries(refs).filter(([name]) => name.startsWith('refs/heads/'))

function movedBranches({ refs, refsAfter, otherWorktrees, after }: CommitsAsked): string[] {
  return branches(refsAfter).flatMap(([name, id]) =>
    refs[name] === id || id === after.head || otherWorktrees[name] !== undefined ? [] : [id],
  )
}

/** Records of sessions that git was told to leave out, and that somebody has put in all the same. */
async function ownRecords(
  repo: PrivateRepository,
  commits: readonly Commit[],
  { tree }: Snapshot,
): Promise<Finding[]> {
  const found: Finding[] = []
  for (const own of repo.place.ownPaths ?? []) {
    const added = commits.flatMap(({ id, files }) =>
      files
        .filter(
          ({ path, blob, before }) => blob !== null && before.length === 0 && path.startsWith(`${own}/`),
        )
        .map(({ path }) => `${path} in ${id.slice(0, 7)}`),
    )
    if (added.length === 0) continue
    const rules = await callGit(repo, ['cat-file', 'blob', `${tree}:${join(dirname(own), '.gitignore')}`])
    if (rules.code !== 0 || !ignores(rules.stdout.toString('utf8'), basename(own))) continue
    const why = 'a record of a session, which git is told to leave out'
    found.push(...added.map((name): Finding => ({ name, change: 'committed', why, by: 'agent' })))
  }
  return found
}

/** Newest first; one more than is looked through where there are too many. Throws Problem ('git'). */
async function readCommits(
  repo: PrivateRepository,
  to: readonly string[],
  known: readonly (string | null)[],
): Promise<Commit[]> {
  const without = known.flatMap((id) => (id !== null && isId(id) ? [`^${id}`] : []))
  // Nothing that an agent has written stands in it but paths: a message could hold the marks as well.
  const args = ['log', '-z', '--raw', '-r', '-c', '--root', '--no-renames', '--no-abbrev']
  const listed = await callGit(
    repo,
    [...args, '--format=%x01%H%x02', `--max-count=${mostCommits + 1}`, '--ignore-missing', '--stdin'],
    {
      input: [...to.filter(isId), ...new Set(without), '--', ''].join('\n'),
    },
  )
  if (listed.code !== 0) throw gitFailed(`git log failed: ${listed.stderr.trim()}`)
  const parts = listed.stdout.toString('utf8').split(/\x01([0-9a-f]{40,64})\x02/)
  const ids = parts.filter((_, at) => at % 2 === 1)
  const messages = await messagesOf(repo, ids)
  return ids.map((id, at) => {
    const message = messages.get(id) ?? ''
    const [subject = ''] = message.split(/\n[ \t]*\n/)
    return {
      id,
      subject: inOneLine(subject),
      message,
      trailer: trailerLine.exec(message)?.[1]?.trim() ?? '',
      files: filesIn(parts[2 * at + 2] ?? ''),
    }
  })
}

const trailerLine = new RegExp(`^${attemptTrailer}[ \\t]*:(.*)$`, 'im')

/** By id of a commit or of an annotated tag: what its maker has written. */
async function messagesOf(repo: PrivateRepository, ids: readonly string[]): Promise<Map<string, string>> {
  const messages = new Map<string, string>()
  for (const [id, text] of await readObjects(repo, ids)) {
    const end = text.indexOf('\n\n')
    if (end !== -1) messages.set(id, Buffer.from(text.slice(end + 2), 'latin1').toString('utf8'))
  }
  return messages
}

/** A message goes where the commit goes, and is in no file. */
function messageDoubts(name: string, message: string): Finding[] {
  return secretKinds(message).map((kind) => ({
    name,
    change: 'committed',
    why: `its message holds what looks like a secret (${kind})`,
    by: 'agent',
  }))
}

/** Of annotated tags that came. */
async function tagDoubts(repo: PrivateRepository, { refs, refsAfter }: CommitsAsked): Promise<Finding[]> {
  const came = Object.entries(refsAfter).filter(
    ([name, id]) => name.startsWith('refs/tags/') && refs[name] === undefined && isId(id),
  )
  const messages = await messagesOf(
    repo,
    came.slice(0, mostCommits).map(([, id]) => id),
  )
  return came.flatMap(([name, id]) => messageDoubts(name, messages.get(id) ?? ''))
}

/** What is shown of a subject. */
function withoutSecrets(text: string): string {
  return [...secretsIn(text).keys()].reduce((left, value) => left.replaceAll(value, redacted), text)
}

const isId = (text: string) => /^[0-9a-f]{40,64}$/.test(text)
const isGone = (blob: string) => /^0+$/.test(blob)
const submodule = '160000'

/** `:mode mode blob blob M`, and of a merge a colon, a mode and a blob more for each parent; then the path. */
function filesIn(raw: string): CommittedFile[] {
  const fields = raw.split('\0').map((field) => field.replace(/^\n+/, ''))
  return fields.flatMap((field, at) => {
    const parents = /^:+/.exec(field)?.[0].length
    if (parents === undefined) return []
    const words = field.slice(parents).split(' ')
    const mode = words[parents]
    const blobs = words.slice(parents + 1, 2 * parents + 2)
    const blob = blobs.at(-1) ?? ''
    const before = blobs.slice(0, -1).filter((one) => !isGone(one))
    const content = isGone(blob) || mode === submodule ? null : blob
    const nested = mode === submodule ? { nested: true as const } : {}
    return [{ path: fields[at + 1] ?? '', blob: content, before, ...nested }]
  })
}

/** Files that gave way to a repository of which nobody says where it comes from: what is in it would reach nobody. */
function swallowedFiles({ id, files }: Commit): Finding[] {
  if (files.some(({ path }) => path === '.gitmodules')) return []
  const why = 'a repository of its own is in the place of files, and what is in it reaches nobody'
  const isSwallowed = (nested: string) => (file: CommittedFile) =>
    file.blob === null && file.path.startsWith(`${nested}/`)
  return files
    .filter(({ nested, before, path }) => nested && before.length === 0 && files.some(isSwallowed(path)))
    .map(({ path }) => ({ name: `${path} in ${id.slice(0, 7)}`, change: 'committed', why, by: 'agent' }))
}

/** What a person would take for ours. */
const ourName = /^\W*\[\s*autopilot\s*\]/i

function nameDoubts({ id, subject, trailer }: Commit, own: readonly RegExp[]): Finding[] {
  const said = subject.normalize('NFKC')
  if (trailer === '' && ![ourName, ...own].some((one) => one.test(said))) return []
  const name = `${id.slice(0, 7)} ${withoutSecrets(subject)}`
  return [
    { name, change: 'committed', why: 'a commit in the name of autopilot that it did not make', by: 'agent' },
  ]
}
