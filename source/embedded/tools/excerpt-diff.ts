import { counted } from '../../counted.js'
import { unifiedDiff } from '../../documents/diff.js'

/** Lines of a diff that are shown at most. */
const shownLines = 1000

/** What changes in a file, for a person who has to decide about it. */
export function excerptDiff(path: string, before: string, after: string): string {
  const lines = unifiedDiff(path, before, after).split('\n')
  if (lines.length <= shownLines) return lines.join('\n')
  return [...lines.slice(0, shownLines), `(${counted(lines.length - shownLines, 'more line')})`].join('\n')
}
