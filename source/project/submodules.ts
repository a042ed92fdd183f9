import { lstatSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseGitConfig } from './git-config.js'
import { insideRoot } from './paths.js'
import { readPlainText } from './snapshot/plain-read.js'

// Repositories inside a repository, found by plain reads: `git status` runs git in them, with settings of their own.

export interface Submodule {
  /** Where its git directory lies below that of the repository, or its path. */
  name: string
  /** Absolute. */
  gitDir: string
}

const most = 64
const deepest = 6

/** Git directories of submodules: those that git keeps below `modules`, and those that lie in their work trees. */
export async function submodulesOf(root: string, commonDir: string): Promise<Submodule[]> {
  const found = await modulesBelow(commonDir, 'modules', 0)
  for (const path of await submodulePaths(root)) {
    const gitDir = join(root, path, '.git')
    if (insideRoot(root, gitDir) && lstatSync(gitDir, { throwIfNoEntry: false })?.isDirectory())
      found.push({ name: path, gitDir })
  }
  return found.slice(0, most)
}

async function modulesBelow(commonDir: string, name: string, depth: number): Promise<Submodule[]> {
  const entries = await readdir(join(commonDir, name), { withFileTypes: true }).catch(() => [])
  const found: Submodule[] = []
  for (const entry of entries.filter((each) => each.isDirectory())) {
    const path = `${name}/${entry.name}`
    const gitDir = join(commonDir, path)
    const isOne = lstatSync(join(gitDir, 'HEAD'), { throwIfNoEntry: false }) !== undefined
    if (isOne) found.push({ name: path, gitDir })
    if (depth >= deepest || found.length >= most) continue
    found.push(...(await modulesBelow(commonDir, isOne ? `${path}/modules` : path, depth + 1)))
  }
  return found
}

async function submodulePaths(root: string): Promise<string[]> {
  return parseGitConfig(await readPlainText(join(root, '.gitmodules'))).flatMap(({ key, value }) =>
    /^submodule\..*\.path$/s.test(key) ? [value] : [],
  )
}

/** Addresses of submodules by name, as `.gitmodules` gives them. */
export function submoduleUrls(text: string): Map<string, string> {
  return new Map(
    parseGitConfig(text).flatMap(({ key, value }): [string, string][] => {
      const name = /^submodule\.(.+)\.url$/s.exec(key)?.[1]
      return name === undefined ? [] : [[name, value]]
    }),
  )
}

/**
 * Paths of submodules that come from another address now, or that git is told to look at less or to update otherwise, by two
 * texts of `.gitmodules`. One that came or went is none.
 */
export function turnedSubmodules(before: string, after: string): string[] {
  const entries = [before, after].map(
    (text) => new Map(parseGitConfig(text).map(({ key, value }) => [key, value])),
  )
  const [was = new Map<string, string>(), is = new Map<string, string>()] = entries
  const turned = new Set<string>()
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const name = /^submodule\.(.+)\.(?:url|update|ignore)$/s.exec(key)?.[1]
    if (name === undefined || was.get(key) === is.get(key)) continue
    const there = (known: Map<string, string>) => known.get(`submodule.${name}.path`)
    if (there(was) !== undefined && there(is) !== undefined) turned.add(there(is) ?? name)
  }
  return [...turned].sort()
}
