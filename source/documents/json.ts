import { deepest, isTooDeep } from './json-depth.js'

/** A JSON object with keys nobody has checked yet. */
export type JsonObject = Record<string, unknown>

/** Why a file could not be read; unlike an empty file, it says nothing about what it holds. */
export interface Unreadable {
  unreadable: string
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses JSON, with or without a BOM. What is nested so deep that whoever walks it may overflow is refused. */
export function parseJson(text: string): { value: unknown } | Unreadable {
  if (isTooDeep(text)) return { unreadable: `It is nested more than ${deepest} deep.` }
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, '')) }
  } catch (error) {
    return { unreadable: `It is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** JSON as all files of a session are written: two spaces, final newline. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** A text out of whatever stands where a text should be: the first of some keys for an object. */
export function textOf(value: unknown, keys: readonly string[] = []): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (!isObject(value)) return undefined
  for (const key of keys) {
    const text = textOf(value[key])
    if (text !== undefined) return text
  }
  return undefined
}
