import { failuresIn } from '../../evidence/claims/verdict.js'
import type { CheckName } from '../checks.js'
import type { ExecutionResult, MiniVerificationResult, VerificationResult } from '../results.js'
import type { CheckOutcome } from '../state/schema.js'

// What a result says against itself: it lets a phase or a task pass, and names beside it what does not hold
// (docs/playbook-checks.md, "Results"). Pure.

/** What our own run of a check came to, by its name; `n/a` where the project has none. */
type OwnChecks = Readonly<Partial<Record<CheckName, { status: CheckOutcome }>>>

const hasCheck = (own: OwnChecks, name: CheckName) => (own[name]?.status ?? 'n/a') !== 'n/a'

/** Checks and commands that a verifier itself calls failed. Of a check that the project does not have it can say nothing. */
export function againstPass(
  { automated_checks: said, execution_results: ran, criteria_results: criteria }: VerificationResult,
  own: OwnChecks,
): string[] {
  const names = ['compile', 'lint', 'build', 'test'] as const
  return [
    ...names.flatMap((name) =>
      said[name].status === false && hasCheck(own, name)
        ? [`the verifier says that ${name} fails${said[name].detail === '' ? '' : `: ${said[name].detail}`}`]
        : [],
    ),
    ...criteria.flatMap(({ criterion, status, evidence }) =>
      status === 'failed' ? [] : failuresIn([evidence]).map((line) => `${criterion}: ${line}`),
    ),
    ...ran.flatMap(({ criterion, command, assessment }) =>
      assessment === 'pass' ? [] : [`${criterion}: the verifier ran ${command}: ${assessment}`],
    ),
  ]
}

/** Gates of a task that a mini-verifier itself calls failed. */
export function againstTask({ gate_validation: said }: MiniVerificationResult, own: OwnChecks): string[] {
  const names = ['compile', 'lint', 'test'] as const
  return names.flatMap((name) =>
    said[name] === 'fail' && hasCheck(own, name) ? [`the mini-verifier says that ${name} fails`] : [],
  )
}

/** How an executor itself says that its tasks did not come to their end; undefined where it does not. */
export function ownFailure({
  tasks_completed: completed,
  tasks_failed: failed,
}: Pick<ExecutionResult, 'tasks_completed' | 'tasks_failed'>): string | undefined {
  const of = (ratio: string) => ratio.split('/').map(Number)
  const [done = 0, all = 0] = of(completed)
  const [broken = 0] = of(failed)
  if (broken > 0) return `the executor itself says that ${failed.trim()} failed`
  return done === 0 && all > 0 ? `the executor itself says that ${completed.trim()} is complete` : undefined
}
