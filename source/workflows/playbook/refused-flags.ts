import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject, parseJson } from '../../documents/json.js'
import { readText } from '../../project/text-files.js'
import type { GivenFlags } from '../flags.js'
import { excludedPair } from './flags.js'
import { sessionDir } from './places.js'
import type { EventDraft } from './state/events.js'

// Flags that were refused before a run was there to say so: the next run that begins has them among its events.

const path = `${sessionDir}/refused-flags.jsonl`

/** Keeps that two flags exclude each other, where the project has runs already. */
export async function keepRefused(root: string, given: GivenFlags, at: string): Promise<void> {
  const flags = excludedPair(given)
  if (flags === undefined) return
  // No directory is made for a command that began nothing.
  await appendFile(join(root, path), `${JSON.stringify({ at, flags })}\n`, { mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    },
  )
}

/** What was refused since the last run began, oldest first; it is read once. */
export async function takeRefused(root: string): Promise<EventDraft[]> {
  const text = (await readText({ root }, path)) ?? ''
  await rm(join(root, path), { force: true })
  return text.split('\n').flatMap((line) => {
    const read = parseJson(line)
    if (!('value' in read) || !isObject(read.value)) return []
    const { at, flags } = read.value
    return [{ event: 'flag_mutual_exclusivity_error' as const, details: { at, flags } }]
  })
}
