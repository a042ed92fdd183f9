import { withEvents } from './events.js'
import { newPhase } from './phases.js'
import { type PhaseRecord, type PlaybookState, stateSchema } from './schema.js'

/** What a run begins with. */
export interface Beginning {
  /** ISO time. */
  at: string
  /** As `runIdOf` makes it. */
  runId: string
  spec: { path: string; hash: string }
  roadmapPath: string
  /** HEAD when the run begins. */
  head: string | null
  /** Every phase of the roadmap, in its order. */
  phases: readonly string[]
  /** Ids of the phases that are to be run, in that order. */
  queue: readonly string[]
  /** What is known of phases from runs before this one, by their keys. */
  carried: Readonly<Record<string, PhaseRecord>>
  flags: Readonly<Record<string, unknown>>
  threshold: number
  /** Named, and left out because they are completed. */
  skipped: readonly string[]
  /** Below this confidence of the verifier a person decides; carried from run to run. */
  confidence: number
}

/** `run-2026-02-09-143052` */
export function runIdOf(at: string): string {
  const digits = at.replace(/\D/g, '')
  return `run-${at.slice(0, 10)}-${digits.slice(8, 14)}`
}

/** The state of a run before its first phase. Pure. */
export function newState(from: Beginning): PlaybookState {
  const { at, queue } = from
  const phases = Object.fromEntries(
    from.phases.map((id) => [`phase_${id}`, from.carried[`phase_${id}`] ?? newPhase()] as const),
  )
  const state = stateSchema.parse({
    _meta: {
      run_id: from.runId,
      started_at: at,
      last_checkpoint: at,
      status: 'running',
      total_phases: queue.length,
      pass_threshold: from.threshold,
      autonomous_confidence_threshold: from.confidence,
      flags: from.flags,
      queue: [...queue],
    },
    spec: { ...from.spec, locked_at: at },
    roadmap_path: from.roadmapPath,
    last_checkpoint_sha: from.head,
    phases,
  })
  return withEvents(state, at, [
    { event: 'run_started', details: { queue: [...queue], flags: from.flags } },
    ...from.skipped.map((id) => ({
      event: 'phase_skipped' as const,
      phase: id,
      details: { reason: 'already_completed' },
    })),
  ])
}
