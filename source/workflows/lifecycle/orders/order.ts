import { readLifecycleState, type SubStep } from '../../../documents/lifecycle-state.js'
import { type Detector, docsDir, type FlowStep, type Flows } from '../flow/flow.js'
import { isRowOnly } from '../scan/detectors.js'
import { briefOf } from '../state/changes.js'
import type { StepWork } from '../work.js'
import type { Thread } from './thread.js'

/** The answer to the gate of a worker, for its next dispatch. */
export interface GateAnswer {
  id: string
  choice: string
  note?: string
}

/** What a dispatch is told, in its file and in its prompt (docs/lifecycle.md, "The worker"). */
export interface WorkerOrder {
  projectDir: string
  flow: string
  step: { id: string; name: string; number: number; total: number }
  subStep?: SubStep
  subSteps?: SubStep[]
  skill?: string
  /** Decisions of this step that the flow leaves to a person. Told in the prompt. */
  gates: NonNullable<FlowStep['gates']>
  /** From 1. */
  attempt: number
  /** 0 is the first run. */
  retry: { attempt: number; errors: string[] }
  gateAnswer?: GateAnswer
  docsDir: string
  statePath: string
  freshContext: boolean
  brief?: string
  prepareOnly?: boolean
  /** What was returned before in the same conversation; empty in a fresh one. */
  earlier: { step: string; result: unknown }[]
  /** What shows that the step is done, in words; empty where nothing does. */
  done: string[]
}

/** What is not in the state of the file. */
export interface OrderFacts {
  retry: { attempt: number; errors: string[] }
  thread: Thread
  gateAnswer?: GateAnswer
  prepareOnly: boolean
}

/** The order for a run of a step, from the newest text of the state file. Pure. */
export function orderOf(
  { tools, flow, flowName, step, index }: StepWork,
  text: string,
  facts: OrderFacts,
): WorkerOrder {
  const { current } = readLifecycleState(text)
  const { retry, thread, gateAnswer, prepareOnly } = facts
  const brief = briefOf(text)
  return {
    projectDir: tools.root,
    flow: flowName,
    step: { id: step.id, name: step.name, number: index + 1, total: flow.steps.length },
    ...(current.subStep ? { subStep: current.subStep } : {}),
    ...(step.subSteps ? { subSteps: step.subSteps } : {}),
    ...(step.skill === undefined ? {} : { skill: step.skill }),
    gates: step.gates ?? [],
    attempt: retry.attempt + 1,
    retry,
    ...(gateAnswer ? { gateAnswer } : {}),
    docsDir,
    statePath: tools.place.stateFile,
    freshContext: thread.fresh,
    ...(brief === undefined ? {} : { brief }),
    ...(prepareOnly ? { prepareOnly } : {}),
    earlier: thread.fresh ? [] : thread.earlier,
    done: doneWords(tools.flows, step),
  }
}

/** The fields of the dispatch file; `attempt` is added by the dispatch itself. */
export function briefFields({
  projectDir: _,
  attempt: __,
  done: ___,
  gates: ____,
  earlier,
  ...order
}: WorkerOrder): Record<string, unknown> {
  return { expects: 'step', ...order, ...(order.freshContext ? {} : { earlier }) }
}

function doneWords(flows: Flows, step: FlowStep): string[] {
  if (isRowOnly(step.done)) return []
  const loose = flows.planDoneMarker === 'loose' && step.name === 'Plan' && step.partial
  return words(loose ? loose : step.done)
}

function words(detector: Detector): string[] {
  const path = (glob: string) => `\`${docsDir}/${glob}\``
  if ('row' in detector) return []
  if ('exists' in detector) return [path(detector.exists)]
  if ('filled' in detector) return [`${path(detector.filled)}, filled`]
  if ('empty' in detector) return [`${path(detector.empty)}, empty`]
  if ('contains' in detector)
    return [`${path(detector.contains.file)}, with \`${detector.contains.pattern}\` in it`]
  if ('newer' in detector) return [`${path(detector.newer.file)}, newer than ${path(detector.newer.than)}`]
  if ('task' in detector)
    return [
      `${path('02_tasks/todo/*.md')}, with ${detector.task === 'test' ? 'a test task' : 'a task that is no test task'}`,
    ]
  if ('not' in detector) return words(detector.not).map((word) => `not: ${word}`)
  if ('all' in detector) return detector.all.flatMap(words)
  return [detector.any.map((one) => words(one).join(' and ')).join(', or ')]
}
