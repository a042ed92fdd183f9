import type { Pass } from '../pass.js'
import { type Mark, stepBegins, stepEnds, stepSkipped } from '../progress.js'
import type { EventDraft } from '../state/events.js'
import { type StepRecord, withPhase, withStep } from '../state/phases.js'
import type { PhaseRecord, StepName } from '../state/schema.js'
import { joinTrace } from '../step-traces.js'
import { msBetween, type PhaseWork, save, savePhase } from '../work.js'

/** How a step of the nine came out, for the state and for whoever watches. */
export interface StepEnd<Name extends StepName> {
  record: Partial<StepRecord<Name>>
  mark: Mark
  /** Behind the line that says it is complete. */
  more?: string
  /** True for one that stops the phase or leads to another try. */
  failed?: boolean
  /** What else of the phase changes with it. */
  change?: (phase: PhaseRecord) => PhaseRecord
  events?: readonly Omit<EventDraft, 'phase'>[]
}

/**
 * One step of the nine: the state says that it is at work and how it ended, as events and in words. What the body gives
 * back is handed on.
 */
export async function runStep<Name extends StepName, Result>(
  work: Pass,
  name: Name,
  body: () => Promise<{ result: Result; end: StepEnd<Name> }>,
  more?: string,
): Promise<Result> {
  const { facts, at } = work
  const running = { status: 'running' } as Partial<StepRecord<Name>>
  const begun = await save(
    work,
    `${at}${name}-begins`,
    (state) => ({
      ...withPhase(state, facts.id, (phase) => withStep(phase, name, running)),
      _meta: { ...state._meta, current_phase: facts.id, current_step: name },
    }),
    [{ event: 'step_started', phase: facts.id, step: name }],
  )
  work.log.clock = begun._meta.last_checkpoint
  await stepBegins(work, name, more)
  const { result, end } = await body()
  const { failed = false, change = (phase: PhaseRecord) => phase } = end
  const ended = await savePhase(work, `${name}-ends`, (phase) => change(withStep(phase, name, end.record)), [
    ...(end.events ?? []),
    { event: failed ? 'step_failed' : 'step_completed', step: name },
    { event: 'checkpoint_written', step: name },
  ])
  const ms = msBetween(begun, ended)
  await joinTrace(work, name, { at: ended._meta.last_checkpoint, ms, ok: !failed, output: end.more ?? '' })
  await stepEnds(work, name, { mark: end.mark, ms, more: end.more })
  return result
}

/** A step that is not taken, and why. */
export async function skipStep(work: PhaseWork, name: StepName, reason: string): Promise<void> {
  await savePhase(work, `${name}-skipped`, (phase) =>
    withStep(phase, name, { status: 'skipped' } as Partial<StepRecord<typeof name>>),
  )
  await stepSkipped(work, name, reason)
}
