import { access, mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SessionAt } from './session.js'

/** Moves a session out of the way, to `<archive of the workflow>/<slug>-YYYY-MM-DD[-n]`. */
export async function archive<State extends object>({
  root,
  workflow,
  place,
}: SessionAt<State>): Promise<void> {
  const day = new Date().toISOString().slice(0, 10)
  const base = join(root, workflow.archiveDir, `${place.slug}-${day}`)
  await mkdir(dirname(base), { recursive: true })
  for (let count = 1; ; count += 1) {
    const target = count === 1 ? base : `${base}-${count}`
    if (await exists(target)) continue
    await rename(join(root, place.sessionDir), target)
    return
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
}
