import { realpath, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { SealPlace } from '../ledger/seal.js'
import { userStateDir } from '../project/paths.js'
import { deriveKey, type SealKey } from '../secrets/hmac.js'
import { existingUserKey, userKey } from '../secrets/user-key.js'
import { stampAt } from '../storage/durable-file.js'
import { hashOf } from '../storage/json-text.js'
import type { Place } from '../workflows/place.js'

// Where the seals of sessions lie: in the person's own directory, by project, workflow and session
// (docs/durability.md, "The seal").

/** The seal of a session, for a process that opens it; the person's key is made if there is none. */
export async function sealPlaceOf(root: string, place: Place): Promise<SealPlace> {
  return placeWith(await userKey(userStateDir()), root, place)
}

/** The same for a reader that changes nothing; undefined where nothing was ever sealed, or the key cannot be used. */
export async function knownSealPlace(root: string, place: Place): Promise<SealPlace | undefined> {
  const key = await existingUserKey(userStateDir()).catch(() => undefined)
  return key && placeWith(key, root, place)
}

async function placeWith(key: SealKey, root: string, { workflow, slug }: Place): Promise<SealPlace> {
  const project = hashOf(Buffer.from(await realpath(root).catch(() => root))).slice(0, 32)
  const name = [project, workflow, fileName(slug)]
  return {
    path: join(userStateDir(), ...name, 'seal.json'),
    key: deriveKey(key, `session ${project}/${workflow}/${slug}`),
  }
}

/** A name that is a folder of its own on every system. */
function fileName(slug: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(slug) ? slug : hashOf(Buffer.from(slug)).slice(0, 32)
}

/** The seal of an archived session goes along, under the name that the session has in the archive. */
export async function archiveSeal(root: string, place: Place, archived: string): Promise<void> {
  const seal = await knownSealPlace(root, place)
  if (!seal || (await stampAt(seal.path)) === undefined) return
  const folder = dirname(seal.path)
  await rename(folder, join(dirname(folder), `archived-${fileName(basename(archived))}`)).catch(() =>
    // One of that name is there from a session of the same day that was removed by hand.
    rename(seal.path, `${seal.path}.archived-${Date.now()}`),
  )
}
