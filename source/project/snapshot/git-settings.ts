import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseGitConfig } from '../git-config.js'
import { readPlainText } from './plain-read.js'
import { userGitDirectory } from './private-repository.js'

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
  for (const path of [...person, ...own]) {
    const settings: Record<string, string[]> = {}
    const entries = await settingsOf(path, 0)
    const remotes = remotesIn(entries)
    for (const { key, value, from } of entries) {
      if (from !== path) files.add(from)
      else if (watched.some((pattern) => pattern.test(key)) || leadsAway(key, value, remotes))
        settings[key] = [...(settings[key] ?? []), value]
      const named = placeIn(root, value)
      if (key === 'core.hookspath') hookDirectories.add(named)
      if (key === 'core.attributesfile' || key === 'core.excludesfile') files.add(named)
    }
    if (own.includes(path)) repository.push({ path, settings })
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
