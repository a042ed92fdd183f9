import { counted } from '../../../counted.js'
import {
  addBlocker,
  addCompleted,
  addDecision,
  addRetry,
  clearBlockers,
  clearRetries,
  setCurrent,
  setLastSession,
} from '../../../documents/lifecycle-edit.js'
import { readLifecycleState, stepIdOf, subStepText } from '../../../documents/lifecycle-state.js'
import type { Flow, FlowStep, Flows } from '../flow/flow.js'
import { indexOfStep } from '../flow/flow.js'
import type { Position } from '../scan/detect.js'

// What the transitions of a step make of the text (docs/lifecycle.md, "Transitions"). Pure; `at` is an ISO time.

/** ISO 8601 with an offset, as the file has timestamps. */
export function timestamp(at: string): string {
  return at.replace(/\.\d{1,3}Z$/, 'Z').replace(/Z$/, '+00:00')
}

const day = (at: string) => at.slice(0, 10)

/** One line of Key Decisions: when, at which gate, what. */
export function decided(text: string, at: string, gate: string, what: string): string {
  return addDecision(text, `${timestamp(at)} ${gate}: ${what}`)
}

export type SessionReason = 'completed step' | 'session boundary' | 'user paused' | 'context limit'

/** Notes that begin as those of the program itself, which say nothing any more once another session has ended. */
export const isOwnNote = (notes: string): boolean =>
  /^(?:Decompose complete|Task ready), implementation ready(?: |$)/.test(notes)

/** Last Session, ended at a step, with its sub-step where there is one. Notes of others stay. */
export function sessionEnded(
  text: string,
  step: Pick<FlowStep, 'id' | 'name'>,
  ended: { at: string; reason: SessionReason; notes?: string },
): string {
  const { current, lastSession } = readLifecycleState(text)
  const { subStep } = current
  const kept = lastSession.notes === undefined || isOwnNote(lastSession.notes) ? undefined : lastSession.notes
  const notes = ended.notes ?? kept
  const where = subStep ? ` \u2014 SubStep ${subStepText(subStep).replace(' \u2014 ', ' ')}` : ''
  return setLastSession(text, {
    date: day(ended.at),
    endedAt: `Step ${step.id} ${step.name}${where}`,
    reason: ended.reason,
    ...(notes === undefined ? {} : { notes }),
  })
}

/** A step that ends: how, and what is said of it. */
export interface StepEnd {
  at: string
  /** Key Outcome of the row. */
  outcome: string
  /** Last Session is told of it: not of steps that were passed over. */
  notes?: string
}

/** The row of a finished step, and the next step as the current one, not started. */
export function stepEnded(text: string, flow: Flow, index: number, end: StepEnd): string {
  const step = flow.steps[index]
  if (!step) return text
  const boundary = step.boundaryAfter === true && index + 1 < flow.steps.length
  const reason = boundary ? 'session boundary' : 'completed step'
  const notes = boundary ? boundaryNotes(step) : end.notes
  const row = { step: stepIdOf(step.id), name: step.name, completed: day(end.at), outcome: end.outcome }
  const told = sessionEnded(addCompleted(text, row), step, {
    at: end.at,
    reason,
    ...(notes === undefined ? {} : { notes }),
  })
  return atStep(clearRetries(told), flow, index + 1)
}

export function boundaryNotes(step: Pick<FlowStep, 'name'>): string {
  return `${boundaryTitle(step)}, implementation ready`
}

/** What is said to be over at a boundary. */
export function boundaryTitle({ name }: Pick<FlowStep, 'name'>): string {
  return name === 'New Task' ? 'Task ready' : 'Decompose complete'
}

/** A step as the current one, from its beginning; behind the last one the flow is done. */
export function atStep(text: string, flow: Flow, index: number): string {
  const step = flow.steps[index]
  const reset = { subStep: null, retryCount: 0 }
  if (!step) return setCurrent(text, { step: 'done', status: 'completed', ...reset })
  return setCurrent(text, { step: stepIdOf(step.id), name: step.name, status: 'not_started', ...reset })
}

export function begun(text: string): string {
  return setCurrent(text, { status: 'in_progress' })
}

export interface FailedRetry {
  /** 1 to 3. */
  retry: number
  reason: string
  at: string
}

/** A retry that failed: the count, and its row. */
export function retryFailed(text: string, step: FlowStep, failed: FailedRetry): string {
  const { subStep } = readLifecycleState(text).current
  const row = {
    attempt: String(failed.retry),
    step: stepIdOf(step.id),
    name: step.name,
    subStep: subStep ? subStepText(subStep) : '',
    reason: failed.reason,
    timestamp: timestamp(failed.at),
  }
  return addRetry(setCurrent(text, { retryCount: failed.retry }), row)
}

/** No retry is left: failed, with a blocker. */
export function stepFailed(text: string, step: FlowStep, failed: { reason: string; at: string }): string {
  const { retryCount } = readLifecycleState(text).current
  const tries = counted(retryCount, 'retry', 'retries')
  const blocker = `Step ${step.id} ${step.name} failed after ${tries}: ${failed.reason}`
  return addBlocker(setCurrent(text, { status: 'failed' }), blocker)
}

/** The person has a failed step tried again. */
export function stepReset(text: string): string {
  return clearBlockers(clearRetries(setCurrent(text, { status: 'in_progress', retryCount: 0 })))
}

/** Where the folders are, taken over: rows for what was passed over, nothing taken out. */
export function movedTo(text: string, flows: Flows, to: Position, at: string): string {
  const { current, completed } = readLifecycleState(text)
  const flow = flows.flows[to.flow]
  if (!flow) return text
  const from = indexOfStep(flow, String(current.step))
  let next = text
  for (let index = Math.max(0, from); index < to.index; index += 1) {
    const step = flow.steps[index]
    if (!step) continue
    const known = completed.some((row) => row.name === step.name && String(row.step) === step.id)
    if (known && !step.repeat) continue
    const row = { step: stepIdOf(step.id), name: step.name, completed: day(at), outcome: 'found in folders' }
    next = addCompleted(next, row)
  }
  next = atStep(clearRetries(setCurrent(next, { flow: to.flow })), flow, to.index)
  if (to.status === 'in_progress') next = begun(next)
  return to.subStep ? setCurrent(next, { subStep: to.subStep }) : next
}

/** Position of the next loop, where the flow says what comes after its end. */
export function nextLoop(text: string, flows: Flows, at: string): string {
  const { current } = readLifecycleState(text)
  const after = flows.flows[current.flow]?.afterDone
  const flow = after && flows.flows[after.flow]
  if (!after || !flow) return text
  const marked = decided(text, at, 'Q-LOOP', `new task (loop ${loopOf(flows, text) + 1})`)
  return atStep(setCurrent(marked, { flow: after.flow }), flow, Math.max(0, indexOfStep(flow, after.step)))
}

/** Which loop it is, from 1: how often the last step of a flow has been completed, and one more. */
export function loopOf(flows: Flows, text: string): number {
  const { completed, decisions, current } = readLifecycleState(text)
  const ends = completed.filter((row) =>
    Object.values(flows.flows).some(({ steps }) => {
      const last = steps.at(-1)
      return last !== undefined && last.id === String(row.step) && last.name === row.name
    }),
  ).length
  const answers = decisions.filter((line) => line.includes(' Q-LOOP: new task')).length
  return Math.max(ends + (String(current.step) === 'done' ? 0 : 1), answers + 1, 1)
}

/** Key Decisions since the loop began. */
export function decisionsOfLoop(text: string): string[] {
  const { decisions } = readLifecycleState(text)
  return decisions.slice(decisions.findLastIndex((line) => line.includes(' Q-LOOP: new task')) + 1)
}

/** What is to be built, as the person said it for this loop. */
export function briefOf(text: string): string | undefined {
  const line = decisionsOfLoop(text).findLast((one) => one.includes(' Q-BRIEF: '))
  return line?.slice(line.indexOf(' Q-BRIEF: ') + ' Q-BRIEF: '.length)
}
