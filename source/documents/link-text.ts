// What links say. Pure.

/** `[T-1](todo/T-1.md)` as `T-1`; every other text as it is. Linear. */
export function withoutTargets(text: string): string {
  const parts = text.split('](')
  return parts
    .map((part, at) => {
      const close = at === 0 ? -1 : part.indexOf(')')
      const rest = close === -1 ? part : part.slice(close + 1)
      const open = at === parts.length - 1 ? -1 : rest.lastIndexOf('[')
      return open === -1 ? rest : `${rest.slice(0, open)}${rest.slice(open + 1)}`
    })
    .join('')
}
