// Traces of the steps of a phase, joined into one file. Pure: data in, data out. A trace never stops anything.

/** One action of an agent, or of the program. */
export interface Span {
  timestamp: string
  phase_id: string
  step: string
  action: 'file_read' | 'file_write' | 'command_run' | 'tool_call' | 'agent_spawn' | 'decision'
  input_summary: string
  output_summary: string
  duration_ms: number
  status: 'success' | 'failure' | 'skipped'
}

const longestSummary = 200
const longestLine = 64 * 1024

/** What is new in a trace file. */
export interface NewSpans {
  /** Lines as they go into TRACE.jsonl. */
  lines: string[]
  /** Bytes of the file that are done; an unfinished line at the end is not. */
  offset: number
  /** Lines that are no span. */
  skipped: number
}

/** Spans behind a byte offset. A file that is shorter than it was is read from its beginning. */
export function newSpans(content: Buffer, offset: number): NewSpans {
  const from = content.length < offset ? 0 : offset
  const end = content.lastIndexOf(0x0a) + 1
  if (end <= from) return { lines: [], offset: from, skipped: 0 }
  const lines: string[] = []
  let skipped = 0
  for (const line of content.subarray(from, end).toString('utf8').split('\n')) {
    if (line.trim() === '') continue
    const span = readSpan(line)
    if (span === undefined) skipped += 1
    else lines.push(spanLine(span))
  }
  return { lines, offset: end, skipped }
}

/** A line as a span, summaries cut; undefined for what is none. */
export function readSpan(line: string): Span | undefined {
  if (line.length > longestLine) return undefined
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { timestamp, step, action } = value as Record<string, unknown>
  if (typeof timestamp !== 'string' || typeof step !== 'string' || typeof action !== 'string')
    return undefined
  return capped(value as Span)
}

function capped(span: Span): Span {
  return {
    ...span,
    input_summary: cut(span.input_summary),
    output_summary: cut(span.output_summary),
  }
}

function cut(text: unknown): string {
  return (typeof text === 'string' ? text : '').slice(0, longestSummary)
}

export function spanLine(span: Span): string {
  return JSON.stringify(capped(span))
}

export interface SpanFacts {
  at: string
  phase: string
  input: string
  output: string
  ms: number
  ok: boolean
}

/** What is known of a step that left no trace of its own. */
export function minimalSpan(step: string, { at, phase, input, output, ms, ok }: SpanFacts): Span {
  return capped({
    timestamp: at,
    phase_id: phase,
    step,
    action: 'agent_spawn',
    input_summary: input,
    output_summary: output,
    duration_ms: Math.round(ms),
    status: ok ? 'success' : 'failure',
  })
}

/** All spans of a TRACE.jsonl, bad lines left out. */
export function readTrace(text: string): Span[] {
  return text.split('\n').flatMap((line) => readSpan(line) ?? [])
}
