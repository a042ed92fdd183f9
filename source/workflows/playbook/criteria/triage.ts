import type { CommandReport } from '../orders/fields.js'
import { type CriterionOutcome, passRatio, reportsOf } from './run-criterion.js'

// Whether a phase has been done already, by running its criteria before any work (docs/playbook-checks.md,
// "Triage").

/** More than this share of the criteria, and the phase is only checked. */
const implementedRatio = 0.8

export type Routing = 'full_pipeline' | 'verify_only'
export type CriteriaSource = 'plan' | 'roadmap' | 'none'

/** TRIAGE.json, in its own words. */
export interface Triage {
  phase_id: string
  timestamp: string
  criteria_source: CriteriaSource
  criteria_checked: { criterion: string; command: string; result: 'pass' | 'fail'; output: string }[]
  total_criteria: number
  passed_criteria: number
  pass_ratio: number
  routing_decision: Routing
  skipped_steps: string[]
  note?: string
}

export interface TriageFacts {
  phaseId: string
  /** ISO. */
  at: string
  source: CriteriaSource
  outcomes: readonly CriterionOutcome[]
  /** A phase that is done anew or mended is never taken for done; one that a run has completed always is. */
  shortcut: 'allowed' | 'force' | 'remediation' | 'completed'
}

/** Steps that a phase that is only checked leaves out. */
const skippedSteps = ['research', 'plan', 'plan_check', 'execute']

/** What the criteria say of a phase before it is worked on. Pure. */
export function triageOf({ phaseId, at, source, outcomes, shortcut }: TriageFacts): Triage {
  const counted = outcomes.filter(({ status }) => status !== 'n/a')
  const passed = counted.filter(({ status }) => status === 'pass').length
  const ratio = passRatio(outcomes) ?? 0
  const ran = outcomes.some(({ runs }) => runs.length > 0)
  const isDone = shortcut === 'completed' || (ratio > implementedRatio && shortcut === 'allowed')
  const note = !ran
    ? 'no verifiable criteria for triage'
    : ratio > implementedRatio && !isDone
      ? `${shortcut}: the shortcut is not taken`
      : undefined
  return {
    phase_id: phaseId,
    timestamp: at,
    criteria_source: outcomes.length === 0 ? 'none' : source,
    criteria_checked: outcomes.flatMap(({ criterion, runs }) =>
      runs.map(({ command, assessment, output, reason }) => ({
        criterion: criterion.text,
        command,
        result: assessment === 'pass' ? ('pass' as const) : ('fail' as const),
        output: output === '' ? (reason ?? '') : output,
      })),
    ),
    total_criteria: counted.length,
    passed_criteria: passed,
    pass_ratio: Math.floor(ratio * 1000) / 1000,
    routing_decision: isDone ? 'verify_only' : 'full_pipeline',
    skipped_steps: isDone ? skippedSteps : [],
    ...(note === undefined ? {} : { note }),
  }
}

/** What the verifier of a phase that is only checked is handed. */
export function triageEvidence(outcomes: readonly CriterionOutcome[]): CommandReport[] {
  return reportsOf(outcomes)
}
