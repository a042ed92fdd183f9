import type { FlowStep } from '../flow/flow.js'
import type { WorkerGate } from '../results.js'
import { decisionsOfLoop } from '../state/changes.js'
import type { StepWork } from '../work.js'

// Decisions that a flow leaves to a person (docs/lifecycle.md, "Gates of the worker"): asked, whether the worker asks or not.

/** How the answer to a gate of a step begins in Key Decisions. */
export const answerTo = ({ id, name }: Pick<FlowStep, 'id' | 'name'>, gate: string) =>
  `${id} ${name}, ${gate}: `

/** The id of the flow for a gate that a worker asks; its own where the flow has no such gate. */
export function recordedId({ gates = [] }: Pick<FlowStep, 'gates'>, { id, question }: WorkerGate): string {
  const plain = (text: string) => text.trim().toLowerCase()
  const known = gates.find((one) => plain(one.id) === plain(id) || plain(one.question) === plain(question))
  return known?.id ?? id
}

/** A gate that the flow names for the step, and that no person has answered in this loop; null where there is none. */
export async function openGate({ run, step }: StepWork, round: number): Promise<WorkerGate | null> {
  const found = await run.step(`gates-${round}`, () => {
    const decisions = decisionsOfLoop(run.state.text)
    const isAnswered = (gate: string) =>
      decisions.some((line) => line.includes(` Q-WORKER: ${answerTo(step, gate)}`))
    const gate = step.gates?.find(({ id }) => !isAnswered(id))
    if (gate === undefined) return null
    const { id, question, options, recommend } = gate
    return { id, question, options, ...(recommend === undefined ? {} : { recommendation: recommend }) }
  })
  return found as WorkerGate | null
}
