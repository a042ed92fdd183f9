// Code that says itself that it is still to be written (docs/evidence.md, "Claims"). By text, line by line. Pure; linear.

const notYet =
  /\bnot(?: yet)?[ _-]{0,2}implemented\b|\b(?:todo|unimplemented)!\(|\bNotImplemented(?:Error|Exception)?\b|\bUnsupportedOperationException\b|\bTODO\(|\bfatalError\("?(?:todo|not)|\bpanic\("?(?:todo|not|unimplemented)|\b(?:throw|raise|panic|die|error|abort|fatalError|fail)\b[^\n]{0,40}\b(?:TODO|unimplemented|coming soon)\b/i

/** What only opens, names, takes in or closes. */
const frame: readonly RegExp[] = [
  /^[\s{}()[\];,:]*$/,
  /^(?:\/\/|\/\*|\*|#(?!\[)|--|"""|''')/,
  /^(?:import|from|use|using|require|require_relative|package|namespace|include|export \*|#include)\b/,
  /^(?:@|#\[|<\?php|\?>|['"]use \w+['"])/,
  /^(?:end|pass|\.\.\.)$/,
  /\b(?:def|defmodule|func|fn|function|class|interface|trait|struct|impl|module|sub)\b.{0,300}[^;]$/,
  /(?:\{|\(|:|->|=>|\bdo|\bthen)$/,
  /^(?:module\.exports\b|export (?:default )?\{)/,
]

/** True where not being implemented is all that lines do beside heads, imports and brackets. */
export function isStub(text: string): boolean {
  const lines = text
    .split('\n')
    .map((line) => line.trim().slice(0, 1_000))
    .filter((line) => line !== '')
  if (!lines.some(isNotYet)) return false
  return lines.every((line) => isNotYet(line) || frame.some((one) => one.test(line)))
}

/** Words of a comment leave something to be done, and do not say that nothing is. */
const isNotYet = (line: string) => notYet.test(line) && !/^(?:\/\/|\/?\*|#|--)/.test(line)
