import { formatJson, isObject, type JsonObject, parseJson, textOf, type Unreadable } from './json.js'

// phase-{N}-review.json (docs/harness.md, "Review files").

export type Severity = 'blocking' | 'warning' | 'note'

/** A place in a file, 1-based: a line, a range, or unknown. */
export type FindingLine = number | [number, number] | null

/** One finding of a review. Extra keys of the file it came from are kept. */
export interface Finding {
  [extra: string]: unknown
  severity: Severity
  file: string
  line: FindingLine
  title: string
  rationale?: string | undefined
  /** The word that the reviewer used, where it differs. */
  rawSeverity?: string | undefined
}

/** The severity of a reviewer's word, in any case. A word nobody knows blocks. */
export function severityOf(word: string): Severity {
  const known = word.trim().toLowerCase()
  if (known === 'important' || known === 'warning') return 'warning'
  if (known === 'suggestion' || known === 'note') return 'note'
  return 'blocking'
}

/** Reads a review file. Unreadable is not "no findings": one entry that is no finding makes the file unreadable. */
export function readReview(text: string): { findings: Finding[]; warnings: string[] } | Unreadable {
  const parsed = parseJson(text)
  if ('unreadable' in parsed) return parsed
  const value = parsed.value
  const entries = isObject(value) ? value.findings : value
  if (!Array.isArray(entries))
    return { unreadable: 'It is neither a list of findings nor an object with "findings".' }
  const warnings: string[] = []
  const findings: Finding[] = []
  for (const [index, entry] of entries.entries()) {
    const finding = readFinding(entry, warnings)
    if (finding === undefined) return { unreadable: `Entry ${index + 1} is not a finding.` }
    findings.push(finding)
  }
  return { findings, warnings }
}

export function writeReview(findings: readonly Finding[]): string {
  return formatJson(findings)
}

/** One finding from JSON of any seen shape, or undefined when it says nothing. */
export function readFinding(entry: unknown, warnings: string[] = []): Finding | undefined {
  if (!isObject(entry)) return undefined
  const { lineRange, detail, message, description, line: rawLine, location, ...rest } = entry
  const rationale = textOf(entry.rationale) ?? textOf(detail) ?? textOf(description)
  const title = textOf(entry.title) ?? textOf(message) ?? rationale ?? textOf(entry.suggestion)
  if (title === undefined || title.trim() === '') return undefined
  const word = textOf(entry.severity)
  if (word === undefined) warnings.push(`"${title}" has no severity; it is read as blocking.`)
  const severity = severityOf(word ?? '')
  const place = placeOf(textOf(entry.file) ?? textOf(entry.path) ?? textOf(location) ?? '')
  const rawSeverity =
    textOf(entry.rawSeverity) ?? (word === undefined || word === severity ? undefined : word)
  return {
    ...withoutUndefined({ ...rest, rationale, rawSeverity }),
    severity,
    file: place.file,
    line: lineOf(rawLine) ?? lineOf(lineRange) ?? place.line,
    title,
  }
}

function withoutUndefined(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))
}

function lineOf(value: unknown): FindingLine | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  if (Array.isArray(value)) {
    const [from, to] = value
    if (!Number.isSafeInteger(from)) return undefined
    return Number.isSafeInteger(to) && to !== from ? [from, to] : from
  }
  if (typeof value !== 'string') return undefined
  const match = /^\s*L?(\d+)(?:\s*[-–:]\s*L?(\d+))?\s*$/i.exec(value)
  if (match?.[1] === undefined) return undefined
  return match[2] === undefined ? Number(match[1]) : lineOf([Number(match[1]), Number(match[2])])
}

/** Splits `path:12-15` into path and line; a path without one has line null. */
function placeOf(text: string): { file: string; line: FindingLine } {
  const match = /^(.*?):(\d+(?:\s*[-–]\s*\d+)?)(?::\d+)?$/.exec(text.trim())
  const line = match === null ? undefined : lineOf(match[2])
  return line === undefined ? { file: text.trim(), line: null } : { file: match?.[1] ?? '', line }
}
