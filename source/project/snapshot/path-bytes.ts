import { join } from 'node:path'

// Names of files are bytes. Those that are UTF-8 are texts here as everywhere; each byte that is not becomes a lone
// surrogate (U+DC80 to U+DCFF), which JSON carries and from which the byte comes back.

/** The text for a name that was read byte by byte (latin1). */
export function pathOfBytes(raw: string): string {
  if (!/[\x80-\xff]/.test(raw)) return raw
  const bytes = Buffer.from(raw, 'latin1')
  const text = bytes.toString('utf8')
  if (Buffer.from(text, 'utf8').equals(bytes)) return text
  let path = ''
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at)
    path +=
      length === 0 ? String.fromCharCode(0xdc00 + (bytes[at] ?? 0)) : bytes.toString('utf8', at, at + length)
    at += Math.max(1, length)
  }
  return path
}

/** Bytes of the character that begins here; 0 where none does. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0
  const length =
    first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  const part = bytes.subarray(at, at + length)
  return length > 0 && Buffer.from(part.toString('utf8'), 'utf8').equals(part) ? length : 0
}

/** The bytes of a name. */
export function bytesOfPath(path: string): Buffer {
  if (!/[\udc80-\udcff]/.test(path)) return Buffer.from(path, 'utf8')
  const parts: Buffer[] = []
  for (const character of path) {
    const code = character.codePointAt(0) ?? 0
    const isByte = code >= 0xdc80 && code <= 0xdcff
    parts.push(isByte ? Buffer.from([code - 0xdc00]) : Buffer.from(character, 'utf8'))
  }
  return Buffer.concat(parts)
}

/** The name byte by byte (latin1), as git's lists are read. */
export function rawOfPath(path: string): string {
  return /[^\x00-\x7f]/.test(path) ? bytesOfPath(path).toString('latin1') : path
}

/** What the file system is asked with: a text where one will do, else bytes. */
export function fileAt(root: string, path: string): string | Buffer {
  if (!/[\udc80-\udcff]/.test(path)) return join(root, path)
  return Buffer.concat([Buffer.from(`${root}/`, 'utf8'), bytesOfPath(path)])
}
