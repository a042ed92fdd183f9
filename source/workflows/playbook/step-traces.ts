import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readRegular, readRegularText } from '../../storage/read-file.js'
import { minimalSpan, newSpans, type SpanFacts, spanLine } from './records/traces.js'
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
    const place = traceDir(work)
    const path = join(place.dir, `${step}-trace.jsonl`)
    const content = await readRegular(path, { root: place.root, maxBytes: largestTrace }).catch(
      () => undefined,
    )
    const spans = newSpans(content ?? Buffer.alloc(0), from)
    const lines =
      spans.lines.length > 0 ? spans.lines : [spanLine(minimalSpan(step, factsOf(work, step, came)))]
    await append(place, lines)
    return spans.offset
  })
  work.traces.set(step, joined)
}

/** Repo-relative, below the root that the work is done at. */
interface TraceDir {
  root: string
  dir: string
}

function traceDir(work: PhaseWork): TraceDir {
  return { root: rootOf(work).root, dir: work.facts.dir }
}

// Grows with every step of a phase.
const largestTrace = 64 * 1024 * 1024

function factsOf({ facts }: PhaseWork, input: string, came: Came): SpanFacts {
  return { phase: facts.id, input, ...came }
}

/** Once: what a process before has appended, and could not say so any more, is not appended again. */
async function append({ root, dir }: TraceDir, lines: readonly string[]): Promise<void> {
  try {
    const path = join(dir, 'TRACE.jsonl')
    await mkdir(join(root, dir), { recursive: true })
    const text = `${lines.join('\n')}\n`
    const before = (await readRegularText(path, { root, maxBytes: largestTrace })) ?? ''
    if (!before.endsWith(text)) await appendFile(join(root, path), text)
  } catch {
    // A trace tells what happened; that it could not be written changes nothing of it.
  }
}
