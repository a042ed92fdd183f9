import { endingOf, rawLines } from './edit.js'
import { type Books, booksOf, type ExpectedBooks } from './lifecycle-books.js'
import { endOfNotes, fieldAt } from './lifecycle-fields.js'
import { outlineOf, type SectionKey, sectionTitles } from './lifecycle-outline.js'

// Two hands at one state file (docs/lifecycle.md, "Edits of others"). Pure.

/** A merged text, or the sections in which both sides changed the same. */
export type LifecycleMerge = { kind: 'merged'; text: string } | { kind: 'conflict'; sections: string[] }

interface Part {
  /** Unique in its file: the key or title, and how many of that name came before. */
  id: string
  title: string
  key: SectionKey | undefined
  /** Lines with what is compared: without their ending. */
  lines: string[]
}

function partsOf(text: string): Part[] {
  const { lines, sections, title } = outlineOf(text)
  const known = new Map<string, number>()
  const part = (key: SectionKey | undefined, name: string, from: number, to: number): Part => {
    const plain = key ?? `- ${name.toLowerCase()}`
    const count = known.get(plain) ?? 0
    known.set(plain, count + 1)
    const id = count === 0 ? plain : `${plain} ${count}`
    return { id, title: name, key, lines: lines.slice(from, to).map((line) => line.text) }
  }
  const first = sections[0]?.start ?? lines.length
  const head = part(undefined, title === undefined ? '' : 'title', 0, first)
  const parts = [
    { ...head, id: '' },
    ...sections.map(({ key, title: name, start, end }) => part(key, name, start, end)),
  ]
  const last = sections.at(-1)?.end ?? lines.length
  // What stands behind a fence that holds the state.
  return last < lines.length ? [...parts, part(undefined, 'behind', last, lines.length)] : parts
}

/** Of more nobody knows what goes where. */
const mostSections = 300

const same = (one: readonly string[] | undefined, other: readonly string[] | undefined) =>
  one !== undefined &&
  other !== undefined &&
  one.length === other.length &&
  one.every((line, index) => line === other[index])

/** Without the blank lines at its end, which come and go with what stands behind it. */
function bodyOf(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1)
}

const sameBody = (one: readonly string[] | undefined, other: readonly string[] | undefined) =>
  one !== undefined && other !== undefined && same(bodyOf(one), bodyOf(other))

/**
 * Takes the changes of both sides, section by section: one that a single side changed is taken from it, and of one to
 * which both only added lines both additions are kept. Otherwise it is a conflict, or with `prefer` the text of that
 * side. The ending of lines is that of `theirs`.
 */
export function mergeLifecycle(
  base: string,
  ours: string,
  theirs: string,
  prefer?: 'ours' | 'theirs',
): LifecycleMerge {
  if (ours === theirs || ours === base) return { kind: 'merged', text: theirs }
  const [old, mine, other] = [partsOf(base), partsOf(ours), partsOf(theirs)]
  if (Math.max(old.length, mine.length, other.length) > mostSections)
    return { kind: 'conflict', sections: ['too many sections'] }
  const find = (parts: readonly Part[], id: string) => parts.find((part) => part.id === id)
  const conflicts: string[] = []
  const result: Part[] = []
  for (const part of other) {
    const [before, own] = [find(old, part.id)?.lines, find(mine, part.id)?.lines]
    if (own === undefined) {
      const isTheirs = before === undefined || prefer === 'theirs'
      if (isTheirs && !same(before, part.lines)) result.push(part)
      else if (!same(before, part.lines) && prefer === undefined) conflicts.push(part.title)
    } else if (same(own, part.lines) || same(own, before)) result.push(part)
    else if (same(before, part.lines)) result.push({ ...part, lines: own })
    else if (sameBody(own, before)) result.push(part)
    else if (sameBody(before, part.lines))
      result.push({ ...part, lines: [...bodyOf(own), ...part.lines.slice(bodyOf(part.lines).length)] })
    else {
      const both = before === undefined ? undefined : mergeLines(part, before, own)
      if (both !== undefined) result.push({ ...part, lines: both })
      else if (prefer !== undefined) result.push(prefer === 'ours' ? { ...part, lines: own } : part)
      else conflicts.push(part.title === '' ? 'the top of the file' : part.title)
    }
  }
  for (const [index, part] of mine.entries()) {
    if (find(other, part.id)) continue
    const before = find(old, part.id)?.lines
    const isOurs = before === undefined || (prefer === 'ours' && !same(before, part.lines))
    if (isOurs) insertAfter(result, mine.slice(0, index), part)
    else if (!same(before, part.lines) && prefer === undefined) conflicts.push(part.title)
  }
  if (conflicts.length > 0) return { kind: 'conflict', sections: conflicts }
  return { kind: 'merged', text: textOf(result, theirs) }
}

function insertAfter(result: Part[], earlier: readonly Part[], part: Part): void {
  const before = earlier.findLast(({ id }) => result.some((each) => each.id === id))
  const at = result.findIndex(({ id }) => id === before?.id)
  result.splice(at + 1, 0, part)
}

function textOf(parts: readonly Part[], theirs: string): string {
  const ending = endingOf(theirs)
  const all = rawLines(theirs)
  const lines = parts.flatMap((part) => part.lines)
  const open = all.length > 0 && all.at(-1)?.ending === ''
  const mixed = new Set(all.flatMap((line) => (line.ending === '' ? [] : [line.ending]))).size > 1
  if (!mixed) return lines.join(ending) + (open || lines.length === 0 ? '' : ending)
  // Lines of both endings: each keeps its own, as far as it is one of theirs.
  const endings = new Map<string, string[]>()
  for (const line of [...all].reverse()) {
    const known = endings.get(line.text)
    if (known) known.push(line.ending)
    else endings.set(line.text, [line.ending])
  }
  return lines
    .map((text, at) => text + (at === lines.length - 1 && open ? '' : endings.get(text)?.pop() || ending))
    .join('')
}

const growing: readonly (SectionKey | undefined)[] = ['completed', 'decisions', 'retries', 'blockers']

/** Both additions to a list, ours behind theirs; keys of the current step one by one. Undefined: they do not fit. */
function mergeLines(part: Part, before: readonly string[], own: readonly string[]): string[] | undefined {
  if (part.key === 'current' || part.key === 'session') return mergeFields(part.lines, before, own)
  if (!growing.includes(part.key)) return undefined
  const added = additionsTo(before, own)
  if (added === undefined || additionsTo(before, part.lines) === undefined) return undefined
  const merged = [...part.lines]
  let end = merged.length
  while (end > 0 && (merged[end - 1] ?? '').trim() === '') end -= 1
  const known = new Set(part.lines)
  merged.splice(end, 0, ...added.flatMap(({ line }) => (line.trim() === '' || known.has(line) ? [] : [line])))
  return merged
}

const keyOf = (line: string) => fieldAt(line, 0)?.key

function mergeFields(
  theirs: readonly string[],
  before: readonly string[],
  own: readonly string[],
): string[] | undefined {
  const byKey = (lines: readonly string[]) => {
    const found = new Map<string, string>()
    for (const line of lines) {
      const key = keyOf(line)
      if (key !== undefined && !found.has(key)) found.set(key, line)
    }
    return found
  }
  const [old, mine, other] = [byKey(before), byKey(own), byKey(theirs)]
  const rest = (lines: readonly string[]) => lines.filter((line) => keyOf(line) === undefined)
  if (!same(rest(own), rest(before))) return undefined
  const result = [...theirs]
  for (const key of new Set([...mine.keys(), ...old.keys()])) {
    const [was, is, there] = [old.get(key), mine.get(key), other.get(key)]
    if (is === was || is === there) continue
    if (there !== was) return undefined
    const at = result.findIndex((line) => keyOf(line) === key)
    if (is === undefined) result.splice(at, 1)
    else if (at >= 0) result[at] = is
    else {
      const keys = [...mine.keys()]
      const earlier = keys.slice(0, keys.indexOf(key))
      const after = result.findLastIndex((line) => earlier.includes(keyOf(line) ?? ''))
      result.splice(after === -1 ? 1 : after + 1, 0, is)
    }
  }
  return result
}

/** The lines that `after` has more than `before`, with the place in `before` they stand at; undefined if one is gone. */
export function additionsTo(
  before: readonly string[],
  after: readonly string[],
): { at: number; line: string; place: number }[] | undefined {
  const added: { at: number; line: string; place: number }[] = []
  let at = 0
  for (const [place, line] of after.entries()) {
    if (at < before.length && line === before[at]) at += 1
    else added.push({ at, line, place })
  }
  return at === before.length ? added : undefined
}

/** What a worker did to the state file while it worked. */
export interface WorkerEdit {
  /** The file of before with what the worker may change: its sub-step, and additions that are marked as its own. */
  text: string
  /** What it was not to touch, one line each. */
  touched: string[]
}

const mark = ' (agent)'

/**
 * What of a worker's edit may stay (docs/lifecycle.md, "What a worker may change"): `sub_step`, and lines that it adds
 * to Key Decisions, to the notes and to sections that are nobody's. What it enters as the program would itself by the end
 * that is `expected` is not touched either: it is put back, and the program enters it once it is so.
 */
export function judgeWorkerEdit(before: string, found: string, expected?: ExpectedBooks): WorkerEdit {
  const [old, fresh] = [partsOf(before), partsOf(found)]
  const books = expected && booksOf(before, found, expected)
  const touched: string[] = []
  if (Math.max(old.length, fresh.length) > mostSections)
    return { text: before, touched: ['The file has too many sections to be compared.'] }
  const result = old.map((part): Part => {
    const now = fresh.find(({ id }) => id === part.id)
    const name = part.id === '' ? 'the top of the file' : part.title
    if (!now) {
      touched.push(`${name} was removed.`)
      return part
    }
    if (same(part.lines.filter(isFilled), now.lines.filter(isFilled))) return part
    if (part.key !== undefined && books?.agrees(part.key)) return keptOf(part, now, books)
    if (part.key === 'current') return { ...part, lines: subStepOnly(part.lines, now.lines, touched) }
    const added = additionsTo(part.lines, now.lines)
    const open = part.key === undefined || part.key === 'decisions' || part.key === 'session'
    if (!added || !open) {
      touched.push(...differences(name, part.lines, now.lines))
      return part
    }
    if (part.key === 'session' && !added.every((line) => isNote(part.lines, line))) {
      touched.push(...differences(name, part.lines, now.lines))
      return part
    }
    const own = new Set(added.map(({ place }) => place))
    const forged = new Set(
      part.key === 'decisions' ? added.filter(({ line }) => isOfProgram(line)).map(({ place }) => place) : [],
    )
    touched.push(...[...forged].map((place) => `${name}: + ${now.lines[place] ?? ''}`))
    const lines = now.lines.map((line, place) => (own.has(place) ? marked(line) : line))
    return { ...part, lines: lines.filter((_, place) => !forged.has(place)) }
  })
  for (const part of fresh) {
    if (old.some(({ id }) => id === part.id)) continue
    if (part.key !== undefined) touched.push(`${part.title} was added.`)
    else result.push({ ...part, lines: part.lines.map((line, at) => (at === 0 ? line : marked(line))) })
  }
  return { text: textOf(result, before), touched }
}

/** A decision in the form in which the program notes what a person has answered, and reads it again. */
const isOfProgram = (line: string) => /(?:^|[\s:|])Q-[A-Z][A-Z-]{0,20}:/.test(line)

const isFilled = (line: string) => line.trim() !== ''

function marked(line: string): string {
  const ends = line.trimEnd()
  // What is said stands in the lines below.
  if (keyOf(ends) === 'notes' && ends.endsWith(':')) return line
  if (ends === '' || ends.endsWith(mark) || /^[\s|:-]*$/.test(ends)) return line
  const isRow = /^ {0,3}\|/.test(ends) && ends.endsWith('|')
  // Behind its last bar it would be a cell too many.
  return isRow
    ? /\(agent\) ?\|$/.test(ends)
      ? line
      : `${ends.slice(0, -1).trimEnd()}${mark} |`
    : `${ends}${mark}`
}

/** Lines behind `notes:`, or that line itself where there was none. */
function isNote(before: readonly string[], { at, line }: { at: number; line: string }): boolean {
  const notes = before.findIndex((each) => keyOf(each) === 'notes')
  if (line.trim() === '') return true
  return notes === -1 ? keyOf(line) === 'notes' : at > notes
}

/** What stays of a section in which the worker kept the books: where it is, and its notes. */
function keptOf(part: Part, now: Part, books: Books): Part {
  if (part.key === 'current' && !books.moved)
    return { ...part, lines: subStepOnly(part.lines, now.lines, []) }
  if (part.key !== 'session') return part
  const isNote = (line: string) => keyOf(line) === 'notes'
  const [old, found] = [part.lines.findIndex(isNote), now.lines.findIndex(isNote)]
  const fresh = found === -1 ? [] : now.lines.slice(found, endOfNotes(now.lines, found))
  // What somebody else has written below the notes stays there.
  const [first, ...below] = fresh.filter((line, at) => at === 0 || !part.lines.includes(line))
  if (first === undefined || (first === part.lines[old] && below.length === 0)) return part
  const at = old === -1 ? part.lines.findLastIndex(isFilled) + 1 : old
  const said = first === part.lines[old] ? first : marked(first)
  return { ...part, lines: part.lines.toSpliced(at, old === -1 ? 0 : 1, said, ...below.map(marked)) }
}

/** Places of the lines of `sub_step`: its own one, and the parts below it. */
function subStepPlaces(lines: readonly string[]): { at: number; end: number } {
  const at = lines.findIndex((line) => keyOf(line) === 'sub_step')
  const indent = (line: string | undefined) => /^[ \t]*/.exec(line ?? '')?.[0].length ?? 0
  const isBare = fieldAt(lines[at] ?? '', 0)?.value === ''
  let end = at + 1
  while (isBare && indent(lines[end]) > indent(lines[at]) && keyOf(lines[end] ?? '') !== undefined) end += 1
  return { at, end }
}

function subStepOnly(before: readonly string[], now: readonly string[], touched: string[]): string[] {
  const [old, fresh] = [subStepPlaces(before), subStepPlaces(now)]
  const rest = (lines: readonly string[], { at, end }: typeof old) =>
    at === -1 ? [...lines] : lines.toSpliced(at, end - at)
  const [kept, others] = [rest(before, old), rest(now, fresh)]
  if (!same(kept, others)) touched.push(...differences(sectionTitles.current, kept, others))
  const lines = fresh.at === -1 ? [] : now.slice(fresh.at, fresh.end)
  const status = kept.findIndex((line) => keyOf(line) === 'status')
  return kept.toSpliced(old.at >= 0 ? old.at : status === -1 ? 1 : status + 1, 0, ...lines)
}

function differences(name: string, before: readonly string[], now: readonly string[]): string[] {
  const [had, has] = [new Set(before), new Set(now)]
  const lines = [
    ...before.flatMap((line) => (has.has(line) || line.trim() === '' ? [] : [`${name}: - ${line}`])),
    ...now.flatMap((line) => (had.has(line) || line.trim() === '' ? [] : [`${name}: + ${line}`])),
  ]
  return lines.length > 0 ? lines : [`${name}: lines were moved.`]
}
