import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { access, readdir, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { findOnPath } from '../processes/find-program.js'
import { splitArgv } from '../processes/split-argv.js'
import { hashFile } from './file-hash.js'
import { readRepositoryConfig } from './git-config.js'
import { readByHook } from './hook-runners.js'
import { localImports } from './local-imports.js'
import { insideRoot } from './paths.js'
import { isOfPackage, packageFiles, packageProgramsIn } from './runner-files.js'
import { readPlain, readPlainText } from './snapshot/plain-read.js'

// What would be executed in a project, read without executing anything (docs/durability.md, "Trust").

export interface TrustItem {
  kind: 'agent' | 'validate' | 'command' | 'program' | 'script' | 'settings' | 'config' | 'hook' | 'git'
  /** What it is, for the person: `Agent claude`, `Git hook pre-commit`. */
  label: string
  /** What would run, in full: the arguments, a setting, or the path of a file. */
  detail: string
  /** sha256 of the content of a file, or of `detail`. */
  hash: string
  /** `detail` is the path of a file: absolute, or relative to the root. */
  isFile?: boolean
}

export interface TrustSubject {
  /** Real path of the project. */
  root: string
  /** Changes when anything that can execute changes. */
  hash: string
  items: TrustItem[]
}

export interface TrustRequest {
  root: string
  agentLabel: string
  /** Empty for an agent that is part of autopilot. */
  agentArgv: string[]
  validateArgv?: string[]
  /** Anything else that would be started, such as the agents of single personas. */
  commands?: { label: string; argv: string[] }[]
  /** Absolute, or relative to the root: settings of the project that choose what runs. */
  configFiles?: string[]
  /** Settings of the user that widen what agents may do, each with its value. */
  settings?: readonly { label: string; detail: string }[]
  /** Names of programs that are started besides; one that appears before it on PATH is a change. */
  programs?: readonly string[]
}

const mostFiles = 2_000

/** Collects everything of a project that can execute. No program is started, no git is asked. */
export async function trustSubject(request: TrustRequest): Promise<TrustSubject> {
  const root = await realpath(request.root)
  const items: TrustItem[] = []
  const agent = withoutCommand(request.agentLabel, request.agentArgv)
  items.push(textItem('agent', `Agent ${agent}`, shown(request.agentArgv)))
  items.push(...(await scriptsOf(root, request.agentArgv)))
  if (request.validateArgv && request.validateArgv.length > 0) {
    items.push(textItem('validate', 'Validate command', shown(request.validateArgv)))
    items.push(...(await scriptsOf(root, request.validateArgv)))
  }
  for (const command of request.commands ?? []) {
    items.push(textItem('command', withoutCommand(command.label, command.argv), shown(command.argv)))
    items.push(...(await scriptsOf(root, command.argv)))
  }
  for (const file of request.configFiles ?? []) {
    const item = await fileItem(root, 'config', 'Project settings', resolve(root, file))
    if (item) items.push(item)
  }
  for (const { label, detail } of request.settings ?? [])
    items.push(textItem('settings', `Your setting ${label}`, detail))
  for (const name of request.programs ?? []) items.push(...(await programItems(root, name)))
  items.push(...(await gitItems(root)))
  const known = unique(items)
  return { root, hash: hashOfItems(root, itemsOf({ items: known })), items: known }
}

/** What of an item counts. */
export type TrustedItem = readonly [kind: string, label: string, detail: string, hash: string]

/** What of a subject counts, as it is kept. */
export const itemsOf = (subject: Pick<TrustSubject, 'items'>): TrustedItem[] =>
  subject.items.map(({ kind, label, detail, hash }) => [kind, label, detail, hash])

/** The hash of the subject that these are all items of. */
export function hashOfItems(root: string, items: readonly TrustedItem[]): string {
  const lines = items.map((item) => JSON.stringify(item))
  return sha256(JSON.stringify([2, root, ...lines.sort()]))
}

function unique(items: TrustItem[]): TrustItem[] {
  const seen = new Map(items.map((item) => [JSON.stringify([item.kind, item.label, item.detail]), item]))
  return [...seen.values()]
}

/** Paths of the files among what was looked at, absolute: what nobody may change unasked. */
export function trustedFiles(subject: TrustSubject): string[] {
  const kinds: readonly TrustItem['kind'][] = ['program', 'script', 'config', 'hook']
  return subject.items
    .filter((item) => kinds.includes(item.kind) && item.isFile === true)
    .map((item) => resolve(subject.root, item.detail))
}

/** The program that a command starts, the files that it names, and what those load from beside them. */
async function scriptsOf(root: string, argv: string[]): Promise<TrustItem[]> {
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
async function programItems(root: string, program: string): Promise<TrustItem[]> {
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

async function importItems(root: string, script: string): Promise<TrustItem[]> {
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

const packageRunners = new Set(['npm', 'pnpm', 'yarn', 'bun'])
const directRunners = new Set(['npx', 'bunx', 'pnpx'])
/** Files that give a package manager another shell or programs to load. */
const runnerFiles = ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', 'bunfig.toml']
/** The same of the person. What they hold besides is nobody's matter: only that they are as they were. */
const personalRunnerFiles = ['.npmrc', '.yarnrc', '.yarnrc.yml', '.bunfig.toml', '.config/pnpm/rc']
const makers: Record<string, string[]> = {
  make: ['GNUmakefile', 'makefile', 'Makefile'],
  gmake: ['GNUmakefile', 'makefile', 'Makefile'],
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
}

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

/** Programs of packages that a makefile or a shell script starts. */
async function programsOfPackages(root: string, path: string): Promise<TrustItem[]> {
  const items: TrustItem[] = []
  const bytes = await readPlain(path)
  if (bytes === undefined || bytes.length > largestHook) return items
  for (const name of packageProgramsIn(bytes.toString('latin1')))
    items.push(...(await scriptItems(root, join(root, name))))
  return items
}

const startsScripts =
  /\b(?:npm|pnpm|yarn|bun|npm-run-all2?|run-[sp]|concurrently|turbo|wireit|ultra)\b|\bnode (?:\S{1,40} )?--run\b/

/** Scripts of package.json under these names, with those before, after and in them, each once. */
function startedScripts(scripts: Record<string, unknown>, names: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  // `npm t` is `npm test`.
  const open = names.map((each) => (each === 't' ? 'test' : each))
  for (let word = open.shift(); word !== undefined; word = open.shift()) {
    for (const name of [`pre${word}`, word, `post${word}`]) {
      const script = scripts[name]
      if (typeof script !== 'string' || found.has(name)) continue
      found.set(name, script)
      if (startsScripts.test(script)) open.push(...scriptsNamedIn(script, scripts))
    }
  }
  return found
}

/** `npm run unit`, `run-s unit lint`, `run-p "test:*"`, `concurrently npm:unit`. */
function scriptsNamedIn(script: string, scripts: Record<string, unknown>): string[] {
  return script.split(/[\s;&|"'\\]+/).flatMap((each) => {
    const word = each.replace(/^npm:/, '').replace(/^--run=/, '')
    if (typeof scripts[word] === 'string') return [word]
    if (word === 't') return ['test']
    const start = /^([\w:-]{1,100}:)\*{1,2}$/.exec(word)?.[1]
    return start === undefined ? [] : Object.keys(scripts).filter((name) => name.startsWith(start))
  })
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

async function packageScripts(root: string): Promise<Record<string, unknown>> {
  return objectOf((await packageManifest(root)).scripts)
}

async function packageManifest(root: string): Promise<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(await readPlainText(join(root, 'package.json'))))
  } catch {
    return {}
  }
}

const objectOf = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' ? Object.fromEntries(Object.entries(value)) : {}

async function gitItems(root: string): Promise<TrustItem[]> {
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

async function fileItem(
  root: string,
  kind: TrustItem['kind'],
  label: string,
  path: string,
): Promise<TrustItem | undefined> {
  const file = await hashFile(path)
  if (file === undefined) return undefined
  const { hash } = file
  // A program is another one where it lies elsewhere, so its real path is told.
  const shownPath = kind === 'program' ? file.real : path
  const way = relative(root, shownPath)
  const detail = way.startsWith('..') || isAbsolute(way) ? shownPath : way
  return { kind, label, detail, hash, isFile: true }
}

function textItem(kind: TrustItem['kind'], label: string, detail: string): TrustItem {
  return { kind, label, detail, hash: sha256(detail) }
}

/** Labels such as `command: node agent.js` have the command as it was typed, which is shown once: as the detail. */
function withoutCommand(label: string, argv: string[]): string {
  const colon = label.indexOf(': ')
  if (colon === -1 || argv.length === 0) return label
  const typed = label.slice(colon + 2)
  return typed === shown(argv) || isTyped(typed, argv) ? label.slice(0, colon) : label
}

function isTyped(text: string, argv: string[]): boolean {
  try {
    return JSON.stringify(splitArgv(text)) === JSON.stringify(argv)
  } catch {
    // A label need not be a command line.
    return false
  }
}

function shown(argv: string[]): string {
  if (argv.length === 0) return 'part of autopilot'
  return argv.map((word) => (/^[\w@%+=:,./~-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
}

function sha256(...parts: (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}
