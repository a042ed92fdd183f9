import { runLength, skipBlanks } from './markdown-lines.js'

// What is known of the rest of a text before it is read, so that an opening without an end is seen at once.

/** The marks of a fence. */
export type FenceMark = '`' | '~'

/** What stands further down in a text. */
export interface Ahead {
  /** The longest run of a mark that could close a fence below a line; 0 where there is none. Lines only go up. */
  closingRun: (mark: FenceMark, line: number) => number
  /** Where the last `-->` stands; -1 where there is none. */
  lastCommentEnd: number
}

/** The fence that a text opens at a place: three or more backticks or tildes, no backtick behind backticks. */
export function openingFence(
  text: string,
  at: number,
): { mark: FenceMark; length: number; info: string } | undefined {
  const mark = text[at]
  if (mark !== '`' && mark !== '~') return undefined
  const length = runLength(text, at, mark)
  const info = text.slice(at + length)
  if (length < 3 || (mark === '`' && info.includes('`'))) return undefined
  return { mark, length, info: info.trim() }
}

/** Looks once over all lines for what could close a fence or a comment. */
export function lookAhead(text: string, lines: readonly { number: number; text: string }[]): Ahead {
  const backticks = text.includes('```') ? closersOf(lines, '`') : []
  const tildes = text.includes('~~~') ? closersOf(lines, '~') : []
  const next = { '`': 0, '~': 0 }
  return {
    closingRun: (mark, line) => {
      const closers = mark === '`' ? backticks : tildes
      while ((closers[next[mark]]?.line ?? Number.POSITIVE_INFINITY) <= line) next[mark] += 1
      return closers[next[mark]]?.longest ?? 0
    },
    lastCommentEnd: text.lastIndexOf('-->'),
  }
}

/** Every line that could close a fence, with the longest run from there on. */
function closersOf(
  lines: readonly { number: number; text: string }[],
  mark: FenceMark,
): { line: number; longest: number }[] {
  const closers = lines.flatMap(({ number, text }) => {
    const longest = closingRun(text, mark)
    return longest < 3 ? [] : [{ line: number, longest }]
  })
  for (let at = closers.length - 2; at >= 0; at -= 1) {
    const [closer, below] = [closers[at], closers[at + 1]]
    if (closer !== undefined && below !== undefined) closer.longest = Math.max(closer.longest, below.longest)
  }
  return closers
}

function closingRun(text: string, mark: FenceMark): number {
  const from = skipBlanks(text, 0)
  if (text[from] !== mark) return 0
  const length = runLength(text, from, mark)
  return skipBlanks(text, from + length) === text.length ? length : 0
}
