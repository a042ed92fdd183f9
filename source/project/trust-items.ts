import { createHash } from 'node:crypto'
import { isAbsolute, relative } from 'node:path'
import { hashFile } from './file-hash.js'

// One thing of a project that can execute, as it is shown and compared (docs/durability.md, "Trust").

export interface TrustItem {
  kind: 'agent' | 'validate' | 'command' | 'program' | 'script' | 'settings' | 'config' | 'hook' | 'git'
  /** What it is, for the person: `Agent claude`, `Git hook pre-commit`. */
  label: string
  /** What would run, in full: the arguments, a setting, or the path of a file. */
  detail: string
  /** sha256 of the content of a file, or of `detail`. */
  hash: string
  /** `detail` is the path of a file: absolute, or relative to the root. */
  isFile?: boolean
}

/** What of an item counts. */
export type TrustedItem = readonly [kind: string, label: string, detail: string, hash: string]

/** What of these counts, as it is kept. */
export const itemsOf = (subject: { items: readonly TrustItem[] }): TrustedItem[] =>
  subject.items.map(({ kind, label, detail, hash }) => [kind, label, detail, hash])

/** The hash of the subject that these are all items of. */
export function hashOfItems(root: string, items: readonly TrustedItem[]): string {
  const lines = items.map((item) => JSON.stringify(item))
  return sha256(JSON.stringify([2, root, ...lines.sort()]))
}

/** A file that counts by its content; none where the path is no regular file. */
export async function fileItem(
  root: string,
  kind: TrustItem['kind'],
  label: string,
  path: string,
): Promise<TrustItem | undefined> {
  const file = await hashFile(path)
  if (file === undefined) return undefined
  const { hash } = file
  // A program is another one where it lies elsewhere, so its real path is told.
  const shownPath = kind === 'program' ? file.real : path
  const way = relative(root, shownPath)
  const detail = way.startsWith('..') || isAbsolute(way) ? shownPath : way
  return { kind, label, detail, hash, isFile: true }
}

/** What counts by its text: a setting, the arguments of a command. */
export function textItem(kind: TrustItem['kind'], label: string, detail: string): TrustItem {
  return { kind, label, detail, hash: sha256(detail) }
}

function sha256(...parts: (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}
