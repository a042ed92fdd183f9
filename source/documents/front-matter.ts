// Where the front matter of a document ends (docs/harness.md, "Reading Markdown").

/** Index of the line that closes it, `open` where nothing does; undefined where there is none. Pure. */
export type FrontMatterEnd = number | 'open' | undefined

const closing = /^(?:---|\.\.\.)[ \t]*$/
/** At the margin neither is YAML: headings below the first level, tasks, boxes, fences. A rule below them closes nothing. */
const markdown = /^(?:#{2,6}[ \t]+\S|<task\b|[-*+][ \t]+\[[ xX~]\][ \t]|```|~~~)/

/**
 * It stands at the very top, and no blank line follows its opening. Where headings, tasks or items with a box stand
 * before the next `---`, that one is a rule between sections: else all that stands above it would be lost.
 */
export function frontMatterEnd(textAt: (index: number) => string | undefined): FrontMatterEnd {
  if (textAt(0)?.trimEnd() !== '---' || (textAt(1)?.trim() ?? '') === '') return undefined
  for (let index = 1; ; index += 1) {
    const text = textAt(index)
    if (text === undefined || markdown.test(text)) return 'open'
    if (closing.test(text)) return index
  }
}
