/** Neighbouring lines of output that are no events, or one line that may be an event; without the last line feed. */
export type Run = { isPlain: true; text: string; lines: number } | { isPlain: false; text: string }

const newline = 0x0a

/**
 * Parts whole lines into those that may be JSON objects, one by one, and all that is between them, at once: most
 * programs print text only, and are fast at it.
 *
 * @param bytes ends with a line feed
 */
export function* runsOf(bytes: Buffer): Generator<Run> {
  let from = 0
  let lines = 0
  for (let at = 0; at < bytes.length; ) {
    if (mayBeObject(bytes, at)) {
      if (lines > 0) yield { isPlain: true, text: textOf(bytes, from, at - 1), lines }
      const end = bytes.indexOf(newline, at)
      yield { isPlain: false, text: textOf(bytes, at, end) }
      from = end + 1
      at = from
      lines = 0
      continue
    }
    while (bytes[at] !== newline) at += 1
    at += 1
    lines += 1
  }
  if (lines > 0) yield { isPlain: true, text: textOf(bytes, from, bytes.length - 1), lines }
}

/** The first byte that is no blank opens an object, or a byte order mark that one may follow. */
function mayBeObject(bytes: Buffer, start: number): boolean {
  let at = start
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at += 1
  return bytes[at] === 0x7b || bytes[at] === 0xef
}

function textOf(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString('utf8', from, to)
  return text.includes('\r') ? text.replace(/\r$/gm, '') : text
}
