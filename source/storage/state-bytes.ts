import { maxFileBytes } from './durable-file.js'
import { isLasting, unsaveable } from './plain-json.js'

// The bytes of a state, most of which are those of the state before (docs/durability.md, "Saving a file").

/** Lists are written in groups of so many, since mostly one of them has something new. */
const groupLength = 16

/** What a part was written as, which holds as long as nothing in it can change. */
const written = { parts: new WeakMap<object, Buffer>(), groups: new WeakMap<object, Group>() }

interface Group {
  of: readonly unknown[]
  bytes: Buffer
}

/**
 * The bytes of plain JSON data: two spaces, a final newline, keys in their order. Problem if there are too many. What
 * `asParsed` gave twice is written once. It is made piece by piece: one text of more than 128 KB lies in memory of its own, and
 * to get that and to give it back takes longer than everything else here.
 */
export function bytesOfPlain(value: object): Buffer {
  if (Array.isArray(value)) return joined([`${JSON.stringify(value, null, 2)}\n`])
  const lasting = isLasting(value)
  const pieces: Piece[] = ['{']
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue
    pieces.push(`${pieces.length > 1 ? ',' : ''}\n  ${JSON.stringify(key)}: `)
    if (Array.isArray(item) && item.length > groupLength) pieces.push(...list(item, lasting))
    else pieces.push(part(item, lasting))
  }
  pieces.push(pieces.length > 1 ? '\n}\n' : '}\n')
  return joined(pieces)
}

type Piece = string | Buffer

function part(item: unknown, lasting: boolean): Piece {
  const text = () => JSON.stringify({ '': item }, null, 2).slice('{\n  "": '.length, -'\n}'.length)
  if (!lasting || typeof item !== 'object' || item === null) return text()
  const known = written.parts.get(item)
  if (known) return known
  const bytes = Buffer.from(text())
  written.parts.set(item, bytes)
  return bytes
}

function list(items: readonly unknown[], lasting: boolean): Piece[] {
  const pieces: Piece[] = []
  for (let from = 0; from < items.length; from += groupLength)
    pieces.push(from === 0 ? '[\n' : ',\n', group(items.slice(from, from + groupLength), lasting))
  pieces.push('\n  ]')
  return pieces
}

function group(items: readonly unknown[], lasting: boolean): Piece {
  const text = () => JSON.stringify({ '': items }, null, 2).slice('{\n  "": [\n'.length, -'\n  ]\n}'.length)
  const [first] = items
  if (!lasting || typeof first !== 'object' || first === null) return text()
  const known = written.groups.get(first)
  if (known?.of.length === items.length && known.of.every((item, at) => item === items[at]))
    return known.bytes
  const bytes = Buffer.from(text())
  written.groups.set(first, { of: items, bytes })
  return bytes
}

function joined(pieces: readonly Piece[]): Buffer {
  const size = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
  if (size > maxFileBytes) throw unsaveable(`it is larger than ${maxFileBytes / 1024 / 1024} MB`)
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const piece of pieces)
    at += typeof piece === 'string' ? bytes.write(piece, at, 'utf8') : piece.copy(bytes, at)
  return bytes
}
