import { sanitizeText } from '../../terminal/sanitize.js'
import { wrapText } from '../../terminal/width.js'
import type { Evidence } from '../../view/question.js'
import type { Theme } from '../theme.js'
import { diffRows, type PartedRows } from './diff-lines.js'
import { line } from './line.js'
import { markdownRows } from './markdown-rows.js'

/** Evidence as its kind is read: a plan as Markdown, a diff by files, anything else as it is. */
export function evidenceRows(
  kind: Evidence['kind'],
  lines: readonly string[],
  width: number,
  theme: Theme,
): PartedRows {
  if (kind === 'diff') return diffRows(lines, width)
  if (kind === 'plan') return markdownRows(lines, width, theme)
  const safe = lines.flatMap((text) => sanitizeText(text).split('\n'))
  return { rows: safe.flatMap((text) => wrapText(text, width).map((row) => line(row))), parts: [] }
}
