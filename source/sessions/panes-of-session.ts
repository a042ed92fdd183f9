import { join } from 'node:path'
import { dispatchLogPath } from '../agents/dispatch-context.js'
import { parseEventLine } from '../agents/events.js'
import { logMarks } from '../agents/log.js'
import { settleLog } from '../agents/log-file.js'
import { createPaneWriter } from '../agents/pane-lines.js'
import type { DispatchDigest } from '../ledger/digest.js'
import { openVerified } from '../storage/durable-file.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import { createLineRing, linesOf, type Pane, type PaneLine } from '../view/panes.js'

/** Dispatches that get a pane again when a session is taken up. */
const mostPanes = 6
/** Bytes of a log that are read, from its end. */
const tailBytes = 256 * 1024
/** Lines that a pane gets of them. */
const mostLines = 500
/** Characters of one line; the log has all of it. */
const lineLimit = 4000

/**
 * Panes of the last dispatches of a session, newest last, filled from the ends of their logs. The pane of a log that is
 * gone says so.
 *
 * @param sessionDir repo-relative
 */
export async function panesOfSession(
  root: string,
  sessionDir: string,
  dispatches: readonly DispatchDigest[],
): Promise<Pane[]> {
  return Promise.all(dispatches.slice(-mostPanes).map((one) => paneOf(root, sessionDir, one)))
}

async function paneOf(root: string, sessionDir: string, dispatch: DispatchDigest): Promise<Pane> {
  const { id, persona, title, phase, attempt, status, startedAt, endedAt, usage } = dispatch
  const logPath = dispatchLogPath(sessionDir, id)
  const lines = createLineRing()
  const tail = await tailOf(join(root, logPath))
  const shown = paneLinesOfLog(tail.text)
  for (const { line, end } of shown) lines.push(line, tail.from + end)
  if (tail.isGone) lines.push({ kind: 'note', text: `Its log is not there any more: ${logPath}` })
  const isTail = tail.from > 0 || shown.length === mostLines
  return {
    id,
    persona,
    title,
    phase,
    // One without an end died with its program.
    status: status === 'running' ? 'stopped' : status,
    attempt,
    startedAt: Date.parse(startedAt),
    endedAt: Date.parse(endedAt ?? startedAt),
    logPath,
    ...(isTail ? { isTail } : {}),
    ...(usage ? { usage } : {}),
    lines,
  }
}

/** A line of a pane, and where the row of the log ends that it comes from, in bytes of the text. */
export interface LoggedLine {
  line: PaneLine
  end: number
}

/** What a person could read of a raw log (agents/log.ts): events as they were shown, other output as it is. */
export function paneLinesOfLog(text: string): LoggedLine[] {
  const lines: LoggedLine[] = []
  /** Bytes up to the end of the row that is looked at. */
  let end = 0
  const writer = createPaneWriter((told) => lines.push(...linesOf(told).map((line) => ({ line, end }))))
  for (const row of text.split('\n')) {
    end += Buffer.byteLength(row) + 1
    const mark = row.slice(0, logMarks.stdout.length)
    const content = row.slice(mark.length)
    const event = mark === logMarks.stdout ? parseEventLine(content) : undefined
    if (event && event.type !== 'end') {
      writer.event(event)
      continue
    }
    const kind = kindOf(mark)
    if (kind === undefined || event || content.trim() === '') continue
    writer.end()
    lines.push({ line: { kind, text: sanitizeLine(content.slice(0, lineLimit)) }, end })
  }
  writer.end()
  return lines.slice(-mostLines)
}

/** Undefined for what went into the agent, which panes do not show. */
function kindOf(mark: string): PaneLine['kind'] | undefined {
  switch (mark) {
    case logMarks.stdout:
      return 'text'
    case logMarks.stderr:
      return 'log'
    case logMarks.note:
      return 'note'
    default:
      return undefined
  }
}

/** A log that was being written when the program died may go on in files beside it. */
function settled(path: string): void {
  try {
    settleLog(path)
  } catch {
    // What there is of it is read all the same.
  }
}

/** The end of a file, from a whole line on, and where that begins; empty if it cannot be read. */
async function tailOf(path: string): Promise<{ text: string; from: number; isGone?: boolean }> {
  const none = { text: '', from: 0 }
  settled(path)
  const opened = await openVerified(path, Number.MAX_SAFE_INTEGER).catch(() => undefined)
  if (opened?.kind === 'missing') return { ...none, isGone: true }
  if (opened?.kind !== 'ok') return none
  const { file, size } = opened
  try {
    const from = Math.max(0, size - tailBytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, tailBytes)), { position: from })
    const start = from === 0 ? 0 : buffer.indexOf(0x0a) + 1
    return { text: buffer.toString('utf8', start, bytesRead), from: from + start }
  } catch {
    return none
  } finally {
    await file.close()
  }
}
