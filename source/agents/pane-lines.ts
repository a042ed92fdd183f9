import { withoutEnd } from '../documents/edit.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import type { PaneLine } from '../view/panes.js'
import type { AgentEvent } from './agent.js'

/** Characters of one line that are shown; the log has all of it. */
const lineLimit = 4000
/** Lines of a tool's output or diff that are shown. */
const excerptLines = 12

/** Lines of an event that needs no memory of earlier ones. Text, thinking and tools are shown as if they were whole. */
export function paneLines(event: AgentEvent): PaneLine[] {
  switch (event.type) {
    case 'session':
      return event.model === undefined ? [] : [line('note', `model ${event.model}`)]
    case 'text':
    case 'thinking':
      return split(event.type, event.full ?? event.delta ?? '')
    case 'tool':
      return [...toolStart(event), ...toolEnd(event)]
    case 'plan':
      return event.items.map((item) => line('note', `${planMark(item.status)} ${item.text}`))
    case 'usage':
      return []
    case 'ask':
      return [
        line('note', `asks: ${event.title}`),
        ...(event.detail === '' ? [] : split('note', event.detail)),
      ]
    case 'retry':
      return [line('note', retryText(event))]
    case 'limit':
      return [line(event.status === 'rejected' ? 'error' : 'note', limitText(event))]
    case 'log':
      return [line('log', event.line)]
    case 'end':
      return event.outcome.ok ? [] : split('error', event.outcome.message)
  }
}

export interface PaneWriter {
  event(event: AgentEvent): void
  /** Shows what is held back of an unfinished line. */
  end(): void
}

/**
 * Turns the events of one agent into pane lines, in order: deltas are put together to whole lines, a full text shows
 * only what its deltas did not, and a tool's title is shown once.
 */
export function createPaneWriter(write: (line: PaneLine) => void): PaneWriter {
  let open: { kind: 'text' | 'thinking'; id: string; shown: string; half: string } | undefined
  const tools = new Set<string>()

  function flush(): void {
    if (open && open.half !== '') for (const each of split(open.kind, open.half)) write(each)
    if (open) open.half = ''
  }

  function close(): void {
    flush()
    open = undefined
  }

  function spoken(event: Extract<AgentEvent, { type: 'text' | 'thinking' }>): void {
    if (open && (open.kind !== event.type || open.id !== event.id)) close()
    if (event.full !== undefined) {
      const before = open?.shown ?? ''
      const isSame = event.full.startsWith(before)
      if (!isSame && open) open.half = ''
      const rest = isSame ? (open?.half ?? '') + event.full.slice(before.length) : event.full
      open = undefined
      if (rest !== '' || before === '') for (const each of split(event.type, rest)) write(each)
      return
    }
    open ??= { kind: event.type, id: event.id, shown: '', half: '' }
    open.shown += event.delta ?? ''
    open.half += event.delta ?? ''
    const end = open.half.lastIndexOf('\n')
    if (end >= 0) {
      const whole = open.half.slice(0, end)
      open.half = open.half.slice(end + 1)
      for (const each of split(event.type, whole)) write(each)
    }
    if (open.half.length > lineLimit) flush()
  }

  return {
    event(event) {
      if (event.type === 'text' || event.type === 'thinking') return spoken(event)
      close()
      if (event.type !== 'tool') {
        for (const each of paneLines(event)) write(each)
        return
      }
      const isNew = !tools.has(event.id)
      if (event.status === 'running') tools.add(event.id)
      else tools.delete(event.id)
      if (isNew) for (const each of toolStart(event)) write(each)
      for (const each of toolEnd(event)) write(each)
    },
    end: close,
  }
}

function toolStart(event: Extract<AgentEvent, { type: 'tool' }>): PaneLine[] {
  const title = event.title === event.name ? event.name : `${event.name}: ${event.title}`
  return [line('tool', title), ...excerpt('tool', event.diff)]
}

function toolEnd(event: Extract<AgentEvent, { type: 'tool' }>): PaneLine[] {
  switch (event.status) {
    case 'running':
      return []
    case 'ok':
      return excerpt('log', event.output)
    case 'failed':
      return [line('error', `${event.name} failed`), ...excerpt('log', event.output)]
    case 'denied':
      return [line('error', `${event.name} was not permitted`)]
  }
}

function excerpt(kind: PaneLine['kind'], text: string | undefined): PaneLine[] {
  if (text === undefined || text.trim() === '') return []
  const lines = withoutEnd(text, '\n').split('\n')
  const shown = lines.slice(0, excerptLines).map((each) => line(kind, `  ${each}`))
  const more = lines.length - shown.length
  return more > 0 ? [...shown, line(kind, `  (${more} more lines in the log)`)] : shown
}

function planMark(status: string): string {
  if (/^(completed?|done)$/.test(status)) return '[x]'
  return /progress|active/.test(status) ? '[>]' : '[ ]'
}

function retryText(event: Extract<AgentEvent, { type: 'retry' }>): string {
  const of = event.max === undefined ? '' : ` of ${event.max}`
  const wait = event.delayMs === undefined ? '' : ` in ${Math.ceil(event.delayMs / 1000)} s`
  return `retry ${event.attempt}${of}${wait}: ${event.cause}`
}

function limitText(event: Extract<AgentEvent, { type: 'limit' }>): string {
  const used = event.usedPct === undefined ? '' : `, ${Math.round(event.usedPct)} % used`
  const window = event.window === undefined ? '' : ` (${event.window})`
  const reset = event.resetsAt === undefined ? '' : `, resets at ${resetTime(event.resetsAt)}`
  return `usage limit ${event.status === 'rejected' ? 'reached' : 'near'}${window}${used}${reset}`
}

function resetTime(epochMs: number): string {
  const date = new Date(epochMs)
  return Number.isNaN(date.getTime()) ? 'an unknown time' : date.toISOString()
}

function split(kind: PaneLine['kind'], text: string): PaneLine[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((each) => line(kind, each))
}

function line(kind: PaneLine['kind'], text: string): PaneLine {
  const whole = text.endsWith('\r') ? text.slice(0, -1) : text
  if (whole.length <= lineLimit) return { kind, text: sanitizeLine(whole) }
  const more = whole.length - lineLimit
  return { kind, text: `${sanitizeLine(whole.slice(0, lineLimit))} (${more} more characters in the log)` }
}
