import { counted } from '../../counted.js'
import type { Expects } from './results.js'

/** Lines that a reply may have in all, and of its summary. More is told, never cut: the result in it counts. */
export interface ResponseBudget {
  response: number
  summary: number
}

export const responseBudgets: Readonly<Record<Expects, ResponseBudget>> = {
  research: { response: 200, summary: 10 },
  questions: { response: 200, summary: 10 },
  plan: { response: 300, summary: 10 },
  'plan-check': { response: 50, summary: 5 },
  execution: { response: 500, summary: 15 },
  'mini-verification': { response: 30, summary: 5 },
  verification: { response: 200, summary: 10 },
  judgement: { response: 100, summary: 5 },
  'judgement-divergence': { response: 100, summary: 5 },
  rating: { response: 150, summary: 5 },
  debug: { response: 200, summary: 10 },
  integration: { response: 200, summary: 10 },
  audit: { response: 200, summary: 10 },
}

/** What is said of a reply that is longer than it should be; undefined of one that is not. */
export function overBudget(expects: Expects, reply: string): string | undefined {
  const lines = reply.trimEnd().split('\n').length
  const { response } = responseBudgets[expects]
  return lines > response
    ? `The reply has ${counted(lines, 'line')}, more than the ${response} that it should have.`
    : undefined
}
