import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { minimalSpan, newSpans, runnerSpan, type SpanFacts, spanLine } from './records/traces.js'
import type { StepName } from './state/schema.js'
import type { PhaseWork } from './work.js'
import { rootOf } from './work.js'

// TRACE.jsonl of a phase: what the traces of its steps say, joined as the steps end. It never stops anything.

/** How a step ended; `at` is the ISO time of its end, as it was recorded. */
export interface Came {
  at: string
  ms: number
  ok: boolean
  output: string
}

/** Bytes of each trace that are joined already, by the name of the step. They outlive the process in the journal. */
export type TraceOffsets = Map<string, number>

/** Joins what the agents of a step wrote; one span of ours stands for a step that left none. */
export async function joinTrace(
  work: PhaseWork & { traces: TraceOffsets },
  step: StepName,
  came: Came,
): Promise<void> {
  const from = work.traces.get(step) ?? 0
  const joined = await work.run.step(`${work.at}${step}-trace`, async () => {
    const dir = join(rootOf(work).root, work.facts.dir)
    const content = await readFile(join(dir, `${step}-trace.jsonl`)).catch(() => Buffer.alloc(0))
    const spans = newSpans(content, from)
    const lines =
      spans.lines.length > 0 ? spans.lines : [spanLine(minimalSpan(step, factsOf(work, step, came)))]
    await append(dir, lines)
    return spans.offset
  })
  work.traces.set(step, joined)
}

/** The last span of a pass: what the phase came to. */
export function endTrace(work: PhaseWork, came: Came): Promise<null> {
  return work.run.step(`${work.at}trace-ends`, async () => {
    const span = runnerSpan('decision', factsOf(work, 'Phase pipeline complete', came))
    await append(join(rootOf(work).root, work.facts.dir), [spanLine(span)])
    return null
  })
}

function factsOf({ facts }: PhaseWork, input: string, came: Came): SpanFacts {
  return { phase: facts.id, input, ...came }
}

/** Once: what a process before has appended, and could not say so any more, is not appended again. */
async function append(dir: string, lines: readonly string[]): Promise<void> {
  try {
    const path = join(dir, 'TRACE.jsonl')
    await mkdir(dir, { recursive: true })
    const text = `${lines.join('\n')}\n`
    const before = await readFile(path, 'utf8').catch(() => '')
    if (!before.endsWith(text)) await appendFile(path, text)
  } catch {
    // A trace tells what happened; that it could not be written changes nothing of it.
  }
}
