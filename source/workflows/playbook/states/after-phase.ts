import { dependentsOf } from '../../../documents/playbook-order.js'
import type { Transition } from '../../../run/machine.js'
import { afterPassedPhase } from '../breaker/breaker.js'
import type { RunHalted } from '../circuit.js'
import { afterFailure } from '../decisions/after-phase.js'
import { autonomousRate, deferralRate } from '../decisions/human-verification.js'
import type { PhaseReturn } from '../phase-return.js'
import { ownPhases, standingBehind, withoutStanding } from '../state/carry.js'
import { type EventDraft, withEvents } from '../state/events.js'
import { phaseOf, withPhase } from '../state/phases.js'
import type { PlaybookState } from '../state/schema.js'
import { commitArtifacts } from '../steps/artifacts-commit.js'
import { tickRoadmap } from '../steps/roadmap-tick.js'
import type { PhaseWork } from '../work.js'

// What follows from the result of a phase: its status, and where the run goes on.

/** A phase that passed, or waits for a person: the next one begins. */
export async function completeRun(
  work: PhaseWork,
  returned: PhaseReturn,
): Promise<Transition<PlaybookState>> {
  const { id } = work.facts
  const waits = returned.status === 'needs_human_verification'
  if (!waits) await tickRoadmap(work)
  await commitArtifacts(work, 'artifacts')
  const head = await work.run.step('head-after', () => work.tools.git.head())
  const at = await work.run.step('completed-at', () => work.tools.now().toISOString())
  return {
    change: (state) => {
      const next = withPhase(state, id, (record) => ({
        // What a person finds wrong of it is taken back to what an earlier run completed.
        ...(waits ? record : withoutStanding(record)),
        status: waits ? 'needs_human_verification' : 'completed',
        completed_at: waits ? null : at,
      }))
      const moved = withDeferral(behind(next, id, head), id, {
        at,
        waits,
        confidence: returned.autonomous_confidence ?? null,
      })
      const details = {
        score: returned.alignment_score,
        status: waits ? 'needs_human_verification' : 'completed',
      }
      const { breaker, happened } = afterPassedPhase(state.circuit_breaker)
      const passed = { ...moved, circuit_breaker: { ...state.circuit_breaker, ...breaker } }
      const events: EventDraft[] = [
        ...(happened?.kind === 'closed' ? [{ event: 'circuit_breaker_closed' as const, phase: id }] : []),
        ...(waits ? [] : [{ event: 'phase_completed' as const, phase: id, details }]),
      ]
      return counted(withEvents(passed, at, events), at)
    },
  }
}

/** A phase that failed: the run goes on where nothing that is left needs it. */
export async function settleFailure(
  work: PhaseWork,
  returned: PhaseReturn,
): Promise<Transition<PlaybookState>> {
  const { id } = work.facts
  await commitArtifacts(work, 'artifacts')
  const at = await work.run.step('failed-at', () => work.tools.now().toISOString())
  const head = await work.run.step('head-after', () => work.tools.git.head())
  return {
    change: (state) => {
      const next = behind(
        withPhase(state, id, (record) => ({ ...record, status: 'failed', completed_at: at })),
        id,
        head,
      )
      const failed = withEvents(next, at, [
        { event: 'phase_failed', phase: id, details: { issues: returned.issues.slice(-5) } },
      ])
      return counted(goOn(work, failed, { id, at, issues: returned.issues }), at)
    },
  }
}

/** A bound of the whole run is reached: nothing of it goes on. */
export async function haltRun(
  work: PhaseWork,
  { why, message }: RunHalted,
): Promise<Transition<PlaybookState>> {
  const { id } = work.facts
  const head = await work.run.step('head-after', () => work.tools.git.head())
  const at = await work.run.step('halted-at', () => work.tools.now().toISOString())
  return {
    change: (state) => {
      const failed = withPhase(state, id, (record) => ({ ...record, status: 'failed', completed_at: at }))
      const halted = {
        ...failed,
        last_checkpoint_sha: head ?? failed.last_checkpoint_sha,
        _meta: { ...failed._meta, status: 'failed' as const },
      }
      const details = { reason: why.reason, threshold: why.threshold, value: why.value }
      const told = withEvents(halted, at, [
        {
          event: 'phase_failed',
          phase: id,
          details: { issues: [message] },
        },
        { event: 'run_halted', phase: id, details },
      ])
      return counted(told, at)
    },
  }
}

/** Drops what depends on a failed phase, or ends the run with it. */
function goOn(
  { tools }: PhaseWork,
  state: PlaybookState,
  { id, at, issues }: { id: string; at: string; issues: readonly string[] },
): PlaybookState {
  const { queue, flags } = state._meta
  const phases = [...tools.outline.values()].map(({ id: one, dependsOn }) => ({ id: one, dependsOn }))
  const dependents = dependentsOf(phases, [id]).filter((one) => queue.includes(one))
  const next = afterFailure({
    issues,
    isComplete: flags.complete === true,
    isStanding: standingBehind(phaseOf(state, id)) !== undefined,
    hasDependents: dependents.length > 0,
  })
  if (next === 'go-on') return state
  if (next === 'run-failed') {
    const halted = { ...state, _meta: { ...state._meta, status: 'failed' as const } }
    return withEvents(halted, at, [
      { event: 'run_halted', phase: id, details: { reason: `phase ${id} failed` } },
    ])
  }
  const dropped = {
    ...state,
    _meta: { ...state._meta, queue: queue.filter((one) => !dependents.includes(one)) },
  }
  const skipped = dependents.reduce(
    (left, one) => withPhase(left, one, (record) => ({ ...record, status: 'skipped' })),
    dropped,
  )
  return withEvents(
    skipped,
    at,
    dependents.map((one) => ({
      event: 'phase_skipped',
      phase: one,
      details: { reason: `blocked_by_phase_${id}` },
    })),
  )
}

/** The queue without this phase; HEAD is what the next one is compared with. */
function behind(state: PlaybookState, id: string, head: string | null): PlaybookState {
  return {
    ...state,
    last_checkpoint_sha: head ?? state.last_checkpoint_sha,
    _meta: {
      ...state._meta,
      queue: state._meta.queue.filter((one) => one !== id),
      current_step: null,
      total_phases_processed: state._meta.total_phases_processed + 1,
    },
  }
}

/** Who decided the phase, and how many were left to people so far. */
function withDeferral(
  state: PlaybookState,
  id: string,
  { at, waits, confidence }: { at: string; waits: boolean; confidence: number | null },
): PlaybookState {
  const entry = {
    phase_id: id,
    reason: waits ? ('deferred' as const) : ('completed' as const),
    autonomous_confidence: confidence,
    human_verdict: null,
    timestamp: at,
  }
  const history = [...state._meta.deferral_history, entry]
  const deferred = history.filter(({ reason }) => reason === 'deferred').length
  const { rate, warns } = deferralRate(deferred, history.length, state._meta.deferral_rate_limit)
  const next = {
    ...state,
    _meta: {
      ...state._meta,
      deferral_history: history,
      autonomous_resolution_rate: autonomousRate(history),
    },
  }
  return warns && waits
    ? withEvents(next, at, [{ event: 'high_defer_rate_warning', phase: id, details: { rate } }])
    : next
}

/** Figures over all phases of the run. */
function counted(state: PlaybookState, at: string): PlaybookState {
  const statuses = ownPhases(state).map((id) => phaseOf(state, id).status)
  const count = (status: string) => statuses.filter((one) => one === status).length
  const minutes = (Date.parse(at) - Date.parse(state._meta.started_at)) / 60_000
  return {
    ...state,
    _meta: {
      ...state._meta,
      last_checkpoint: at,
      human_deferred_count: count('needs_human_verification'),
    },
    metrics: {
      ...state.metrics,
      phases_completed: count('completed'),
      phases_failed: count('failed'),
      total_duration_minutes: Math.round(minutes * 10) / 10,
    },
  }
}
