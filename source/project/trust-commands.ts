import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { findOnPath } from '../processes/find-program.js'
import { localImports } from './local-imports.js'
import { packageScripts } from './package-manifest.js'
import { insideRoot } from './paths.js'
import { isOfPackage, packageFiles, packageProgramsIn } from './runner-files.js'
import { readPlain } from './snapshot/plain-read.js'
import { directRunners, makers, packageRunners, runnerFiles, startedScripts } from './task-runners.js'
import { fileItem, type TrustItem, textItem } from './trust-items.js'

// What a command would execute: its program, the files that it names, and what a task runner starts for it.

/** The program that a command starts, the files that it names, and what those load from beside them. */
export async function scriptsOf(root: string, argv: string[]): Promise<TrustItem[]> {
  const items: TrustItem[] = []
  const [program] = argv
  if (program === undefined) return items
  items.push(...(await programItems(root, program)))
  for (const path of argv.slice(1).flatMap((word) => pathsIn(root, word))) {
    items.push(...(await scriptItems(root, path)))
  }
  items.push(...(await taskItems(root, program, argv.slice(1))))
  return items
}

/** The file that would be started under this name, by its real path; it is a change where it is another one. */
export async function programItems(root: string, program: string): Promise<TrustItem[]> {
  const path = program.includes('/')
    ? resolve(root, program)
    : await findOnPath(program, process.env.PATH, root)
  if (path === undefined) return []
  const inside = insideRoot(root, path)
  const item = await fileItem(root, inside ? 'script' : 'program', inside ? 'Script' : 'Program', path)
  return item ? [item, ...(inside ? await loadedItems(root, path) : [])] : []
}

/** A script and what it loads; none where the path is no file. */
async function scriptItems(root: string, path: string): Promise<TrustItem[]> {
  const item = await fileItem(root, 'script', 'Script', path)
  return item ? [item, ...(await loadedItems(root, path))] : []
}

/** What a program or script of the project loads from beside it; of one that a package brings, from that package. */
async function loadedItems(root: string, path: string): Promise<TrustItem[]> {
  if (!isOfPackage(path)) return await importItems(root, path)
  const items: TrustItem[] = []
  for (const file of await packageFiles(root, path)) {
    const item = await fileItem(root, 'script', 'Script', file)
    if (item) items.push(item)
  }
  return items
}

/** What a script of the project loads from beside it. */
export async function importItems(root: string, script: string): Promise<TrustItem[]> {
  const items: TrustItem[] = []
  for (const path of await localImports(script)) {
    const item = await fileItem(root, 'script', 'Script', path)
    if (item) items.push(item)
  }
  return items
}

// `--config=path` names a file as well as `path` does.
function pathsIn(root: string, word: string): string[] {
  const value = /^-[^=]*=(.+)$/s.exec(word)?.[1]
  return [word, ...(value === undefined ? [] : [value])]
    .filter((path) => path !== '' && !path.includes('\0'))
    .map((path) => resolve(root, path))
}

/** The same of the person. What they hold besides is nobody's matter: only that they are as they were. */
const personalRunnerFiles = ['.npmrc', '.yarnrc', '.yarnrc.yml', '.bunfig.toml', '.config/pnpm/rc']
/** What a task runner would execute under the names that the command gives it. */
async function taskItems(root: string, program: string, args: string[]): Promise<TrustItem[]> {
  const runner = basename(program)
  const items: TrustItem[] = []
  for (const name of makers[runner] ?? []) {
    const item = await fileItem(root, 'script', 'Script', join(root, name))
    if (item) items.push(item, ...(await programsOfPackages(root, join(root, name))))
  }
  const direct = directRunners.has(runner) ? args.filter((word) => !word.startsWith('-')).slice(0, 1) : []
  items.push(...(await binItems(root, direct)))
  if (!packageRunners.has(runner) && !directRunners.has(runner)) return items
  for (const name of runnerFiles) {
    const item = await fileItem(root, 'script', 'Script', join(root, name))
    if (item) items.push(item)
  }
  for (const name of personalRunnerFiles) {
    const item = await fileItem(root, 'settings', 'Your package manager', join(homedir(), name))
    if (item) items.push(item)
  }
  // Some start programs of packages by their names alone: `yarn vitest`, `pnpm exec vitest`.
  items.push(...(await binItems(root, args)))
  for (const [name, script] of startedScripts(await packageScripts(root), args)) {
    items.push(textItem('script', `package.json script ${name}`, script))
    const parts = script.split(/[\s;&|]+/)
    items.push(...(await binItems(root, parts)))
    for (const part of parts) {
      const path = resolve(root, part.replace(/^["']|["']$/g, ''))
      if (!insideRoot(root, path)) continue
      const item = await fileItem(root, 'script', 'Script', path)
      if (!item) continue
      items.push(item)
      items.push(...(await (isOfPackage(path) ? loadedItems(root, path) : programsOfPackages(root, path))))
    }
  }
  return items
}

const largestScript = 64 * 1024

/** Programs of packages that a makefile or a shell script starts. */
async function programsOfPackages(root: string, path: string): Promise<TrustItem[]> {
  const items: TrustItem[] = []
  const bytes = await readPlain(path)
  if (bytes === undefined || bytes.length > largestScript) return items
  for (const name of packageProgramsIn(bytes.toString('latin1')))
    items.push(...(await scriptItems(root, join(root, name))))
  return items
}

/** Programs of the project that a package manager puts before all others; one that appears later is a change. */
async function binItems(root: string, words: readonly string[]): Promise<TrustItem[]> {
  const items: TrustItem[] = []
  for (const word of words) {
    if (!/^[\w@.-]+$/.test(word)) continue
    items.push(...(await scriptItems(root, join(root, 'node_modules/.bin', word))))
  }
  return items
}
