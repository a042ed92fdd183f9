import { plainFact } from '../../view/facts.js'
import type { StateSummary } from '../../view/summary.js'
import type { Place } from '../place.js'
import { indexOfCurrent, readFlows } from './flow/flow.js'
import { readSettings } from './places.js'
import { askedFor } from './scan/detectors.js'
import { listProject } from './scan/listing.js'
import { taskFiles } from './scan/tasks.js'
import { type LifecycleState, nameOfState, recordOf } from './state/state.js'
import { stepMarks, summaryLines } from './summary.js'

/** What a state of this workflow says to lists. The task files give the tasks. */
export async function describe(
  state: LifecycleState,
  { root, place }: { root: string; place: Place },
): Promise<StateSummary> {
  const { flowFile } = await readSettings(root)
  const { flows } = await readFlows(root, flowFile)
  const { current } = recordOf(state)
  const flow = flows.flows[current.flow]
  const marks = stepMarks(state, flows)
  const steps = flow?.steps ?? []
  const at = flow ? indexOfCurrent(flow, current) : -1
  const step = steps[at]
  const listing = await listProject(root, askedFor(flows))
  const [todo, all] = [taskFiles(listing, 'todo').length, taskFiles(listing, 'all').length]
  return {
    subject: '_docs',
    title: 'Project lifecycle',
    phaseWord: 'step',
    state: nameOfState(state, flows),
    phase: step ? { id: step.id, number: at + 1, name: step.name, total: steps.length } : null,
    progress: {
      phasesComplete: marks.filter((mark) => mark === 'done').length,
      phasesTotal: steps.length,
      tasksComplete: all - todo,
      tasksTotal: all,
    },
    facts: [plainFact(current.flow), plainFact(current.status)],
    rigor: null,
    phases: steps.map(({ id, name }, index) => ({
      id,
      number: index + 1,
      name,
      status:
        marks[index] === 'done'
          ? 'complete'
          : marks[index] === 'current'
            ? current.status
            : (marks[index] ?? 'open'),
      facts: [],
    })),
    report: summaryLines(state, flows, place.stateFile),
  }
}
