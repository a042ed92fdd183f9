import type { Run } from '../../run/run.js'
import type { Flow, FlowStep } from './flow/flow.js'
import { indexOfStep } from './flow/flow.js'
import { askedFor } from './scan/detect.js'
import { type Listing, listProject } from './scan/listing.js'
import { type LifecycleState, recordOf } from './state/state.js'
import type { LifecycleTools } from './tools.js'

/** A state function at work. */
export interface LifecycleWork {
  run: Run<LifecycleState>
  tools: LifecycleTools
}

/** The same, at a step of a flow. */
export interface StepWork extends LifecycleWork {
  flowName: string
  flow: Flow
  step: FlowStep
  /** Its place in the flow, from 0. */
  index: number
}

export function stepWork(state: LifecycleState, work: LifecycleWork): StepWork {
  const { current } = recordOf(state)
  const flow = work.tools.flows.flows[current.flow]
  const index = flow ? indexOfStep(flow, String(current.step)) : -1
  const step = flow?.steps[index]
  if (!flow || !step) throw new Error(`the flow ${current.flow} has no step ${current.step}`)
  return { ...work, flowName: current.flow, flow, step, index }
}

/** A look at the project as it is now. Never kept: what is decided from it is. */
export function look({ root, flows }: LifecycleTools): Promise<Listing> {
  return listProject(root, askedFor(flows))
}

/** The time, once. */
export function clock({ run, tools }: LifecycleWork, key: string): Promise<string> {
  return run.step(`time-${key}`, () => tools.now().toISOString())
}
