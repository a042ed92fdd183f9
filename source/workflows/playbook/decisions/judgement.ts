import type { DivergenceResult } from '../results.js'

// What a judge's word counts as, where it contradicts itself (docs/playbook-checks.md, "Results"). Pure.

/** Said where there is nothing to say, signs and capitals apart. */
const nothing =
  /^(?:none|nothing|n\/?a|no(?:ne)? (?:missing|found|identified)(?: requirements?)?|all (?:requirements )?(?:are )?met)?$/

const saysNothing = (line: string) => nothing.test((line.toLowerCase().match(/[\w/]+/g) ?? []).join(' '))

/** Requirements that a judge names as missing. */
export function missingOf({
  missing_requirements: missing,
}: Pick<DivergenceResult, 'missing_requirements'>): string[] {
  return missing.filter((line) => !saysNothing(line))
}

/** Who lets a phase proceed and names requirements that are missing asks for them to be met: it counts as `debug`. */
export function countedJudgement(judged: DivergenceResult): DivergenceResult {
  const contradicts = judged.recommendation === 'proceed' && missingOf(judged).length > 0
  return contradicts ? { ...judged, recommendation: 'debug' } : judged
}
