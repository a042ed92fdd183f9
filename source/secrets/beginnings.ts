// Finds where in much text a secret may begin. All that is printed goes through here, so it is looked at in words of four
// bytes and not byte by byte.

const pairCount = 65_536
const slotCount = 65_536
/** Bytes of one word. */
const wordSize = 4

/**
 * Whoever calls it with a block is handed a search: the first place at or behind `from` at which one of the words may begin;
 * -1 where there is none. It may name places where none does, and leaves none out.
 *
 * @param words three characters (latin1) at least
 */
export function findBeginnings(words: readonly string[]): (block: Buffer) => (from: number) => number {
  const pairs = pairsOf(words)
  const triples = triplesOf(words)

  return (block) => {
    const quads = wordsOf(block)
    const last = block.length - 3
    const isAt = (at: number) => triples[slot(block[at] ?? 0, block[at + 1] ?? 0, block[at + 2] ?? 0)] === 1

    /** Of the places from `first` up to `end` the first one that will do. */
    function firstOf(first: number, end: number): number {
      for (let at = first; at <= end; at += 1) if (isAt(at)) return at
      return -1
    }

    return (from) => {
      // A beginning at an odd place has its second pair at an even one: it may be found in the word behind it.
      for (let word = from >> 2; word < quads.length; word += 1) {
        const quad = quads[word] as number
        if (((pairs[quad & 0xffff] as number) | (pairs[quad >>> 16] as number)) === 0) continue
        const start = word * wordSize
        const found = firstOf(Math.max(from, start - 1), Math.min(last, start + 2))
        if (found >= 0) return found
      }
      return firstOf(Math.max(from, quads.length * wordSize - 1), last)
    }
  }
}

/** The bytes as words, in the order of this machine; those behind the last whole word are left out. */
function wordsOf(block: Buffer): Uint32Array {
  const { buffer, byteOffset, length } = block
  const count = Math.floor(length / wordSize)
  if (byteOffset % wordSize === 0) return new Uint32Array(buffer, byteOffset, count)
  return new Uint32Array(new Uint8Array(block).buffer, 0, count)
}

/** Pairs of the first three characters, first and second, second and third: one of the two is at an even place. */
function pairsOf(words: readonly string[]): Uint8Array {
  const table = new Uint8Array(pairCount)
  for (const word of words)
    for (const at of [0, 1]) {
      const pair = Uint8Array.of(word.charCodeAt(at), word.charCodeAt(at + 1))
      table[new Uint16Array(pair.buffer)[0] as number] = 1
    }
  return table
}

function triplesOf(words: readonly string[]): Uint8Array {
  const table = new Uint8Array(slotCount)
  for (const word of words) table[slot(word.charCodeAt(0), word.charCodeAt(1), word.charCodeAt(2))] = 1
  return table
}

function slot(first: number, second: number, third: number): number {
  return ((first << 9) ^ (second << 5) ^ third) & (slotCount - 1)
}
