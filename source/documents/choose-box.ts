// A decision as text, the way skills print it for a person: rules of `═` around a question, and options with letters
// (docs/lifecycle.md, "Gates of the worker"). Pure.

export interface ChooseBox {
  question: string
  /** In the order of their letters, without them. */
  options: string[]
  recommendation?: string
}

const letters = 'ABCDEF'
const isRule = (line: string) => /^\s*\u2550{10,}\s*$/.test(line)

/** The first box of a text: 2 to 6 options from `A)` on between rules; undefined where there is none. */
export function readChooseBox(text: string): ChooseBox | undefined {
  const parts: string[][] = [[]]
  for (const line of text.split(/\r?\n/)) {
    if (isRule(line)) parts.push([])
    else parts.at(-1)?.push(line)
  }
  // What stands before the first rule, and behind the last one, is outside of every box.
  const inner = parts.slice(1, -1)
  for (const [index, lines] of inner.entries()) {
    const options = optionsIn(lines)
    if (options === undefined) continue
    const heading = questionIn(lines) ?? questionIn(inner[index - 1] ?? [])
    const recommendation = recommendationIn([...lines, ...(inner[index + 1] ?? [])])
    return {
      question: heading ?? '',
      options,
      ...(recommendation === undefined ? {} : { recommendation }),
    }
  }
  return undefined
}

function optionsIn(lines: readonly string[]): string[] | undefined {
  const options: string[] = []
  for (const line of lines) {
    const [, letter, said] = isOption.exec(line.trim()) ?? []
    if (letter !== undefined && said !== undefined) {
      if (letter !== letters[options.length]) return undefined
      options.push(said)
    } else if (options.length > 0 && line.trim() !== '' && !isRecommendation(line)) {
      // A long option goes on below.
      options.push(`${options.pop()} ${line.trim()}`)
    } else if (isRecommendation(line)) break
  }
  return options.length >= 2 ? options : undefined
}

/** What stands before the options: what is behind one is the rest of it. */
function questionIn(lines: readonly string[]): string | undefined {
  const first = lines.findIndex((line) => isOption.test(line.trim()))
  const said = lines.slice(0, first === -1 ? lines.length : first).filter((line) => !isRecommendation(line))
  const text = joined(said).replace(/^DECISION REQUIRED:\s*/i, '')
  return text === '' ? undefined : text
}

/** More letters than a box may have are options too, of a box that is none. */
const isOption = /^([A-Z])\)\s+(\S.*)$/

const joined = (lines: readonly string[]) => lines.flatMap((line) => line.trim() || []).join(' ')

const isRecommendation = (line: string) => /^\s*Recommendation:/i.test(line)

function recommendationIn(lines: readonly string[]): string | undefined {
  const at = lines.findIndex(isRecommendation)
  if (at === -1) return undefined
  const end = lines.findIndex((line, index) => index > at && line.trim() === '')
  return joined(lines.slice(at, end === -1 ? lines.length : end)).replace(/^Recommendation:\s*/i, '')
}
