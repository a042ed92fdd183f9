import type { Attempt } from './attempts.js'

/** Errors that differ in numbers, addresses and blanks alone are the same one to a person. */
function looseError(error: string): string {
  return error
    .toLowerCase()
    .replace(/0x[0-9a-f]+|\d+/g, '#')
    .replace(/\s+/g, ' ')
    .trim()
}

const indented = (text: string) => text.split('\n').map((row) => `    ${row}`)

/**
 * The attempts of a task below each other: what went wrong, whether that is the error of an attempt before, and what was
 * tried then. Pure.
 */
export function attemptLines(attempts: readonly Attempt[]): string[] {
  const errors = attempts.map(({ error }) => looseError(error))
  return attempts.flatMap(({ error, tried, fix }, index) => {
    const first = errors.indexOf(errors[index] ?? '')
    const same = first < index ? `: the same error as before attempt ${first + 1}` : ''
    return [
      `Before attempt ${index + 1}${same}`,
      ...indented(error),
      ...(tried ? ['  Tried before that:', ...indented(tried)] : []),
      `  Tried in attempt ${index + 1}:`,
      ...indented(fix || 'no fix reported'),
      '',
    ]
  })
}
