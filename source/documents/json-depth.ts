/** Objects and lists within each other that a record or a result of an agent may have. */
export const deepest = 100

/**
 * True where JSON text may hold more than `deepest` objects and lists within each other. Looks at the text, as whatever
 * walks the value may overflow. Brackets in strings do not count.
 */
export function isTooDeep(json: string): boolean {
  if (json.length <= 2 * deepest) return false
  let depth = 0
  let isString = false
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (isString) {
      if (code === 0x5c) at += 1
      else if (code === 0x22) isString = false
    } else if (code === 0x22) isString = true
    else if (code === 0x7b || code === 0x5b) {
      depth += 1
      if (depth > deepest) return true
    } else if (code === 0x7d || code === 0x5d) depth -= 1
  }
  return false
}
