import { withoutComments } from './complexity.js'

// What of a text is the name of a phase (docs/harness.md, "Spec grammar").

/** The first sentence of a text: up to a full stop or colon that ends a word. */
export function firstSentence(text: string): string {
  const end = /[.:](?=\s|$)/.exec(text)
  return (end === null ? text : text.slice(0, end.index)).trim()
}

/** Without what is said of complexity, and the marks at its end. */
export function tidyName(text: string): string {
  const name = withoutComments(text)
  let end = name.length
  while (end > 0 && /[.:\s]/.test(name.charAt(end - 1))) end -= 1
  return name.slice(0, end).trimStart()
}

/** A name that opens in bold is its bold text. */
export function boldOr(text: string): string {
  const opener = text.startsWith('**') ? '**' : text.startsWith('__') ? '__' : undefined
  const close = opener === undefined ? -1 : text.indexOf(opener, 2)
  return close > 2 ? text.slice(2, close) : text
}
