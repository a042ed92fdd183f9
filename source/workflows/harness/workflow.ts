import { jsonCodec } from '../../ledger/state-codec.js'
import { budgetsWith } from '../dispatch/run-budgets.js'
import { anyWorkflow, type Workflow } from '../workflow.js'
import { adoption } from './adoption.js'
import { specTitle } from './artifacts/spec.js'
import { checks } from './checks.js'
import { describe } from './describe.js'
import { doneReport } from './done-report.js'
import { inspectors } from './inspectors.js'
import { locate, moved } from './locate.js'
import { harnessMachine } from './machine.js'
import { personas } from './personas/personas.js'
import { archiveDir, placeOfSlug } from './places.js'
import { record } from './record.js'
import { openHarnessTools } from './session-tools.js'
import { sessionSlug } from './slug.js'
import { decisionLog } from './state/decisions.js'
import type { HarnessState } from './state/state.js'
import { harnessFileSchema } from './state/state-schema.js'

/** The first and default workflow: a spec's Implementation Order. It takes every text file, if need be by asking. */
export const harnessWorkflow: Workflow<HarnessState> = {
  name: 'harness',
  personas,
  place: (specPath) => placeOfSlug(sessionSlug(specPath)),
  locate,
  moved,
  record,
  codec: (place) => jsonCodec(harnessFileSchema(place.sessionDir)),
  adoption,
  describe,
  isDone: (state) => state.currentState === 'DONE',
  doneReport,
  budgets: budgetsWith(decisionLog),
  archiveDir,
  inspectors,
  checks,
  async machine(session) {
    const tools = await openHarnessTools(session)
    return harnessMachine(tools, await specTitle(tools))
  },
}

/** The same for whoever knows no state. */
export const harness = anyWorkflow(harnessWorkflow)
