import { findBeginnings } from './beginnings.js'
import { wordBeginnings } from './patterns.js'
import { createRedactor, keyMark, longestKey } from './redact.js'

const newline = 0x0a

/**
 * Hides secrets in blocks of whole lines, byte for byte like a redactor line by line: only lines that may hold one are
 * looked at as text. One per stream.
 *
 * @param values exact texts to hide, besides the known patterns of keys
 */
export function createBlockRedactor(values: readonly string[]): (block: Buffer) => Buffer {
  // latin1 keeps every byte as it is, whatever the encoding of the output.
  const exact = values.map((value) => Buffer.from(value).toString('latin1'))
  const redact = createRedactor(exact)
  const mayBegin = findBeginnings([...wordBeginnings, ...exact.filter((value) => value.length >= 8)])
  /** Lines that may still belong to a private key. */
  let keyLines = 0

  /** Every line as text. */
  function slowly(block: Buffer): Buffer {
    const text = block.toString('latin1')
    const isWhole = text.endsWith('\n')
    const lines = (isWhole ? text.slice(0, -1) : text).split('\n').map((line) => {
      keyLines = line.includes(keyMark) ? longestKey + 1 : keyLines - 1
      return redact(line)
    })
    return Buffer.from(lines.join('\n') + (isWhole ? '\n' : ''), 'latin1')
  }

  return (block) => {
    if (keyLines > 0 || block.includes(keyMark)) return slowly(block)
    const next = mayBegin(block)
    const out: Buffer[] = []
    let from = 0
    for (let at = next(0); at >= 0; ) {
      const start = block.lastIndexOf(newline, at) + 1
      const feed = block.indexOf(newline, at)
      const end = feed < 0 ? block.length : feed
      const line = block.toString('latin1', start, end)
      const hidden = redact(line)
      if (hidden !== line) {
        out.push(block.subarray(from, start), Buffer.from(hidden, 'latin1'))
        from = end
      }
      at = next(end)
    }
    return out.length === 0 ? block : Buffer.concat([...out, block.subarray(from)])
  }
}
