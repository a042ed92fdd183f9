import { isObject, parseJson } from '../../documents/json.js'
import { lookup } from '../../lookup.js'

// `.autopilot/repo-map.json`: which file exports, imports and defines what, so that nobody builds a thing twice. It
// is read by agents, and is never the ground of a decision. Pure: texts in, map out.

export const repoMapPath = '.autopilot/repo-map.json'

export interface MappedFile {
  /** Of the content; an entry of the same one is kept. */
  hash: string
  language: string
  exports: string[]
  imports: string[]
  functions: string[]
  classes: string[]
}

export interface RepoMap {
  generated_at: string
  /** Commit that it was made of; null before the first one. */
  head: string | null
  summary: { files: number; exports: number; functions: number; classes: number }
  files: Record<string, MappedFile>
}

export interface SourceText {
  path: string
  hash: string
  text: string
}

/** Files that are larger tell too little for what they cost. */
export const largestMapped = 256 * 1024
/** Files in a map at most. */
export const mostMapped = 5_000
const mostNames = 200

interface Language {
  name: string
  exports?: RegExp[]
  imports: RegExp[]
  functions: RegExp[]
  classes: RegExp[]
}

const word = String.raw`([A-Za-z_$][\w$]*)`
const script: Language = {
  name: 'javascript',
  exports: [
    new RegExp(
      `^export\\s+(?:default\\s+)?(?:async\\s+)?(?:function\\*?|class|const|let|var|interface|type|enum)\\s+${word}`,
      'gm',
    ),
    new RegExp(`^exports\\.${word}\\s*=`, 'gm'),
  ],
  imports: [
    /^(?:import|export)\b[^'"\n]{0,500}?\bfrom\s+['"]([^'"\n]+)['"]/gm,
    /^import\s+['"]([^'"\n]+)['"]/gm,
    /\brequire\(\s*['"]([^'"\n]+)['"]\s*\)/g,
  ],
  functions: [
    new RegExp(`^(?:export\\s+)?(?:default\\s+)?(?:async\\s+)?function\\*?\\s+${word}`, 'gm'),
    new RegExp(
      `^(?:export\\s+)?const\\s+${word}\\s*=\\s*(?:async\\s*)?(?:\\([^)\\n]*\\)|[\\w$]+)\\s*(?::[^=\\n]+)?=>`,
      'gm',
    ),
  ],
  classes: [new RegExp(`^(?:export\\s+)?(?:default\\s+)?(?:abstract\\s+)?class\\s+${word}`, 'gm')],
}
const python: Language = {
  name: 'python',
  imports: [/^from\s+([\w.]+)\s+import\b/gm, /^import\s+([\w.]+)/gm],
  functions: [/^(?:async\s+)?def\s+(\w+)/gm],
  classes: [/^class\s+(\w+)/gm],
}
const go: Language = {
  name: 'go',
  imports: [/^import\s+(?:\w+\s+)?"([^"\n]+)"/gm, /^\t(?:\w+\s+)?"([^"\n]+)"$/gm],
  functions: [/^func\s+(?:\([^)\n]*\)\s*)?(\w+)/gm],
  classes: [/^type\s+(\w+)\s+(?:struct|interface)/gm],
}
const rust: Language = {
  name: 'rust',
  exports: [/^pub\s+(?:async\s+)?(?:fn|struct|enum|trait|mod|const|type)\s+(\w+)/gm],
  imports: [/^(?:pub\s+)?use\s+([\w:]+)/gm],
  functions: [/^\s*(?:pub(?:\([^)\n]*\))?\s+)?(?:async\s+)?fn\s+(\w+)/gm],
  classes: [/^(?:pub\s+)?(?:struct|enum|trait)\s+(\w+)/gm],
}

const byEnding = lookup<Language>({
  ...Object.fromEntries(
    ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', 'vue', 'svelte'].map((ending) => [ending, script]),
  ),
  py: python,
  go,
  rs: rust,
})

/** Whether a file would be in the map, by its name. */
export function isMapped(path: string): boolean {
  return (
    byEnding[endingOf(path)] !== undefined &&
    !/(?:^|\/)(?:node_modules|dist|build|vendor|target)\//.test(path)
  )
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase()
}

/** The map of these files. Entries of `before` are kept where the content is the same. */
export function repoMapOf(
  files: readonly SourceText[],
  made: { at: string; head: string | null },
  before?: RepoMap,
): RepoMap {
  const mapped: Record<string, MappedFile> = {}
  for (const { path, hash, text } of files.slice(0, mostMapped)) {
    const known = before?.files[path]
    const entry = known?.hash === hash ? known : mapFile(path, hash, text)
    if (entry !== undefined) mapped[path] = entry
  }
  const all = Object.values(mapped)
  const count = (pick: (file: MappedFile) => string[]) =>
    all.reduce((sum, file) => sum + pick(file).length, 0)
  return {
    generated_at: made.at,
    head: made.head,
    summary: {
      files: all.length,
      exports: count((file) => file.exports),
      functions: count((file) => file.functions),
      classes: count((file) => file.classes),
    },
    files: mapped,
  }
}

function mapFile(path: string, hash: string, text: string): MappedFile | undefined {
  const language = byEnding[endingOf(path)]
  if (language === undefined || text.length > largestMapped) return undefined
  const functions = namesIn(text, language.functions)
  const classes = namesIn(text, language.classes)
  return {
    hash,
    language: language.name,
    // Without a mark of its own a language exports what does not hide itself.
    exports: language.exports
      ? namesIn(text, language.exports)
      : publicOf(language.name, [...functions, ...classes]),
    imports: namesIn(text, language.imports),
    functions,
    classes,
  }
}

function publicOf(language: string, names: readonly string[]): string[] {
  return names.filter((name) => (language === 'go' ? /^[A-Z]/.test(name) : !name.startsWith('_')))
}

function namesIn(text: string, patterns: readonly RegExp[]): string[] {
  const names = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''))
  return [...new Set(names)].slice(0, mostNames)
}

/** A map out of its file; undefined for what is none. */
export function readRepoMap(text: string | undefined): RepoMap | undefined {
  const read = text === undefined ? undefined : parseJson(text)
  if (read === undefined || !('value' in read) || !isObject(read.value)) return undefined
  const { generated_at: at, files } = read.value
  return typeof at === 'string' && isObject(files) ? (read.value as unknown as RepoMap) : undefined
}

/** Whether a map has to be made anew: there is none, or it was made of another commit. */
export function isStale(map: RepoMap | undefined, head: string | null): boolean {
  return map === undefined || map.head !== head
}
