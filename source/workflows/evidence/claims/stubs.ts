// Code that says itself that it is still to be written (docs/evidence.md, "Claims"). By text, line by line. Pure; linear.

const notYet =
  /\bnot(?: yet)?[ _-]{0,2}implemented\b|\b(?:todo|unimplemented)!\(|\b(?:NotImplemented|Unimplemented)(?:Error|Exception)?\b|=\s{0,4}\?\?\?\s{0,4}$|^\w+(?: \w+)* = undefined$|\bUnsupportedOperationException\b|\bTODO\(|\bfatalError\("?(?:todo|not)|\bpanic\("?(?:todo|not|unimplemented)|\b(?:throw|raise|panic|die|error|abort|fatalError|fail)\b[^\n]{0,40}\b(?:TODO|unimplemented|coming soon)\b/i

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

/** What gives back nothing, where a comment says that something is to come. */
const givesNothing =
  /^(?:return(?:\s+(?:null|None|nil|undefined|NULL|nullptr|false|False|0(?:\.0)?|""|''|\{\}|\[\]))?|exit 0|:|null|nil);?$/
const isToCome =
  /^(?:\/\/|\/\*|\*|#(?!\[)|--|<!--)[\s*]{0,8}(?:TODO|FIXME|stub\b|placeholder\b|to be (?:implemented|done|written)|implement (?:this|me|later)|not (?:yet )?implemented)/i

/** True where not being implemented is all that lines do beside heads, imports and brackets. */
export function isStub(text: string): boolean {
  const lines = text
    .split('\n')
    .map((line) => line.trim().slice(0, 1_000))
    .filter((line) => line !== '')
  const isFrame = (line: string) => frame.some((one) => one.test(line))
  if (lines.some(isNotYet)) return lines.every((line) => isNotYet(line) || isFrame(line))
  if (!lines.some((line) => isToCome.test(line))) return false
  return lines.every((line) => isFrame(line) || givesNothing.test(line) || isTag.test(line))
}

/** A line of a page that holds nothing but tags and comments. */
const isTag = /^(?:<[^<>]{1,300}>\s{0,4}){1,20}$/

/** Words of a comment leave something to be done, and do not say that nothing is. */
const isNotYet = (line: string) => notYet.test(line) && !/^(?:\/\/|\/?\*|#|--)/.test(line)
