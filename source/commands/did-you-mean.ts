import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { closest } from '../closest.js'

/** A path near a mistyped one (absolute): each part is looked for among what is there. Relative to `from`. */
export async function closestPath(from: string, typed: string): Promise<string | undefined> {
  const parts = typed.split(/[\\/]/).filter((part) => part !== '')
  let found = ''
  for (const part of parts) {
    if (part === '.' || part === '..') {
      found = join(found, part)
      continue
    }
    const names = await readdir(join(from, found)).catch(() => [] as string[])
    const name = names.includes(part) ? part : closest(part, names)
    if (name === undefined) return undefined
    found = join(found, name)
  }
  return found === '' || basename(found) === '' || join(dirname(typed), basename(typed)) === found
    ? undefined
    : found
}
