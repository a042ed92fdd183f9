import type { Fields } from '../fields.js'

// What the shapes of codex need beside fields.ts: values that are not looked up by a key.

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An error as an object: some programs put its words alone in the place of it. */
export function errorOf(value: unknown): Fields {
  if (typeof value === 'string') return { message: value }
  return isFields(value) ? value : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textsOf(value: unknown): string[] {
  return listOf(value).filter((each) => typeof each === 'string')
}
