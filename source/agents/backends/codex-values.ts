import type { Fields } from '../fields.js'

// What the shapes of codex need beside fields.ts: values that are not looked up by a key.

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textsOf(value: unknown): string[] {
  return listOf(value).filter((each) => typeof each === 'string')
}
