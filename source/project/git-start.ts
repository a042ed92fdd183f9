import { lstat, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Problem } from '../problem.js'
import { findOnPath } from '../processes/find-program.js'
import { plainHead } from './git-plain.js'
import { commitId, GitExit, type GitReader, nulList } from './git-read.js'
import { dirtySubmodules } from './git-status.js'
import { readPlainText } from './snapshot/plain-read.js'

// What must hold before autopilot works in a repository (docs/durability.md, "Start checks").

const oldestGit = [2, 36] as const

/** Version of the installed git, such as `2.39.5`; null without one. */
export async function readVersion(reader: GitReader): Promise<string | null> {
  const result = await reader.pipe(['version'])
  return /git version (\d+(?:\.\d+)+)/.exec(result.stdout)?.[1] ?? null
}

/** Everything that stops a start, each with what to do about it. */
export async function findStartProblems(reader: GitReader): Promise<Problem[]> {
  const first = await findBeginningProblem(reader)
  if (first) return [first]
  const bare = await readBare(reader)
  if (bare instanceof Problem) return [bare]
  if (bare) return [bareRepository(reader.root)]

  const problems: Problem[] = []
  if (!(await commitId(reader, 'HEAD'))) problems.push((await findDamagedHead(reader)) ?? noCommit())
  if (!(await hasIdentity(reader))) problems.push(noIdentity())
  const operation = await findInProgress(reader)
  if (operation) problems.push(operationInProgress(operation))
  const conflicts = await unmergedPaths(reader)
  if (conflicts.length > 0 && operation === null) problems.push(unmerged(conflicts))
  const lock = await findIndexLock(reader)
  if (lock) problems.push(indexLocked(lock))
  return problems
}

/**
 * HEAD names something that cannot be read, as after a power cut; undefined where there is simply no commit yet. A new first
 * commit would hide all that was there.
 */
export async function findDamagedHead(reader: GitReader): Promise<Problem | undefined> {
  const id = (await reader.tryRead(['rev-parse', '--verify', '-q', 'HEAD']))?.trim()
  if (id) return damagedHead(`HEAD names the commit ${id}, which cannot be read.`)
  // Of a branch whose file is damaged git does not even tell the name.
  const branch =
    (await plainHead(reader.root))?.branch ??
    (await reader.tryRead(['symbolic-ref', '-q', '--short', 'HEAD']))?.trim()
  if (!branch) return damagedHead('HEAD names no branch and no commit.')
  const [file = ''] = await gitPaths(reader, [`refs/heads/${branch}`])
  return (await exists(file)) ? damagedHead(`The file of the branch ${branch} names no commit.`) : undefined
}

/** What keeps a repository from being made here: git itself, or a folder that is too much of a person's disk. */
export async function findBeginningProblem(reader: GitReader): Promise<Problem | undefined> {
  const version = await readVersion(reader)
  if (version === null) return noGit()
  if (isOlder(version)) return oldGit(version)
  return (await isHomeOrTop(reader.root)) ? wholeHome(reader.root) : undefined
}

/** What a person should know and decide about before a start: dirty submodules, large-file storage not installed. */
export async function findStartDoubts(reader: GitReader): Promise<Problem[]> {
  const doubts: Problem[] = []
  const submodules = await dirtySubmodules(reader)
  if (submodules.length > 0) doubts.push(submoduleChanges(submodules))
  if ((await usesLargeFiles(reader)) && !(await storesLargeFiles(reader))) doubts.push(largeFilesMissing())
  return doubts
}

const markers: [file: string, operation: string][] = [
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['sequencer', 'sequence of picks'],
  ['BISECT_LOG', 'bisect'],
]

/** Name of the operation that git has not finished, such as `merge`; null if there is none. */
export async function findInProgress(reader: GitReader): Promise<string | null> {
  for (const [index, path] of (
    await gitPaths(
      reader,
      markers.map(([file]) => file),
    )
  ).entries()) {
    if (await exists(path)) return markers[index]?.[1] ?? null
  }
  return null
}

export async function unmergedPaths(reader: GitReader): Promise<string[]> {
  const listed = nulList(await reader.read(['ls-files', '-u', '-z']))
  return [...new Set(listed.map((entry) => entry.slice(entry.indexOf('\t') + 1)))]
}

/** Absolute path of the lock of the index when somebody holds it. It is shown, never deleted. */
export async function findIndexLock(reader: GitReader): Promise<string | null> {
  const [path] = await gitPaths(reader, ['index.lock'])
  return path && (await exists(path)) ? path : null
}

/** Where files of the repository's own directory lie, in a worktree too. */
export async function gitPaths(reader: GitReader, names: string[]): Promise<string[]> {
  const output = await reader.read(['rev-parse', ...names.flatMap((name) => ['--git-path', name])])
  return output
    .replace(/\n$/, '')
    .split('\n')
    .map((path) => resolve(reader.root, path))
}

async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  )
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < oldestGit[0] || (major === oldestGit[0] && minor < oldestGit[1])
}

async function isHomeOrTop(root: string): Promise<boolean> {
  const real = await realpath(root).catch(() => root)
  const home = await realpath(homedir()).catch(() => homedir())
  return real === home || dirname(real) === real
}

async function readBare(reader: GitReader): Promise<boolean | Problem> {
  try {
    const inside = await reader.read(['rev-parse', '--is-inside-work-tree'])
    return inside.trim() !== 'true'
  } catch (error) {
    if (!(error instanceof GitExit)) throw error
    if (/dubious ownership|safe\.directory/.test(error.output)) return foreignOwner(reader.root)
    return notARepository(reader.root, error.output)
  }
}

/** Whether git knows in whose name to commit; it need not be asked in a repository. */
export async function hasIdentity(reader: GitReader): Promise<boolean> {
  const author = await reader.tryRead(['var', 'GIT_AUTHOR_IDENT'])
  const committer = await reader.tryRead(['var', 'GIT_COMMITTER_IDENT'])
  return author !== undefined && committer !== undefined
}

async function usesLargeFiles(reader: GitReader): Promise<boolean> {
  const files = nulList(await reader.read(['ls-files', '-z', '--', ':(glob)**/.gitattributes']))
  for (const file of files) {
    const text = await readPlainText(join(reader.root, file))
    if (/\bfilter=lfs\b/.test(text)) return true
  }
  return false
}

/** git-lfs is there, or another program is set in its place. */
async function storesLargeFiles(reader: GitReader): Promise<boolean> {
  if (await findOnPath('git-lfs')) return true
  const set = (await reader.tryRead(['config', '--get', 'filter.lfs.clean'])) ?? ''
  return set.trim() !== '' && !/\bgit[- ]lfs\b/.test(set)
}

function repositoryProblem(what: string, why: string, todo: string): Problem {
  return new Problem({ code: 'repository', what, why, todo })
}

function noGit(): Problem {
  return new Problem({
    code: 'git',
    what: 'git was not found on PATH.',
    why: 'autopilot checks the work of agents by what git sees, and keeps it in commits.',
    todo: `Install git ${oldestGit.join('.')} or newer and start autopilot again.`,
  })
}

function oldGit(version: string): Problem {
  return new Problem({
    code: 'git',
    what: `git ${version} is too old; ${oldestGit.join('.')} or newer is needed.`,
    why: 'Older versions cannot write commits so that they survive a power cut.',
    todo: 'Update git and start autopilot again.',
  })
}

function wholeHome(root: string): Problem {
  return repositoryProblem(
    `The repository is ${root}, your whole home directory or disk.`,
    'Agents would get the right to change every file in it.',
    'Start autopilot inside the repository of one project.',
  )
}

function bareRepository(root: string): Problem {
  return repositoryProblem(
    `${root} is a repository without a working tree.`,
    'Agents need files to work on.',
    'Clone it, or add a worktree, and start autopilot there.',
  )
}

function foreignOwner(root: string): Problem {
  return repositoryProblem(
    `The repository ${root} belongs to another user.`,
    'git refuses to work there, because the settings of the repository can run programs.',
    `If you trust its owner: git config --global --add safe.directory ${JSON.stringify(root)}`,
  )
}

function notARepository(root: string, output: string): Problem {
  return repositoryProblem(
    `git does not accept ${root} as a repository: ${output.trim()}`,
    'Every phase starts from a commit and is checked against it.',
    'Run `git status` there and mend what it reports, or run `git init` and make a first commit.',
  )
}

function noCommit(): Problem {
  return repositoryProblem(
    'The repository has no commit yet.',
    'Every phase starts from a commit and is checked against it.',
    'Make a first commit and start autopilot again.',
  )
}

function damagedHead(what: string): Problem {
  return repositoryProblem(
    what,
    'The repository is damaged, perhaps by a power cut: the history is there, but nothing can be built on it.',
    'Look for the last good commit with `git reflog` and `git fsck --lost-found`, put it back with `git update-ref`, then start autopilot again.',
  )
}

function noIdentity(): Problem {
  return repositoryProblem(
    'git does not know who you are.',
    'Checkpoints are commits in your name.',
    'Set it with: git config --global user.name "Your Name" and git config --global user.email you@example.org',
  )
}

function operationInProgress(operation: string): Problem {
  return repositoryProblem(
    `A ${operation} is in progress in this repository.`,
    'A commit now would conclude it, with conflict markers and all.',
    `Finish or abort the ${operation}, then start autopilot again.`,
  )
}

function unmerged(paths: string[]): Problem {
  return repositoryProblem(
    `There are unresolved conflicts: ${firstOf(paths)}.`,
    'A commit now would record the conflict markers.',
    'Resolve the conflicts and start autopilot again.',
  )
}

function indexLocked(lock: string): Problem {
  return repositoryProblem(
    `Another git command holds ${lock}, or one died while holding it.`,
    'Two writers at once would destroy the index.',
    'Wait until it is finished. If no git command runs any more, delete that file yourself.',
  )
}

function submoduleChanges(paths: string[]): Problem {
  return repositoryProblem(
    `Submodules have changes of their own: ${firstOf(paths)}.`,
    'autopilot commits nothing inside submodules, so these changes stay as they are.',
    'Commit them there first, or go on and leave them out.',
  )
}

function largeFilesMissing(): Problem {
  return repositoryProblem(
    'The repository stores large files with git-lfs, which is not installed.',
    'Changed large files would be committed in full instead.',
    'Install git-lfs and run `git lfs install`, or go on if no large file will change.',
  )
}

function firstOf(paths: string[]): string {
  const shown = paths.slice(0, 5).join(', ')
  return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown
}
