import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { readPlain, readPlainText } from './snapshot/plain-read.js'

// The configuration of a repository read as text: before trust git itself may not run, because even `git status`
// executes what this file names (docs/durability.md, "Trust").

export interface ConfigEntry {
  /** `core.hookspath`, `filter.lfs.clean`: section and key in lower case, a subsection as written. */
  key: string
  value: string
}

export interface RepositoryConfig {
  /** Absolute path of the directory that holds `hooks`, shared by all worktrees. */
  commonDir: string
  /** Settings through which git would run a program or read more settings. */
  executing: ConfigEntry[]
  hooksDir: string
  /** Repositories on this machine that are remotes of this one; absolute. */
  localRemotes: string[]
}

const executingKeys: RegExp[] = [
  /^core\.(?:hookspath|fsmonitor|sshcommand|editor|pager|askpass|gitproxy|attributesfile|alternaterefscommand)$/,
  /^filter\..*\.(?:clean|smudge|process)$/s,
  /^diff\.(?:external|.*\.(?:command|textconv))$/s,
  /^merge\..*\.driver$/s,
  /^gpg\.(?:.*\.)?(?:program|defaultkeycommand)$/s,
  /^credential\.(?:.*\.)?helper$/s,
  /^sequence\.editor$/,
  /^trailer\..*\.(?:cmd|command)$/s,
  /^include\.path$/,
  /^includeif\..*\.path$/s,
  /^extensions\.worktreeconfig$/,
  /^hook\..*\.command$/s,
  // A line that could not be read.
  /^\?$/,
]

const deepestInclude = 5

/** Of the user's own settings, those that run with our variables all the same. */
const neverRun = /^core\.(?:editor|pager|askpass)$|^sequence\.editor$/

/**
 * Reads the configuration of the repository at `root`, its worktree, the user's own and the machine's, and what they
 * include.
 */
export async function readRepositoryConfig(root: string): Promise<RepositoryConfig> {
  const gitDir = await findGitDir(root)
  const commonDir = await findCommonDir(gitDir)
  const entries = [
    ...(await readConfigFile(join(commonDir, 'config'), 0)),
    ...(await readConfigFile(join(gitDir, 'config.worktree'), 0)),
  ]
  const outer = await readOuterConfig()
  const executing = [
    ...entries.filter(isExecuting),
    ...outer.filter((entry) => isExecuting(entry) && !neverRun.test(entry.key)),
  ]
  const hooksPath = [...outer, ...entries].filter((entry) => entry.key === 'core.hookspath').at(-1)?.value
  const hooksDir = hooksPath ? resolve(root, expandHome(hooksPath)) : join(commonDir, 'hooks')
  return { commonDir, executing, hooksDir, localRemotes: localRemotes(root, entries) }
}

/** Absolute paths of remotes that lie on this machine, as settings of the repository at `root` name them. */
export function localRemotes(root: string, entries: readonly ConfigEntry[]): string[] {
  return (
    entries
      .filter(({ key }) => /^remote\..*\.(?:url|pushurl)$/s.test(key))
      // A server may be this machine.
      .map(({ value }) =>
        value.replace(/^(?:file:\/\/|ssh:\/\/[^/]{1,300}(?=\/)|[\w.@-]{1,300}:(?=\/(?!\/)))/, ''),
      )
      .filter((value) => /^(?:\/|\.{1,2}\/)/.test(value))
      .map((value) => resolve(root, value))
  )
}

function isExecuting(entry: ConfigEntry): boolean {
  return executingKeys.some((pattern) => pattern.test(entry.key))
}

async function readOuterConfig(): Promise<ConfigEntry[]> {
  const xdg = process.env.XDG_CONFIG_HOME || join(homedir(), '.config')
  const files = ['/etc/gitconfig', join(xdg, 'git/config'), join(homedir(), '.gitconfig')]
  return (await Promise.all(files.map(async (path) => await readConfigFile(path, 0)))).flat()
}

async function findGitDir(root: string): Promise<string> {
  const marker = join(root, '.git')
  const stats = await stat(marker).catch(() => undefined)
  if (!stats?.isFile()) return marker
  const text = await readPlainText(marker)
  const target = /^gitdir: (.+?)\s*$/m.exec(text)?.[1]
  return target === undefined ? marker : resolve(root, target)
}

async function findCommonDir(gitDir: string): Promise<string> {
  const text = await readPlainText(join(gitDir, 'commondir'))
  return text.trim() === '' ? gitDir : resolve(gitDir, text.trim())
}

async function readConfigFile(path: string, depth: number): Promise<ConfigEntry[]> {
  const text = (await readPlain(path))?.toString('utf8')
  if (text === undefined) return []
  const entries = parseGitConfig(text)
  if (depth >= deepestInclude) return entries
  const all: ConfigEntry[] = []
  for (const entry of entries) {
    all.push(entry)
    // Conditions are not looked at: what could be included counts as included.
    if (/^include(?:if\..*)?\.path$/s.test(entry.key)) {
      all.push(...(await readConfigFile(resolve(dirname(path), expandHome(entry.value)), depth + 1)))
    }
  }
  return all
}

function expandHome(path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path
}

/** Reads the text of a git configuration. A line that makes no sense is kept under the key `?`. */
export function parseGitConfig(text: string): ConfigEntry[] {
  const entries: ConfigEntry[] = []
  let section = ''
  for (const line of logicalLines(text)) {
    let rest = line.trim()
    const header = /^\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/.exec(rest)
    if (header) {
      const name = (header[1] ?? '').toLowerCase()
      section = header[2] === undefined ? name : `${name}.${header[2].replace(/\\(.)/g, '$1')}`
      rest = rest.slice(header[0].length).trim()
    }
    if (rest === '' || rest.startsWith('#') || rest.startsWith(';')) continue
    const setting = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*([\s\S]*)|(?:[#;].*)?)$/.exec(rest)
    if (!setting || section === '') {
      entries.push({ key: '?', value: rest })
      continue
    }
    const key = `${section}.${(setting[1] ?? '').toLowerCase()}`
    entries.push({ key, value: setting[2] === undefined ? 'true' : plainValue(setting[2]) })
  }
  return entries
}

/** Lines, where one that ends in a backslash goes on in the next. */
function logicalLines(text: string): string[] {
  const lines: string[] = []
  let open = ''
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const continues = /(?:^|[^\\])(?:\\\\)*\\$/.test(line) && !/^\s*[#;]/.test(open + line)
    if (continues) {
      open += line.slice(0, -1)
      continue
    }
    lines.push(open + line)
    open = ''
  }
  if (open !== '') lines.push(open)
  return lines
}

const escapes: Record<string, string> = { n: '\n', t: '\t', b: '\b' }

function plainValue(raw: string): string {
  let value = ''
  let quoted = false
  let kept = 0
  for (let at = 0; at < raw.length; at += 1) {
    const character = raw.charAt(at)
    if (character === '"') {
      quoted = !quoted
      kept = value.length
      continue
    }
    if (character === '\\') {
      at += 1
      const next = raw.charAt(at)
      value += escapes[next] ?? next
      kept = value.length
      continue
    }
    if (!quoted && (character === '#' || character === ';')) break
    value += character
    if (quoted || !/\s/.test(character)) kept = value.length
  }
  return value.slice(0, kept)
}
