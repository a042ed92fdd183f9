import { mostCycles } from '../decisions/human-verification.js'
import { isReverted } from '../decisions/remediation.js'
import { plansIn } from '../plans.js'
import type { VerdictMatter } from '../questions/verdict.js'
import { listedLines } from '../state/listed.js'
import { phaseOf, phasesWith } from '../state/phases.js'
import type { PlaybookState, StateEvent } from '../state/schema.js'

// What a person is told at a verdict (docs/playbook.md, "Decisions").

/** A text of a plan is part of a record of the journal. */
const mostText = 2000

/** Of a phase that waits for a verdict; reads its plans. */
export async function verdictMatter(root: string, state: PlaybookState, id: string): Promise<VerdictMatter> {
  const record = phaseOf(state, id)
  const { dir, steps } = record
  const planned = typeof dir === 'string' ? (await plansIn(root, dir, id)).tasks : []
  return {
    tasks: planned
      .filter((task) => steps.execute.tasks[task.id]?.status === 'deferred')
      .map((task) => ({ id: task.id, title: task.title, action: task.action.slice(0, mostText) })),
    sure: sureOf(state, id),
    before: saidBefore(state.event_log, id),
    cyclesLeft: mostCycles - record.remediation_cycles,
    behind: phasesWith(state, 'needs_human_verification').length - 1,
    beside: listedLines(state, id),
  }
}

/** How sure its verifier was, and from which confidence on nobody is asked. Pure. */
function sureOf({ _meta }: PlaybookState, id: string): VerdictMatter['sure'] {
  const last = _meta.deferral_history.findLast(({ phase_id: one }) => one === id)
  const confidence = last?.autonomous_confidence ?? null
  return confidence === null ? null : { confidence, least: _meta.autonomous_confidence_threshold }
}

/** What was said of the phase so far, oldest first, each with what the cycle after it came to. Pure. */
export function saidBefore(events: readonly StateEvent[], id: string): string[] {
  const own = events.filter(({ phase }) => phase === id)
  const first = own.findIndex(({ event }) => event === 'human_verdict_recorded')
  return first < 0 ? [] : own.slice(first).flatMap(linesOf)
}

function linesOf({ event, details }: StateEvent): string[] {
  if (event === 'human_verdict_recorded') {
    const issues = Array.isArray(details.issues) ? details.issues.map(String) : []
    const word = details.verdict === 'issues_found' ? 'issues' : String(details.verdict)
    return [`You said before: ${word}`, ...issues.map((issue) => `  - ${issue}`)]
  }
  return event === 'remediation_completed' ? [cycleLine(details)] : []
}

const scoreText = (score: unknown) => (typeof score === 'number' ? score.toFixed(1) : 'no score')

function cycleLine({ cycle, old_score: from, new_score: to }: StateEvent['details']): string {
  const after = typeof to === 'number' ? to : null
  const isGone = isReverted({ before: Number(from), after })
  const came = `${scoreText(from)} -> ${scoreText(to)}`
  return isGone
    ? `  Cycle ${String(cycle)} was to mend it and was taken back (${came}): nothing of it is there.`
    : `  Cycle ${String(cycle)} has worked on it (${came}).`
}
