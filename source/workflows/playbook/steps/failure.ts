import type { Pass } from '../pass.js'
import type { StepRecord } from '../state/phases.js'
import type { StepName } from '../state/schema.js'
import type { Category } from '../taxonomy.js'
import type { StepEnd } from './step.js'

/** What a step gives on, or why it could not. */
export type Outcome<Value> = ({ ok: true } & Value) | Failure

export interface Failure {
  ok: false
  failure: string
  category: Category
}

/** The end of a step that failed: on record for the post-mortem, and told. */
export function failedStep<Name extends StepName>(
  pass: Pass,
  name: Name,
  failed: Failure,
): { result: Failure; end: StepEnd<Name> } {
  note(pass, name, failed)
  pass.log.steps[name].status = 'fail'
  return {
    result: failed,
    end: {
      record: { status: 'fail' } as Partial<StepRecord<Name>>,
      mark: 'fail',
      failed: true,
      more: failed.failure,
    },
  }
}

/** Puts a failure on record, in the order in which they were seen. */
export function note(
  pass: Pass,
  step: string,
  { failure, category }: Pick<Failure, 'failure' | 'category'>,
): void {
  pass.log.issues.push(failure)
  pass.log.failures.push({ at: pass.log.clock, step, failure, category })
}
