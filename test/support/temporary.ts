import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where directories of tests lie: in memory where the system has that, so that thousands of fsyncs cost little. */
export const temporaryRoot = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** A new empty directory below it. */
export async function makeTemporary(name: string): Promise<string> {
  return mkdtemp(join(temporaryRoot, `autopilot-${name}-`))
}

/** Runs `use` in a new directory that is removed afterwards, whatever happens. */
export async function inTemporary<Result>(
  name: string,
  use: (dir: string) => Promise<Result>,
): Promise<Result> {
  const dir = await makeTemporary(name)
  try {
    return await use(dir)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
