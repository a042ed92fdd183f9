import { readText } from '../../../project/text-files.js'
import { checkIntegrity, enforcementOf, type Found } from '../integrity/checks.js'
import type { CheckFacts } from '../integrity/facts.js'
import type { Attempts, Enforcement, Pass } from '../pass.js'
import type { PassResult } from '../phase-return.js'
import type { PhasePlan } from '../plans.js'
import { tell } from '../progress.js'
import { countRetry } from '../send.js'
import { type EventName, eventNames } from '../state/events.js'
import { phaseIds, phaseOf } from '../state/phases.js'
import { rootOf, savePhase, under } from '../work.js'
import { type AssessWish, assess } from './assess.js'
import { note } from './failure.js'
import { reportPathOf } from './judge.js'
import { assessed, failed } from './result.js'

/** A pass is believed only after it was held against all checks. */
export type Settled = { kind: 'settled'; result: PassResult } | { kind: 'again'; enforcement: Enforcement }

export interface IntegrityWish {
  wish: Omit<AssessWish, 'debugLeft' | 'replanLeft' | 'debugsBefore' | 'again'>
  used: Attempts
  /** Attempts that are left now. */
  limits(): Pick<AssessWish, 'debugLeft' | 'replanLeft' | 'debugsBefore'>
}

/**
 * Holds what a pass came to against the integrity checks: a step is sent for once more with the reason, or the whole
 * phase is, or what was found is told. What is no better the second time fails the phase.
 */
export async function settleIntegrity(pass: Pass, first: PassResult, wish: IntegrityWish): Promise<Settled> {
  let result = first
  for (let round = 1; ; round += 1) {
    if (result.returned.status === 'failed' && result.opinions === undefined)
      return { kind: 'settled', result }
    const key = `integrity-${round}`
    const facts = await factsOf(pass, key, result, wish)
    const outcome = checkIntegrity(facts, wish.used.respawns)
    for (const warning of outcome.warnings) await warn(pass, `${key}-${warning.number}`, warning)
    if (outcome.diagnose) await tell(pass, `${key}-diagnose`, outcome.diagnose.reason)
    if (outcome.failed) return { kind: 'settled', result: await failedBy(pass, outcome.failed) }
    const { respawn } = outcome
    if (!respawn || !result.opinions) return { kind: 'settled', result }
    await countRespawn(pass, `${key}-respawn`, respawn, wish.used)
    const enforcement = enforcementOf(respawn)
    const { target } = respawn
    if (target === undefined || target === 'phase') return { kind: 'again', enforcement }
    const at = under(pass, `i${round}`)
    const again = { from: target, enforcement, before: result.opinions }
    const opinion = await assess(at, { ...wish.wish, ...wish.limits(), again })
    if (opinion.next === 're-plan')
      return {
        kind: 'again',
        enforcement: { check: respawn.number, reason: opinion.replan.missing.join('; ') },
      }
    result =
      opinion.next === 'failed'
        ? await failed(at, opinion.failure)
        : await assessed(at, opinion, wish.wish.executed)
  }
}

async function factsOf(
  pass: Pass,
  key: string,
  { returned, opinions, failures }: PassResult,
  { wish }: IntegrityWish,
): Promise<CheckFacts> {
  const { run, tools, facts, at } = pass
  const seen = await run.step(`${at}${key}-facts`, async () => {
    const { started_at: started } = phaseOf(run.state, facts.id)
    const now = tools.now().getTime()
    return {
      judgeReport: (await readText(rootOf(pass), reportPathOf(pass))) ?? null,
      earlierScores: phaseIds(run.state).flatMap((id) => {
        const { status, alignment_score: score } = phaseOf(run.state, id)
        return id !== facts.id && status === 'completed' && score !== null ? [score] : []
      }),
      phaseSeconds: started === null ? 0 : Math.max(0, (now - Date.parse(started)) / 1000),
    }
  })
  const { executed, criteria } = wish
  return {
    returned,
    phaseType: facts.type,
    commands: tools.commands(),
    autoTasks: executed.total - executed.deferred.length,
    changesPlanned: changesPlanned(pass, wish.plan),
    phaseSeconds: seen.phaseSeconds,
    verificationSeconds: returned.verification_duration_seconds,
    isModel: tools.isModel('phase-verifier'),
    verificationMinSeconds: tools.settings.verification_min_seconds,
    criteria: criteria.length,
    criterionNames: criteria.flatMap(({ id, text }) => [id, text]),
    verification: opinions?.verified.result,
    unfounded: opinions?.verified.unfounded,
    passedCommands: opinions?.verified.reports.filter(({ assessment }) => assessment === 'pass').length,
    told: opinions?.verified.told,
    divergence: opinions?.judged,
    rating: opinions?.rated.result,
    judgeReport: seen.judgeReport ?? undefined,
    failures: opinions?.verified.result.failures ?? [],
    categories: [
      ...(opinions?.verified.result.failure_categories ?? []),
      ...failures.map(({ failure, category }) => ({ failure, category })),
    ],
    earlierScores: seen.earlierScores,
    passThreshold: pass.input.threshold,
  }
}

/** A task that says that it changes no file, such as one that only verifies, leaves no trace in git. */
function changesPlanned({ input }: Pass, { tasks }: PhasePlan): boolean {
  const { remediation, only } = input
  const own = tasks.filter(({ id, type }) => type === 'auto' && (only === undefined || only.includes(id)))
  return (
    remediation !== undefined ||
    own.some(({ files, missing }) => files.length > 0 || missing.includes('files'))
  )
}

const isEvent = (name: string): name is EventName => (eventNames as readonly string[]).includes(name)

async function warn(pass: Pass, key: string, found: Found): Promise<void> {
  const { number, name, reason, event, suspect, stricter } = found
  pass.log.issues.push(`integrity check ${number} (${name}): ${reason}`)
  await tell(pass, key, `Check ${number}, ${name}: ${reason}`, 'warning')
  const known = event !== undefined && isEvent(event) ? [{ event, details: { check: number, reason } }] : []
  if (known.length === 0 && !suspect && stricter === undefined) return
  await savePhase(
    pass,
    `${key}-kept`,
    (phase) => ({
      ...phase,
      ...(suspect ? { rubber_stamp_suspect: true } : {}),
      ...(stricter === undefined ? {} : { stricter }),
    }),
    known,
  )
}

async function countRespawn(pass: Pass, key: string, found: Found, used: Attempts): Promise<void> {
  const { number, name, reason } = found
  used.respawns[number] = (used.respawns[number] ?? 0) + 1
  await countRetry(pass, `${key}-counted`)
  const known =
    found.event !== undefined && isEvent(found.event) ? [{ event: found.event, details: { reason } }] : []
  await savePhase(
    pass,
    `${key}-kept`,
    (phase) => ({ ...phase, respawns: { ...phase.respawns, [number]: (phase.respawns[number] ?? 0) + 1 } }),
    known,
  )
  await tell(pass, key, `Check ${number}, ${name}: ${reason} It is sent for once more.`, 'warning')
}

function failedBy(pass: Pass, { number, name, reason }: Found): Promise<PassResult> {
  const failure = `integrity check ${number} (${name}): ${reason}`
  note(pass, 'integrity', { failure, category: 'coordination_failure' })
  return failed(under(pass, `check-${number}`), { ok: false, failure, category: 'coordination_failure' })
}
