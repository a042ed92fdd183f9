// Quoted code in a line of text.

export interface CodeSpan {
  code: string
  /** Of its first backtick, and behind its last one. */
  start: number
  end: number
}

/**
 * Code spans of a text: a run of backticks up to the next run of the same length. A shell quote that is still open
 * there means that the backticks belong to the command, so the span goes on.
 */
export function codeSpans(text: string): CodeSpan[] {
  // Nobody quotes more in one item; hostile input stays cheap.
  const runs = [...text.matchAll(/`+/g)]
    .slice(0, 200)
    .map((match) => ({ at: match.index, length: match[0].length }))
  const spans: CodeSpan[] = []
  for (let at = 0; at < runs.length; at += 1) {
    const open = runs[at]
    if (open === undefined) break
    const from = open.at + open.length
    const closers = runs.flatMap((run, index) => (index > at && run.length === open.length ? [index] : []))
    const first = closers[0]
    if (first === undefined) continue
    const closed =
      closers.slice(0, 6).find((index) => quotesClose(text.slice(from, runs[index]?.at))) ?? first
    const to = runs[closed]?.at ?? text.length
    spans.push({ code: text.slice(from, to).trim(), start: open.at, end: to + open.length })
    at = closed
  }
  return spans
}

function quotesClose(command: string): boolean {
  let open: string | undefined
  for (let at = 0; at < command.length; at += 1) {
    const character = command[at]
    if (character === '\\' && open !== "'") at += 1
    else if (open === undefined && (character === "'" || character === '"')) open = character
    else if (character === open) open = undefined
  }
  return open === undefined
}
