import { type BigIntStats, statSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { isFile } from './follow-files.js'
import { readPlain } from './snapshot/plain-read.js'

// Which files beside it a script loads, read by text: one level, as far as it names them with a path
// (docs/evidence.md, "Order of trust").

const largestScript = 1024 * 1024
const mostImports = 200

const endings: Record<string, readonly string[]> = {
  '.js': ['', '.js', '.mjs', '.cjs', '.json', '/index.js'],
  '.mjs': ['', '.mjs', '.js', '.cjs', '.json'],
  '.cjs': ['', '.cjs', '.js', '.json', '/index.js'],
  '.ts': ['', '.ts', '.mts', '.js', '.tsx', '/index.ts'],
  '.mts': ['', '.mts', '.ts', '.mjs'],
  '.tsx': ['', '.tsx', '.ts', '.js'],
}

const ofScript = /\b(?:from|import|require)\s{0,20}\(?\s{0,20}['"](\.{1,2}\/[^'"\n]{1,500})['"]/g
const ofPython =
  /^[ \t]{0,100}(?:from[ \t]{1,20}(\.?[\w.]{1,200})[ \t]{1,20}import|import[ \t]{1,20}([\w.]{1,200}))/gm
const ofShell = /(?:^|[;&|\n])[ \t]{0,100}(?:source|\.)[ \t]{1,20}["']?([^\s"';&|]{1,500})/g

/** Absolute paths of regular files. Executes nothing. */
export async function localImports(script: string): Promise<string[]> {
  const found = new Set<string>()
  // A script names the same file again and again.
  const looked = new Map<string, boolean>()
  const isThere = (path: string) => {
    const known = looked.get(path) ?? isFile(path)
    looked.set(path, known)
    return known
  }
  for (const candidates of await wantedBy(script)) {
    const path = candidates.find(isThere)
    if (path !== undefined) found.add(path)
  }
  return [...found]
}

const remembered = new Map<string, { signature: string; wanted: readonly string[][] }>()
const mostRemembered = 500
/** Of a file that was just written a second write may have the same time. */
const settledMs = 1_000

/** What a script names, read again only when something of its file has changed: it is asked for before each program starts. */
async function wantedBy(script: string): Promise<readonly string[][]> {
  const stats = lookUp(script)
  if (!stats?.isFile() || stats.size > BigInt(largestScript)) return []
  const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = stats
  const signature = [dev, ino, size, mtimeNs, ctimeNs].join(' ')
  const known = remembered.get(script)
  if (known?.signature === signature) return known.wanted
  const text = (await readPlain(script))?.toString('latin1') ?? ''
  const byFirst = new Map(named(script, text).map((candidates) => [candidates[0], candidates]))
  const wanted = [...byFirst.values()].slice(0, mostImports)
  if (Date.now() - Number(ctimeMs) > settledMs) {
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(script, { signature, wanted })
  }
  return wanted
}

function lookUp(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** For each import the paths that it may mean, in the order in which they count. */
function named(script: string, text: string): string[][] {
  const folder = dirname(script)
  const kind = extname(script).toLowerCase()
  const like = kind === '' ? interpreter(text) : kind
  const suffixes = endings[like]
  if (suffixes)
    return [...text.matchAll(ofScript)].map(([, path = '']) => {
      // Of TypeScript the file that is named .js may be .ts.
      const bare = path.replace(/\.js$/, '')
      return [...suffixes.map((end) => resolve(folder, path + end)), resolve(folder, `${bare}.ts`)]
    })
  if (like === '.py')
    return [...text.matchAll(ofPython)].map(([, from, plain]) => {
      const path = (from ?? plain ?? '').replace(/^\./, '').replaceAll('.', '/')
      return [`${resolve(folder, path)}.py`, resolve(folder, path, '__init__.py')]
    })
  if (like === '.sh' || like === '.bash')
    return [...text.matchAll(ofShell)].map(([, path = '']) => [
      resolve(folder, path.replace(/^\$\{?\w{1,100}\}?\//, '')),
      resolve(process.cwd(), path),
    ])
  return []
}

function interpreter(text: string): string {
  const first = text.startsWith('#!') ? (text.split('\n', 1)[0] ?? '').slice(0, 300) : ''
  if (/\b(?:node|bun|deno)\b/.test(first)) return '.js'
  if (/\bpython/.test(first)) return '.py'
  return /\b(?:ba|da|z)?sh\b/.test(first) ? '.sh' : ''
}
