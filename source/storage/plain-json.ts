import { Problem } from '../problem.js'

// What of a value is plain JSON data, and what of it is as it was before (docs/durability.md, "Saving a file").

/** Levels that a state may be nested. */
export const deepest = 200

type Keyed = Record<string, unknown>

/** What `asParsed` has given. */
const given = new WeakSet<object>()

/**
 * True for what `asParsed` has given: nothing in it can be changed any more, so that what was made of a part of it holds for as
 * long as the part is there.
 */
export function isLasting(value: object): boolean {
  return given.has(value)
}

/**
 * What `parseState` of the bytes of a state gives, without the bytes: a copy, frozen. Where it says what `before` says, which
 * this function has given, it is the same object, so that nobody has to look into it again. Problem for data that would not
 * come back as it is (NaN, a Map, a cycle, `__proto__`). Properties that are undefined count as absent.
 */
export function asParsed(value: unknown, before?: object): object {
  const copy = plainCopy(value, before && given.has(before) ? before : undefined, 1)
  if (typeof copy !== 'object' || copy === null) throw unsaveable(faultIn(value, '') ?? 'it is not an object')
  given.add(copy)
  return copy
}

const notPlain = Symbol('not plain')

/** Goes by the rules of `isPlain`, and takes what holds along: `base` itself where that says the same. */
function plainCopy(value: unknown, base: unknown, depth: number): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  // JSON knows no negative zero.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : notPlain
  if (typeof value !== 'object' || depth > deepest) return notPlain
  if (value === base) return base
  if (Array.isArray(value)) return plainList(value, Array.isArray(base) ? base : undefined, depth)
  return plainObject(value, isKeyed(base) ? base : undefined, depth)
}

/** Nothing is made before something differs: most of a state is as it was. */
function plainList(value: readonly unknown[], base: readonly unknown[] | undefined, depth: number): unknown {
  let copy = base?.length === value.length ? undefined : new Array<unknown>(value.length)
  for (let index = 0; index < value.length; index += 1) {
    const old = base?.[index]
    const item = plainCopy(value[index], old, depth + 1)
    if (item === notPlain) return notPlain
    if (copy === undefined && item !== old) copy = base?.slice(0, index) ?? []
    if (copy !== undefined) copy[index] = item
  }
  return copy === undefined ? base : Object.freeze(copy)
}

function plainObject(value: object, base: Keyed | undefined, depth: number): unknown {
  if (!isPlainObject(value)) return notPlain
  const names = base === undefined ? [] : Object.keys(base)
  let copy: Keyed | undefined = base === undefined ? {} : undefined
  let kept = 0
  for (const key of Object.keys(value)) {
    const inner = (value as Keyed)[key]
    if (inner === undefined) continue
    const old = base?.[key]
    const item = plainCopy(inner, old, depth + 1)
    if (item === notPlain) return notPlain
    if (copy === undefined && names[kept] === key && item === old) kept += 1
    else {
      copy ??= firstOf(base, names, kept)
      copy[key] = item
    }
  }
  if (copy === undefined && kept < names.length) copy = firstOf(base, names, kept)
  return copy === undefined ? base : Object.freeze(copy)
}

function firstOf(base: Keyed | undefined, names: readonly string[], count: number): Keyed {
  const first: Keyed = {}
  for (let at = 0; at < count; at += 1) first[names[at] ?? ''] = base?.[names[at] ?? '']
  return first
}

function isKeyed(value: unknown): value is Keyed {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A key named `__proto__` would change the prototype of whatever it is copied into. */
function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && !Object.hasOwn(value, '__proto__')
}

/** True if two values give the same bytes: also the order of their keys is the same. The first is plain JSON. */
export function sameInOrder(json: unknown, other: unknown): boolean {
  if (json === other) return true
  if (typeof json !== 'object' || json === null || typeof other !== 'object' || other === null) return false
  if (Object.getPrototypeOf(json) !== Object.getPrototypeOf(other)) return false
  const keys = Object.keys(json)
  const others = Object.keys(other)
  if (keys.length !== others.length) return false
  return keys.every(
    (key, at) => key === others[at] && sameInOrder((json as Keyed)[key], (other as Keyed)[key]),
  )
}

/** What a value holds that JSON could not give back. Most hold nothing, so its place is told only once that is known. */
export function faultOf(value: unknown): string | undefined {
  return isPlain(value, 1) ? undefined : faultIn(value, '')
}

function isPlain(value: unknown, depth: number): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth > deepest) return false
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) if (!isPlain(value[index], depth + 1)) return false
    return true
  }
  if (!isPlainObject(value)) return false
  for (const key of Object.keys(value)) {
    const item = (value as Keyed)[key]
    if (item !== undefined && !isPlain(item, depth + 1)) return false
  }
  return true
}

/** What JSON could not give back, with its place; undefined if all is well. */
function faultIn(value: unknown, place: string, depth = 1): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number') {
    return Number.isFinite(value) ? undefined : `${place || 'it'} is not a finite number`
  }
  if (typeof value !== 'object') return `${place || 'it'} is a ${typeof value}, which JSON cannot hold`
  if (depth > deepest) return `it is nested deeper than ${deepest} levels`
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const fault = faultIn(item, `${place}[${index}]`, depth + 1)
      if (fault !== undefined) return fault
    }
    return undefined
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return `${place || 'it'} is no plain object`
  // A key of this name would change the prototype of whatever it is copied into.
  if (Object.hasOwn(value, '__proto__')) return `${place || 'it'} has a key named __proto__`
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue
    const fault = faultIn(item, place === '' ? key : `${place}.${key}`, depth + 1)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** Of a state that is not saved, since it would not come back as it is. */
export function unsaveable(fault: string): Problem {
  return new Problem({
    code: 'storage',
    what: `The new state was not saved: ${fault}.`,
    why: 'It could not be read back as it is, so the state on disk was left as it was.',
    todo: 'Start autopilot again to resume from the last saved state, and report this with the session journal.',
  })
}
