import type { Fact } from '../../view/facts.js'
import { notBegun } from '../../view/not-begun.js'
import type { PhaseView, StepView, WorkflowView } from '../../view/view.js'
import { runFacts, tokenBudgets } from './gauges.js'
import { stepTitle } from './progress.js'
import { playbookReading } from './reading.js'
import type { SelectablePhase } from './selection/select.js'
import { isCarried, standingBehind } from './state/carry.js'
import { phaseIds, phaseOf, phasesWith } from './state/phases.js'
import {
  type PhaseRecord,
  type PhaseStatus,
  type PlaybookState,
  type StepName,
  stepNames,
} from './state/schema.js'
import { nameOfState } from './states/name-of-state.js'
import type { PlaybookTools } from './tools.js'

const statuses: Record<PhaseStatus, PhaseView['status']> = {
  not_started: 'pending',
  in_progress: 'in-progress',
  completed: 'complete',
  failed: 'failed',
  needs_human_verification: 'waiting',
  skipped: 'skipped',
}

/** What the screen shows of a run: its phases with their scores, and the nine steps of the current one. Pure. */
export function playbookView(state: PlaybookState | undefined, tools: PlaybookTools): WorkflowView {
  const base = {
    workflow: 'playbook',
    subject: tools.subject,
    title: 'Roadmap',
    session: tools.place.slug,
    interludes: [],
  }
  if (!state) return { ...notBegun(base), phases: tools.before.map(beforePhaseView) }
  const shown = phaseIds(state).filter((id) => isOfRun(state, id))
  const current = currentOf(state, shown)
  return {
    ...base,
    facts: runFacts(state, tools.settings.circuit_breaker),
    budgets: tokenBudgets(state, tools.settings.circuit_breaker),
    state: nameOfState(state),
    phases: shown.map((id) => phaseView(id, state, tools)),
    ...(current === undefined ? {} : { currentPhase: current }),
    steps: current === undefined ? [] : stepViews(phaseOf(state, current), state._meta.current_step),
    ...playbookReading(state, shown, current),
  }
}

/** The phase in work; once none is left, the first that waits for a person. */
function currentOf(state: PlaybookState, shown: readonly string[]): string | undefined {
  const waiting =
    nameOfState(state) === 'VERDICTS' ? phasesWith(state, 'needs_human_verification')[0] : undefined
  const id = waiting ?? state._meta.current_phase
  return id !== null && shown.includes(id) ? id : undefined
}

/** Phases of earlier runs that this one has nothing to do with are left out. */
function isOfRun({ _meta, phases }: PlaybookState, id: string): boolean {
  const record = phases[`phase_${id}`]
  if (_meta.queue.includes(id) || record === undefined) return _meta.queue.includes(id)
  return record.status !== 'not_started' && !isCarried(record)
}

function phaseView(id: string, state: PlaybookState, { outline }: PlaybookTools): PhaseView {
  const record = phaseOf(state, id)
  // An earlier run has completed it; this one has yet to come to it.
  const isAhead = isCarried(record) && state._meta.queue.includes(id)
  return {
    id,
    name: outline.get(id)?.name ?? id,
    status: isAhead ? 'pending' : statuses[record.status],
    facts: [
      ...scoreFacts(record),
      ...(standingBehind(record) === undefined ? [] : [{ text: 'stays completed', tone: 'warn' as const }]),
    ],
  }
}

/** A phase as it stands before a run has begun, for whoever picks. */
function beforePhaseView({ id, name, status, score }: SelectablePhase): PhaseView {
  return { id, name, status: statuses[status], facts: score === null ? [] : [scoreFact(score)] }
}

export function scoreFacts({ alignment_score: score, steps, force_incomplete: forced }: PhaseRecord): Fact[] {
  if (score === null) return []
  return [
    scoreFact(score, steps.rate.score_band?.replaceAll('_', ' ')),
    ...(forced ? [{ text: 'below threshold', tone: 'warn' as const }] : []),
  ]
}

function scoreFact(score: number, band = ''): Fact {
  const tone = score >= 9 ? 'good' : score >= 7 ? 'warn' : 'bad'
  return { text: `${score.toFixed(1)} ${band}`.trim(), tone }
}

/** Words of the state file for a step, as the screen marks it. */
const stepMarks: Readonly<Record<string, StepView['status']>> = {
  pending: 'todo',
  running: 'current',
  skipped: 'skipped',
  fail: 'failed',
}

/** Pure; exported for tests. */
export function stepViews(record: PhaseRecord, current: string | null): StepView[] {
  const marks = stepNames.map((name: StepName): StepView['status'] => {
    const mark = stepMarks[record.steps[name].status] ?? 'done'
    return mark === 'todo' && name === current ? 'current' : mark
  })
  const at = marks.indexOf('current')
  return stepNames.map((name: StepName, index) => {
    const mark = marks[index] ?? 'todo'
    // What was done before the phase was taken up again is done anew.
    const isAhead = at >= 0 && index > at && (mark === 'done' || mark === 'failed')
    return { id: name, name: stepTitle(name), status: isAhead ? 'todo' : mark }
  })
}
