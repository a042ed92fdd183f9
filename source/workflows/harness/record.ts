import { constants, copyFile, mkdir, readdir } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { isObject, parseJson } from '../../documents/json.js'
import { readRegularText } from '../../storage/read-file.js'
import type { SessionRecord } from '../workflow.js'
import { adoption } from './adoption.js'
import { locate } from './locate.js'
import { stateFileName } from './places.js'
import { currentVersion } from './state/migrate.js'

/**
 * A copy of a state that another tool keeps beside the spec, `docs/changes/<topic>/autopilot-state.json`: offered where no
 * session is about this spec yet (docs/harness.md, "State migrations"). One that cannot be read, or is about another spec, is none.
 */
export async function record(root: string, specPath: string): Promise<SessionRecord | undefined> {
  const from = posix.join(posix.dirname(specPath), stateFileName)
  const text = await readRegularText(from, { root }).catch(() => undefined)
  if (text === undefined || !isAbout(text, specPath)) return undefined
  const place = await locate(root, specPath)
  const there = await readdir(join(root, place.sessionDir)).catch(() => [])
  if (there.length > 0) return undefined
  const lines = linesOf(() => adoption(text, place).lines)
  if (lines === undefined) return undefined
  return {
    from,
    lines,
    async take() {
      await mkdir(join(root, place.sessionDir), { recursive: true, mode: 0o700 })
      await copyFile(join(root, from), join(root, place.stateFile), constants.COPYFILE_EXCL)
      return place
    },
  }
}

function isAbout(text: string, specPath: string): boolean {
  const parsed = parseJson(text)
  if (!('value' in parsed) || !isObject(parsed.value) || !Array.isArray(parsed.value.phases)) return false
  const { specPath: named, schemaVersion: version } = parsed.value
  // One of a later version could only be looked at.
  if (typeof version === 'number' && version > currentVersion) return false
  return typeof named === 'string' && posix.normalize(named.replaceAll('\\', '/')) === specPath
}

/** Undefined where the state is of a kind that cannot be taken over. */
function linesOf(read: () => string[]): string[] | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
