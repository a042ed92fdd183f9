import { realpath } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { followFiles, isFile } from './follow-files.js'
import { localImports } from './local-imports.js'
import { insideRoot } from './paths.js'
import { readPlain } from './snapshot/plain-read.js'

// A program that a package brings is more than the file that its name leads to: what that file loads of the same package is
// executed as well (docs/evidence.md, "Order of trust"). By text, and only so far.

const deepest = 2
const mostFiles = 32
const largestShim = 16 * 1024

/** True for a path below a directory of packages. */
export const isOfPackage = (path: string): boolean => path.split(sep).includes('node_modules')

/** Absolute paths of what such a program loads from its own package; of a shell script that starts one, of that too. */
export async function packageFiles(root: string, program: string): Promise<string[]> {
  const real = await realpath(program).catch(() => undefined)
  if (real === undefined) return []
  const started = await startedBy(root, program, real)
  const ofItsPackage = async (file: string) => {
    const home = packageOf(file)
    return (await localImports(file)).filter((path) => path.startsWith(home + sep))
  }
  const found = await followFiles([real, ...started], ofItsPackage, { deepest, most: mostFiles })
  return [...new Set([...started, ...found])]
}

/** Names below `node_modules` that a makefile or shell script starts: by their path, or by `npx`. Pure. */
export function packageProgramsIn(text: string): string[] {
  const byPath = text.match(/\bnode_modules\/[\w@./-]{1,200}/g) ?? []
  const byName = [
    ...text.matchAll(/\b(?:npx|bunx|pnpx|(?:npm|pnpm|yarn) exec)(?: -{1,2}[\w-]{1,40})* ([\w@./-]{1,100})/g),
  ]
  return [...new Set([...byPath, ...byName.map(([, name]) => `node_modules/.bin/${name}`)])].slice(
    0,
    mostFiles,
  )
}

/** Some package managers put a shell script into `.bin` that starts the file of the package. */
async function startedBy(root: string, program: string, real: string): Promise<string[]> {
  const bytes = await readPlain(real)
  const text = bytes === undefined || bytes.length > largestShim ? '' : bytes.toString('latin1')
  if (!/^#![^\n]{0,100}\b(?:ba|da|z)?sh\b/.test(text)) return []
  const words = text.split(/[\s"']+/).map((word) => word.replace(/^\$\{?\w{1,40}\}?\//, ''))
  const paths = [...new Set(words)]
    .filter((word) => word.includes('/') && !word.startsWith('/') && !word.includes('\0'))
    .map((word) => resolve(dirname(program), word))
  return paths
    .filter((path) => isOfPackage(path) && insideRoot(root, path) && isFile(path))
    .slice(0, mostFiles)
}

/** Directory of the package that a file belongs to: the one below the last `node_modules`. */
function packageOf(file: string): string {
  const parts = file.split(sep)
  const at = parts.lastIndexOf('node_modules')
  if (at === -1) return dirname(file)
  const depth = parts[at + 1]?.startsWith('@') ? 2 : 1
  return join(sep, ...parts.slice(0, at + 1 + depth))
}
