import { codeSpans } from './code-spans.js'
import { withoutEnd } from './edit.js'

// Paths that a task names (docs/playbook.md, "Files").

export interface NamedFiles {
  files: string[]
  /** What is no path. */
  notes: string[]
}

const none =
  /^\W{0,3}(?:none\b|n\/a\b|nothing\b|no (?:code |source |new )?files?\b|\(?(?:verification|runtime|manual|read|no)[ -]only\b|tbd\b|-+$|—$)/i
const verb =
  /^(?:(?:create|creates|modify|modifies|update|updates|edit|edits|add|adds|delete|deletes|remove|removes|rename|move|new|created|modified|updated|added|deleted|test|tests|extend|rewrite|touch|replace|read|both|and|also|file|files|path)(?:\s{1,9}(?:new\s{1,9})?files?)?)\s{0,9}:?\s{1,9}(?=\S)/i
const wellKnown =
  /^(?:Makefile|Dockerfile|LICENSE|README|CHANGELOG|Gemfile|Rakefile|Procfile|Justfile|Jenkinsfile|Vagrantfile|Brewfile|CODEOWNERS|Podfile|Fastfile|package\.json)$/i

/** Reads the value of a files field: one path a line, or several between commas. */
export function namedFiles(lines: readonly string[]): NamedFiles {
  const files: string[] = []
  const notes: string[] = []
  for (const line of lines) {
    const item = line
      .replace(/<\/?file>/gi, ',')
      .replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, '')
      .replace(/^\[[ xX]\]\s+/, '')
      .trim()
    if (item === '' || /^(?:```|~~~)/.test(item) || none.test(item)) continue
    for (const piece of piecesOf(item)) {
      const path = pathOf(piece)
      if (path !== undefined) files.push(path)
      else if (/[\p{L}\p{N}]/u.test(piece) && !none.test(piece)) notes.push(piece)
    }
  }
  return { files: [...new Set(files)], notes }
}

/** Splits at commas and semicolons that stand in no brackets. */
function piecesOf(text: string): string[] {
  const pieces: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if ('({['.includes(character)) depth += 1
    else if (')}]'.includes(character)) depth = Math.max(0, depth - 1)
    else if ((character === ',' || character === ';') && depth === 0) {
      pieces.push(text.slice(from, at))
      from = at + 1
    }
  }
  pieces.push(text.slice(from))
  return pieces
    .flatMap(splitAnd)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
}

function splitAnd(piece: string): string[] {
  const parts = piece.split(/\s{1,9}(?:and|&|\+)\s{1,9}/)
  if (parts.length > 1 && parts.every((part) => pathOf(part) !== undefined)) return parts
  // `src/a.py src/b.py`, as for a shell.
  const words = piece.trim().split(/\s{1,9}/)
  return words.every((word) => hasEnding(word) && pathOf(word) !== undefined) ? words : [piece]
}

function pathOf(piece: string): string | undefined {
  let text = withoutBold(piece.trim())
  for (let round = 0; round < 3; round += 1) text = withoutBold(text.replace(verb, '').trim())
  const [span] = codeSpans(text)
  if (span !== undefined && span.start === 0) return cleanPath(span.code)
  const bare = text
    .replace(/^\[([^\]]{1,300})\]\([^)]{0,500}\)/, '$1')
    .replace(/\s{1,9}(?:\(|\[|[-–—]{1,3}\s|#|->|→|←|:\s).*$/s, '')
    .replace(/:\s.*$/s, '')
  return /\s/.test(bare.trim()) && !hasBlanks(bare.trim()) ? undefined : cleanPath(bare)
}

/** Marks around the words that open a text; those in a path are its own: `src/__tests__/a.ts`, `__init__.py`, `lib/**`. */
function withoutBold(text: string): string {
  return text
    .replace(/^(\*\*|__)(?![\s/])([^*\n]{1,300}?)(?<![\s/])\1(?=[\s:(]|$)/, '$2')
    .replace(/^\*\*(?=[\w.@])(?!.*\*\*)/s, '')
    .replace(/^([^*]{1,300}[^*/\s])\*\*$/, '$1')
}

const hasEnding = (word: string): boolean => /\.[A-Za-z]\w{0,7}$/.test(word)

/** A name of a file with blanks in it, `public/Price list 2026.pdf`, and no sentence that names one. */
function hasBlanks(text: string): boolean {
  const words = text.split(/\s+/)
  const [first = '', last = ''] = [words[0], words[words.length - 1]]
  return (
    words.length <= 8 &&
    /\w\/./.test(first) &&
    hasEnding(last) &&
    words.slice(0, -1).every((word) => !hasEnding(word)) &&
    words.slice(1).every((word) => !/[/\\:]/.test(word))
  )
}

/** A path without line numbers and marks around it; undefined for a word. */
function cleanPath(text: string): string | undefined {
  const path = withoutEnd(text.trim().replace(/^["'`<]{1,9}/, ''), '"\'`>,;')
    .replace(/:\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*$/, '')
    .replace(/^\.\//, '')
    .replace(/(?<=\w)[.:]$/, '')
  if (path === '' || path.includes('://') || /[<>|"]/.test(path) || none.test(path)) return undefined
  const isPath = /[/\\]/.test(path)
    ? !/^\/?$|^[/\\]+$/.test(path)
    : /^\.?[\w@*{}[\]()+$-][\w@*{},[\]()+$.-]*\.[A-Za-z][\w*{},]{0,20}$|^\.[a-z][\w.-]*$/.test(path)
  return isPath || wellKnown.test(path) ? path : undefined
}
