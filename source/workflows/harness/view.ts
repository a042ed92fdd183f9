import { plainFact } from '../../view/facts.js'
import { notBegun } from '../../view/not-begun.js'
import type { Interlude, PhaseView, StepView, WorkflowView } from '../../view/view.js'
import { badgeFacts } from '../evidence/badges.js'
import { phaseBadges } from './evidence-lines.js'
import { openPhases } from './interludes/reorder.js'
import { phaseMark } from './phases.js'
import { harnessReading } from './reading.js'
import type { HarnessState, Phase, StateName } from './state/state.js'
import type { HarnessTools } from './tools.js'

const phaseSteps: StateName[] = [
  'ASSESS',
  'PLAN',
  'APPROVE_PLAN',
  'EXECUTE',
  'VERIFY',
  'REVIEW',
  'PHASE_COMPLETE',
]
const closingSteps: StateName[] = ['FINAL_REVIEW', 'DONE']

/** What a person may ask for between two states. */
const interludes: Interlude[] = [{ id: 'reorder', label: 'reorder or skip phases', hint: 'reorder' }]

/** What the screen shows of the state : pure. */
export function harnessView(
  state: HarnessState | undefined,
  tools: Pick<HarnessTools, 'specPath' | 'slug'>,
  title: string,
): WorkflowView {
  const named = { workflow: 'harness', subject: tools.specPath, title, session: tools.slug }
  if (!state) return notBegun({ ...named, interludes: [] })
  const base = { ...named, interludes: openPhases(state).length > 0 ? interludes : [] }
  return {
    ...base,
    facts: [plainFact(state.rigorLevel)],
    state: state.currentState,
    phases: state.phases.map(phaseView),
    ...currentOf(state),
    steps: steps(state),
    ...(state.currentState === 'DONE'
      ? {}
      : { closing: { name: 'final review', persona: 'harness-code-reviewer' } }),
    ...harnessReading(state),
  }
}

/** A phase is known by its number from 1, also in records of what it has used. */
function phaseView(phase: Phase, index: number): PhaseView {
  const { name, status, complexity, complexityOverride } = phase
  const fact = complexityOverride ? `${complexity} -> ${complexityOverride}` : complexity
  const facts = [plainFact(fact), ...badgeFacts(phaseBadges(phase))]
  const id = String(index + 1)
  const label = phaseMark(phase, index)
  return { id, ...(label === id ? {} : { label }), name, status, facts }
}

/** The place of a state can be behind its last phase; that one is shown then. */
function currentOf({ phases, currentPhase }: HarnessState): Pick<WorkflowView, 'currentPhase'> {
  if (phases.length === 0) return {}
  return { currentPhase: String(Math.min(currentPhase + 1, phases.length)) }
}

function steps(state: HarnessState): StepView[] {
  const { currentState: current } = state
  const names = closingSteps.includes(current) ? closingSteps : phaseSteps
  const at = names.indexOf(current)
  const left = skippedSteps(state)
  return names.map((name, index) => ({
    id: name,
    name,
    status: index === at ? 'current' : index > at ? 'todo' : left.includes(name) ? 'skipped' : 'done',
  }))
}

/** What of the current phase was not done and will not be. */
function skippedSteps({ phases, currentPhase }: HarnessState): StateName[] {
  const phase = phases[currentPhase]
  if (phase?.status === 'skipped') return ['EXECUTE', 'VERIFY', 'REVIEW']
  return phase?.verification === 'skipped' ? ['VERIFY'] : []
}
