import { basename, resolve } from 'node:path'
import { insideRoot } from '../paths.js'
import { readPlainText } from './plain-read.js'

// What a test or validate command would execute, as far as its words and the task runner's file tell.

export interface CommandFiles {
  /** Absolute paths; some may not exist. */
  files: string[]
  /** Texts that a file holds beside others: `package.json#test` to the script. */
  texts: Record<string, string>
}

const packageRunners = new Set(['npm', 'pnpm', 'yarn', 'bun'])
const runnerFiles = ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', 'bunfig.toml']
const makers: Record<string, string[]> = {
  make: ['GNUmakefile', 'makefile', 'Makefile'],
  gmake: ['GNUmakefile', 'makefile', 'Makefile'],
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
}

/** Files of the project and texts that the commands name. Nothing is executed. */
export async function filesOfCommands(
  root: string,
  commands: readonly (readonly string[])[],
): Promise<CommandFiles> {
  const files = new Set<string>()
  const texts: Record<string, string> = {}
  const name = (word: string) => {
    for (const path of namedIn(root, word)) files.add(path)
  }
  for (const argv of commands) {
    for (const word of argv) name(word)
    const runner = basename(argv[0] ?? '')
    for (const file of makers[runner] ?? []) files.add(resolve(root, file))
    if (!packageRunners.has(runner)) continue
    for (const file of runnerFiles) files.add(resolve(root, file))
    const scripts = await packageScripts(root)
    // `npm t` is `npm test`.
    for (const word of new Set(argv.slice(1).map((each) => (each === 't' ? 'test' : each)))) {
      for (const script of [`pre${word}`, word, `post${word}`]) {
        const text = scripts[script]
        if (typeof text !== 'string') continue
        texts[`package.json#${script}`] = text
        for (const part of text.split(/[\s;&|]+/)) name(part.replace(/^["']|["']$/g, ''))
      }
    }
  }
  return { files: [...files], texts }
}

/** `--config=path` names a file as well as `path` does. */
function namedIn(root: string, word: string): string[] {
  const equals = word.startsWith('-') ? word.indexOf('=') : -1
  return [word, ...(equals === -1 ? [] : [word.slice(equals + 1)])]
    .filter((path) => path !== '' && !path.startsWith('-') && !path.includes('\0'))
    .map((path) => resolve(root, path))
    .filter((path) => insideRoot(root, path))
}

async function packageScripts(root: string): Promise<Record<string, unknown>> {
  try {
    const manifest: unknown = JSON.parse(await readPlainText(resolve(root, 'package.json')))
    const scripts =
      manifest && typeof manifest === 'object' && 'scripts' in manifest ? manifest.scripts : undefined
    return scripts && typeof scripts === 'object' ? Object.fromEntries(Object.entries(scripts)) : {}
  } catch {
    // Nothing that a package manager would run either.
    return {}
  }
}
