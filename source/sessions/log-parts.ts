import type { LogPart } from '../view/view.js'
import { type LogSource, openLog } from './log-source.js'

/** Bytes of one part. */
export const partBytes = 512 * 1024

/** Bytes of a line that goes on in the next part; logs have longer ones in pieces (agents/log.ts). */
const overhang = 1024 * 1024 + 1024

const feed = 0x0a

const alone = (text: string): LogPart => ({ lines: [text], part: 0, parts: 1 })

/**
 * One part of a log: the parts meet at line ends, so that no line is missing and none is cut. Throws what `openLog`
 * throws, but says in the text that a log is gone.
 *
 * @param root absolute path of the project
 * @param part from 0; undefined stands for the last one
 */
export async function readLogPart(root: string, path: string, part: number | undefined): Promise<LogPart> {
  const log = await openLog(root, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return 'gone' as const
    throw error
  })
  if (log === 'gone') return alone(`(the log ${path} is not there any more: it was removed or moved)`)
  if (log === undefined) return alone('(this is no regular file, so it is not shown)')
  try {
    const parts = Math.max(1, Math.ceil(log.size / partBytes))
    const wanted = Math.max(0, Math.min(parts - 1, part ?? parts - 1))
    return { lines: await linesOf(log, wanted), part: wanted, parts }
  } finally {
    await log.close()
  }
}

/** The lines that begin in a part. */
async function linesOf(log: LogSource, part: number): Promise<string[]> {
  const from = part * partBytes
  // One byte before tells whether a line begins exactly here.
  const before = from === 0 ? 0 : 1
  const buffer = await log.read(from - before, partBytes + overhang + before)
  const first = from === 0 ? 0 : buffer.indexOf(feed) + 1
  if (first > partBytes + before - 1) return ['(a line goes on here that begins in an earlier part)']
  const last = buffer.indexOf(feed, partBytes + before - 1)
  const lines = buffer.toString('utf8', first, last === -1 ? buffer.length : last).split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Where the lines of a part begin: bytes of the log up to its first line. */
export async function firstLineOf(log: LogSource, part: number): Promise<number> {
  if (part <= 0) return 0
  const from = part * partBytes - 1
  const buffer = await log.read(from, partBytes + 1)
  return from + buffer.indexOf(feed) + 1
}
