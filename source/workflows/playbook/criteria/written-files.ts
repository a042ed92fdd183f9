import { lookup } from '../../../lookup.js'
import { programWords, simpleCommands } from './shell-commands.js'

// Which files a simple command would write to or delete, by its words (docs/playbook-checks.md, "Commands"). Pure.

/** Programs that write to what they name; the others that matter write by a redirect. */
const writers = lookup<'all' | 'last'>({
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
})

/** Files that a command would write to, as it names them. */
export function writtenBy(words: readonly string[]): string[] {
  const [program, ...rest] = programWords(words)
  const kind = program === undefined ? undefined : writers[program]
  if (kind === undefined) return []
  if (program === 'dd') return rest.filter((word) => word.startsWith('of=')).map((word) => word.slice(3))
  const named = rest.filter((word) => !word.startsWith('-'))
  const target = rest.find((word) => word.startsWith('--target-directory='))
  if (target !== undefined) return [target.slice('--target-directory='.length)]
  const files = program === 'chmod' || program === 'chown' ? named.slice(1) : named
  return kind === 'all' ? files : files.slice(-1)
}

/** Files that `sed -i` and `perl -i` change where they lie; a script of sed may be among them. */
export function inPlace(words: readonly string[]): string[] {
  const [program, ...rest] = programWords(words)
  if (program !== 'sed' && program !== 'perl') return []
  if (!rest.some((word) => /^-[a-zA-Z]*i/.test(word) || word.startsWith('--in-place'))) return []
  return rest.filter((word) => !word.startsWith('-'))
}

/** Neither of these changes what is in a file. */
const harmless = new Set(['mkdir', 'touch'])

/** Files whose content or place a command would change: what it writes, moves and deletes. */
export function changedBy(words: readonly string[]): string[] {
  const [program = '', ...rest] = programWords(words)
  if (harmless.has(program)) return []
  if (program === 'find' && rest.includes('-delete')) {
    const places = rest.slice(
      0,
      rest.findIndex((word) => word.startsWith('-')),
    )
    return places.length === 0 ? ['.'] : places
  }
  return [...writtenBy(words), ...inPlace(words)]
}

const flags =
  /^--(?:fix|write|apply|fix-type|in-place|updateSnapshot|update-snapshots?)(?:=.*)?$|^--apply-unsafe$/
const formatters: readonly { words: RegExp; unless: RegExp }[] = [
  { words: /^(?:gofmt|goimports|shfmt) (?:.* )?-w\b/, unless: /$^/ },
  {
    words: /^(?:cargo fmt|rustfmt|black|isort|(?:ruff|dart|mix|dotnet|terraform) (?:format|fmt))\b/,
    unless: /\s--?(?:check|diff|verify-no-changes|check-formatted|set-exit-if-changed|output=none)/,
  },
  { words: /^(?:jest|vitest)(?: .*)? -u\b/, unless: /$^/ },
]

/** Why a command would rewrite files that it does not name one by one, or delete what it is given. */
export function rewrites(words: readonly string[]): string | undefined {
  const [program = '', ...rest] = programWords(words)
  const line = [program, ...rest].join(' ').replace(/^(?:npx|bunx|uvx|pnpm exec|yarn|uv run|poetry run) /, '')
  const isFormatter = formatters.some((one) => one.words.test(line) && !one.unless.test(line))
  if (isFormatter || rest.some((word) => flags.test(word)))
    return 'it would rewrite files that a check is to look at'
  // Behind xargs nothing is named.
  const deletes = program === 'rm' || program === 'unlink' || program === 'shred'
  return deletes && rest.every((word) => word.startsWith('-'))
    ? 'it would delete whatever it is given'
    : undefined
}

/** Whether a command names something that it would write, move or delete. */
export function writesFiles(command: string): boolean {
  return simpleCommands(command).some(({ words, writes }) => writes.length > 0 || changedBy(words).length > 0)
}
