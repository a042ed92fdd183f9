import { constants } from 'node:fs'
import { access, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { confinedArgv } from '../processes/confine/confined-argv.js'
import type { Confinement } from '../processes/confine/confinement.js'
import type { GitReader } from './git-read.js'
import { gitPaths } from './git-start.js'
import { shellWord } from './shell-word.js'

// Hooks of a commit (docs/durability.md, "Commits").

/**
 * A directory with a stand-in for every hook, that runs the hook itself as confined as an executor; undefined where
 * there are no hooks or nothing to confine them with. Git alone, which signs, is not confined.
 */
export async function confinedHooks(
  reader: GitReader,
  confineHooks: ((writable: readonly string[]) => Confinement | undefined) | undefined,
  scratch: string,
): Promise<string | undefined> {
  const confinement = confineHooks?.([scratch])
  const [hooks] = await gitPaths(reader, ['hooks'])
  if (confinement === undefined || hooks === undefined) return undefined
  const entries = await readdir(hooks, { withFileTypes: true }).catch(() => [])
  const directory = join(scratch, 'hooks')
  await mkdir(directory)
  for (const { name } of entries.filter((entry) => !entry.isDirectory() && /^[a-z-]+$/.test(entry.name))) {
    const file = join(hooks, name)
    if (!(await isExecutable(file))) continue
    const argv = confinedArgv(confinement, { file, args: [], cwd: reader.root })
    const script = `#!/bin/sh\nexec ${argv.map(shellWord).join(' ')} "$@"\n`
    await writeFile(join(directory, name), script, { mode: 0o700 })
  }
  return directory
}

async function isExecutable(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

const hookNames = ['pre-commit', 'prepare-commit-msg', 'commit-msg']

/** Names of the hooks that can stop a commit or change it. */
export async function activeHooks(reader: GitReader): Promise<string[]> {
  const [directory] = await gitPaths(reader, ['hooks'])
  const active: string[] = []
  for (const name of hookNames) {
    if (await isExecutable(join(directory ?? '', name))) active.push(name)
  }
  return active
}
