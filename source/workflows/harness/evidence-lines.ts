import { lookup } from '../../lookup.js'
import { type Badge, tidyBadges } from '../evidence/badges.js'
import { testRunText } from '../evidence/claims/test-run.js'
import { phaseMarkAt } from './phases.js'
import { decisionText, knownDecisions, plannedOrders } from './state/decisions.js'
import type { HarnessState, Phase } from './state/state.js'

// How much is known of the work, and what a person let pass: on the screen, in `status --json`, in the summary, the pull
// request, the handoff and the last report (docs/evidence.md, "Badges").

/** Badges of a phase: what holds for all of its tasks, and for the phase as a whole. */
export function phaseBadges({ status, evidence, verification }: Phase): Badge[] {
  if (!evidence || status === 'skipped') return []
  const tasks = Object.values(evidence.tasks)
  if (tasks.length === 0) return []
  const all = (badge: Badge) => tasks.every((found) => found.includes(badge))
  return tidyBadges([
    ...(all('shown') ? (['shown'] as const) : (['claimed'] as const)),
    ...(evidence.tests?.outcome === 'passed' ? (['tested'] as const) : []),
    ...(verification === 'pass' && evidence.verified ? (['verified'] as const) : []),
    ...(tasks.some((found) => found.includes('approved')) ? (['approved'] as const) : []),
  ])
}

/** Words for decisions by which something was let pass that nothing showed, or that somebody found wanting. */
const letPass = lookup<string>({
  accepted_unproven: 'Accepted unproven work',
  accepted_red_tests: 'Accepted red tests',
  accepted_fewer_tests: 'Accepted loss of tests',
  accepted_missing_work: 'Accepted missing work',
  accepted_changes: 'Accepted change',
  ignored_handoff: 'Ignored record',
  skipped_verification: 'Skipped verification',
  overridden_review: 'Overridden findings',
  overridden_final_review: 'Overridden findings of the final review',
  skipped_phase: 'Skipped: work',
  plan_changed: 'Changed plan',
  plan_change_refused: 'Refused change of the plan',
  spec_changed: 'Changed spec',
  spec_change_refused: 'Refused change of the spec',
})

/** What was overridden, skipped or accepted in a phase (0-based), or in the whole session; one line each. */
export function letPassLines(state: HarnessState, index?: number): string[] {
  return knownDecisions(state).flatMap((entry) => {
    const word = letPass[decisionText(entry)]
    if (word === undefined || (index !== undefined && entry.phase !== index)) return []
    const where =
      index === undefined && !/final/.test(decisionText(entry))
        ? ` of phase ${phaseMarkAt(state, entry.phase)}`
        : ''
    const why = entry.rationale ?? entry.choice ?? ''
    return [`${word}${where}${why === '' ? '' : `: ${why.replace(/\s+/g, ' ').slice(0, 400)}`}`]
  })
}

/** Blocking findings of phases that were overridden, of one phase (0-based) or all, each named. */
export function overriddenFindings(state: HarnessState, only?: number): string[] {
  const overridden = new Set(
    knownDecisions(state).flatMap((entry) => (entry.decision === 'overridden_review' ? [entry.phase] : [])),
  )
  return state.phases.flatMap(({ findings = [] }, index) =>
    overridden.has(index) && (only === undefined || only === index)
      ? findings
          .filter(({ severity }) => severity === 'blocking')
          .map(
            ({ file, title }) =>
              `Overridden in phase ${phaseMarkAt(state, index)}: ${file ? `${file}: ` : ''}${title}`,
          )
      : [],
  )
}

/**
 * What nobody is asked about and has to be seen at the next gate, of the phase (0-based) or all: planned changes of what gives
 * orders, and what tests are held to since it began.
 */
export function listedLines(state: HarnessState, index?: number): string[] {
  const counts = (at: number) => index === undefined || index === at
  const orders = knownDecisions(state).flatMap(({ phase, decision, names }) =>
    decision === plannedOrders && counts(phase) && Array.isArray(names) ? names.map(String) : [],
  )
  return [
    ...(orders.length > 0
      ? [`Gives orders or is executed, changed as planned: ${[...new Set(orders)].join(', ')}`]
      : []),
    ...state.phases.flatMap(({ evidence }, at) =>
      counts(at) ? (evidence?.rewritten ?? []).map((line) => `Tests: ${line}`) : [],
    ),
  ]
}

/** Badges, test run and what was let pass of one phase (0-based). */
export function phaseEvidenceLines(state: HarnessState, index: number): string[] {
  const phase = state.phases[index]
  if (!phase) return []
  const found = phaseBadges(phase)
  const tests = phase.evidence?.tests
  return [
    ...(found.length > 0 ? [`Known: ${found.join(', ')}`] : []),
    ...(tests ? [`Tests: ${testRunText(tests)}`] : []),
    ...listedLines(state, index),
    ...letPassLines(state, index),
    ...overriddenFindings(state, index),
  ]
}
