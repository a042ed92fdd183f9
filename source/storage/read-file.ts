import { resolve } from 'node:path'
import { Problem } from '../problem.js'
import { checkContained } from './contained-path.js'
import { readVerified } from './durable-file.js'

// The one reader for files that an agent could have replaced (docs/durability.md, "Paths and environment").

export interface ReadLimits {
  /** Absolute path that the file has to be in; no directory between both may be a link. */
  root: string
  maxBytes?: number
}

/** Records, plans and reviews are texts that people read; none comes near. */
const usualBytes = 8 * 1024 * 1024

/**
 * The bytes of a regular file; undefined if nothing is there. A link, a pipe, a device, a file that is too large and
 * one outside of the root throw a Problem ('unreadable' or 'outside') with its path, at once: nothing is waited for.
 */
export async function readRegular(path: string, { root, maxBytes }: ReadLimits): Promise<Buffer | undefined> {
  const full = resolve(root, path)
  await checkContained(full, root)
  const read = await readVerified(full, maxBytes ?? usualBytes)
  switch (read.kind) {
    case 'missing':
      return undefined
    case 'ok':
      return read.bytes
    case 'unreadable':
      throw notReadable(full, read.reason)
  }
}

/** The same as text (UTF-8). */
export async function readRegularText(path: string, limits: ReadLimits): Promise<string | undefined> {
  return (await readRegular(path, limits))?.toString('utf8')
}

function notReadable(path: string, reason: string): Problem {
  return new Problem({
    code: 'unreadable',
    what: `${path} cannot be read: ${reason}.`,
    why: 'Only regular files of a usual size are read, so that nothing else in their place can hold a run up or lead out of the project.',
    todo: 'Look at what is there, and put the file back or remove it.',
  })
}
