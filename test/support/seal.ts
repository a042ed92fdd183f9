import { join } from 'node:path'
import type { SealPlace } from '../../source/ledger/seal.js'

/** A key that no person has. */
export const testKey = Buffer.alloc(32, 7)

/** A seal inside of the session directory, so that it is copied, watched and removed with it. */
export function sealIn(dir: string): SealPlace {
  return { path: join(dir, '.seal', 'seal.json'), key: testKey }
}
