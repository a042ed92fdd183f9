import { createRedactor, keyMark, longestKey } from '../secrets/redact.js'
import { linesOf, type PaneBlock, type PaneLine, unfolded } from '../view/panes.js'

/** A line without secrets, with what is folded below it. Where one was, the places of its colours are not known any more. */
function redacted(line: PaneLine, redact: (text: string) => string): PaneLine {
  const text = redact(line.text)
  if (!line.colours && !line.folded) return { ...line, text }
  const { colours, folded, ...plain } = line
  return {
    ...plain,
    text,
    ...(colours && text === line.text ? { colours } : {}),
    ...(folded ? { folded: folded.map((each) => redacted(each, redact)) } : {}),
  }
}

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
    const begins = unfolded(line).some(({ text }) => text.includes(keyMark))
    keyLines = begins ? longestKey + 1 : keyLines - 1
    write(redacted(line, redact))
  }

  return (told) => {
    if (!('count' in told) || keyLines > 0 || told.includes(keyMark)) {
      for (const line of linesOf(told)) one(line)
      return
    }
    write({
      count: told.count,
      slice: (from, to) => told.slice(from, to).map((line) => redacted(line, words)),
      includes: (text) => told.includes(text),
    })
  }
}
