// Reading bodies that nobody vouches for.

export type Fields = Record<string, unknown>

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

export function list(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fields) : []
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Content that is either a string or a list of parts with a `text`. */
export function textContent(value: unknown): string {
  if (typeof value === 'string') return value
  return list(value)
    .map((part) => text(part.text) || text(part.content))
    .join('\n')
}

export function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
