import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { localRemotes, parseGitConfig } from '../git-config.js'
import { insideRoot } from '../paths.js'
import { submodulesOf, submoduleUrls } from '../submodules.js'
import { readPlainText } from './plain-read.js'
import { userGitDirectory } from './private-repository.js'
import { gitDirectoryIn } from './refs.js'

// Settings of git through which something is executed, included, redirected or hidden, read as text.

export interface SettingsFile {
  path: string
  /** Watched key to its values, in their order. */
  settings: Record<string, string[]>
}

export interface GitSettings {
  /** The repository's own files, whose watched keys are compared one by one. */
  repository: SettingsFile[]
  /** Files that are compared as a whole: the person's own, and what any of them includes or names. */
  files: string[]
  /** Directories whose files git would run. */
  hookDirectories: string[]
}

/** `branch.*` is free, since `push -u` writes it, as long as it names a remote that is there. */
const watched: RegExp[] = [
  /^(?:core|include|includeif|filter|alias|credential|url|gpg|hook|http|https|protocol|extensions)\./,
  /^(?:sequence|pager|difftool|mergetool|interactive|uploadpack|receive|init|sendemail|trailer)\./,
  /^(?:status\.|diff\.ignoresubmodules$|submodule\..*\.ignore$)/s,
  /^(?:tar\..*\.command|(?:man|browser|guitool)\..*\.cmd)$/s,
  /^diff\.(?:external$|.*\.(?:command|textconv)$)/s,
  /^merge\..*\.driver$/s,
  /^remote\..*\.(?:url|pushurl|fetch|push|mirror|proxy|vcs|uploadpack|receivepack)$/s,
  /^submodule\..*\.update$/s,
  /^remote\.pushdefault$/,
  // Who commits is free, whether it is signed is not.
  /^(?:commit|tag|push)\.gpgsign$/,
  // A line that could not be read.
  /^\?$/,
]

const deepestInclude = 5

/** Reads what git would be told in a repository. */
export async function readGitSettings(root: string, gitDir: string, commonDir: string): Promise<GitSettings> {
  const person = [join(homedir(), '.gitconfig'), join(userGitDirectory(), 'config')]
  const own = [...new Set([join(commonDir, 'config'), join(gitDir, 'config.worktree')])]
  const files = new Set(person)
  const hookDirectories = new Set([join(commonDir, 'hooks')])
  const repository: SettingsFile[] = []
  const urls = submoduleUrls(await readPlainText(join(root, '.gitmodules')))
  for (const path of [...person, ...own]) {
    const settings: Record<string, string[]> = {}
    const entries = await settingsOf(path, 0)
    const remotes = remotesIn(entries)
    const bases = [root, ...entries.flatMap((one) => (/^remote\..+\.url$/s.test(one.key) ? [one.value] : []))]
    for (const { key, value, from } of entries) {
      if (from !== path) files.add(from)
      else if (
        watched.some((pattern) => pattern.test(key)) ||
        leadsAway(key, value, remotes) ||
        isTurned(key, value, { urls, bases })
      )
        settings[key] = [...(settings[key] ?? []), value]
      const named = placeIn(root, value)
      if (key === 'core.hookspath') hookDirectories.add(named)
      if (key === 'core.attributesfile' || key === 'core.excludesfile') files.add(named)
    }
    if (own.includes(path)) repository.push({ path, settings })
  }
  // A push to a repository beside this one runs what lies there.
  for (const path of localRemotes(root, parseGitConfig(await readPlainText(join(commonDir, 'config')))).slice(
    0,
    16,
  )) {
    const directory = await gitDirectoryIn(path)
    if (directory !== undefined) hookDirectories.add(join(directory, 'hooks'))
  }
  for (const { gitDir: directory } of await submodulesOf(root, commonDir)) {
    repository.push({ path: join(directory, 'config'), settings: await settingsOfPart(root, directory) })
    hookDirectories.add(join(directory, 'hooks'))
  }
  for (const name of ['attributes', 'ignore']) files.add(join(userGitDirectory(), name))
  return { repository, files: [...files], hookDirectories: [...hookDirectories] }
}

function remotesIn(entries: readonly { key: string }[]): Set<string> {
  const names = entries.flatMap(({ key }) => /^remote\.(.+)\.url$/s.exec(key)?.[1] ?? [])
  return new Set(names)
}

/** A branch may be pushed to an address that is nobody's remote. */
function leadsAway(key: string, value: string, remotes: ReadonlySet<string>): boolean {
  return /^branch\..*\.(?:remote|pushremote)$/s.test(key) && /[/:\\]/.test(value) && !remotes.has(value)
}

/** `submodule init` writes the address that `.gitmodules` gives; another one leads elsewhere. */
function isTurned(
  key: string,
  value: string,
  { urls, bases }: { urls: ReadonlyMap<string, string>; bases: readonly string[] },
): boolean {
  const name = /^submodule\.(.+)\.url$/s.exec(key)?.[1]
  if (name === undefined) return false
  const url = urls.get(name)
  if (url === undefined || url === value) return url === undefined
  return !bases.some((base) => completed(base, url) === value)
}

/** A relative address, as git completes it by that of the repository. */
function completed(base: string, url: string): string | undefined {
  if (!/^\.{1,2}\//.test(url)) return undefined
  const ways = url.split('/')
  let place = base.replace(/\/$/, '')
  while (ways[0] === '..' || ways[0] === '.')
    if (ways.shift() === '..') place = place.slice(0, Math.max(0, place.lastIndexOf('/')))
  return `${place}/${ways.join('/')}`
}

/** Watched settings of a submodule; where its work tree lies is free as long as that is in the project. */
async function settingsOfPart(root: string, gitDir: string): Promise<Record<string, string[]>> {
  const settings: Record<string, string[]> = {}
  for (const { key, value } of parseGitConfig(await readPlainText(join(gitDir, 'config')))) {
    if (!watched.some((pattern) => pattern.test(key))) continue
    if (key === 'core.worktree' && insideRoot(root, resolve(gitDir, value))) continue
    settings[key] = [...(settings[key] ?? []), value]
  }
  return settings
}

function placeIn(directory: string, path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(directory, path)
}

/** Entries of a file and of what it includes; conditions are not looked at. */
async function settingsOf(
  path: string,
  depth: number,
): Promise<{ key: string; value: string; from: string }[]> {
  const all: { key: string; value: string; from: string }[] = []
  for (const { key, value } of parseGitConfig(await readPlainText(path))) {
    all.push({ key, value, from: path })
    if (depth < deepestInclude && /^include(?:if\..*)?\.path$/s.test(key)) {
      const included = placeIn(dirname(path), value)
      // So that a file that is included and missing is noticed when it comes.
      all.push({ key: '', value: '', from: included })
      all.push(...(await settingsOf(included, depth + 1)))
    }
  }
  return all
}
