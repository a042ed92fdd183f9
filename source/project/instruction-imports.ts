import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { followFiles, isFile } from './follow-files.js'
import { readPlain } from './snapshot/plain-read.js'

// Files that an instruction file takes in by a word `@path`: agents read them as if they were part of it
// (docs/evidence.md, "Snapshots").

const largest = 256 * 1024
const mostImports = 200
/** As deep as the programs themselves follow. */
const deepest = 5

const word = /(?:^|[\s(["'>*])@((?:~\/|\.{1,2}\/|\/)?[^\s`'"()<>[\]{}|*,;]{1,300})/g
/** Code and manifests hold no orders in prose, and are what agents are there to change. */
const ofCode =
  /\.(?:[cm]?[jt]sx?|json[5c]?|ya?ml|toml|lock|py|rb|go|rs|java|kts?|cs|php|c|cc|cpp|h|hpp|swift|scala|sh|sql|html?|css|scss|vue|svelte|xml|gradle|ini|cfg)$|^(?:Makefile|Dockerfile|Gemfile|go\.(?:mod|sum))$/i

const isProse = (path: string) => !ofCode.test(basename(path))

/** Paths that a text names so, as they are written there. What stands in code is none. Pure. */
export function importsIn(text: string): string[] {
  const found = [...withoutCode(text).matchAll(word)].map(([, path = '']) => path.replace(/[.:!?]{1,8}$/, ''))
  return [...new Set(found)].filter((path) => path !== '' && isProse(path)).slice(0, mostImports)
}

/** Without fences and spans of code. */
function withoutCode(text: string): string {
  let fence: string | undefined
  const lines = text.split('\n').map((line) => {
    const mark = /^\s{0,12}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined && mark !== undefined) fence = mark
    else if (fence === undefined) return line
    else if (mark?.startsWith(fence)) fence = undefined
    return ''
  })
  return lines.join('\n').replace(/`[^`\n]{0,500}`/g, ' ')
}

/** Where a path leads that is written in the file `from`. */
export function placeOfImport(from: string, path: string): string {
  if (path.startsWith('~/')) return join(homedir(), path.slice(2))
  return isAbsolute(path) ? path : resolve(dirname(from), path)
}

/** Absolute paths of the files that these take in, one through the other. Executes nothing. */
export async function importedInstructions(files: readonly string[]): Promise<string[]> {
  const found = await followFiles(files.filter(isProse), importsOf, { deepest, most: mostImports })
  return [...found]
}

async function importsOf(file: string): Promise<string[]> {
  const bytes = await readPlain(file)
  if (bytes === undefined || bytes.length > largest) return []
  return importsIn(bytes.toString('utf8'))
    .map((path) => placeOfImport(file, path))
    .filter(isFile)
}
