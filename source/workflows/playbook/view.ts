import type { Fact } from '../../view/facts.js'
import { plainFact } from '../../view/facts.js'
import type { PhaseView, StepView, WorkflowView } from '../../view/view.js'
import { stepTitle } from './progress.js'
import { isCarried } from './state/carry.js'
import { phaseIds, phaseOf } from './state/phases.js'
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
  if (!state)
    return {
      ...base,
      facts: [],
      state: 'INIT',
      phases: [],
      steps: [{ id: 'INIT', name: 'INIT', status: 'current' }],
    }
  const { current_phase: current } = state._meta
  const shown = phaseIds(state).filter((id) => isOfRun(state, id))
  return {
    ...base,
    facts: runFacts(state),
    state: nameOfState(state),
    phases: shown.map((id) => phaseView(id, phaseOf(state, id), tools)),
    ...(current === null || !shown.includes(current) ? {} : { currentPhase: current }),
    steps: current === null ? [] : stepViews(phaseOf(state, current), state._meta.current_step),
  }
}

/** Phases of earlier runs that this one has nothing to do with are left out. */
function isOfRun({ _meta, phases }: PlaybookState, id: string): boolean {
  const record = phases[`phase_${id}`]
  if (_meta.queue.includes(id) || record === undefined) return _meta.queue.includes(id)
  return record.status !== 'not_started' && !isCarried(record)
}

function phaseView(id: string, record: PhaseRecord, { outline }: PlaybookTools): PhaseView {
  return {
    id,
    name: outline.get(id)?.name ?? id,
    status: statuses[record.status],
    facts: scoreFacts(record),
  }
}

export function scoreFacts({ alignment_score: score, steps, force_incomplete: forced }: PhaseRecord): Fact[] {
  if (score === null) return []
  const tone = score >= 9 ? 'good' : score >= 7 ? 'warn' : 'bad'
  const band = steps.rate.score_band?.replaceAll('_', ' ')
  return [
    { text: `${score.toFixed(1)}/10`, tone },
    ...(band ? [{ text: band, tone: 'quiet' as const }] : []),
    ...(forced ? [{ text: 'below threshold', tone: 'warn' as const }] : []),
  ]
}

function runFacts(state: PlaybookState): Fact[] {
  const { circuit_breaker: breaker, _meta } = state
  const retries = _meta.total_retries
  return [
    plainFact(`threshold ${_meta.pass_threshold.toFixed(1)}`),
    ...(retries > 0 ? [plainFact(`${retries} retries`)] : []),
    ...(breaker.state === 'closed'
      ? []
      : [{ text: `breaker ${breaker.state.replace('_', ' ')}`, tone: 'bad' as const }]),
  ]
}

/** Words of the state file for a step, as the screen marks it. */
const stepMarks: Readonly<Record<string, StepView['status']>> = {
  pending: 'todo',
  running: 'current',
  skipped: 'skipped',
  fail: 'failed',
}

function stepViews(record: PhaseRecord, current: string | null): StepView[] {
  return stepNames.map((name: StepName) => {
    const { status } = record.steps[name]
    const mark = stepMarks[status] ?? 'done'
    return { id: name, name: stepTitle(name), status: mark === 'todo' && name === current ? 'current' : mark }
  })
}
