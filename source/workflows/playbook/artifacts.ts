import { createHash } from 'node:crypto'
import { saysSomething } from '../../documents/says-something.js'
import { readRegular, readRegularText } from '../../storage/read-file.js'

// Files of the planning folder as the state knows them: by path and hash.

/** `sha256:<hex>` of raw bytes. */
export function hashOfBytes(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/** Hash of a file, repo-relative; `missing` where none can be read. */
export async function hashOfFile(root: string, path: string): Promise<string> {
  const bytes = await readRegular(path, { root }).catch(() => undefined)
  return bytes === undefined ? 'missing' : hashOfBytes(bytes)
}

/** True for a file that is there and says something. */
export async function hasWords(root: string, path: string): Promise<boolean> {
  const text = await readRegularText(path, { root }).catch(() => undefined)
  return text !== undefined && saysSomething(text)
}
