import { counted } from '../../counted.js'
import { readLifecycleState } from '../../documents/lifecycle-state.js'
import { budgetsWith } from '../dispatch/run-budgets.js'
import type { SessionTools } from '../tools.js'
import { anyWorkflow, type Workflow } from '../workflow.js'
import { describe } from './describe.js'
import { readFlows } from './flow/flow.js'
import { inspectProject } from './inspect-project.js'
import { stateInspector, tasksInspector } from './inspectors.js'
import { lifecycleMachine } from './machine.js'
import { personas } from './personas/personas.js'
import { archiveDir, flowFlag, placeOf, readSettings } from './places.js'
import { decisionLog } from './state/raises.js'
import { type LifecycleState, lifecycleCodec, recordOf, takesEdit } from './state/state.js'
import { statePathOf } from './state-path.js'

/** The life of a project, in `_docs/` (docs/lifecycle.md). */
export const lifecycleWorkflow: Workflow<LifecycleState> = {
  name: 'lifecycle',
  personas,
  place: () => placeOf(),
  locate: async (root) => placeOf(await statePathOf(root)),
  codec: () => lifecycleCodec,
  adoption: (text) => ({ lines: adoptionLines(text) }),
  takesEdit,
  describe,
  // The last state asks what comes next, and there is always a next time.
  isDone: () => false,
  reopens: true,
  takesFlags: true,
  doneReport: (state) => [`${counted(recordOf(state).completed.length, 'step is', 'steps are')} on record.`],
  budgets: budgetsWith(decisionLog),
  archiveDir,
  inspectors: [stateInspector, tasksInspector],
  inspectFolder: inspectProject,
  checks: async () => [],
  machine: async (session) => lifecycleMachine(await openLifecycleTools(session)),
}

/** The same for whoever knows no state. */
export const lifecycle = anyWorkflow(lifecycleWorkflow)

/** What taking over a state file of another hand means: where it stands, and what is not right in it. */
function adoptionLines(text: string): string[] {
  const { current, completed, warnings } = readLifecycleState(text)
  return [
    `Flow ${current.flow || 'unknown'}, step ${current.step ?? 'unknown'} ${current.name}, ${current.status || 'no status'}; ${counted(completed.length, 'completed step')}.`,
    'It stays byte for byte as it is; from now on the program writes it.',
    ...warnings.slice(0, 20),
  ]
}

async function openLifecycleTools(session: SessionTools) {
  const { root, flags } = session
  const flowFile = flowFlag(root, flags) ?? (await readSettings(root)).flowFile
  const { flows, broken } = await readFlows(root, flowFile)
  return { ...session, flows, broken, flowFile }
}
