/**
 * A table in which words of others are looked up: what was put in is found, and nothing else. A plain object also knows
 * `constructor` and `toString`, which somebody may have written just as well.
 */
export function lookup<Value>(entries: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.assign(Object.create(null) as Record<string, Value>, entries)
}
