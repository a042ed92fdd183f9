import { wordsBeside } from '../../agents/result.js'
import { saysNothing } from '../../documents/says-something.js'

// What an agent has said beside its result: a person who is asked about a result that gives no reason is told it
// (docs/agents.md, "Results").

/** Characters of the end of a text in which its last words are looked for. */
const lookedAt = 64 * 1024

/** The words of a dispatch beside its result; undefined where it has said none. */
export function lastWords({ text, said }: { text: string; said?: string }): string | undefined {
  const words = wordsBeside(text.slice(-lookedAt)) || (said ?? '')
  return words === '' ? undefined : words
}

/** Characters and lines of words that stand in the place of a reason: nobody reads an endless output for one. */
const longestReason = 2_000
const mostLines = 20

/** A reason as it was told; where none was, the agent's last words in its place, else that there are none. */
export function reasonOr(told: string | undefined, words: string | undefined): string {
  if (told !== undefined && !saysNothing(told)) return told
  if (words === undefined) return 'It gave no reason and said nothing else.'
  return `It gave no reason. Its last words:\n${words.slice(-longestReason).split('\n').slice(-mostLines).join('\n')}`
}
