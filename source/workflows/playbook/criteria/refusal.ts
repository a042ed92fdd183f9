import { posix } from 'node:path'
import { programWords, type SimpleCommand, simpleCommands } from './shell-commands.js'

// Commands that are never run, whoever wrote them: they reach beyond the project, or lose work in it
// (docs/playbook-checks.md, "Commands").

/** Where a command would run. Absolute paths. */
export interface CommandPlace {
  root: string
  home?: string
}

/** Why a command may not run; undefined for one that may. Pure. */
export function refusalOf(command: string, place: CommandPlace): string | undefined {
  let directory = place.root
  for (const simple of simpleCommands(command)) {
    const why = refusedProgram(simple) ?? refusedWrites(simple, directory, place)
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
  'am',
  'checkout',
  'cherry-pick',
  'commit',
  'filter-branch',
  'merge',
  'pull',
  'rebase',
  'restore',
  'revert',
  'switch',
  'update-ref',
])

/** Commits, refs, the stash, or files that are taken from them. What only lists or shows changes nothing. */
function changesRepository(verb: string | undefined, args: readonly string[]): boolean {
  if (verb === undefined) return false
  if (changing.has(verb)) return true
  const first = args[0]
  if (verb === 'stash') return first === undefined || !/^(?:list|show|create)$/.test(first)
  if (verb === 'branch')
    return args.some((word) => /^(?:-[dDmMcCf]|--delete|--move|--copy|--force)$/.test(word))
  if (verb !== 'tag') return false
  const lists =
    /^(?:-l|-n\d*|-v|--(?:list|verify|contains|no-contains|points-at|merged|no-merged|sort|format)(?:=.*)?)$/
  return first !== undefined && !args.some((word) => lists.test(word))
}

const systemInstallers: Readonly<Record<string, readonly string[]>> = {
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
}

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

/** Programs that write to what they name; the others that matter write by a redirect. */
const writers: Readonly<Record<string, 'all' | 'last'>> = {
  tee: 'all',
  rm: 'all',
  rmdir: 'all',
  mkdir: 'all',
  touch: 'all',
  truncate: 'all',
  chmod: 'all',
  chown: 'all',
  unlink: 'all',
  shred: 'all',
  cp: 'last',
  mv: 'all',
  ln: 'last',
  install: 'last',
  rsync: 'last',
  dd: 'all',
}

/** Devices that keep nothing. */
const harmless = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/tty', '/dev/fd/1', '/dev/fd/2'])

function refusedWrites(
  { words, writes }: SimpleCommand,
  directory: string,
  place: CommandPlace,
): string | undefined {
  for (const target of [...writes, ...writtenBy(words)]) {
    const path = resolved(target, directory, place)
    if (path === undefined || harmless.has(path) || isInside(path, place.root)) continue
    return `it would write outside of the project, to ${path}`
  }
  return undefined
}

function writtenBy(words: readonly string[]): string[] {
  const [program, ...rest] = programWords(words)
  const kind = program === undefined ? undefined : writers[program]
  if (kind === undefined) return inPlace(program, rest)
  if (program === 'dd') return rest.filter((word) => word.startsWith('of=')).map((word) => word.slice(3))
  const named = rest.filter((word) => !word.startsWith('-'))
  const target = rest.find((word) => word.startsWith('--target-directory='))
  if (target !== undefined) return [target.slice('--target-directory='.length)]
  const files = program === 'chmod' || program === 'chown' ? named.slice(1) : named
  return kind === 'all' ? files : files.slice(-1)
}

/** `sed -i` and `perl -i` change the files that they name. */
function inPlace(program: string | undefined, rest: readonly string[]): string[] {
  if (program !== 'sed' && program !== 'perl') return []
  if (!rest.some((word) => /^-[a-zA-Z]*i/.test(word) || word.startsWith('--in-place'))) return []
  return rest.filter((word) => word.startsWith('/') || word.startsWith('~') || word.startsWith('../'))
}
