import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { minimalSpan, newSpans, type Span, type SpanFacts, spanLine } from './traces.js'

// TRACE.jsonl grows by what each step has written. It never stops anything: trouble is told in words.

/** Bytes that are done, by the name of the trace file. */
export type TraceOffsets = Readonly<Record<string, number>>

export interface JoinedTraces {
  offsets: TraceOffsets
  added: number
  skipped: number
  /** What could not be done. */
  trouble?: string
}

/**
 * Adds what is new in the trace of a step to TRACE.jsonl. `folder` is the absolute path of the phase's directory. A step
 * without a trace gets one span.
 */
export async function joinTrace(
  folder: string,
  step: string,
  offsets: TraceOffsets,
  facts: SpanFacts,
): Promise<JoinedTraces> {
  const name = `${step}-trace.jsonl`
  try {
    const content = await readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (content === undefined) {
      await append(folder, [spanLine(minimalSpan(step, facts))])
      return { offsets, added: 1, skipped: 0 }
    }
    const { lines, offset, skipped } = newSpans(content, offsets[name] ?? 0)
    await append(folder, lines)
    return { offsets: { ...offsets, [name]: offset }, added: lines.length, skipped }
  } catch (error) {
    return { offsets, added: 0, skipped: 0, trouble: `${name} could not be joined: ${said(error)}` }
  }
}

/** Adds a span of the program itself. What could not be done is told. */
export async function addSpan(folder: string, span: Span): Promise<string | undefined> {
  try {
    await append(folder, [spanLine(span)])
    return undefined
  } catch (error) {
    return `TRACE.jsonl could not be written: ${said(error)}`
  }
}

async function append(folder: string, lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await appendFile(join(folder, 'TRACE.jsonl'), `${lines.join('\n')}\n`)
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
