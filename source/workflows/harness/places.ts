import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../problem.js'
import type { Place } from '../place.js'

// Where sessions of this workflow are (docs/harness.md). Loaded by every command, so nothing heavy is imported here.

export const sessionsDir = '.harness/sessions'
export const archiveDir = '.harness/archive/sessions'
export const stateFileName = 'autopilot-state.json'

const longestSlug = 200
const hashDigits = 8

/**
 * Name of the session directory of a spec, from its repo-relative path: `docs/changes/mail-rules/proposal.md` becomes
 * `changes--mail-rules--proposal`.
 */
export function sessionSlug(repoPath: string): string {
  const path = repoPath.replaceAll('\\', '/')
  const slug = path
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .replace(/[/.]/g, '--')
    .toLowerCase()
  if (/^-*$/.test(slug)) throw noSlug(repoPath)
  if (Buffer.byteLength(slug) <= longestSlug) return slug
  const digest = createHash('sha256').update(path).digest('hex').slice(0, hashDigits)
  return `${cutToBytes(slug, longestSlug - hashDigits - 1)}-${digest}`
}

function cutToBytes(text: string, bytes: number): string {
  let cut = ''
  let size = 0
  for (const character of text) {
    size += Buffer.byteLength(character)
    if (size > bytes) break
    cut += character
  }
  return cut
}

function noSlug(repoPath: string): Problem {
  return new Problem({
    code: 'usage',
    what: `No session can be named after ${JSON.stringify(repoPath)}.`,
    why: 'The session directory takes its name from the path of the spec, and nothing of this path is left.',
    todo: 'Give the spec a file name with letters or digits.',
  })
}

/** The place of a session directory. */
export function placeOfSlug(slug: string): Place {
  const sessionDir = `${sessionsDir}/${slug}`
  return {
    workflow: 'harness',
    slug,
    sessionDir,
    stateFile: `${sessionDir}/${stateFileName}`,
    lockDir: sessionDir,
  }
}

/** Every directory in which a session is, or was begun. */
export async function harnessPlaces(root: string): Promise<Place[]> {
  const entries = await readdir(join(root, sessionsDir), { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map((entry) => placeOfSlug(entry.name))
}
