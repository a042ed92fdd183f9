import { lstatSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { Problem } from '../problem.js'
import { syncDirectory } from './durable-file.js'
import { errorCode, isMissing, storageProblem } from './storage-problem.js'

// docs/durability.md, "Paths and environment": session files stay inside their root, and no link on the way is
// followed.

/**
 * Creates `path` and what is missing above it, down from `root`, each durable before the next. Existing directories
 * keep their mode. Throws Problem('outside') for a link, a non-directory or a path that leaves the root.
 */
export async function ensureDir(path: string, root: string, mode = 0o700): Promise<void> {
  for (const directory of componentsBelow(root, path)) {
    if ((await checkDirectory(directory)) === 'there') continue
    try {
      await mkdir(directory, { mode })
    } catch (error) {
      if (errorCode(error) !== 'EEXIST')
        throw await storageProblem(error, { path: directory, doing: 'creating' })
      await checkDirectory(directory)
    }
    await syncDirectory(dirname(directory))
  }
}

/**
 * Checks that every directory between `root` and `path` is a real one inside the root, without creating anything.
 * Parts that do not exist are fine. Throws Problem('outside').
 */
export async function checkContained(path: string, root: string): Promise<void> {
  for (const directory of componentsBelow(root, dirname(resolve(path)))) {
    if ((await checkDirectory(directory)) === 'missing') return
  }
}

/** Every directory from just below `root` down to `path`, in this order. */
function componentsBelow(root: string, path: string): string[] {
  const from = resolve(root)
  const inside = relative(from, resolve(path))
  if (inside === '') return []
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) || path.includes('\0')) {
    throw outside(path, `it is not inside ${from}`)
  }
  const parts = inside.split(sep)
  return parts.map((_, index) => join(from, ...parts.slice(0, index + 1)))
}

async function checkDirectory(path: string): Promise<'there' | 'missing'> {
  try {
    // At once: on its way through the pool each look costs ten times the look, and every read has several.
    const stats = lstatSync(path)
    if (stats.isSymbolicLink()) throw outside(path, 'it is a symbolic link')
    if (!stats.isDirectory()) throw outside(path, 'it is not a directory')
    return 'there'
  } catch (error) {
    if (isMissing(error)) return 'missing'
    throw await storageProblem(error, { path, doing: 'checking' })
  }
}

function outside(path: string, reason: string): Problem {
  return new Problem({
    code: 'outside',
    what: `${path} cannot hold session files: ${reason}.`,
    why: 'Session files are only written to real directories inside the project, so that no link can lead them elsewhere.',
    todo: 'Remove what is in the way, or use another session.',
  })
}
