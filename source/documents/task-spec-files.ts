import { rawLines } from './edit.js'
import { cellsOf } from './markdown-table.js'
import { namedFiles } from './named-files.js'

// What a task that has a document of its own names as its files (docs/lifecycle.md, "The worker"). Pure.

interface Label {
  /** Level of a heading; undefined for a field. */
  level: number | undefined
  value: string
}

const named = /^(?:affected |changed |modified |new |touched )?files?(?: (?:that|to|which|it)\b.{0,40})?$/i
/** Files of others, which a task does not change. */
const others = /\b(?:read|look|context|reference|not|never|exclud\w*|out of)\b/i

/** A heading or a field that is called `Files`, with what stands behind it on its line. */
function labelIn(line: string): Label | undefined {
  const [, hashes, title] = /^ {0,3}(#{1,6})[ \t]{1,9}(.{1,120})$/.exec(line) ?? []
  if (hashes !== undefined && title !== undefined) {
    const name = title.replaceAll(/[*_`#:]/g, '').trim()
    return named.test(name) && !others.test(name) ? { level: hashes.length, value: '' } : undefined
  }
  const bare = line.replace(/^\s{0,9}(?:[-*+]\s{1,9})?/, '').slice(0, 4000)
  const colon = bare.indexOf(':')
  if (colon < 0 || colon > 80) return undefined
  const name = bare.slice(0, colon).replaceAll(/[*_`]/g, '').trim()
  if (!named.test(name) || others.test(name)) return undefined
  return { level: undefined, value: bare.slice(colon + 1).replace(/^[*_]{1,3}/, '') }
}

/** Lines below a label that go on with it: all up to the next heading of its level, or the list right below a field. */
function below(lines: readonly string[], from: number, { level }: Label): string[] {
  const found: string[] = []
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const heading = /^ {0,3}(#{1,6})[ \t]/.exec(line)?.[1]?.length
    if (heading !== undefined && (level === undefined || heading <= level || others.test(line))) break
    const isItem =
      /^\s*(?:[-*+]\s|\d{1,3}[.)]\s|\||`{3}|~{3})|^\s{2,}\S/.test(line) && labelOfOther(line) === undefined
    if (level === undefined && !isItem && !(line.trim() === '' && found.length === 0)) break
    if (heading === undefined && line.trim() !== '') found.push(line)
  }
  return found
}

/** Another field in the same list. */
const labelOfOther = (line: string) => /^\s*[-*+]\s+\*\*[^*]{1,60}\*\*/.exec(line)?.[0]

const inCells = (line: string) => (/^\s*\|/.test(line) ? cellsOf(line).map(({ text }) => text) : [line])

/** The paths, as they are written; empty where it names none. */
export function filesOfSpec(text: string): string[] {
  const lines = rawLines(text).map((line) => line.text)
  const values = lines.flatMap((line, at) => {
    const label = labelIn(line)
    return label === undefined ? [] : [label.value, ...below(lines, at + 1, label)]
  })
  return namedFiles(values.flatMap(inCells)).files
}
