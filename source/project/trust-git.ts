import { constants } from 'node:fs'
import { access, readdir } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { readRepositoryConfig } from './git-config.js'
import { readByHook } from './hook-runners.js'
import { packageManifest } from './package-manifest.js'
import { insideRoot } from './paths.js'
import { readPlain } from './snapshot/plain-read.js'
import { importItems } from './trust-commands.js'
import { fileItem, type TrustItem, textItem } from './trust-items.js'

// What git would execute in a project: programs of its settings and attributes, hooks, and what those call.

const mostFiles = 2_000

/** Everything that git of this repository can start, read without asking git. */
export async function gitItems(root: string): Promise<TrustItem[]> {
  const config = await readRepositoryConfig(root)
  const items = config.executing.map((entry) => textItem('git', `Git setting ${entry.key}`, entry.value))
  for (const entry of config.executing) {
    // The value may be a command line: every word of it that is a file of the project counts.
    for (const word of entry.value.split(/\s+/)) {
      const path = resolve(root, word.replace(/^["'!]+|["']$/g, ''))
      const item = insideRoot(root, path) ? await fileItem(root, 'script', 'Script', path) : undefined
      if (item) items.push(item)
    }
  }
  items.push(...(await attributeItems(root, join(config.commonDir, 'info', 'attributes'))))
  items.push(...(await hookItems(root, config.hooksDir, join(config.commonDir, 'hooks'))))
  return items
}

/** Attributes that make git run a program of its settings. */
async function attributeItems(root: string, own: string): Promise<TrustItem[]> {
  const items: TrustItem[] = []
  for (const path of [join(root, '.gitattributes'), own]) {
    const text = (await readPlain(path))?.toString('latin1') ?? ''
    const lines = text
      .split('\n')
      .filter((line) => /\s(?:filter|diff|merge)=/.test(line) && !line.startsWith('#'))
    if (lines.length > 0)
      items.push(textItem('git', `Git attributes of ${relative(root, path)}`, lines.join('; ')))
  }
  return items
}

/** Hooks in the directory that git uses. One inside the project is read with all that its hooks may call there. */
async function hookItems(root: string, hooksDir: string, usualDir: string): Promise<TrustItem[]> {
  const items: TrustItem[] = []
  const ownDir = resolve(hooksDir) !== resolve(usualDir)
  // Some tools keep their entry points in `_` and the scripts of the project beside it.
  const start =
    ownDir && basename(hooksDir) === '_' && insideRoot(root, dirname(hooksDir)) ? dirname(hooksDir) : hooksDir
  const deep = ownDir && insideRoot(root, start)
  for (const path of await filesBelow(start, deep)) {
    if (path.endsWith('.sample')) continue
    // Git passes by a hook without the executable bit; what hooks call may well have none.
    if (!deep && !(await isExecutable(path))) continue
    const item = await fileItem(root, 'hook', `Git hook ${relative(start, path)}`, path)
    if (item) items.push(item, ...(await calledItems(root, path)))
  }
  return items
}

const largestHook = 64 * 1024
const ofScripts = /\.(?:sh|bash|zsh|[cm]?[jt]s|py|rb|pl|php)$/

/** Scripts of the project that a hook calls, and what those load from beside them. Packages are the package manager's matter. */
async function calledItems(root: string, hook: string): Promise<TrustItem[]> {
  const text = (await readPlain(hook))?.toString('latin1') ?? ''
  if (text.includes('\0') || text.length > largestHook) return []
  const code = text.replace(/^[ \t]{0,100}#[^\n]*/gm, '')
  const words = code
    .split(/[\s;&|()<>"'`=]+/)
    .map((word) => word.replace(/^\$\{?\w+\}?\//, '').replace(/^\//, ''))
  const items = await hookRunnerItems(root, code)
  for (const word of new Set(words)) {
    const path = resolve(root, word)
    if (word === '' || !insideRoot(root, path) || relative(root, path).startsWith('node_modules/')) continue
    if (!ofScripts.test(word) && !(word.includes('/') && (await isExecutable(path)))) continue
    const item = await fileItem(root, 'script', 'Script', path)
    if (item) items.push(item, ...(await importItems(root, path)))
  }
  return items
}

/** What the programs that a hook names are told to run. */
async function hookRunnerItems(root: string, code: string): Promise<TrustItem[]> {
  const { files, keys } = readByHook(code)
  const items: TrustItem[] = []
  for (const file of files) {
    const item = await fileItem(root, 'script', 'Script', join(root, file))
    if (item) items.push(item)
  }
  const manifest = keys.length === 0 ? {} : await packageManifest(root)
  for (const key of keys)
    if (manifest[key] !== undefined)
      items.push(textItem('script', `package.json ${key}`, JSON.stringify(manifest[key])))
  return items
}

async function isExecutable(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function filesBelow(directory: string, deep: boolean): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  const files: string[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) {
      if (deep && entry.name !== '.git' && entry.name !== 'node_modules')
        files.push(...(await filesBelow(path, deep)))
    } else files.push(path)
    if (files.length > mostFiles) return files.slice(0, mostFiles)
  }
  return files
}
