import { posix } from 'node:path'
import { lookup } from '../../../lookup.js'
import { programWords, type SimpleCommand, simpleCommands } from './shell-commands.js'
import { changedBy, inPlace, rewrites, writtenBy } from './written-files.js'

// Commands that are never run, whoever wrote them: they reach beyond the project, or lose work in it
// (docs/playbook-checks.md, "Commands").

/** Where a command would run. Absolute paths. */
export interface CommandPlace {
  root: string
  home?: string
  /** Whether a path relative to the root, or something below it, is part of the work that a check looks at. */
  isWork?(path: string): boolean
}

/** Why a command may not run; undefined for one that may. Pure. */
export function refusalOf(command: string, place: CommandPlace): string | undefined {
  let directory = place.root
  for (const simple of simpleCommands(command)) {
    const why =
      refusedProgram(simple) ??
      refusedWrites(simple, directory, place) ??
      changedWork(simple, directory, place)
    if (why !== undefined) return why
    const moved = directoryAfter(simple, directory, place)
    if (moved === undefined) continue
    if (!isInside(moved, place.root)) return `it would work outside of the project, in ${moved}`
    directory = moved
  }
  return undefined
}

function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`)
}

/** A path as the shell would take it; undefined where that depends on a variable. */
function resolved(word: string, directory: string, { home = '~' }: CommandPlace): string | undefined {
  const text = word.replace(/^~(?=\/|$)/, home).replace(/^\$(?:HOME|\{HOME\})(?=\/|$)/, home)
  if (/^\$|`/.test(text)) return undefined
  return posix.resolve(text.startsWith('~') ? '/' : directory, text)
}

function directoryAfter(
  { words }: SimpleCommand,
  directory: string,
  place: CommandPlace,
): string | undefined {
  const [program, ...rest] = programWords(words)
  if (program !== 'cd' && program !== 'pushd') return undefined
  const target = rest.find((word) => !word.startsWith('-'))
  if (target === undefined) return rest.includes('-') ? undefined : (place.home ?? '~')
  return resolved(target, directory, place)
}

const elevating = new Set(['sudo', 'doas', 'su', 'pkexec', 'runas'])

function refusedProgram({ words }: SimpleCommand): string | undefined {
  // Behind `xargs`, `env` and the like it is the same program.
  const [program, ...rest] = programWords(words)
  if (program === undefined) return undefined
  if (elevating.has(program)) return `${program} asks for rights that a check does not need`
  if (program === 'git') return refusedGit(rest)
  return isGlobalInstall(program, rest) ? 'it installs something for the whole machine' : undefined
}

function refusedGit(rest: readonly string[]): string | undefined {
  // `git -C dir -c key=value push`
  let at = 0
  while (rest[at]?.startsWith('-')) at += rest[at] === '-C' || rest[at] === '-c' ? 2 : 1
  const verb = rest[at]
  if (verb === 'push' || verb === 'clean') return `git ${verb} cannot be taken back`
  if (verb === 'reset' && rest.includes('--hard')) return 'git reset --hard cannot be taken back'
  return changesRepository(verb, rest.slice(at + 1))
    ? `git ${verb} changes what a check is to look at`
    : undefined
}

const changing = new Set([
  'add',
  'am',
  'checkout',
  'cherry-pick',
  'commit',
  'filter-branch',
  'merge',
  'mv',
  'pull',
  'rebase',
  'restore',
  'revert',
  'rm',
  'switch',
  'update-ref',
])

/** Commits, refs, the stash, or files that are taken from them. What only lists or shows changes nothing. */
function changesRepository(verb: string | undefined, args: readonly string[]): boolean {
  if (verb === undefined) return false
  if (changing.has(verb)) return !args.some((word) => word === '-n' || word === '--dry-run')
  if (verb === 'apply') return !args.some((word) => /^--(?:check|stat|numstat|summary)$/.test(word))
  const first = args[0]
  if (verb === 'stash') return first === undefined || !/^(?:list|show|create)$/.test(first)
  if (verb === 'branch')
    return args.some((word) => /^(?:-[dDmMcCf]|--delete|--move|--copy|--force)$/.test(word))
  if (verb !== 'tag') return false
  const lists =
    /^(?:-l|-n\d*|-v|--(?:list|verify|contains|no-contains|points-at|merged|no-merged|sort|format)(?:=.*)?)$/
  return first !== undefined && !args.some((word) => lists.test(word))
}

const systemInstallers = lookup<readonly string[]>({
  apt: ['install', 'remove', 'upgrade'],
  'apt-get': ['install', 'remove', 'upgrade'],
  dnf: ['install', 'remove'],
  yum: ['install', 'remove'],
  apk: ['add', 'del'],
  brew: ['install', 'upgrade', 'uninstall'],
  snap: ['install', 'remove'],
  gem: ['install'],
  cargo: ['install'],
  go: ['install'],
  pipx: ['install'],
})

function isGlobalInstall(program: string, rest: readonly string[]): boolean {
  const verbs = rest.filter((word) => !word.startsWith('-'))
  const verb = verbs[0] ?? ''
  const has = (...flags: string[]) => rest.some((word) => flags.includes(word))
  if (systemInstallers[program]?.includes(verb))
    return !has('--root', '--path', '--install-dir', '--user-install')
  if (program === 'pacman') return rest.some((word) => /^-[SRU]/.test(word))
  const isInstall = /^(?:i|in|install|add|link|update|up|upgrade)$/.test(verb)
  if (program === 'npm' || program === 'pnpm' || program === 'bun')
    return isInstall && has('-g', '--global', '--location=global')
  if (program === 'yarn') return verb === 'global'
  if (/^pip3?(?:\.\d+)?$/.test(program)) return verb === 'install' && has('--user', '--break-system-packages')
  if (/^python[\d.]*$/.test(program) && rest[0] === '-m' && /^pip/.test(rest[1] ?? ''))
    return isGlobalInstall('pip', rest.slice(2))
  return false
}

/** Devices that keep nothing. */
const harmless = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/tty', '/dev/fd/1', '/dev/fd/2'])

function refusedWrites(
  { words, writes }: SimpleCommand,
  directory: string,
  place: CommandPlace,
): string | undefined {
  for (const target of [...writes, ...writtenBy(words), ...farInPlace(words)]) {
    const path = resolved(target, directory, place)
    if (path === undefined || harmless.has(path) || isInside(path, place.root)) continue
    return `it would write outside of the project, to ${path}`
  }
  return undefined
}

/** In the place of a file beside the project only what says so is meant: `sed` scripts look like paths. */
const farInPlace = (words: readonly string[]) =>
  inPlace(words).filter((word) => /^(?:\/|~|\.\.\/)/.test(word))

/** A check that changes what it looks at shows nothing, and what it deletes is gone. */
function changedWork(
  { words, writes }: SimpleCommand,
  directory: string,
  place: CommandPlace,
): string | undefined {
  const { isWork, root } = place
  if (isWork === undefined) return undefined
  const why = rewrites(words)
  if (why !== undefined) return why
  for (const target of [...writes, ...changedBy(words)]) {
    const path = resolved(target, directory, place)
    if (path === undefined || !isInside(path, root)) continue
    const own = posix.relative(root, path)
    // Of a pattern all that it may mean.
    const known = own.replace(/[*?[{].*$/, '')
    if (isWork(known.replace(/\/$/, '')))
      return `it would change ${own === '' ? 'the project' : own}, which a check is to look at`
  }
  return undefined
}
