import { describe, inject, test } from 'vitest'
import type { Case, Confine, Liar, Twin } from './case.js'
import { isLiar } from './case.js'
import { listedNames } from './cases/listed.js'
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

export function judgedBy<One extends Judged>(
  kind: string,
  cases: readonly One[],
  judge: (workshop: Workshop, one: One) => Promise<Verdict>,
  group: typeof describe | typeof describe.concurrent = describe.concurrent,
): void {
  const chosen = process.env.LIARS_WHICH === 'all' ? cases : cases.filter(({ name }) => listedNames.has(name))
  // A group without tests counts as failed.
  if (chosen.length === 0) test.skip(`${kind}: none of those that every check runs`)
  for (const confine of chosen.length === 0 ? [] : confinements()) {
    const words = confine === 'off' ? 'not confined' : 'confined'
    // Each waits for its own processes most of the time.
    group(`${kind}, ${words}`, () => {
      for (const one of chosen.map((known) => ({ ...known, confine }))) {
        test(one.name, async ({ task, skip }) => {
          const line = (verdict: Verdict) => {
            task.meta.line = lineOf(one, words, verdict)
          }
          const missing = one.missing?.()
          if (missing !== undefined) {
            line({ ok: true, gate: `skipped: ${missing}`, putBack: '-' })
            skip(missing)
          }
          const verdict = await judge(inject('workshop'), one)
          line(verdict)
          if (!verdict.ok) throw new Error(verdict.why ?? 'not as it has to be')
        })
      }
    })
  }
}

type Judged = Pick<Case, 'name' | 'does' | 'confine' | 'missing'>

/** Both, where something confines and `LIARS_CONFINE` does not name one of them. */
function confinements(): readonly Confine[] {
  const wanted = process.env.LIARS_CONFINE
  if (wanted === 'auto' || wanted === 'off') return [wanted]
  return inject('workshop').confines ? ['auto', 'off'] : ['off']
}

const isTwin = (one: object) => !('gates' in one)

const lineOf = (one: Judged, confined: string, verdict: Verdict) =>
  [isTwin(one) ? 'twin' : 'liar', one.name, one.does, confined, verdict.gate, verdict.putBack].join(' | ')
