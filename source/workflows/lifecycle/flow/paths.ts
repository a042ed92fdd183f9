import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { userConfigDir } from '../../../project/paths.js'
import { flowFilesOf } from '../places.js'

// Where flow files are looked for (docs/lifecycle.md, "Flow files"), without what reads them.

/** The files that are looked for, first hit first: the flag's, the project's, the user's. */
export function flowPaths(root: string, flag: string | undefined): { path: string; required: boolean }[] {
  const own = ['yaml', 'yml', 'json'].map((ending) => join(userConfigDir(), `_autopilot_flow.${ending}`))
  return [...flowFilesOf(root, flag), ...own].map((path, index) => ({
    path,
    required: flag !== undefined && index === 0,
  }))
}

/** Whether there is anything to read; a file that was named counts, there or not. */
export async function anyFlowFile(root: string, flag: string | undefined): Promise<boolean> {
  const found = await Promise.all(
    flowPaths(root, flag).map(async ({ path, required }) => required || (await missing(path)) !== 'ENOENT'),
  )
  return found.includes(true)
}

/** Why nothing is there, as the system says; undefined where something is. */
export function missing(path: string): Promise<string | undefined> {
  return lstat(path).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  )
}
