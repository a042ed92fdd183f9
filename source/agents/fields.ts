import { isTooDeep } from '../documents/json-depth.js'

/** A JSON object of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>

/** The value if it is a JSON object, else an empty one: what is missing is looked up like what is there. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** Reads a line as a JSON object; undefined for anything else, also for one that is too deep, and never throws. */
export function parseFields(line: string): Fields | undefined {
  if (isTooDeep(line)) return undefined
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : undefined
  } catch {
    return undefined
  }
}

export function textIn(fields: Fields, key: string): string | undefined {
  const value = fields[key]
  return typeof value === 'string' ? value : undefined
}

export function numberIn(fields: Fields, key: string): number | undefined {
  const value = fields[key]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A number of things or money: never negative, 0 where it is missing. */
export function countIn(fields: Fields, key: string): number {
  return Math.max(0, numberIn(fields, key) ?? 0)
}

export function fieldsIn(fields: Fields, key: string): Fields {
  return fieldsOf(fields[key])
}

export function listIn(fields: Fields, key: string): readonly unknown[] {
  const value = fields[key]
  return Array.isArray(value) ? value : []
}
