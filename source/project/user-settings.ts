import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem } from '../problem.js'
import { writeDurable } from '../storage/durable-file.js'
import { readRegularText } from '../storage/read-file.js'
import { userConfigDir } from './paths.js'

/** Adds names to `confineAllow` of the person's settings; everything else in the file stays. Throws Problem ('unreadable'). */
export async function allowInSettings(names: readonly string[]): Promise<void> {
  const named = join(userConfigDir(), 'config.json')
  // People keep their settings elsewhere and link to them.
  const path = await realpath(named).catch(() => named)
  const text = (await readRegularText(path, { root: dirname(path) })) ?? '{}'
  const settings: unknown = JSON.parse(text)
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) throw noObject(path)
  const before = 'confineAllow' in settings ? settings.confineAllow : []
  const allowed = [...new Set([...(Array.isArray(before) ? before : []), ...names])]
  const next = `${JSON.stringify({ ...settings, confineAllow: allowed }, null, 2)}\n`
  await writeDurable(path, Buffer.from(next, 'utf8'))
}

function noObject(path: string): Problem {
  return new Problem({
    code: 'unreadable',
    what: `${path} holds no object.`,
    why: 'What you allow is kept there.',
    todo: 'Mend the file, or remove it, and start again.',
  })
}
