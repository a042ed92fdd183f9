import { counted } from '../counted.js'

// Text of others inside a prompt.

/** Characters of quoted output that a prompt carries; the middle of a longer one is left out. */
const quoteLimit = 12_000

/** Quoted text in a fence that the text itself cannot close; the middle of a very long one is left out. */
export function fenced(text: string, info = ''): string {
  const clipped = clip(text)
  const longest = Math.max(2, ...[...clipped.matchAll(/`+/g)].map((run) => run[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${info}\n${clipped}\n${fence}`
}

function clip(text: string): string {
  if (text.length <= quoteLimit) return text
  const half = quoteLimit / 2
  const left = text.length - quoteLimit
  return `${text.slice(0, half)}\n[... ${counted(left, 'character')} left out ...]\n${text.slice(-half)}`
}
