import { codeSpans } from './code-spans.js'

// Several criteria in one line, as people number them in prose: `a) .. b) ..` (docs/playbook.md, "Criteria").

/** Label of the first of a series, with or without a bracket before it. */
const first = /^(\(?)([aA1i])\)\s{1,9}/
const roman = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x']

/** Words of a series that stand in one line, each without its label; the text as it is where it is no series. */
export function partsOfSeries(text: string): string[] {
  const match = first.exec(text)
  if (match === null) return [text]
  const [opened, bracket = '', label = ''] = match
  const outside = withoutCode(text)
  const parts: string[] = []
  let from = opened.length
  for (const next of labelsAfter(label)) {
    const at = placeOf(outside, `${bracket}${next})`, from)
    if (at === undefined) break
    parts.push(withoutJoint(text.slice(from, at)))
    from = at + bracket.length + next.length + 1
  }
  return parts.length === 0 ? [text] : [...parts, withoutJoint(text.slice(from))]
}

const mostParts = 26

function labelsAfter(label: string): string[] {
  if (label === 'i') return roman.slice(1)
  const code = label.charCodeAt(0)
  return Array.from({ length: mostParts - 1 }, (_, index) =>
    label === '1' ? String(index + 2) : String.fromCharCode(code + index + 1),
  )
}

/** As long as the text, with nothing to be found in its code. */
function withoutCode(text: string): string {
  let [out, from] = ['', 0]
  for (const { start, end } of codeSpans(text)) {
    out += text.slice(from, start) + '`'.repeat(end - start)
    from = end
  }
  return out + text.slice(from)
}

/** Where a label stands between blanks. */
function placeOf(text: string, label: string, from: number): number | undefined {
  for (let at = text.indexOf(label, from); at !== -1; at = text.indexOf(label, at + 1))
    if (/\s/.test(text[at - 1] ?? '') && /\s/.test(text[at + label.length] ?? '')) return at
  return undefined
}

/** Without what joins it to the next. */
function withoutJoint(text: string): string {
  return text.trim().replace(/(?:[;,]\s{0,3}(?:and|or)|[;,]|\sand)$/i, '')
}
