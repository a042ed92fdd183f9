import { subStepText } from '../../documents/lifecycle-state.js'
import { type Flows, indexOfCurrent, sourceText } from './flow/flow.js'
import { rule } from './questions/ends.js'
import { knownOf, rowsOf } from './scan/rows.js'
import { type LifecycleState, recordOf } from './state/state.js'

// Where a project stands, in lines (docs/lifecycle.md, "Status summary").

export type StepMark = 'done' | 'current' | 'open' | 'skipped' | 'failed'

/** How each step of the flow stands by the state file alone. */
export function stepMarks(state: LifecycleState, flows: Flows): StepMark[] {
  const record = recordOf(state)
  const { current } = record
  const flow = flows.flows[current.flow]
  if (!flow) return []
  const isDone = String(current.step) === 'done'
  const at = indexOfCurrent(flow, current)
  const known = knownOf(flows, current.flow, record)
  return flow.steps.map((step, index) => {
    if (index === at) return current.status === 'failed' ? 'failed' : 'current'
    const rows = rowsOf(
      flows,
      current.flow,
      step,
      step.repeat && !isDone ? known.rows.slice(known.rowsBefore) : known.rows,
    )
    const last = rows.at(-1)
    if (last && /^(?:\(loop \d+\) )?skipped\b/i.test(last.outcome)) return 'skipped'
    return last || index < at ? 'done' : 'open'
  })
}

const unicodeMarks: Record<StepMark, string> = {
  done: '\u2713',
  current: '\u25b6',
  open: '\u00b7',
  skipped: '\u2298',
  failed: '\u2717',
}
const asciiMarks: Record<StepMark, string> = { done: 'x', current: '>', open: '.', skipped: '-', failed: '!' }

export function summaryLines(
  state: LifecycleState,
  flows: Flows,
  statePath: string,
  ascii = false,
): string[] {
  const record = recordOf(state)
  const { current, decisions, lastSession, blockers, warnings } = record
  const flow = flows.flows[current.flow]
  const marks = stepMarks(state, flows)
  const total = flow?.steps.length ?? 0
  const line = ascii ? '='.repeat(38) : rule
  const index = flow ? indexOfCurrent(flow, current) : -1
  const place = String(current.step) === 'done' ? 'done' : `${current.step ?? '?'} (${index + 1}/${total})`
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : [title, ...items.map((item) => `  ${item}`)]
  return [
    line,
    `Flow: ${current.flow}`,
    `Step: ${place} ${current.name}`,
    `Status: ${current.status}`,
    ...(current.subStep ? [`Sub-step: ${subStepText(current.subStep)}`] : []),
    ...(current.retryCount > 0 ? [`retry ${current.retryCount}/${flows.maxAutoRetries}`] : []),
    line,
    ...(flow?.steps ?? []).map((step, at) => {
      const mark = marks[at] ?? 'open'
      return `${(ascii ? asciiMarks : unicodeMarks)[mark]} ${step.id} ${step.name}`
    }),
    line,
    ...list('Key decisions:', decisions.slice(-8)),
    ...list(
      'Last session:',
      [lastSession.date, lastSession.endedAt, lastSession.reason, lastSession.notes].flatMap(
        (each) => each || [],
      ),
    ),
    ...list('Blockers:', blockers),
    ...list(`To be looked at in ${statePath}:`, warnings.slice(0, 10)),
    `Flow data: ${sourceText(flows, current.flow)}`,
    `Next: ${nextText(state, flows)}`,
    line,
  ]
}

function nextText(state: LifecycleState, flows: Flows): string {
  const { current, conflicts } = recordOf(state)
  if (conflicts.length > 0) return 'ask which side of the merge to take'
  const flow = flows.flows[current.flow]
  const step = flow?.steps[indexOfCurrent(flow, current)]
  if (String(current.step) === 'done') return 'ask for a new task'
  if (!step) return 'ask where to go on'
  if (current.status === 'failed') return `decide about ${step.name}`
  return current.status === 'in_progress' ? `go on with ${step.name}` : `start ${step.name}`
}
