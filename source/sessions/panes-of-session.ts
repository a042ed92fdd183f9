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
 * Panes of the last dispatches of a session, newest last, filled from the ends of their logs. A log that is gone
 * leaves its pane empty.
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
  for (const line of paneLinesOfLog(await tailOf(join(root, logPath)))) lines.push(line)
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
    ...(usage ? { usage } : {}),
    lines,
  }
}

/** What a person could read of a raw log (agents/log.ts): events as they were shown, other output as it is. */
export function paneLinesOfLog(text: string): PaneLine[] {
  const lines: PaneLine[] = []
  const writer = createPaneWriter((told) => lines.push(...linesOf(told)))
  for (const row of text.split('\n')) {
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
    lines.push({ kind, text: sanitizeLine(content.slice(0, lineLimit)) })
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

/** The end of a file, from a whole line on; empty if it cannot be read. */
async function tailOf(path: string): Promise<string> {
  settled(path)
  const opened = await openVerified(path, Number.MAX_SAFE_INTEGER).catch(() => undefined)
  if (opened?.kind !== 'ok') return ''
  const { file, size } = opened
  try {
    const from = Math.max(0, size - tailBytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, tailBytes)), { position: from })
    const text = buffer.toString('utf8', 0, bytesRead)
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1)
  } catch {
    return ''
  } finally {
    await file.close()
  }
}
