import { plainFact } from '../../view/facts.js'
import { notBegun } from '../../view/not-begun.js'
import type { PhaseView, WorkflowView } from '../../view/view.js'
import { indexOfCurrent } from './flow/flow.js'
import { subStepTasks } from './orders/sub-step-tasks.js'
import { type LifecycleState, nameOfState, recordOf } from './state/state.js'
import { type StepMark, stepMarks } from './summary.js'
import type { LifecycleTools } from './tools.js'

const statuses: Record<StepMark, PhaseView['status']> = {
  done: 'complete',
  current: 'in-progress',
  open: 'pending',
  skipped: 'skipped',
  failed: 'failed',
}

/** What the screen shows of the state: the steps of the flow where another workflow has phases. Pure. */
export function lifecycleView(state: LifecycleState | undefined, tools: LifecycleTools): WorkflowView {
  const base = {
    workflow: 'lifecycle',
    subject: tools.subject,
    title: 'Project lifecycle',
    session: tools.place.slug,
    interludes: [],
    phaseWord: 'Step',
  }
  if (!state) return notBegun(base)
  const { current } = recordOf(state)
  const flow = tools.flows.flows[current.flow]
  const marks = stepMarks(state, tools.flows)
  const retry =
    current.retryCount > 0 ? [plainFact(`retry ${current.retryCount}/${tools.flows.maxAutoRetries}`)] : []
  const at = flow ? indexOfCurrent(flow, current) : -1
  return {
    ...base,
    documents: [{ id: 'state', kind: 'plan', title: 'state file', path: tools.place.stateFile }],
    facts: [plainFact(current.flow), ...retry],
    state: nameOfState(state, tools.flows),
    phases: (flow?.steps ?? []).map((step, index) => ({
      id: step.id,
      name: step.name,
      status: index === at && current.status === 'not_started' ? 'waiting' : statuses[marks[index] ?? 'open'],
      facts: [...(step.optional ? [plainFact('optional')] : []), ...(index === at ? retry : [])],
    })),
    ...(flow?.steps[at] ? { currentPhase: flow.steps[at].id } : {}),
    steps: subStepTasks(flow?.steps[at]?.subSteps ?? [], current.subStep).map(({ id, title, status }) => ({
      id,
      name: title,
      status: status === 'complete' ? 'done' : status === 'in_progress' ? 'current' : 'todo',
    })),
  }
}
