import type { Expects } from '../results.js'

// Traces that personas write into the directory of their phase.

/** Name of the step in the trace file of a persona. */
const traceSteps: Readonly<Record<Expects, string>> = {
  research: 'research',
  questions: 'research',
  plan: 'plan',
  'plan-check': 'plan_check',
  execution: 'execute',
  'mini-verification': 'mini_verify',
  verification: 'verify',
  judgement: 'judge',
  'judgement-divergence': 'judge',
  rating: 'rate',
  debug: 'debug',
  integration: 'integration',
  audit: 'audit',
}

/** The step that the spans of a persona are written under. */
export function traceStep(expects: Expects): string {
  return traceSteps[expects]
}

/** Name of the file that a persona writes its trace into. */
const traceFile = (expects: Expects) => `${traceSteps[expects]}-trace.jsonl`

/** Repo-relative path of the trace that a persona writes. */
export function tracePath(phaseDir: string, expects: Expects): string {
  return `${phaseDir}/${traceFile(expects)}`
}

/** Names of the traces that others than this persona write. */
export function tracesOfOthers(expects: Expects): string[] {
  const names = Object.values(traceSteps).map((step) => `${step}-trace.jsonl`)
  return [...new Set(names)].filter((name) => name !== traceFile(expects))
}
