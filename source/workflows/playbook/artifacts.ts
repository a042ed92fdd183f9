import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

// Files of the planning folder as the state knows them: by path and hash.

/** `sha256:<hex>` of raw bytes. */
export function hashOfBytes(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/** Hash of a file, repo-relative; `missing` where none can be read. */
export async function hashOfFile(root: string, path: string): Promise<string> {
  const bytes = await readFile(join(root, path)).catch(() => undefined)
  return bytes === undefined ? 'missing' : hashOfBytes(bytes)
}

/** True for a file that is there and says something. */
export async function hasWords(root: string, path: string): Promise<boolean> {
  const text = await readFile(join(root, path), 'utf8').catch(() => '')
  return text.trim() !== ''
}
