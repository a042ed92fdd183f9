import { extname } from 'node:path'

// What is left of a source file without its comments and its layout, to tell whether anything was done in it
// (docs/evidence.md, "Claims"). Pure; linear in the text.

type Kind = 'braces' | 'styles' | 'hashes'

const kinds: Readonly<Record<Kind, readonly string[]>> = {
  braces: [
    ...[
      '.js',
      '.mjs',
      '.cjs',
      '.jsx',
      '.ts',
      '.mts',
      '.cts',
      '.tsx',
      '.java',
      '.kt',
      '.kts',
      '.scala',
      '.go',
      '.rs',
    ],
    ...['.c', '.h', '.cc', '.cpp', '.hpp', '.cs', '.swift', '.dart', '.groovy', '.gradle', '.proto', '.zig'],
  ],
  styles: ['.css', '.scss', '.less'],
  hashes: ['.py', '.pyi', '.rb', '.sh', '.bash', '.zsh', '.pl', '.ex', '.exs', '.jl', '.r', '.tf', '.nim'],
}
const kindOf = new Map(
  Object.entries(kinds).flatMap(([kind, ends]) => ends.map((end) => [end, kind as Kind])),
)

/** Comments that tools take orders from, or that are run: these are no mere words. */
const orders =
  /^#!|@(?:ts-|type|param|returns?|satisfies|template|callback|enum|jsx|flow|format|vitest|jest|preserve|license|deprecated|internal|public|private|override)|\b(?:eslint|prettier|biome|tslint|stylelint|oxlint|istanbul|c8|v8|webpack|vite|rollup|sourceMapping|nolint|noqa|pragma|pylint|mypy|pyright|ruff|isort|rubocop|shellcheck|cspell|coding|frozen_string_literal|NOSONAR|NOLINT|clang-format|SPDX|syntax=|language=|swift-tools|Output:|Deprecated:)|\bgo:|\+build|\btype:|\bfmt:|<reference|```|>>>/i

/** Undefined where the language is not known. */
export function bareCode(path: string, text: string): string | undefined {
  const kind = kindOf.get(extname(path).toLowerCase())
  if (kind === undefined) return undefined
  if (text.includes('\0')) return undefined
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  return kind === 'hashes' ? withoutHashes(plain) : withoutBlanks(withoutComments(plain, kind))
}

/** Blanks at the beginning of a line may say something here. */
function withoutHashes(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const at = /(?:^|\s)#/.exec(line)
      if (at === null || orders.test(line.slice(at.index).trim()) || isInText(line.slice(0, at.index)))
        return line
      return line.slice(0, at.index)
    })
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')
}

/** An odd number of marks before it: what follows stands in a text. */
const isInText = (before: string) => ['"', "'"].some((mark) => before.split(mark).length % 2 === 0)

/** Each text is a part of its own, so that blanks in it are kept. */
function withoutComments(code: string, kind: Kind): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < code.length; ) {
    const end = quietEnd(code, at, kind)
    if (end === at) {
      at += 1
      continue
    }
    const quiet = code.slice(at, end)
    parts.push(code.slice(from, at))
    const isComment = /^\/[/*]/.test(quiet)
    if (!isComment || orders.test(quiet)) parts.push(`\0${quiet}\0`)
    else parts.push(' ')
    from = end
    at = end
  }
  return [...parts, code.slice(from)]
}

/** Every second part of the joined text is one that is kept as it is. */
const withoutBlanks = (parts: readonly string[]) =>
  parts
    .join('')
    .split('\0')
    .map((part, at) => (at % 2 === 1 ? part : bare(part)))
    .join('\0')

const bare = (code: string) =>
  code
    .replace(/\s+/g, ' ')
    .replace(/ ?([^\w\s$]) ?/g, '$1')
    .trim()

/** Where a comment or a text that begins here ends; `at` itself where none begins. */
function quietEnd(code: string, at: number, kind: Kind): number {
  const two = code.slice(at, at + 2)
  if (two === '/*') return endOf(code, '*/', at + 2)
  if (two === '//' && kind === 'braces' && code[at - 1] !== ':') return endOf(code, '\n', at + 2)
  const sign = code[at] as string
  if (sign === '/' && kind === 'braces' && beginsPattern(code, at)) return endOfText(code, at, '/')
  return `'"\``.includes(sign) ? endOfText(code, at, sign) : at
}

function endOf(code: string, mark: string, from: number): number {
  const found = code.indexOf(mark, from)
  return found === -1 ? code.length : found + mark.length
}

function endOfText(code: string, at: number, sign: string): number {
  let inClass = false
  for (let end = at + 1; end < code.length; end += 1) {
    const here = code[end]
    if (here === '\\') end += 1
    else if (here === '\n' && sign !== '`') return at
    else if (sign === '/' && (here === '[' || here === ']')) inClass = here === '['
    else if (here === sign && !inClass) return end + 1
  }
  return at
}

/** A slash that divides stands behind a value; a pattern does not. */
function beginsPattern(code: string, at: number): boolean {
  const before = code.slice(Math.max(0, at - 20), at).trimEnd()
  return before === '' || /[=(,:[!&|?{};+~^%<>*-]$|\b(?:return|typeof|case|of|in)$/.test(before)
}
