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
  const mayBegin = beginnings([...wordBeginnings, ...exact.filter((value) => value.length >= 8)])
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
    const out: Buffer[] = []
    let from = 0
    for (let at = nextIn(block, mayBegin, 0); at >= 0; ) {
      const start = block.lastIndexOf(newline, at) + 1
      const feed = block.indexOf(newline, at)
      const end = feed < 0 ? block.length : feed
      const line = block.toString('latin1', start, end)
      const hidden = redact(line)
      if (hidden !== line) {
        out.push(block.subarray(from, start), Buffer.from(hidden, 'latin1'))
        from = end
      }
      at = nextIn(block, mayBegin, end)
    }
    return out.length === 0 ? block : Buffer.concat([...out, block.subarray(from)])
  }
}

/** A table of three characters with which a secret may begin. */
function beginnings(words: readonly string[]): Uint8Array {
  const table = new Uint8Array(tableSize)
  for (const word of words) table[slot(word.charCodeAt(0), word.charCodeAt(1), word.charCodeAt(2))] = 1
  return table
}

const tableSize = 65_536

function slot(first: number, second: number, third: number): number {
  return ((first << 9) ^ (second << 5) ^ third) & (tableSize - 1)
}

/** The next place at which one may begin; -1 where there is none. */
function nextIn(block: Buffer, table: Uint8Array, from: number): number {
  const last = block.length - 2
  let first = block[from] ?? 0
  let second = block[from + 1] ?? 0
  for (let at = from; at < last; at += 1) {
    const third = block[at + 2] ?? 0
    if (table[slot(first, second, third)] === 1) return at
    first = second
    second = third
  }
  return -1
}
