// The program that a command begins with (docs/playbook.md, "Criteria").

const structural = new Set([
  'grep',
  'rg',
  'egrep',
  'fgrep',
  'test',
  '[',
  '[[',
  'wc',
  'ls',
  'cat',
  'head',
  'tail',
  'find',
  'stat',
])

/** Programs that a quoted text in a sentence may be taken for a command by. */
const tools = new Set([
  ...structural,
  // Wrappers that projects bring with them.
  ...['./gradlew', './mvnw', 'gradlew', 'mvnw'],
  ...'actionlint alembic ansible-playbook awk bash bats bazel biome black buf bun bundle cabal cargo clang cmake composer cpplint ctest curl cut cypress dart dbt deno diff docker dotnet du elixir env eslint esphome flake8 flutter forge gcc git go gofmt golangci-lint gradle helm hadolint javac jest jq julia just ktlint kubectl make markdownlint md5sum mix mkdocs mocha mvn mypy ninja node npm npx nx php phpstan phpunit pio pip platformio playwright pnpm poetry pre-commit prettier prisma protoc psql pylint pyright pytest python python3 rake rspec rubocop ruby ruff rustc rustfmt sbt sed sh sha256sum shellcheck shfmt sort sqlite3 staticcheck supabase svelte-check swift swiftlint terraform timeout tox tr tsc tsx turbo uniq uv uvx vitest vite vue-tsc wrangler xcodebuild xmllint yamllint yarn zig zsh'.split(
    ' ',
  ),
])

const denial = /^\s*!\s+/

const leading = [
  /^\s*#[^\n]*(?:\n|$)/,
  /^\s*cd\s+(?:"[^"\n]*"|'[^'\n]*'|[^\s;&|]+)\s*(?:&&|;|\n)/,
  /^\s*(?:export\s+)?[A-Za-z_]\w{0,60}=(?:"[^"\n]*"|'[^'\n]*'|[^\s;&|]*)\s+/,
  /^\s*(?:timeout|gtimeout)\s+(?:-\S+\s+){0,4}\d+[smh]?\s+/,
  /^\s*(?:set\s+-\w+(?:\s+pipefail)?)\s*(?:&&|;|\n)/,
  /^\s*\(\s*/,
]

/** What a command does, behind comments, `cd DIR &&`, settings and `timeout N`. */
export function commandItself(command: string): string {
  return without(leading, command)
}

/** The first word of it; `!` is none. */
export function commandWord(command: string): string {
  return /^\s*([^\s;&|]+)/.exec(without([...leading, denial], command))?.[1] ?? ''
}

function without(patterns: readonly RegExp[], command: string): string {
  let rest = command
  for (let round = 0; round < 20; round += 1) {
    const shorter = patterns.reduce((left, pattern) => left.replace(pattern, ''), rest)
    if (shorter === rest) break
    rest = shorter
  }
  return rest
}

/** A look at files shows structure, everything else is executed. */
export function isStructural(command: string): boolean {
  return structural.has(commandWord(command))
}

/** Those that do something without arguments; of the others the bare name is only talked about. */
const alone = new Set(
  'ctest eslint flake8 jest ls make mocha mypy phpunit pyright pytest rspec rubocop tox tsc vitest'.split(
    ' ',
  ),
)
/** Started to run on, never to end: no criterion. */
const server =
  /^(?:npm|pnpm|yarn|bun)\s+(?:(?:--filter|-F|-w|--workspace|-C|--prefix)[\s=]\S{1,80}\s+){0,3}(?:run\s+)?(?:dev|start|serve|preview)\b(?![:\w])|^(?:npx|bunx)\s+(?:astro|convex|expo|next|nuxt|remix|vite|wrangler)\s+(?:dev|start|serve|preview)\b(?!.*\s--once\b)|^(?:\.\/)?gradlew?\s(?:\S{1,80}\s){0,4}(?:run|bootRun)\b|\s--watch(?:All)?\b(?!=false)/

/** Whether a quoted text is a command: by its first word, or because `isProgram` knows it. */
export function looksLikeCommand(text: string, isProgram: (word: string) => boolean = () => false): boolean {
  const word = commandWord(text)
  if (/^\{project\.commands\.\w{1,20}\}$/.test(word)) return true
  if (word === '' || server.test(commandItself(text).trim()) || !(tools.has(word) || isProgram(word)))
    return false
  if (word === 'test') return /\btest\s+(?:!\s+)?(?:-[a-zA-Z]|["'$\d])/.test(text)
  return alone.has(word) || !tools.has(word) || text.trim().length > word.length
}
