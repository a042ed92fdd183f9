/** Collects at most `cap` bytes of a stream, its head or its tail, and cuts at whole characters. */
export function boundedText(cap: number, keep: 'head' | 'tail') {
  let chunks: Buffer[] = []
  let size = 0
  let cut = false
  const compact = () => {
    const all = Buffer.concat(chunks)
    cut = cut || all.length > cap
    const kept =
      all.length <= cap ? all : keep === 'head' ? all.subarray(0, cap) : all.subarray(all.length - cap)
    chunks = [kept]
    size = kept.length
  }
  return {
    add(chunk: Buffer) {
      if (keep === 'head' && size >= cap) {
        cut = cut || chunk.length > 0
        return
      }
      chunks.push(chunk)
      size += chunk.length
      if (size > cap * 2 + 65_536) compact()
    },
    truncated: () => {
      compact()
      return cut
    },
    text: () => {
      compact()
      const bytes = chunks[0] ?? Buffer.alloc(0)
      if (!cut) return bytes.toString('utf8')
      return keep === 'head' ? withoutTornEnd(bytes) : withoutTornStart(bytes)
    },
  }
}

function withoutTornStart(bytes: Buffer): string {
  let start = 0
  while (start < Math.min(3, bytes.length) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1
  return bytes.subarray(start).toString('utf8')
}

function withoutTornEnd(bytes: Buffer): string {
  // A streaming decoder keeps an unfinished character back instead of making a replacement out of it.
  return new TextDecoder().decode(bytes, { stream: true })
}
