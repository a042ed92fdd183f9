import { withoutEnd } from '../documents/edit.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import type { PaneBlock, PaneLine } from '../view/panes.js'
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
  /** Shows what is held back of unfinished lines. */
  end(): void
}

type Spoken = Extract<AgentEvent, { type: 'text' | 'thinking' }>

/** What is said under one id: all of it so far, and the line that has no end yet. */
interface Speech {
  kind: Spoken['type']
  agent: string | undefined
  shown: string
  half: string
}

/** Texts that may be under way at once; the one that began first is given up for more. */
const mostSpeeches = 16

/**
 * Turns the events of one agent into pane lines, in order: deltas are put together to whole lines, each id for itself, a
 * full text shows only what its deltas did not, and a tool's title is shown once. Lines of a subagent begin with its
 * name.
 */
export function createPaneWriter(write: (lines: PaneLine | PaneBlock) => void): PaneWriter {
  const speeches = new Map<string, Speech>()
  const tools = new Set<string>()

  function show(lines: PaneLine[], agent: string | undefined): void {
    for (const each of lines) write(agent === undefined ? each : marked(each, agent))
  }

  function flush(speech: Speech): void {
    const { kind, agent, half } = speech
    speech.half = ''
    if (half !== '') show(split(kind, half), agent)
  }

  /** Whoever does something else has come to the end of a line. */
  function flushOf(agent: string | undefined, except?: Spoken['type']): void {
    for (const each of speeches.values()) if (each.agent === agent && each.kind !== except) flush(each)
  }

  function speechOf(key: string, { type, agent }: Spoken): Speech {
    const known = speeches.get(key)
    if (known) return known
    const [oldest] = speeches.keys()
    if (oldest !== undefined && speeches.size >= mostSpeeches) {
      flush(speeches.get(oldest) as Speech)
      speeches.delete(oldest)
    }
    const fresh = { kind: type, agent, shown: '', half: '' }
    speeches.set(key, fresh)
    return fresh
  }

  function spoken(event: Spoken): void {
    const { type, id, agent } = event
    const key = `${type} ${agent ?? ''} ${id}`
    flushOf(agent, type)
    if (event.full !== undefined) {
      full(event.full, speeches.get(key), event)
      speeches.delete(key)
      return
    }
    const speech = speechOf(key, event)
    speech.shown += event.delta ?? ''
    speech.half += event.delta ?? ''
    const end = speech.half.lastIndexOf('\n')
    if (end >= 0) {
      const whole = speech.half.slice(0, end)
      speech.half = speech.half.slice(end + 1)
      show(split(type, whole), agent)
    }
    if (speech.half.length > lineLimit) flush(speech)
  }

  function full(text: string, speech: Speech | undefined, { type, agent }: Spoken): void {
    const before = speech?.shown ?? ''
    const isSame = text.startsWith(before)
    const rest = isSame ? (speech?.half ?? '') + text.slice(before.length) : text
    if (rest === '' && before !== '') return
    const block = agent === undefined ? blockOf(type, rest) : undefined
    if (block) write(block)
    else show(split(type, rest), agent)
  }

  return {
    event(event) {
      if (event.type === 'text' || event.type === 'thinking') return spoken(event)
      if (event.type !== 'tool') {
        flushOf(undefined)
        for (const each of paneLines(event)) write(each)
        return
      }
      flushOf(event.agent)
      const isNew = !tools.has(event.id)
      if (event.status === 'running') tools.add(event.id)
      else tools.delete(event.id)
      if (isNew) show(toolStart(event), event.agent)
      show(toolEnd(event), event.agent)
    },
    end() {
      for (const each of speeches.values()) flush(each)
      speeches.clear()
    },
  }
}

/** Characters of a subagent's name. */
const longestName = 24

function marked({ kind, text }: PaneLine, agent: string): PaneLine {
  return { kind, text: `[${sanitizeLine(agent).slice(0, longestName)}] ${text}` }
}

/** From so many lines on, and up to so many characters a line, they are made only if they are looked at. */
const blockLines = 16
const blockLineLength = 1000

function blockOf(kind: Spoken['type'], text: string): PaneBlock | undefined {
  if (text.length < 2 * blockLines) return undefined
  const whole = text.endsWith('\n') ? text.slice(0, -1) : text
  let count = 1
  for (let at = whole.indexOf('\n'); at >= 0; at = whole.indexOf('\n', at + 1)) count += 1
  if (count < blockLines || whole.length > blockLineLength * count) return undefined
  let lines: string[] | undefined
  return {
    count,
    slice(from, to) {
      lines ??= whole.split('\n')
      return lines.slice(from, to).map((each) => line(kind, each))
    },
    includes: (part) => whole.includes(part),
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
  if (!text.includes('\n')) return [line(kind, text)]
  const isLarge = text.length > 16 * lineLimit
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((each) => line(kind, each, isLarge))
}

/** What most lines are made of. */
const harmless = /^[\x20-\x7e]*$/

/** @param isPart the text is a part of a much larger one, which it would keep in memory */
function line(kind: PaneLine['kind'], text: string, isPart = false): PaneLine {
  const whole = text.endsWith('\r') ? text.slice(0, -1) : text
  const more = whole.length - lineLimit
  if (more <= 0 && !isPart && harmless.test(whole)) return { kind, text: whole }
  if (more <= 0) return { kind, text: isPart ? copyOf(sanitizeLine(whole)) : sanitizeLine(whole) }
  return {
    kind,
    text: copyOf(`${sanitizeLine(whole.slice(0, lineLimit))} (${more} more characters in the log)`),
  }
}

function copyOf(text: string): string {
  return Buffer.from(text).toString()
}
