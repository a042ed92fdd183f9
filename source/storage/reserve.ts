import { open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

// 64 KB of a session directory that a full disk can be given back for the last save: docs/durability.md, "When
// saving fails".

const name = 'reserve.bin'
const reserveBytes = 64 * 1024

/** Makes the reserve if it is missing. Without it everything still works, so failures are not reported. */
export async function keepReserve(dir: string): Promise<void> {
  const path = join(dir, name)
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(Buffer.alloc(reserveBytes, '.'))
    } catch {
      await unlink(path)
    } finally {
      await file.close()
    }
  } catch {
    // It is there already, or the disk is full now.
  }
}

/** Gives the reserve back to the disk; false if there was none. */
export async function freeReserve(dir: string): Promise<boolean> {
  try {
    await unlink(join(dir, name))
    return true
  } catch {
    return false
  }
}
