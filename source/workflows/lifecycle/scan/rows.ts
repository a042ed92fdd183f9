import type { CompletedRow, LifecycleRecord } from '../../../documents/lifecycle-state.js'
import type { FlowStep, Flows } from '../flow/flow.js'

// What the rows and decisions of a state file say of steps and loops (docs/lifecycle.md, "Detection"). Pure.

/** What counts beside the folders. */
export interface Known {
  rows: readonly CompletedRow[]
  /** ISO time: of steps that repeat, only what is newer counts; undefined before the first loop. */
  loopSince?: string | undefined
  /** Place of the first step of a loop. */
  loopFrom: number
  /** How many rows stand before the loop. */
  rowsBefore: number
}

/** Rows of a step: by number and name; by a name that is unique in its flow where the number is another's. */
export function rowsOf(
  flows: Flows,
  flowName: string,
  step: FlowStep,
  rows: readonly CompletedRow[],
): CompletedRow[] {
  const flow = flows.flows[flowName]
  const unique = flow?.steps.filter(({ name }) => name === step.name).length === 1
  return rows.filter((row) => {
    if (row.name !== step.name) return false
    if (String(row.step) === step.id) return true
    return unique && !isOfAnother(flows, flowName, row)
  })
}

function isOfAnother(flows: Flows, flowName: string, row: CompletedRow): boolean {
  return Object.entries(flows.flows).some(
    ([name, { steps }]) =>
      name !== flowName && steps.some((step) => step.id === String(row.step) && step.name === row.name),
  )
}

export const isSkipped = (row: CompletedRow) => /^(?:\(loop \d+\) )?skipped\b/i.test(row.outcome)
export const isAccepted = (row: CompletedRow) =>
  /^(?:\(loop \d+\) )?(?:accepted without artifacts|found in folders)\b/i.test(row.outcome)

/** What rows and decisions of a state file say of loops. */
export function knownOf(
  flows: Flows,
  flowName: string,
  record: Pick<LifecycleRecord, 'completed' | 'decisions'>,
): Known {
  const flow = flows.flows[flowName]
  const { completed: rows, decisions } = record
  const from = flow
    ? Math.max(
        0,
        flow.steps.findIndex(({ id }) => id === loopStart(flows, flowName)),
      )
    : 0
  const last = rows.findLastIndex((row) => isFinalRow(flows, row))
  const answered = decisions.flatMap((line) => loopAnswer(line) ?? []).at(-1)
  const ended = last >= 0 ? rows[last]?.completed : undefined
  const since = answered ?? (ended !== undefined && !Number.isNaN(Date.parse(ended)) ? ended : undefined)
  return { rows, loopFrom: from, rowsBefore: last + 1, ...(since === undefined ? {} : { loopSince: since }) }
}

function loopStart(flows: Flows, flowName: string): string | undefined {
  const starts = Object.values(flows.flows).flatMap(({ afterDone }) =>
    afterDone?.flow === flowName ? [afterDone.step] : [],
  )
  return starts[0]
}

/** A row of the last step of a flow ends a loop. */
function isFinalRow(flows: Flows, row: CompletedRow): boolean {
  return Object.values(flows.flows).some(({ steps }) => {
    const last = steps.at(-1)
    return last !== undefined && last.name === row.name && last.id === String(row.step)
  })
}

/** Time of a line of Key Decisions that begins a loop. */
export function loopAnswer(line: string): string | undefined {
  return /^(\d{4}-\d{2}-\d{2}T\S{1,40}) Q-LOOP: new task\b/.exec(line)?.[1]
}
