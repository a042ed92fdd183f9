import { readText } from '../../project/text-files.js'
import {
  afterCap,
  afterRound,
  type BreakerStep,
  halfOpen,
  type Opening,
  type Round,
} from './breaker/breaker.js'
import { reachedCap, retryCap } from './breaker/caps.js'
import { artifactHash, hasProgress, type ProgressMark } from './breaker/progress.js'
import { isOpenReason, openingWords } from './breaker/words.js'
import { tell } from './progress.js'
import { qBreaker } from './questions/breaker.js'
import { allowancesOf } from './state/allowances.js'
import type { EventDraft } from './state/events.js'
import { phaseOf } from './state/phases.js'
import { type BreakerRecord, type PlaybookState, stepNames } from './state/schema.js'
import { type PhaseWork, rootOf, save } from './work.js'

// The circuit breaker at work: rounds of mending are counted, caps are looked at before agents are sent, and an open
// breaker waits for time or for a person.

/** The run cannot go on: a cap of the whole run, or a breaker that opened too often. */
export class RunHalted extends Error {
  readonly why: Opening

  constructor(why: Opening) {
    super(openingWords(why))
    this.why = why
  }
}

/** Looks at the caps before an agent is sent. Throws RunHalted for one of the run. */
export async function settleCaps(work: PhaseWork, key: string): Promise<void> {
  const { run, tools, at, facts } = work
  const limits = tools.settings.circuit_breaker
  for (let round = 1; ; round += 1) {
    const name = round === 1 ? `${at}${key}-caps` : `${at}${key}-caps-${round}`
    const cap = await run.step(name, () => {
      const retries = retryCap(run.state._meta.total_retries - 1, limits)
      return retries ?? reachedCap(usedOf(work), limits, allowancesOf(run.state, facts.id)) ?? null
    })
    if (cap === null) return
    const step = await take(work, name, (breaker, now) => afterCap(breaker, cap, limits, now))
    await settle(work, name, step)
  }
}

function usedOf({ run, facts }: PhaseWork) {
  const { total, byPhase } = run.spent
  const { workMs } = run.times
  const tokens = (usage: { inputTokens: number; outputTokens: number } | undefined) =>
    usage === undefined ? 0 : usage.inputTokens + usage.outputTokens
  const { worked_from: from } = phaseOf(run.state, facts.id)
  const minutes = workMs / 60_000
  return {
    phaseTokens: tokens(byPhase.get(facts.id)),
    totalTokens: tokens(total),
    // Nothing is counted for what is no phase.
    phaseMinutes: typeof from === 'number' ? minutes - from : 0,
    totalMinutes: minutes,
  }
}

/** Where the phase stands, to tell whether a round came to anything. */
export function progressMark(work: PhaseWork, key: string, score: number | null): Promise<ProgressMark> {
  const { run, git, facts, at } = work
  return run.step(`${at}${key}`, async () => {
    const text = await readText(rootOf(work), `${facts.dir}/VERIFICATION.md`)
    const { steps } = phaseOf(run.state, facts.id)
    return {
      artifact: text === undefined ? null : artifactHash(text),
      head: await git.head(),
      stepsReached: stepNames.filter((name) => steps[name].status !== 'pending').length,
      score,
    }
  })
}

/**
 * Counts a round of mending. Where it opens the breaker, nothing is sent before it was waited for; then one probe may be
 * made: true.
 */
export async function endRound(
  work: PhaseWork,
  key: string,
  round: Omit<Round, 'progress'> & { before: ProgressMark; after: ProgressMark },
): Promise<boolean> {
  const { before, after, ...rest } = round
  const limits = work.tools.settings.circuit_breaker
  const counted = { ...rest, progress: hasProgress(before, after) }
  const name = `${work.at}${key}`
  const step = await take(work, name, (breaker, now) => afterRound(breaker, counted, limits, now))
  await settle(work, name, step)
  return step.happened?.kind === 'opened'
}

/** One transition of the breaker, on record. */
async function take(
  work: PhaseWork,
  key: string,
  change: (breaker: BreakerRecord, now: string) => BreakerStep,
): Promise<BreakerStep> {
  const { run, tools, facts } = work
  const step = (await run.step(`${key}-breaker`, () =>
    change(run.state.circuit_breaker, tools.now().toISOString()),
  )) as BreakerStep
  const { happened } = step
  const events: EventDraft[] =
    happened === undefined
      ? []
      : happened.kind === 'closed'
        ? [{ event: 'circuit_breaker_closed', phase: facts.id }]
        : [
            {
              event: 'circuit_breaker_opened',
              phase: facts.id,
              details: { reason: happened.reason, threshold: happened.threshold, value: happened.value },
            },
          ]
  await save(
    work,
    `${key}-breaker-saved`,
    (state) => ({
      ...state,
      circuit_breaker: { ...state.circuit_breaker, ...step.breaker },
      _meta: { ...state._meta, status: happened?.kind === 'opened' ? 'paused' : state._meta.status },
    }),
    events,
  )
  return step
}

/** An open breaker waits for its cooldown, or for a person; a cap only for a person. */
async function settle(work: PhaseWork, key: string, { happened, breaker }: BreakerStep): Promise<void> {
  if (happened === undefined || happened.kind === 'closed') return
  const { kind, ...why } = happened
  if (kind === 'run-failed') throw new RunHalted(why)
  await tell(
    work,
    `${key}-open`,
    `Circuit breaker open: ${why.reason} (${why.value} of ${why.threshold})`,
    'warning',
  )
  await askOpen(work, key, why, breaker)
}

/** A breaker that was open when the state was taken over: nothing of the phase begins before it is waited for. */
export async function settleFoundOpen(work: PhaseWork, found: PlaybookState): Promise<void> {
  const { circuit_breaker: breaker, event_log: events } = found
  if (breaker.state !== 'open') return
  const { details = {} } = events.findLast(({ event }) => event === 'circuit_breaker_opened') ?? {}
  const why: Opening = {
    reason: isOpenReason(details.reason) ? details.reason : 'no_progress',
    threshold: Number(details.threshold) || 0,
    value: Number(details.value) || breaker.consecutive_no_progress,
  }
  await askOpen(work, 'found', why, breaker)
}

async function askOpen(
  work: PhaseWork,
  key: string,
  why: Opening,
  { cooldown_until: until, reopen_count: failed }: Pick<BreakerRecord, 'cooldown_until' | 'reopen_count'>,
): Promise<void> {
  const { run, facts } = work
  const answer = await run.ask(`${key}-open`, qBreaker(facts.id, why, until, failed))
  await save(
    work,
    `${key}-half-open`,
    (state) => ({
      ...allowed(state, facts.id, answer.value, why),
      circuit_breaker: { ...state.circuit_breaker, ...halfOpened(state.circuit_breaker, answer.value) },
    }),
    [{ event: 'run_resumed', phase: facts.id, details: { by: answer.value } }],
  )
}

/** With a new allowance nothing has to be tried: what ran out is there again. */
function halfOpened(breaker: BreakerRecord, answer: string): Partial<BreakerRecord> {
  return answer === 'allow' ? { state: 'closed', cooldown_until: null } : { ...halfOpen(breaker) }
}

function allowed(state: PlaybookState, id: string, answer: string, { reason }: Opening): PlaybookState {
  const running = { ...state, _meta: { ...state._meta, status: 'running' as const } }
  if (answer !== 'allow') return running
  const key = `phase_${id}`
  const record = phaseOf(state, id)
  const before = allowancesOf(state, id)
  const name = reason as 'phase_tokens' | 'phase_minutes'
  const allowances = { ...before, [name]: (before[name] ?? 0) + 1 }
  return { ...running, phases: { ...running.phases, [key]: { ...record, allowances } } }
}
