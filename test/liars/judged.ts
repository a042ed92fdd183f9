import { describe, inject, test } from 'vitest'
import type { Liar, Twin } from './case.js'
import { isLiar } from './case.js'
import { type Backend, commandBackend, judgeLiar, judgeTwin, type Verdict } from './passage.js'

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
  describe(kind, () => {
    for (const one of cases) {
      test(one.name, async ({ task, skip }) => {
        const missing = 'missing' in one ? one.missing?.() : undefined
        if (missing !== undefined) {
          task.meta.line = lineOf(one, { ok: true, gate: `skipped: ${missing}`, putBack: '-' })
          skip(missing)
        }
        const workshop = inject('workshop')
        const verdict = await (isLiar(one)
          ? judgeLiar(workshop, one, backend())
          : judgeTwin(workshop, one, backend()))
        task.meta.line = lineOf(one, verdict)
        if (!verdict.ok) throw new Error(verdict.why ?? 'not as it has to be')
      })
    }
  })
}

const lineOf = (one: Liar | Twin, verdict: Verdict) =>
  [isLiar(one) ? 'liar' : 'twin', one.name, one.does, verdict.gate, verdict.putBack].join(' | ')
