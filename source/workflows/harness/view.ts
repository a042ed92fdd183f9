import type { StepView, WorkflowView } from '../../view/view.js'
import type { HarnessState, StateName } from './state/state.js'
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

/** What the screen shows of the state (design.md section 3): pure. */
export function harnessView(
  state: HarnessState | undefined,
  tools: Pick<HarnessTools, 'specPath' | 'slug'>,
  title: string,
): WorkflowView {
  const base = { workflow: 'harness' as const, spec: tools.specPath, title, session: tools.slug }
  if (!state) {
    return {
      ...base,
      rigor: '',
      state: 'INIT',
      phases: [],
      currentPhase: 0,
      steps: [{ name: 'INIT', status: 'current' }],
    }
  }
  return {
    ...base,
    rigor: state.rigorLevel,
    state: state.currentState,
    phases: state.phases.map((phase, index) => ({
      number: index + 1,
      name: phase.name,
      complexity: phase.complexity,
      ...(phase.complexityOverride ? { override: phase.complexityOverride } : {}),
      status: phase.status,
    })),
    currentPhase: state.currentPhase,
    steps: steps(state.currentState),
  }
}

function steps(current: StateName): StepView[] {
  const names = closingSteps.includes(current) ? closingSteps : phaseSteps
  const at = names.indexOf(current)
  return names.map((name, index) => ({
    name,
    status: index < at ? 'done' : index === at ? 'current' : 'todo',
  }))
}
