import { judgeWorkerEdit, mergeLifecycle } from '../../../documents/lifecycle-merge.js'
import { type LifecycleRecord, readLifecycleState, stepStatuses } from '../../../documents/lifecycle-state.js'
import type { StateCodec } from '../../../ledger/state-codec.js'
import type { TakenEdit } from '../../workflow.js'
import { type Flows, resolveStep } from '../flow/flow.js'

/**
 * The state of this workflow is the text of its file: whatever has to be known again after a restart is written there
 * (docs/lifecycle.md, "The state file").
 */
export interface LifecycleState {
  text: string
}

const largest = 4 * 1024 * 1024

/** Markdown in, the same bytes out. */
export const lifecycleCodec: StateCodec<LifecycleState> = {
  read(bytes) {
    if (bytes.length > largest) return { kind: 'unreadable', reason: 'it is larger than 4 MB' }
    const text = bytes.toString('utf8')
    if (!Buffer.from(text, 'utf8').equals(bytes)) return { kind: 'unreadable', reason: 'it is not UTF-8' }
    const { warnings } = recordOf({ text })
    return { kind: 'ok', state: { text }, warnings: warnings.slice(0, 20) }
  },
  write: ({ text }) => Buffer.from(text, 'utf8'),
}

const remembered = new Map<string, LifecycleRecord>()
const mostRemembered = 8

/** What a state says. The newest few are kept, since the screen asks again and again. */
export function recordOf({ text }: LifecycleState): LifecycleRecord {
  const known = remembered.get(text)
  if (known) return known
  const record = readLifecycleState(text)
  if (remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value ?? '')
  remembered.set(text, record)
  return record
}

export const stateNames = ['EDITED', 'POSITION', 'STEP', 'BOUNDARY', 'BLOCKED', 'LOOP'] as const
export type StateName = (typeof stateNames)[number]

/** Which state function a file asks for (docs/lifecycle.md, "States"). */
export function nameOfState(state: LifecycleState, flows: Flows): StateName {
  const { current, lastSession, conflicts } = recordOf(state)
  if (conflicts.length > 0) return 'EDITED'
  const flow = flows.flows[current.flow]
  if (!flow || current.step === null) return 'POSITION'
  if (String(current.step) === 'done') return 'LOOP'
  const { index, byName, byNumber } = resolveStep(flow, String(current.step), current.name)
  if (index === -1 || byName !== byNumber) return 'POSITION'
  if (!stepStatuses.some((status) => status === current.status)) return 'POSITION'
  if (current.status === 'completed' || current.status === 'skipped') return 'POSITION'
  if (current.status === 'failed') return 'BLOCKED'
  const isBehindBoundary = flow.steps[index - 1]?.boundaryAfter === true
  const waits = current.status === 'not_started' && lastSession.reason === 'session boundary'
  return waits && isBehindBoundary ? 'BOUNDARY' : 'STEP'
}

/** Both changes in one, section by section; undefined where they do not fit. */
export function mergeStates(
  base: LifecycleState,
  ours: LifecycleState,
  theirs: LifecycleState,
  prefer?: 'ours' | 'theirs',
): LifecycleState | undefined {
  const merged = mergeLifecycle(base.text, ours.text, theirs.text, prefer)
  return merged.kind === 'merged' ? { text: merged.text } : undefined
}

/**
 * An edit between two runs needs no question; where it moves the position, the open visit begins anew. One that may be
 * an agent's is asked about where it is more than an agent may do.
 */
export function takesEdit(
  expected: LifecycleState,
  found: LifecycleState,
  atWork: boolean,
): TakenEdit<LifecycleState> | undefined {
  if (atWork) {
    const { text, touched } = judgeWorkerEdit(expected.text, found.text)
    return touched.length > 0 ? undefined : { kind: 'merge', instead: { text } }
  }
  const position = (state: LifecycleState) => {
    const { current, conflicts } = recordOf(state)
    const { flow, step, name, status, retryCount } = current
    return JSON.stringify([flow, step, name, status, retryCount, conflicts.length > 0])
  }
  return { kind: position(expected) === position(found) ? 'merge' : 'accept' }
}
