import { isObject, type JsonObject } from '../../../documents/json.js'
import { finalReviewSchema, harnessStateSchema, phaseSchema, retryBudgetSchema } from './state.js'

function strangers(value: unknown, shape: object, prefix: string): string[] {
  if (!isObject(value)) return []
  return Object.keys(value).flatMap((key) => (Object.hasOwn(shape, key) ? [] : [prefix + key]))
}

/** Keys that no section of the reference knows; they are kept. Of phases: `phases[].index`, each once. */
export function unknownKeysOf(raw: JsonObject): string[] {
  const phases: unknown[] = Array.isArray(raw.phases) ? raw.phases : []
  return [
    ...new Set([
      ...strangers(raw, harnessStateSchema.shape, ''),
      ...phases.flatMap((phase) => strangers(phase, phaseSchema.shape, 'phases[].')),
      ...strangers(raw.retryBudget, retryBudgetSchema.shape, 'retryBudget.'),
      ...strangers(raw.finalReview, finalReviewSchema.shape, 'finalReview.'),
    ]),
  ]
}
