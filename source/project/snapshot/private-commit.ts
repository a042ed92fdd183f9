import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import type { PrivateRepository } from './private-repository.js'
import { writeWhole } from './store.js'

const signature = 'autopilot <autopilot@localhost> 1700000000 +0000'

/**
 * A commit of a tree in the private repository, which the next status is compared with. Written as git writes a loose
 * object, so that no process is needed for it. Returns its id.
 */
export async function writeCommit({ dir, idBytes }: PrivateRepository, tree: string): Promise<string> {
  const text = `tree ${tree}\nauthor ${signature}\ncommitter ${signature}\n\nsnapshot\n`
  const bytes = Buffer.from(`commit ${text.length}\0${text}`, 'latin1')
  const id = createHash(idBytes === 32 ? 'sha256' : 'sha1')
    .update(bytes)
    .digest('hex')
  const folder = join(dir, 'objects', id.slice(0, 2))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeWhole(join(folder, id.slice(2)), deflateSync(bytes))
  return id
}
