import { lstatSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path'

// Directories in which programs are looked for. The project is none of them: whoever can write it could put a
// program of another content before those of the user (docs/durability.md, "Trust").

/**
 * The entries of a PATH that count: absolute, and outside of the projects that `cwd` and this process are in, whatever
 * link leads there; the working directory and its `node_modules/.bin` never count.
 */
export function programDirectories(path = '', cwd = process.cwd()): string[] {
  const places = [...new Set([cwd, process.cwd()])].map(realOf)
  const projects = places.flatMap((place) => projectOf(place) ?? [])
  const never = places.flatMap((place) => [place, join(place, 'node_modules/.bin')])
  return path.split(delimiter).filter((entry) => {
    if (!isAbsolute(entry)) return false
    const plain = resolve(entry)
    const ways = [entry, realOf(entry), ...(plain === entry ? [] : [plain, realOf(plain)])]
    return !ways.some((way) => never.includes(way) || projects.some((project) => isBelow(project, way)))
  })
}

/** The same as the value of PATH. */
export function programPath(path: string | undefined, cwd?: string): string {
  return programDirectories(path, cwd).join(delimiter)
}

function isBelow(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory + sep)
}

/** The repository around a real path, by plain looks. A whole home or disk is no project. */
function projectOf(start: string): string | undefined {
  const home = realOf(homedir())
  for (let at = start; at !== home && at !== dirname(at); at = dirname(at)) {
    if (lstatSync(join(at, '.git'), { throwIfNoEntry: false })) return at
  }
  return undefined
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
