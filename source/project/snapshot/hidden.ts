import { withoutEnd } from '../../documents/edit.js'
import { gitFailed } from '../git-read.js'
import { type Difference, difference, nameTraits, type Trait } from './difference.js'
import { pathOfBytes, rawOfPath } from './path-bytes.js'
import { callGit, type PrivateRepository } from './private-repository.js'
import type { ListPair, SnapshotPair } from './snapshot-types.js'
import { bytesOf } from './store.js'

// Files that git would list if nobody had edited what it ignores.

interface Rule {
  path: string
  /** The file that holds the rule, as git names it. */
  source: string
  pattern: string
}

/** What is ignored now, was not before, and would be seen under the rules of the snapshot before. */
export async function hiddenSince(
  repo: PrivateRepository,
  pair: SnapshotPair,
  lists: ListPair,
): Promise<Difference[]> {
  const { before, after } = lists
  const known = new Set([...Object.keys(before.ignored), ...before.ignoredDirectories])
  const directories = new Set(after.ignoredDirectories)
  const fresh = [...Object.keys(after.ignored), ...directories].filter((path) => !known.has(path))
  if (fresh.length === 0) return []
  const found: Difference[] = []
  const texts = new Map<string, Promise<string[] | undefined>>()
  for (const rule of await rulesFor(repo, fresh, directories)) {
    const held = texts.get(rule.source) ?? rulesBefore(repo, pair, { lists, source: rule.source })
    texts.set(rule.source, held)
    const old = await held
    if (old?.includes(rule.pattern)) continue
    const traits: Trait[] = [...nameTraits(rule.path), 'unstored']
    if (directories.has(rule.path)) traits.push('directory')
    // A cache of a tool that brings its own rule hides nothing else.
    const own = old === undefined && rule.source.startsWith(`${rule.path}/`)
    const detail = own ? 'ignores itself' : `hidden by ${JSON.stringify(rule.pattern)} in ${rule.source}`
    found.push(difference({ kind: 'hidden', name: rule.path, change: 'added', traits, detail }))
  }
  return found
}

/** Which rule hides each of these paths now. */
async function rulesFor(
  repo: PrivateRepository,
  paths: readonly string[],
  directories: ReadonlySet<string>,
): Promise<Rule[]> {
  // Behind `./` nothing is taken for a pathspec; a directory that ignores itself is known by what is in it.
  const asked = (path: string) =>
    directories.has(path) ? [`./${path}/`, `./${path}/.gitignore`] : [`./${path}`]
  const input = paths.flatMap(asked).map((path) => `${rawOfPath(path)}\0`)
  const result = await callGit(repo, ['check-ignore', '-v', '-n', '-z', '--no-index', '--stdin'], {
    input: Buffer.from(input.join(''), 'latin1'),
    // It refuses to work with literal ones.
    env: { GIT_LITERAL_PATHSPECS: '0' },
  })
  if (result.code !== 0 && result.code !== 1)
    throw gitFailed(`git check-ignore failed: ${result.stderr.trim()}`)
  const fields = result.stdout.toString('latin1').split('\0')
  const rules = new Map<string, Rule>()
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source = '', , pattern = '', raw = ''] = fields.slice(at, at + 4)
    const whole = pathOfBytes(raw).replace(/^\.\//, '')
    const inner = whole.endsWith('/.gitignore') && !paths.includes(whole) ? whole.slice(0, -11) : whole
    const path = inner.replace(/\/$/, '')
    if (pattern === '' || rules.has(path)) continue
    rules.set(path, { path, pattern: pathOfBytes(pattern), source: pathOfBytes(source).replace(/^\.\//, '') })
  }
  return [...rules.values()]
}

/** The lines of a file of rules in the snapshot before; undefined where it did not exist. */
async function rulesBefore(
  repo: PrivateRepository,
  pair: SnapshotPair,
  { lists, source }: { lists: ListPair; source: string },
): Promise<string[] | undefined> {
  if (source.startsWith('/')) {
    const text = await bytesOf(repo.place.store, lists.before.excludes)
    return text?.toString('utf8').split(/\r?\n/)
  }
  const kept = await callGit(repo, ['cat-file', 'blob', `${pair.before.tree}:${source}`])
  return kept.code === 0 ? linesOf(kept.stdout) : undefined
}

function linesOf(bytes: Buffer): string[] {
  return bytes
    .toString('utf8')
    .split(/\r?\n/)
    .map((line) => withoutEnd(line, ' '))
}
