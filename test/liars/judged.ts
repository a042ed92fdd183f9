import { describe, inject, test } from 'vitest'
import type { Case, Liar, Twin } from './case.js'
import { isLiar } from './case.js'
import { type Backend, commandBackend, judgeLiar, judgeTwin, type Verdict } from './passage.js'
import type { Workshop } from './workshop.js'

// A table of cases as tests; each leaves one line for the reporter.

declare module 'vitest' {
  interface TaskMeta {
    line?: string
  }
}

export function judged(
  kind: string,
  cases: readonly (Liar | Twin)[],
  backend: () => Backend = () => commandBackend,
): void {
  judgedBy(kind, cases, (workshop, one) =>
    isLiar(one) ? judgeLiar(workshop, one, backend()) : judgeTwin(workshop, one, backend()),
  )
}

export function judgedBy<One extends Case>(
  kind: string,
  cases: readonly One[],
  judge: (workshop: Workshop, one: One) => Promise<Verdict>,
  group: typeof describe | typeof describe.concurrent = describe.concurrent,
): void {
  const chosen = process.env.LIARS_WHICH === 'unequal' ? cases.filter(isUnequal) : cases
  if (chosen.length === 0) test.skip(`${kind}: confinement makes no difference`)
  // Each waits for its own processes most of the time.
  group(kind, () => {
    for (const one of chosen) {
      test(one.name, async ({ task, skip }) => {
        const missing = one.missing?.()
        if (missing !== undefined) {
          task.meta.line = lineOf(one, { ok: true, gate: `skipped: ${missing}`, putBack: '-' })
          skip(missing)
        }
        const verdict = await judge(inject('workshop'), one)
        task.meta.line = lineOf(one, verdict)
        if (!verdict.ok) throw new Error(verdict.why ?? 'not as it has to be')
      })
    }
  })
}

/** What confinement may keep from its aim, so that it ends in another way without. */
function isUnequal(one: Case & Partial<Liar>): boolean {
  return one.exempt === true || one.leavesNothing === true || one.reached !== undefined
}

const isTwin = (one: Case) => 'proof' in one

const lineOf = (one: Case, verdict: Verdict) =>
  [isTwin(one) ? 'twin' : 'liar', one.name, one.does, verdict.gate, verdict.putBack].join(' | ')
