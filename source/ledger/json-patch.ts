// What changed between two JSON values, as a tree in the shape of the value: found and applied in one pass each, so
// that a long list with many changes costs no more than it is long (docs/durability.md).

/** Undefined parts are untouched. Indexes of `items` are those of the old list, as far as it is kept. */
export type Patch =
  /** The whole value is another one. */
  | { set: unknown }
  /** Properties that changed or came (at the end), and the names of those that went. */
  | { keys: Record<string, Patch>; drop?: string[] }
  /** Elements that changed in place, then a stretch that is replaced: from, how many go, what comes. */
  | { items: [number, Patch][]; splice?: [number, number, unknown[]] }
  /** A stretch of a long text is replaced: from, how many UTF-16 units go, what comes. */
  | { text: [number, number, string] }

type Json = Record<string, unknown>

/** Texts shorter than this are set as a whole: a patch of them would be no smaller. */
const shortText = 64

/** Undefined if both are equal, order of keys included. The work grows with the size of the values, not its square. */
export function diffJson(before: unknown, after: unknown): Patch | undefined {
  if (before === after) return undefined
  if (typeof before === 'string' && typeof after === 'string') return diffText(before, after)
  if (Array.isArray(before) && Array.isArray(after)) return diffList(before, after)
  if (isObject(before) && isObject(after)) return diffObject(before, after)
  return { set: after }
}

/**
 * The value after a patch; what is untouched is shared with the old one, which stays as it is. Throws for a patch that
 * was made for another value.
 */
export function applyPatch(before: unknown, patch: Patch): unknown {
  if ('set' in patch) return patch.set
  if ('text' in patch) {
    if (typeof before !== 'string') throw misfit('a text')
    const [from, gone, come] = patch.text
    if (from + gone > before.length) throw misfit('a text of that length')
    return before.slice(0, from) + come + before.slice(from + gone)
  }
  if ('items' in patch) return applyToList(before, patch)
  if (!('keys' in patch) || !isObject(before)) throw misfit('an object')
  const dropped = new Set(patch.drop)
  const entries = new Map(Object.entries(before).filter(([key]) => !dropped.has(key)))
  for (const [key, inner] of Object.entries(patch.keys)) {
    if (!entries.has(key) && !('set' in inner)) throw misfit(`a property ${key}`)
    entries.set(key, applyPatch(entries.get(key), inner))
  }
  return Object.fromEntries(entries)
}

/** True for what `diffJson` could have made: patches come out of a file. */
export function isPatch(value: unknown): value is Patch {
  if (!isObject(value)) return false
  if ('set' in value) return true
  if ('text' in value) return isStretch(value.text) && typeof value.text[2] === 'string'
  if ('items' in value) {
    const { items, splice } = value
    if (splice !== undefined && !(isStretch(splice) && Array.isArray(splice[2]))) return false
    return (
      Array.isArray(items) && items.every((one) => Array.isArray(one) && isPlace(one[0]) && isPatch(one[1]))
    )
  }
  if (!isObject(value.keys)) return false
  return (value.drop === undefined || Array.isArray(value.drop)) && Object.values(value.keys).every(isPatch)
}

function applyToList(before: unknown, { items, splice }: Extract<Patch, { items: unknown }>): unknown[] {
  if (!Array.isArray(before)) throw misfit('a list')
  const list: unknown[] = [...before]
  for (const [index, inner] of items) {
    if (index >= list.length) throw misfit(`an element ${index}`)
    list[index] = applyPatch(list[index], inner)
  }
  if (!splice) return list
  const [from, gone, come] = splice
  if (from + gone > list.length) throw misfit('a list of that length')
  return [...list.slice(0, from), ...come, ...list.slice(from + gone)]
}

function diffObject(before: Json, after: Json): Patch | undefined {
  const [names, old] = [Object.keys(after), Object.keys(before)]
  if (old.length === names.length && old.every((key, index) => key === names[index]))
    return diffValues(before, after, names)
  const kept = Object.keys(before).filter((key) => Object.hasOwn(after, key))
  const come = Object.keys(after).filter((key) => !Object.hasOwn(before, key))
  const drop = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  const order = Object.keys(after)
  // The order of keys is part of the bytes of a state file, and a patch can only add at the end.
  if (![...kept, ...come].every((key, index) => key === order[index])) return { set: after }
  const changed = kept.flatMap((key): [string, Patch][] => {
    const inner = diffJson(before[key], after[key])
    return inner ? [[key, inner]] : []
  })
  const added = come.map((key): [string, Patch] => [key, { set: after[key] }])
  if (changed.length + added.length + drop.length === 0) return undefined
  const keys = Object.fromEntries([...changed, ...added])
  return drop.length > 0 ? { keys, drop } : { keys }
}

/** Of two objects with the same keys: most of a state, so nothing is made for what is equal. */
function diffValues(before: Json, after: Json, names: readonly string[]): Patch | undefined {
  let changed: [string, Patch][] | undefined
  for (const name of names) {
    const inner = diffJson(before[name], after[name])
    if (!inner) continue
    changed ??= []
    changed.push([name, inner])
  }
  return changed && { keys: Object.fromEntries(changed) }
}

/** Equal ends are kept; between them elements are compared in pairs, and what is left over is put in or taken out. */
function diffList(before: readonly unknown[], after: readonly unknown[]): Patch | undefined {
  const shorter = Math.min(before.length, after.length)
  let tail = 0
  if (before.length !== after.length) {
    const fits = (at: number) => sameJson(before[before.length - 1 - at], after[after.length - 1 - at])
    while (tail < shorter && fits(tail)) tail += 1
  }
  const pairs = shorter - tail
  const items: [number, Patch][] = []
  for (let index = 0; index < pairs; index += 1) {
    const inner = diffJson(before[index], after[index])
    if (inner) items.push([index, inner])
  }
  const gone = before.length - tail - pairs
  const come = after.slice(pairs, after.length - tail)
  if (gone > 0 || come.length > 0) return { items, splice: [pairs, gone, come] }
  return items.length > 0 ? { items } : undefined
}

function diffText(before: string, after: string): Patch {
  if (after.length < shortText || before.length < shortText) return { set: after }
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head += 1
  let tail = 0
  while (
    tail < shorter - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail += 1
  return { text: [head, before.length - head - tail, after.slice(head, after.length - tail)] }
}

function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, index) => sameJson(one, b[index]))
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  const others = Object.keys(b)
  return (
    keys.length === others.length && keys.every((key, at) => key === others[at] && sameJson(a[key], b[key]))
  )
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isPlace(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}

function isStretch(value: unknown): value is [number, number, unknown] {
  return Array.isArray(value) && value.length === 3 && isPlace(value[0]) && isPlace(value[1])
}

function misfit(wanted: string): Error {
  return new Error(`the patch does not fit: it needs ${wanted}`)
}
