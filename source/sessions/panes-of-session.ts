import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { dispatchLogPath } from '../agents/dispatch.js'
import { parseEventLine } from '../agents/events.js'
import { logMarks } from '../agents/log.js'
import { createPaneWriter } from '../agents/pane-lines.js'
import type { JournalRecord } from '../ledger/journal.js'
import { paneStatusOf } from '../run/dispatches.js'
import type { Reply } from '../run/run.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import { createLineRing, type Pane, type PaneLine } from '../view/panes.js'

/** Dispatches that get a pane again when a session is taken up. */
const mostPanes = 6
/** Bytes of a log that are read, from its end. */
const tailBytes = 256 * 1024
/** Lines that a pane gets of them. */
const mostLines = 500
/** Characters of one line; the log has all of it. */
const lineLimit = 4000

type Dispatched = Extract<JournalRecord, { type: 'dispatched' }>

/**
 * Panes of the last dispatches of a session, newest last, filled from the ends of their logs. A log that is gone
 * leaves its pane empty.
 *
 * @param sessionDir repo-relative
 */
export async function panesOfSession(
  root: string,
  sessionDir: string,
  records: readonly JournalRecord[],
): Promise<Pane[]> {
  const last = records.filter((record) => record.type === 'dispatched').slice(-mostPanes)
  return Promise.all(
    last.map(async (dispatched) => paneOf(root, sessionDir, dispatched, endOf(records, dispatched))),
  )
}

/** How a dispatch ended: with an outcome, with a stop, or with the death of the program. */
function endOf(records: readonly JournalRecord[], { dispatchId, at }: Dispatched) {
  const end = records.find(
    (record) => (record.type === 'agent' || record.type === 'spent') && record.dispatchId === dispatchId,
  )
  if (end?.type === 'agent') {
    return { status: paneStatusOf(end.reply as Reply), at: end.at }
  }
  return { status: 'stopped' as const, at: end?.at ?? at }
}

async function paneOf(
  root: string,
  sessionDir: string,
  dispatched: Dispatched,
  end: { status: Pane['status']; at: string },
): Promise<Pane> {
  const logPath = dispatchLogPath(sessionDir, dispatched.dispatchId)
  const lines = createLineRing()
  for (const line of paneLinesOfLog(await tailOf(join(root, logPath)))) lines.push(line)
  return {
    id: dispatched.dispatchId,
    persona: dispatched.persona,
    title: dispatched.title,
    phase: dispatched.phase,
    status: end.status,
    attempt: dispatched.attempt,
    startedAt: Date.parse(dispatched.at),
    endedAt: Date.parse(end.at),
    logPath,
    lines,
  }
}

/** What a person could read of a raw log (agents/log.ts): events as they were shown, other output as it is. */
export function paneLinesOfLog(text: string): PaneLine[] {
  const lines: PaneLine[] = []
  const writer = createPaneWriter((line) => lines.push(line))
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

/** The end of a file, from a whole line on; empty if it cannot be read. */
async function tailOf(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) return ''
  try {
    const { size } = await file.stat()
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
