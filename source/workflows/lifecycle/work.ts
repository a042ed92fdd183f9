import type { Transition } from '../../run/machine.js'
import type { Run } from '../../run/run.js'
import type { Flow, FlowStep } from './flow/flow.js'
import { indexOfStep } from './flow/flow.js'
import { askedFor } from './scan/detectors.js'
import { emptiedIn } from './scan/emptied.js'
import { type Listing, listProject } from './scan/listing.js'
import { type LifecycleState, nameOfState, recordOf, type StateName } from './state/state.js'
import type { LifecycleTools } from './tools.js'

/** Where a state function leads. */
export type Leave = Transition<LifecycleState>

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
  /** What the file asked for when the visit began. */
  stateName: StateName
}

/** Whether a step begins with what the person wants: the first one of a new product, and of each loop. */
export function takesBrief({ tools, step, index, flowName }: StepWork): boolean {
  const { afterDone } = tools.flows.flows[flowName] ?? {}
  const opensLoop = afterDone?.flow === flowName && afterDone.step === step.id
  return opensLoop || opensProduct(step, index)
}

export const opensProduct = (step: Pick<FlowStep, 'name'> | undefined, index: number): boolean =>
  index === 0 && step?.name === 'Problem'

export function stepWork(state: LifecycleState, work: LifecycleWork): StepWork {
  const { current } = recordOf(state)
  const flow = work.tools.flows.flows[current.flow]
  const index = flow ? indexOfStep(flow, String(current.step)) : -1
  const step = flow?.steps[index]
  if (!flow || !step) throw new Error(`the flow ${current.flow} has no step ${current.step}`)
  const stateName = nameOfState(state, work.tools.flows)
  return { ...work, flowName: current.flow, flow, step, index, stateName }
}

/** Somebody has moved the file to another step, or out of this one, since the visit began. */
export function isElsewhere(work: StepWork, state = work.run.state): boolean {
  const { flowName, step, tools } = work
  const { current, conflicts } = recordOf(state)
  const isHere = current.flow === flowName && String(current.step) === step.id && current.name === step.name
  return !isHere || conflicts.length > 0 || nameOfState(state, tools.flows) !== work.stateName
}

/** A change that ends the visit; where somebody has moved the file meanwhile, that is where it goes on, unchanged. */
export function leaving(work: StepWork, change: (state: LifecycleState) => LifecycleState): Leave {
  return { change: (latest) => (isElsewhere(work, latest) ? latest : change(latest)) }
}

/**
 * A look at the project as it is now. Never kept: what is decided from it is. Documents are held against the last commit,
 * and against `start` where a step began with another one.
 */
export async function look({ root, flows, git }: LifecycleTools, start?: string): Promise<Listing> {
  const listing = await listProject(root, askedFor(flows))
  const head = await git.head().catch(() => null)
  const commits = [head, start].filter((commit) => typeof commit === 'string')
  return { ...listing, emptied: await emptiedIn({ root, git }, flows, listing, commits) }
}

/** The time, once. */
export function clock({ run, tools }: LifecycleWork, key: string): Promise<string> {
  return run.step(`time-${key}`, () => tools.now().toISOString())
}
