// What a cell of dependencies names (docs/lifecycle.md, "Tasks and batches"). Pure.

/** What a row is called by: its id, its number in the table, its name. */
interface Named {
  id: string
  number: string
  name: string
}

interface Found {
  /** Ids, in the order of the table. */
  dependencies: string[]
  /** What looks like a task, and is none of the table. */
  unknown: string[]
}

type Known = ReadonlyMap<string, string>

const nothing =
  /^[^\p{L}\p{N}]{0,20}(?:none|no|nil|null|nothing|n\/?a|independent|root|tbd|no dependenc(?:y|ies))?[^\p{L}\p{N}]{0,20}$/iu

/** Whether a cell says that a task waits for none. */
export const waitsForNone = (said: string): boolean => nothing.test(said)

/** Looks into the cells of a table of these rows. */
export function dependenciesIn(rows: readonly Named[]): (said: string, index: number) => Found {
  const order = rows.map(({ id }) => id)
  const { known, byNumber } = byWord(rows)
  const names = unique(
    rows.flatMap(({ id, name }) => (name === '' ? [] : [[name.toLowerCase(), id] as const])),
  )
  return (said, index) => {
    if (/^all(?: (?:previous|above|others?))?(?: tasks)?$/i.test(said))
      return { dependencies: order.slice(0, index), unknown: [] }
    const found = new Set<string>()
    const unknown: string[] = []
    for (const part of said.split(/[,;]/)) {
      const named = names.get(part.trim().toLowerCase())
      if (named !== undefined && !known.has(part.trim().toLowerCase())) found.add(named)
      else for (const each of inPart(part, isNumbers(part) ? byNumber : known, unknown)) found.add(each)
    }
    found.delete(order[index] ?? '')
    if (found.size === 0 && unknown.length === 0 && !waitsForNone(said) && !meansItself(said, rows[index]))
      unknown.push(`"${said.slice(0, 60)}"`)
    return { dependencies: order.filter((id) => found.has(id)), unknown }
  }
}

/** Numbers among words are days or points. */
const isNumbers = (part: string) => !/\p{L}/u.test(part.replaceAll(/\b(?:and|to|through)\b/gi, ''))

const meansItself = (said: string, row: Named | undefined) =>
  row !== undefined && said.toLowerCase().includes(row.id.toLowerCase())

/** Ids by what they may be called: as they are, as their file (`T-1_box` is `T-1` too), and by the number of their row. */
function byWord(rows: readonly Named[]): { known: Known; byNumber: Known } {
  const ids = new Map(rows.map(({ id }) => [id.toLowerCase(), id]))
  const short = unique(
    rows.flatMap(({ id }) => {
      const [first, ...rest] = id.split('_')
      return rest.length > 0 && first && /\d/.test(first) ? [[first.toLowerCase(), id] as const] : []
    }),
  )
  const numbers = unique(
    rows.flatMap(({ id, number }) => (number === '' ? [] : [[number.toLowerCase(), id] as const])),
  )
  return { known: new Map([...short, ...ids]), byNumber: new Map([...numbers, ...short, ...ids]) }
}

/** Words that mean a single row. */
function unique(pairs: readonly (readonly [string, string])[]): Map<string, string> {
  const counts = new Map<string, number>()
  for (const [word] of pairs) counts.set(word, (counts.get(word) ?? 0) + 1)
  return new Map(pairs.filter(([word]) => counts.get(word) === 1))
}

function inPart(part: string, known: Known, unknown: string[]): string[] {
  const words = part
    .split(/[\s()[\]+&]/)
    .flatMap((word) => word.replace(/[.:!?]{1,5}$/, '') || (/^\.{2,3}$/.test(word) ? word : []))
  return words.flatMap((word, place) => {
    const id = known.get(word.toLowerCase())
    if (id !== undefined) return [id, ...rangeTo(words, place, known)]
    const ids = joined(word, known) ?? ofFile(word, known)
    if (ids === undefined && /\d/.test(word) && /\p{L}/u.test(word)) unknown.push(word)
    return ids ?? []
  })
}

/** A file's task: `T-1_box.md` is `T-1`. */
function ofFile(word: string, known: Known): string[] | undefined {
  const parts = word.toLowerCase().replace(/\.md$/, '').split('_').slice(0, 20)
  for (let length = parts.length; length > 0; length -= 1) {
    const id = known.get(parts.slice(0, length).join('_'))
    if (id !== undefined) return [id]
  }
  return undefined
}

/** Several tasks in a word: `T-1/T-2`, `T1-T4`, `01..03`, `T-1\u20133`. */
function joined(word: string, known: Known): string[] | undefined {
  if (word.length > 200) return undefined
  if (word.includes('/')) {
    const ids = word.split('/').map((part) => known.get(part.toLowerCase()))
    return ids.every((id) => id !== undefined) ? ids : undefined
  }
  for (const { index, 0: mark } of word.matchAll(/\.{2,3}|[-~\u2013\u2014]/g)) {
    const [left, right] = [word.slice(0, index), word.slice(index + mark.length)]
    const from = known.get(left.toLowerCase())
    const prefix = left.slice(0, left.length - (/\d{1,6}$/.exec(left)?.[0].length ?? 0))
    const to = known.get(right.toLowerCase()) ? right : `${prefix}${right}`
    const end = known.get(to.toLowerCase())
    if (from !== undefined && end !== undefined) return [from, ...between(left, to, known), end]
  }
  return undefined
}

/** The ids between two that are joined by `through` or a dash, with spaces around it: `T-1 through T-4`. */
function rangeTo(words: readonly string[], place: number, known: Known): string[] {
  const [joint, end] = [words[place + 1] ?? '', words[place + 2] ?? '']
  return /^(?:through|to|-|\u2013|\u2014|\.\.\.?)$/i.test(joint)
    ? between(words[place] ?? '', end, known)
    : []
}

function between(first: string, last: string, known: Known): string[] {
  const [from, to] = [partsOf(first), partsOf(last)]
  if (!from || !to || from.prefix !== to.prefix || to.number - from.number > 500) return []
  const found: string[] = []
  for (let number = from.number + 1; number < to.number; number += 1) {
    const id =
      known.get(`${from.prefix}${number}`) ??
      known.get(`${from.prefix}${String(number).padStart(from.digits, '0')}`)
    if (id !== undefined) found.push(id)
  }
  return found
}

function partsOf(id: string): { prefix: string; number: number; digits: number } | undefined {
  const [, digits] = /(\d{1,6})$/.exec(id.slice(-40)) ?? []
  if (digits === undefined) return undefined
  const prefix = id.slice(0, id.length - digits.length).toLowerCase()
  return { prefix, number: Number(digits), digits: digits.length }
}
