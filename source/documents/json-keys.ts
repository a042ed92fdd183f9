/**
 * The first key that an object of a JSON text has twice; undefined where none has. Parsers keep the last one, so such an object says two
 * things at once (docs/agents.md, "Results"). Keys are compared as they are read, not as they are written. Linear in the text, which
 * has to be JSON.
 */
export function repeatedKey(json: string): string | undefined {
  // A list has no keys.
  const open: (Set<string> | undefined)[] = []
  let isKey = false
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at]
    if (sign === '"') {
      const end = endOfString(json, at)
      const keys = open.at(-1)
      if (isKey && keys) {
        const key = read(json.slice(at, end + 1))
        if (keys.has(key)) return key
        keys.add(key)
      }
      at = end
      isKey = false
    } else if (sign === '{' || sign === '[') {
      open.push(sign === '{' ? new Set() : undefined)
      isKey = sign === '{'
    } else if (sign === '}' || sign === ']') open.pop()
    else if (sign === ',') isKey = open.at(-1) !== undefined
  }
  return undefined
}

function endOfString(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at += 1) {
    if (json[at] === '\\') at += 1
    else if (json[at] === '"') return at
  }
  return json.length
}

/** A key without the ways of writing a letter otherwise. */
function read(text: string): string {
  if (!text.includes('\\')) return text.slice(1, -1)
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}
