// Ids of phases (docs/playbook.md, "Phase ids"): `7`, `2.1`, `12A`, `23A.2`, `WEB-4`, `v0.9-01`.

/** An id as a part of a pattern: an optional code, numbers between dots, each with an optional letter behind it. */
export const phaseIdPattern = String.raw`(?:[A-Z][A-Z0-9_.]{0,15}-)?\d{1,6}[A-Z]?(?:\.\d{1,6}[A-Z]?){0,8}`

const whole = new RegExp(`^${phaseIdPattern}$`, 'i')

interface Segment {
  number: number
  letter: string
}

interface Parts {
  code: string
  segments: Segment[]
}

/** A roadmap has few ids, and they are compared often. */
const known = new Map<string, Parts>()

function partsOf(id: string): Parts {
  const seen = known.get(id)
  if (seen !== undefined) return seen
  const parts = readParts(id)
  if (known.size < 10_000) known.set(id, parts)
  return parts
}

function readParts(id: string): Parts {
  const dash = id.lastIndexOf('-')
  const segments = id
    .slice(dash + 1)
    .split('.')
    .map((segment) => ({ number: Number.parseInt(segment, 10), letter: segment.replace(/^\d+/, '') }))
  return { code: id.slice(0, Math.max(dash, 0)).toUpperCase(), segments }
}

/** Whether a word is an id and nothing else. */
export function isPhaseId(word: string): boolean {
  return whole.test(word)
}

/** The one form of an id, by which it is compared and kept: `02.7` is `2.7`, `12a` is `12A`. Undefined for other words. */
export function normalPhaseId(word: string): string | undefined {
  const trimmed = word.trim()
  if (!whole.test(trimmed)) return undefined
  const { code, segments } = partsOf(trimmed)
  const numbers = segments.map(({ number, letter }) => `${number}${letter.toUpperCase()}`).join('.')
  return code === '' ? numbers : `${code}-${numbers}`
}

/** Order of two ids, segment by segment: 2, 2.1, 2.2, 2.10, 12, 12A. Those of one code stay together. */
export function comparePhaseIds(one: string, other: string): number {
  const [left, right] = [partsOf(one), partsOf(other)]
  if (left.code !== right.code) return left.code.localeCompare(right.code, 'en', { numeric: true })
  for (let at = 0; at < Math.max(left.segments.length, right.segments.length); at += 1) {
    const [a, b] = [left.segments[at], right.segments[at]]
    if (a === undefined || b === undefined) return a === undefined ? -1 : 1
    if (a.number !== b.number) return a.number - b.number
    const [x, y] = [a.letter.toUpperCase(), b.letter.toUpperCase()]
    if (x !== y) return x < y ? -1 : 1
  }
  return 0
}

/** Phases of the number 999 are put off: they run only when they are named. */
export function isBacklogId(id: string): boolean {
  return partsOf(id).segments[0]?.number === 999
}

/** An id as files and tasks write it: its first number in two digits, `02.1`. */
export function paddedPhaseId(id: string): string {
  const number = id.lastIndexOf('-') + 1
  return id.slice(0, number) + id.slice(number).replace(/\d+/, (digits) => digits.padStart(2, '0'))
}
