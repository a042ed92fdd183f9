import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPlain } from './plain-read.js'

// Locks that git has left, as of an agent that was ended in it (docs/evidence.md, "Snapshots").

/** Git at work, of an editor say, holds one for a moment. */
const lockMs = 1_500

/** Absolute paths of locks without which no commit can be made, and that nobody has let go of for a while. */
export async function leftLocks(gitDir: string, commonDir: string): Promise<string[]> {
  const branch = /^ref: (refs\/\S+)/.exec(
    (await readPlain(join(gitDir, 'HEAD')))?.toString('utf8') ?? '',
  )?.[1]
  const paths = [
    ...['index.lock', 'HEAD.lock'].map((name) => join(gitDir, name)),
    ...['config.lock', 'packed-refs.lock', ...(branch ? [`${branch}.lock`] : [])].map((name) =>
      join(commonDir, name),
    ),
  ]
  const held = () => paths.filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined)
  const isYoung = (path: string) => {
    const changed = lstatSync(path, { throwIfNoEntry: false })?.ctimeMs
    return changed !== undefined && Date.now() - changed < lockMs
  }
  for (let waited = 0; waited < lockMs && held().some(isYoung); waited += 50) await sleep(50)
  return held()
}
