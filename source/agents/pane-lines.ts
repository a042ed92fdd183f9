import { aboutText } from '../durations.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import type { PaneBlock, PaneLine } from '../view/panes.js'
import type { AgentEvent } from './agent.js'
import {
  createFence,
  excerpt,
  type Fence,
  fenceMark,
  line,
  lineLimit,
  split,
  spokenLines,
} from './pane-line.js'

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

type ToolEvent = Extract<AgentEvent, { type: 'tool' }>
type Spoken = Extract<AgentEvent, { type: 'text' | 'thinking' }>

/** What is said under one id: all of it so far, and the line that has no end yet. */
interface Speech {
  kind: Spoken['type']
  agent: string | undefined
  shown: string
  half: string
  /** Whether its next line is code. */
  fence: Fence
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
  const tools = new Map<string, string>()

  function show(lines: PaneLine[], agent: string | undefined): void {
    for (const each of lines) write(agent === undefined ? each : marked(each, agent))
  }

  function flush(speech: Speech): void {
    const { kind, agent, half, fence } = speech
    speech.half = ''
    if (half !== '') show(spokenLines(kind, half, fence), agent)
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
    const fresh: Speech = { kind: type, agent, shown: '', half: '', fence: createFence() }
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
      show(spokenLines(type, whole, speech.fence), agent)
    }
    if (speech.half.length > lineLimit) flush(speech)
  }

  function full(text: string, speech: Speech | undefined, { type, agent }: Spoken): void {
    const before = speech?.shown ?? ''
    const isSame = text.startsWith(before)
    const rest = isSame ? (speech?.half ?? '') + text.slice(before.length) : text
    if (rest === '' && before !== '') return
    const fence = isSame && speech ? speech.fence : createFence()
    const block = agent === undefined ? blockOf(type, rest, fence) : undefined
    if (block) write(block)
    else show(spokenLines(type, rest, fence), agent)
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
      const begun = tools.get(event.id)
      if (begun === undefined) show(toolStart(event), event.agent)
      if (event.status === 'running') tools.set(event.id, begun ?? titleOf(event))
      else tools.delete(event.id)
      show(toolEnd(event, begun), event.agent)
    },
    end() {
      for (const each of speeches.values()) flush(each)
      speeches.clear()
    },
  }
}

/** Characters of a subagent's name. */
const longestName = 24

function marked(line: PaneLine, agent: string): PaneLine {
  const mark = `[${sanitizeLine(agent).slice(0, longestName)}] `
  const colours = line.colours?.map((part) => ({
    ...part,
    from: part.from + mark.length,
    to: part.to + mark.length,
  }))
  return { ...line, text: mark + line.text, ...(colours ? { colours } : {}) }
}

/** From so many lines on, and up to so many characters a line, they are made only if they are looked at. */
const blockLines = 16
const blockLineLength = 1000

function blockOf(kind: Spoken['type'], text: string, fence: Fence): PaneBlock | undefined {
  if (text.length < 2 * blockLines) return undefined
  const whole = text.endsWith('\n') ? text.slice(0, -1) : text
  let count = 1
  for (let at = whole.indexOf('\n'); at >= 0; at = whole.indexOf('\n', at + 1)) count += 1
  if (count < blockLines || whole.length > blockLineLength * count) return undefined
  let lines: string[] | undefined
  let looks: PaneLine['as'][] = []
  return {
    count,
    slice(from, to) {
      if (!lines) {
        lines = whole.split('\n')
        looks = kind === 'text' && whole.includes(fenceMark) ? lines.map((each) => fence.next(each)) : []
      }
      return lines.slice(from, to).map((each, index) => line(kind, each, { as: looks[from + index] }))
    },
    includes: (part) => whole.includes(part),
  }
}

function titleOf({ name, title }: ToolEvent): string {
  return title === name ? name : `${name}: ${title}`
}

/** The call that an end belongs to is told by its id, and by the agent whose id it is. */
function callOf({ id, agent }: ToolEvent): string {
  return `${agent ?? ''} ${id}`
}

function toolStart(event: ToolEvent): PaneLine[] {
  const folded = excerpt('tool', event.diff, 'diff')
  return [{ ...line('tool', titleOf(event)), call: callOf(event), ...(folded.length > 0 ? { folded } : {}) }]
}

/** How a tool ended, in words, under the name that it began with: it may have ended long after that. */
function toolEnd(event: ToolEvent, begun = titleOf(event)): PaneLine[] {
  const { status } = event
  if (status === 'running') return []
  const words = { ok: 'ok', failed: 'failed', denied: 'was not permitted' }[status]
  const folded = status === 'denied' ? [] : excerpt('log', event.output)
  const told = line(status === 'ok' ? 'tool' : 'error', `${cut(begun)} ${words}`)
  return [{ ...told, call: callOf(event), outcome: status, ...(folded.length > 0 ? { folded } : {}) }]
}

/** Characters of the title of a call in the line that tells its end. */
const longestTitle = 200

function cut(title: string): string {
  return title.length > longestTitle ? `${title.slice(0, longestTitle)}...` : title
}

function planMark(status: string): string {
  if (/^(completed?|done)$/.test(status)) return '[x]'
  return /progress|active/.test(status) ? '[>]' : '[ ]'
}

function retryText(event: Extract<AgentEvent, { type: 'retry' }>): string {
  const of = event.max === undefined ? '' : ` of ${event.max}`
  const wait = event.delayMs === undefined ? '' : ` in ${aboutText(Math.ceil(event.delayMs / 1000) * 1000)}`
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
