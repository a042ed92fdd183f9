import { basename, resolve } from 'node:path'
import { packageScripts } from '../package-manifest.js'
import { insideRoot } from '../paths.js'
import { makers, packageRunners, runnerFiles, startedScripts } from '../task-runners.js'

// What a test or validate command would execute, as far as its words and the task runner's file tell.

export interface CommandFiles {
  /** Absolute paths; some may not exist. */
  files: string[]
  /** Texts that a file holds beside others: `package.json#test` to the script. */
  texts: Record<string, string>
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
    for (const [script, text] of startedScripts(await packageScripts(root), argv.slice(1))) {
      texts[`package.json#${script}`] = text
      for (const part of text.split(/[\s;&|]+/)) name(part.replace(/^["']|["']$/g, ''))
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
