import { lookup } from '../../lookup.js'
import { type Badge, tidyBadges } from '../evidence/badges.js'
import { testRunText } from '../evidence/claims/test-run.js'
import { phaseMarkAt } from './phases.js'
import { decisionText, knownDecisions, plannedOrders } from './state/decisions.js'
import type { Decision, HarnessState, Phase } from './state/state.js'

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

/** The line of a decision by which something was let pass, if it is one. */
function letPassLine(state: HarnessState, entry: Decision, whole: boolean): string[] {
  const word = letPass[decisionText(entry)]
  if (word === undefined) return []
  const where =
    whole && !/final/.test(decisionText(entry)) ? ` of phase ${phaseMarkAt(state, entry.phase)}` : ''
  const why = entry.rationale ?? entry.choice ?? ''
  return [`${word}${where}${why === '' ? '' : `: ${why.replace(/\s+/g, ' ').slice(0, 400)}`}`]
}

/** What was overridden, skipped or accepted in the whole session; one line each. */
export function letPassLines(state: HarnessState): string[] {
  return knownDecisions(state).flatMap((entry) => letPassLine(state, entry, true))
}

/** Blocking findings of a phase (0-based) that were overridden, each named. */
function overriddenIn(state: HarnessState, index: number): string[] {
  const { findings = [] } = state.phases[index] ?? {}
  return findings
    .filter(({ severity }) => severity === 'blocking')
    .map(
      ({ file, title }) =>
        `Overridden in phase ${phaseMarkAt(state, index)}: ${file ? `${file}: ` : ''}${title}`,
    )
}

/** Blocking findings of all phases that were overridden, each named. */
export function overriddenFindings(state: HarnessState): string[] {
  const overridden = new Set(
    knownDecisions(state).flatMap((entry) => (entry.decision === 'overridden_review' ? [entry.phase] : [])),
  )
  return state.phases.flatMap((_, index) => (overridden.has(index) ? overriddenIn(state, index) : []))
}

/** What was let pass in each phase (0-based), then its overridden findings; the record is read once for all of them. */
export function passedByPhase(state: HarnessState): ReadonlyMap<number, string[]> {
  const passed = new Map<number, string[]>()
  const overridden = new Set<number>()
  const add = (phase: number, lines: readonly string[]) => {
    if (lines.length > 0) passed.set(phase, [...(passed.get(phase) ?? []), ...lines])
  }
  for (const entry of knownDecisions(state)) {
    add(entry.phase, letPassLine(state, entry, false))
    if (entry.decision === 'overridden_review') overridden.add(entry.phase)
  }
  for (const phase of overridden) add(phase, overriddenIn(state, phase))
  return passed
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
    ...(passedByPhase(state).get(index) ?? []),
  ]
}
