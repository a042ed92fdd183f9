import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { besideMark, gapLine } from '../agents/log-file.js'
import { checkContained } from '../storage/contained-path.js'

/** A log as one text, also while it goes on in files beside it (docs/durability.md, "Processes"). */
export interface LogSource {
  readonly size: number
  /** Bytes from a place on, fewer at the end. */
  read(position: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

/** A part of the text: of a file, or said by us. `from` counts over all parts. */
type Segment = { from: number; size: number } & ({ file: FileHandle } | { bytes: Buffer })

interface Opened {
  file: FileHandle
  size: number
  /** Where it begins in what was written; 0 of the log itself. */
  offset: number
}

/**
 * Opens a log of a project. Undefined for what is no regular file; throws a Problem for a path that leads out of the
 * project, and what the system says of a file that cannot be read.
 *
 * @param root absolute path of the project
 */
export async function openLog(root: string, path: string): Promise<LogSource | undefined> {
  const full = join(root, path)
  await checkContained(full, root)
  const opened = [await openAt(full, 0)]
  const close = async () => {
    await Promise.all(opened.map((one) => one?.file.close()))
  }
  try {
    if (!opened[0]) return undefined
    // Names that are gone again were put together with the log meanwhile.
    for (const { name, offset } of await besideNames(full))
      opened.push(await openAt(join(dirname(full), name), offset).catch(() => undefined))
    const segments = segmentsOf(opened.filter((one) => one !== undefined))
    const size = segments.reduce((sum, one) => sum + one.size, 0)
    return { size, read: (position, length) => readFrom(segments, position, length), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Neither a link is followed nor does a pipe hold the screen up. */
async function openAt(path: string, offset: number): Promise<Opened | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const facts = await file.stat()
  if (facts.isFile()) return { file, size: facts.size, offset }
  await file.close()
  return undefined
}

async function besideNames(path: string): Promise<{ name: string; offset: number }[]> {
  const begin = basename(path) + besideMark
  const names = await readdir(dirname(path)).catch(() => [])
  return names
    .filter((name) => name.startsWith(begin) && /^\d{1,16}$/.test(name.slice(begin.length)))
    .map((name) => ({ name, offset: Number(name.slice(begin.length)) }))
    .sort((one, other) => one.offset - other.offset)
}

function segmentsOf(opened: readonly Opened[]): Segment[] {
  const segments: Segment[] = []
  let end = 0
  let from = 0
  for (const { file, size, offset } of opened) {
    if (offset > end) {
      const bytes = Buffer.from(gapLine(offset - end))
      segments.push({ from, size: bytes.length, bytes })
      from += bytes.length
    }
    segments.push({ from, size, file })
    from += size
    end = offset + size
  }
  return segments
}

async function readFrom(segments: readonly Segment[], position: number, length: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for (const segment of segments) {
    const begin = Math.max(position, segment.from)
    const end = Math.min(position + length, segment.from + segment.size)
    if (begin >= end) continue
    const at = begin - segment.from
    if ('bytes' in segment) parts.push(segment.bytes.subarray(at, end - segment.from))
    else {
      const buffer = Buffer.allocUnsafe(end - begin)
      const { bytesRead } = await segment.file.read(buffer, 0, buffer.length, at)
      parts.push(buffer.subarray(0, bytesRead))
      // It has become shorter: what is behind would stand at a wrong place.
      if (bytesRead < buffer.length) break
    }
  }
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
}
