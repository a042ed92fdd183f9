import { leastScoreOf } from '../breaker/limits.js'
import type { ProgressMark } from '../breaker/progress.js'
import { errorSignature } from '../breaker/signature.js'
import { endRound, progressMark } from '../circuit.js'
import { decideGate, type GateDecision } from '../decisions/gate.js'
import { decidesAlone } from '../decisions/human-verification.js'
import { missingOf } from '../decisions/judgement.js'
import type { Opinions, Verified } from '../opinions.js'
import type { CommandReport, OrderCriterion, Replan } from '../orders/fields.js'
import { type Enforcement, isApproved, type Pass } from '../pass.js'
import type { PhasePlan } from '../plans.js'
import type { DivergenceResult, Recommendation } from '../results.js'
import { under } from '../work.js'
import { debugPhase } from './debug.js'
import type { Executed } from './execute.js'
import type { Failure } from './failure.js'
import { judge } from './judge.js'
import { rate } from './rate.js'
import { verify } from './verify.js'

/** From which step on it is looked at once more, and why; what comes before it stands. */
export interface Again {
  from: 'verify' | 'judge' | 'rate'
  enforcement: Enforcement
  before: Opinions
}

export interface AssessWish {
  again?: Again
  plan: PhasePlan
  criteria: readonly OrderCriterion[]
  executed: Executed
  triageEvidence: readonly CommandReport[] | undefined
  /** Attempts that the phase has left. */
  debugLeft: number
  replanLeft: number
  debugsBefore: number
}

export type Assessed =
  | ({ next: 'complete' | 'person' } & Opinions)
  | ({ next: 're-plan'; replan: Replan } & Opinions)
  | ({ next: 'rollback'; recommendation: Recommendation; issue: string } & Opinions)
  | { next: 'failed'; failure: Failure }

/** VERIFY, JUDGE, RATE, and a debugger as long as something is red and attempts are left. */
export async function assess(pass: Pass, wish: AssessWish): Promise<Assessed> {
  let remaining: string[] = []
  /** Found by an agent and not by a command, and nothing was changed since: another opinion does not settle it. */
  let standing: readonly string[] = []
  /** Tries that an open breaker allowed do not count against the limits. */
  let probes = 0
  let mark: ProgressMark | undefined
  for (let round = 0; ; round += 1) {
    const at = round === 0 ? pass : under(pass, `d${round}`)
    const debugLeft = wish.debugLeft - round + probes
    const seen = await opinions(at, { ...wish, debugLeft }, round === 0 ? wish.again : undefined)
    if ('failure' in seen) return { next: 'failed', failure: seen.failure }
    const { verified, judged, score } = seen
    const decision = decideGate({
      recommendation: judged.recommendation,
      concerns: judged.concerns,
      failing: !verified.passed || standing.length > 0,
      score,
      leastScore: leastScoreOf(pass.tools.settings.circuit_breaker),
      debugLeft,
      replanLeft: wish.replanLeft,
      needsPerson: needsPerson(pass, verified),
    })
    // The limit of the phase acts before the breaker: what fails by it is not tried again.
    const counts = mark !== undefined && decision.next !== 'rollback'
    const probe = counts && mark !== undefined && (await countRound(at, seen, mark, isMet(decision)))
    if (probe) probes += 1
    if (decision.next === 'debug' || probe) {
      mark = await progressMark(at, 'mark', score)
      const attempt = wish.debugsBefore + round + 1 - probes
      const concerns = judged.recommendation === 'debug' ? heldAgainst(judged) : []
      const found = [...verified.failures, ...concerns]
      const open = found.length > 0 ? found : standing
      const debugged = await debugPhase(at, {
        attempt,
        probe,
        verified: { ...verified, failures: [...(verified.passed ? standing : verified.failures)] },
        concerns,
        remaining,
      })
      remaining = debugged.remaining
      standing = debugged.unproven && verified.failing.length === 0 ? open : []
      continue
    }
    if (decision.next === 're-plan') return { ...seen, next: 're-plan', replan: replanOf(pass, seen) }
    return decision.next === 'rollback' ? { ...seen, ...decision } : { ...seen, next: decision.next }
  }
}

/** What is to be mended where the judge asks for it. */
const heldAgainst = (judged: DivergenceResult) => [
  ...judged.concerns,
  ...missingOf(judged).map((one) => `missing requirement: ${one}`),
]

const isMet = ({ next }: GateDecision) => next === 'complete' || next === 'person'

/** Counts a debug attempt for the circuit breaker; true where one more try has to show that it is worth going on. */
async function countRound(
  pass: Pass,
  seen: Opinions,
  before: ProgressMark,
  gateMet: boolean,
): Promise<boolean> {
  const { verified, score } = seen
  const [failure] = verified.failures
  const after = await progressMark(pass, 'mark-after', score)
  const category = pass.log.failures.at(-1)?.category ?? 'acceptance_criteria_unmet'
  const opened = await endRound(pass, 'round', {
    before,
    after,
    gateMet,
    ...(failure === undefined
      ? { succeeded: ['verify'] }
      : { error: errorSignature('verify', category, failure) }),
  })
  return opened && !gateMet
}

async function opinions(
  pass: Pass,
  wish: AssessWish,
  again: Again | undefined,
): Promise<Opinions | { failure: Failure }> {
  const { plan, criteria, triageEvidence, executed } = wish
  const asked = (step: Again['from']) =>
    again?.from === step ? { ...pass, input: { ...pass.input, enforcement: again.enforcement } } : pass
  const stands = (step: 'verify' | 'judge') =>
    again !== undefined && order.indexOf(step) < order.indexOf(again.from)
  const verified =
    stands('verify') && again
      ? { ok: true as const, verified: again.before.verified }
      : await verify(asked('verify'), { plan, criteria, triageEvidence, isLast: wish.debugLeft <= 0 })
  if (!verified.ok) return { failure: verified }
  const judged =
    stands('judge') && again
      ? { ok: true as const, judged: again.before.judged }
      : await judge(asked('judge'), plan, verified.verified)
  if (!judged.ok) return { failure: judged }
  const rated = await rate(asked('rate'), criteria, verified.verified.reports)
  if (!rated.ok) return { failure: rated }
  const nothingDone = executed.deferred.length > 0 && executed.completed + executed.failed === 0
  // Where nothing was executed, what is done already is rated.
  const allHuman = nothingDone && (executed.total > 0 || !plan.tasks.some(({ type }) => type === 'auto'))
  return {
    verified: verified.verified,
    judged: judged.judged,
    rated: rated.rated,
    score: allHuman && needsPerson(pass, verified.verified) ? null : rated.rated.card.score,
  }
}

const order = ['verify', 'judge', 'rate'] as const

/** What is verified is decided without a person only where the verifier is sure enough, whatever it says of its doubts. */
function needsPerson({ input }: Pass, { result }: Verified): boolean {
  return !decidesAlone(result.autonomous_confidence, input.confidence) && !isApproved(input)
}

function replanOf({ log }: Pass, { score, judged, rated }: Opinions): Replan {
  const low = rated.card.rows.filter((row) => row.score < 7)
  return {
    score,
    issues: [...log.issues.slice(-20), ...judged.concerns],
    missing: [
      ...judged.missing_requirements,
      ...low.map(({ criterion, justification }) => `${criterion}: ${justification}`),
    ],
  }
}
