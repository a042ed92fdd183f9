import { createRedactor, keyMark, longestKey } from '../secrets/redact.js'
import { linesOf, type PaneBlock, type PaneLine } from '../view/panes.js'

/**
 * Hides secrets in what a pane is told. Blocks stay what they are: their lines are redacted when somebody looks at them,
 * unless a private key, whose lines belong together, may be in them.
 */
export function redactingLines(
  secrets: readonly string[],
  write: (lines: PaneLine | PaneBlock) => void,
): (lines: PaneLine | PaneBlock) => void {
  const redact = createRedactor(secrets)
  // Never sees a key, so that it is the same for every line, in any order.
  const words = createRedactor(secrets)
  /** Lines that may still belong to a private key. */
  let keyLines = 0

  function one(line: PaneLine): void {
    keyLines = line.text.includes(keyMark) ? longestKey + 1 : keyLines - 1
    write({ ...line, text: redact(line.text) })
  }

  return (told) => {
    if (!('count' in told) || keyLines > 0 || told.includes(keyMark)) {
      for (const line of linesOf(told)) one(line)
      return
    }
    write({
      count: told.count,
      slice: (from, to) => told.slice(from, to).map((line) => ({ ...line, text: words(line.text) })),
      includes: (text) => told.includes(text),
    })
  }
}
