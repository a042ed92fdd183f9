import { findings } from '../scan/detect.js'
import { evidenceLines } from '../scan/drift.js'
import { knownOf } from '../scan/rows.js'
import { recordOf } from '../state/state.js'
import { look, type StepWork } from '../work.js'

/** Whether the folders show the current step to be done, with what was looked at. */
export async function stepEvidence(work: StepWork): Promise<{ done: boolean; lines: string[] }> {
  const { run, tools, flowName, index } = work
  const known = knownOf(tools.flows, flowName, recordOf(run.state))
  const found = findings(tools.flows, flowName, await look(tools), known)[index]
  if (!found) return { done: false, lines: [] }
  return { done: found.state === 'done' && found.by === 'folders', lines: evidenceLines([found]) }
}
