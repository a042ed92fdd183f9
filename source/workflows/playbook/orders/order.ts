import type { Expects } from '../results.js'
import type { CommonFields, OrderFields } from './fields.js'
import { everybodySees, maySee } from './may-see.js'
import { tracePath } from './traces.js'

type Must<Kind extends Expects> = (typeof maySee)[Kind]['must'][number]
type May<Kind extends Expects> = (typeof maySee)[Kind]['may'][number]

/** What has to be known for an order; `tracePath` follows from the rest. */
export type OrderFacts<Kind extends Expects> = Omit<CommonFields, 'tracePath'> &
  Pick<OrderFields, Must<Kind>> &
  Partial<Pick<OrderFields, May<Kind>>>

/** What one persona is told, in its dispatch file and in its prompt. */
export type Order<Kind extends Expects> = { expects: Kind } & Pick<CommonFields, 'tracePath'> &
  OrderFacts<Kind>

/**
 * The order for one dispatch: of the facts exactly those that this role may see, whatever else is handed in. Pure.
 */
export function orderOf<Kind extends Expects>(expects: Kind, facts: OrderFacts<Kind>): Order<Kind> {
  const given: Record<string, unknown> = { ...facts, tracePath: tracePath(facts.phaseDir, expects) }
  const { must, may } = maySee[expects]
  const order: Record<string, unknown> = { expects }
  for (const field of [...everybodySees, ...must, ...may]) {
    const value = given[field]
    if (value !== undefined) order[field] = value
  }
  return order as Order<Kind>
}

/** The order as the fields of the dispatch file. */
export function briefOf<Kind extends Expects>(order: Order<Kind>): Record<string, unknown> {
  return { ...order }
}
