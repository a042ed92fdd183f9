import { compareMarkdown } from './compare-markdown.js'

/**
 * Whether two Markdown texts say the same, however they are laid out: other bullets, blanks and line breaks, and ticked
 * boxes, are no difference (docs/evidence.md, "Plan and spec").
 */
export function sameContent(one: string, other: string): boolean {
  return compareMarkdown(one, other) !== 'content'
}
