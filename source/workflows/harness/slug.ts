import { createHash } from 'node:crypto'
import { Problem } from '../../problem.js'

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
