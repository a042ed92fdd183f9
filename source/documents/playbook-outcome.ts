// What an outcome in words comes to, and how its numbers and texts are read (docs/playbook.md, "Expectations").

/** When a command shows what it should. Values are counts or exit codes; the text of `contains` stands in the output. */
export type Expectation = NumberExpectation | { op: 'match' | 'noMatch' } | { op: 'contains'; value: string }

export interface NumberExpectation {
  op: 'equals' | 'atLeast' | 'atMost' | 'exit' | 'exitNot'
  value: number
  /** Has to hold as well: the upper bound of `between 2 and 4`. */
  and?: { op: 'atMost'; value: number }
}

/** What a match of words comes to; undefined where it says nothing after all. */
export type Reading = (match: RegExpExecArray) => Expectation | undefined

const words: Readonly<Record<string, number>> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
}
/** Behind a number: it is a decimal, a share, or of a unit that no command prints a bare number of. */
const measured = String.raw`(?!\.\d|,\d{3}|\s?%|\s?(?:percent|ms|milliseconds?|s|secs?|seconds?|mins?|minutes?|hours?|[kmg]i?b|px)\b)`
/** A whole number in figures or words, as its first group. */
export const count = String.raw`(\d{1,9}|${Object.keys(words).join('|')})\b${measured}`
/** Without regard to case. */
export const pattern = (source: string) => new RegExp(source, 'i')

/** The number of the first group, or of the second. */
export const numeric =
  (op: 'equals' | 'atLeast' | 'atMost' | 'exit', more = 0): Reading =>
  (match) => {
    const value = numberOf(match[1] ?? match[2] ?? '')
    return value === undefined ? undefined : { op, value: value + more }
  }
export const always =
  (expectation: Expectation): Reading =>
  () =>
    expectation
/** The text of the first group that matched; a number is a count. */
export const ofText: Reading = (match) => quoted(match.slice(1).find((text) => text !== undefined) ?? '')

function quoted(value: string): Expectation | undefined {
  const number = numberOf(value)
  return number === undefined ? { op: 'contains', value } : { op: 'equals', value: number }
}

/** Of figures or a word. */
export function numberOf(text: string): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const word = text.toLowerCase()
  return word === 'once' ? 1 : word === 'twice' ? 2 : words[word]
}

/** `1` in code marks is 1, and **two** in bold is two. */
export function plainNumbers(text: string): string {
  return text.replace(/`(\d{1,9})`/g, '$1').replaceAll('**', '')
}
