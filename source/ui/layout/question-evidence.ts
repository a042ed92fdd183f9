import { sanitizeLine } from '../../terminal/sanitize.js'
import { cutText } from '../../terminal/width.js'
import type { Evidence } from '../../view/question.js'
import type { Line, Span, Theme } from '../theme.js'
import { lineWidth } from './line.js'
import { isPath } from './titles.js'

// What there is to read at a question, on one row.

/** A path without its folders; any other title as it is. */
const fileName = ({ title }: Evidence) => (isPath(title) ? (title.split('/').at(-1) ?? title) : title)

const isPlanFile = ({ kind, title }: Evidence) => kind === 'plan' && title.endsWith('.md')

/** What a file is, instead of its name, which stands whole above the text when it is opened; of several each needs its own. */
const briefName = (one: Evidence, _index: number, all: readonly Evidence[]) =>
  isPlanFile(one) && all.filter(isPlanFile).length === 1 ? 'this plan' : one.title

/** What there is to read, from the lit one on where not all have room. */
export function evidenceLine(
  evidence: readonly Evidence[],
  lit: number | undefined,
  width: number,
  theme: Theme,
): Line {
  const spans = (from: number, to: number): Span[] =>
    evidence.slice(from, to).flatMap((one, offset): Span[] => [
      { text: from + offset === lit ? ` ${theme.pointer} ` : '   ', tone: 'accent', strong: true },
      { text: sanitizeLine(one.title), tone: 'info', strong: from + offset === lit },
    ])
  const head: Span = { text: '  To read:' }
  const all = [head, ...spans(0, evidence.length)]
  if (lineWidth(all) <= width) return all
  // The name of a file says enough where its folders would hide what else there is, and less than that where its name would.
  for (const shorter of [fileName, briefName]) {
    const bare = evidence.map((one, index) => ({ ...one, title: shorter(one, index, evidence) }))
    if (bare.some(({ title }, index) => title !== evidence[index]?.title))
      return evidenceLine(bare, lit, width, theme)
  }
  // What has no room is counted, so that nobody takes the first ones for all of them.
  const from = lit ?? 0
  for (let count = evidence.length - 1; count > 0; count -= 1) {
    const start = Math.min(from, evidence.length - count)
    const some = [head, ...spans(start, start + count), { text: `   ${evidence.length - count} more` }]
    if (lineWidth(some) <= width) return some
  }
  const [mark, title] = spans(from, from + 1)
  const more = `   ${evidence.length - 1} more`
  if (evidence.length === 1 || !mark || !title) return [head, ...spans(from, from + 1)]
  const room = width - lineWidth([head, mark, { text: more }])
  return [
    head,
    mark,
    { ...title, text: cutText(title.text, Math.max(1, room), theme.ellipsis) },
    { text: more },
  ]
}
