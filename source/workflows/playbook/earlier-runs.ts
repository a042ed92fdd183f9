import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readVerified } from '../../storage/durable-file.js'
import { archiveDir } from './places.js'
import { playbookCodec } from './state/codec.js'
import type { PlaybookState } from './state/schema.js'

// Runs that are over, in the archive of a project (docs/playbook.md, "The next run").

/** `run-2026-02-09-143052`, the same with `-2`, or a file of that name as other tools leave it. */
const runName = /^run-\d{4}-\d\d-\d\d-\d{6}(?:-\d{1,4})?(?:\.json)?$/

/** The state of the newest run that can be read; undefined where there is none. Plain reads. */
export async function lastRun(root: string): Promise<PlaybookState | undefined> {
  const dir = join(root, archiveDir)
  const names = await readdir(dir).catch(() => [] as string[])
  const newestFirst = names
    .filter((name) => runName.test(name))
    .sort((one, other) => other.localeCompare(one, 'en', { numeric: true }))
  for (const name of newestFirst) {
    const path = name.endsWith('.json') ? join(dir, name) : join(dir, name, 'state.json')
    const file = await readVerified(path).catch(() => undefined)
    const read = file?.kind === 'ok' ? playbookCodec.read(file.bytes) : undefined
    if (read?.kind === 'ok') return read.state
  }
  return undefined
}
