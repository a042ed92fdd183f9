import { plannedOrdersOf } from './decisions.js'
import { phaseIds, phaseOf } from './phases.js'
import type { PlaybookState } from './schema.js'

// What nobody is asked about and has to be seen at the next gate and in the report (docs/playbook-checks.md, "What is listed").

/** Of a record of a phase: what tests are held to since it began, and what its plan has lost. */
export const listKeys = { tests: 'tests_rewritten', plan: 'plan_losses' } as const

const linesOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** What a phase lists under a key. */
export function listedOf(state: PlaybookState, id: string, list: keyof typeof listKeys): string[] {
  return linesOf(phaseOf(state, id)[listKeys[list]])
}

/** One line each, of a phase or of all of them. Pure. */
export function listedLines(state: PlaybookState, only?: string): string[] {
  const orders = [...new Set(plannedOrdersOf(state, only))]
  const phases = phaseIds(state).filter((id) => only === undefined || only === id)
  const of = (id: string) => (only === undefined ? `Phase ${id}, ` : '')
  return [
    ...(orders.length > 0 ? [`Gives orders or is executed, changed as planned: ${orders.join(', ')}`] : []),
    ...phases.flatMap((id) => [
      ...listedOf(state, id, 'plan').map((line) => `${of(id)}plan: ${line}`),
      ...listedOf(state, id, 'tests').map((line) => `${of(id)}tests: ${line}`),
    ]),
  ]
}
