import { access, chmod, mkdir, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { backupPath } from '../storage/durable-file.js'
import { archiveSeal } from './seal-place.js'
import type { SessionAt } from './session.js'

/** Moves a session out of the way, to `<archive of the workflow>/<slug>-YYYY-MM-DD[-n]`. */
export async function archive<State extends object>({
  root,
  workflow,
  place,
}: SessionAt<State>): Promise<void> {
  const day = new Date().toISOString().slice(0, 10)
  const base = join(root, workflow.archiveDir, `${place.slug}-${day}`)
  await mkdir(dirname(base), { recursive: true, mode: 0o700 })
  // Made by an earlier version, perhaps, for everybody to read.
  await chmod(dirname(base), 0o700)
  for (let count = 1; ; count += 1) {
    const target = count === 1 ? base : `${base}-${count}`
    if (await exists(target)) continue
    await rename(join(root, place.sessionDir), target)
    await moveState(join(root, place.stateFile), target)
    await archiveSeal(root, place, target)
    return
  }
}

/** A state file that a workflow keeps elsewhere goes with its session, or the next one would find it. */
async function moveState(stateFile: string, target: string): Promise<void> {
  for (const path of [stateFile, backupPath(stateFile)]) {
    if (await exists(path)) await rename(path, join(target, basename(path)))
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
}
