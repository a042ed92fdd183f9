import { counted } from '../../../counted.js'
import { leastScoreOf } from '../breaker/limits.js'
import { wantsMending } from '../decisions/after-phase.js'
import {
  type Cycle,
  exhaustedWords,
  feedbackOf,
  isReverted,
  nextCycle,
  type RemediationMode,
  type RemediationNext,
} from '../decisions/remediation.js'
import type { Deficiency } from '../orders/fields.js'
import type { Attempts, PassInput } from '../pass.js'
import { publishDiagnostic } from '../phase-records.js'
import type { PassResult } from '../phase-return.js'
import { runPhase } from '../phase-runner.js'
import { tell } from '../progress.js'
import type { EventName } from '../state/events.js'
import type { ScoreEntry } from '../state/schema.js'
import { forgetBeforeCycle, keepBeforeCycle, putBackBeforeCycle } from '../steps/before-cycle.js'
import { rollBack } from '../steps/rollback.js'
import { type PhaseWork, savePhase, under } from '../work.js'

// Cycles in which what a phase lacks is mended: each one works by a list of deficiencies, and is taken back where it
// made things worse.

export interface RemediationWish {
  mode: RemediationMode
  input: PassInput
  used: Attempts
  /** Cycles that the phase has had before, in this run. */
  before: number
}

const beginEvents: Readonly<Record<RemediationMode, EventName>> = {
  standard: 'remediation_started',
  quality: 'quality_remediation_started',
  gaps: 'gaps_iteration_started',
}
const endEvents: Readonly<Record<RemediationMode, EventName>> = {
  standard: 'remediation_completed',
  quality: 'quality_remediation_completed',
  gaps: 'gaps_iteration_completed',
}

/** Mends until the threshold is reached, or no further cycle follows. What counts is handed back. */
export async function remediate(
  work: PhaseWork,
  wish: RemediationWish,
  first: PassResult,
): Promise<PassResult> {
  const { input, mode } = wish
  const score = first.returned.alignment_score
  const leastScore = leastScoreOf(work.tools.settings.circuit_breaker)
  const wants =
    mode === 'gaps'
      ? first.returned.status === 'completed'
      : wantsMending(first.returned, { passThreshold: input.threshold, leastScore })
  if (!wants || score === null) return first
  let current = first
  const cycles: Cycle[] = []
  for (;;) {
    const next = nextCycle(mode, input.threshold, score, cycles)
    if (next.next === 'reached') return current
    if (next.next === 'exhausted') return exhausted(work, current, next)
    const feedback = feedbackOf(current.deficiencies, next.items)
    if (feedback.length === 0) return exhausted(work, current, { flag: flagOf(mode), why: 'nothing_named' })
    const { result, cycle } = await oneCycle(work, wish, {
      current,
      feedback,
      number: wish.before + next.cycle,
    })
    cycles.push(cycle)
    if (!isReverted(cycle)) current = result
  }
}

function flagOf(mode: RemediationMode): Extract<RemediationNext, { next: 'exhausted' }>['flag'] {
  return mode === 'quality' ? 'quality_exhausted' : mode === 'gaps' ? 'gaps_exhausted' : 'force_incomplete'
}

/** One cycle over a list of deficiencies; taken back where it failed or made the score worse. */
export async function oneCycle(
  work: PhaseWork,
  { mode, input, used }: RemediationWish,
  {
    current,
    feedback,
    number,
  }: { current: Pick<PassResult, 'returned'>; feedback: Deficiency[]; number: number },
): Promise<{ result: PassResult; cycle: Cycle }> {
  const before = current.returned.alignment_score ?? 0
  const at = under(work, `c${number}`)
  await savePhase(
    at,
    'cycle-begins',
    (phase) => ({ ...phase, remediation_cycles: phase.remediation_cycles + 1 }),
    [{ event: beginEvents[mode], details: { cycle: number, items: feedback.length, score: before } }],
  )
  await tell(
    at,
    'cycle-says',
    `Remediation cycle ${number}: ${counted(feedback.length, 'deficiency', 'deficiencies')}, from ${before.toFixed(1)}`,
  )
  const head = await work.run.step(`${at.at}cycle-head`, async () => (await work.git.head()) ?? '')
  const kept = await keepBeforeCycle(work, `${at.at}cycle-kept`)
  const result = await runPhase(at, { ...input, remediation: { cycle: number, feedback } }, used)
  const { status, alignment_score: score, commit_shas: commits } = result.returned
  const cycle: Cycle = { before, after: status === 'failed' ? null : score }
  const reverted = isReverted(cycle)
  if (reverted) {
    await rollBack(at, 'cycle-back', { commits, checkpoint: head })
    await putBackBeforeCycle(at, 'cycle-back', kept)
  }
  await forgetBeforeCycle(at, 'cycle-forgets')
  const details = {
    cycle: number,
    old_score: before,
    new_score: cycle.after,
    improved: !reverted && (cycle.after ?? 0) > before,
    reached_threshold: !reverted && (cycle.after ?? 0) >= input.threshold,
  }
  await savePhase(
    at,
    'cycle-ends',
    (phase, time) => ({
      ...phase,
      score_history: [...phase.score_history, scoreEntry(cycle.after, time, mode, number)],
    }),
    [{ event: endEvents[mode], details }],
  )
  return { result, cycle }
}

function scoreEntry(
  score: number | null,
  timestamp: string,
  mode: RemediationMode,
  cycle: number,
): ScoreEntry {
  return { score, timestamp, flag: mode === 'standard' ? 'initial' : mode, cycle }
}

/** It passes all the same, and is marked; a standard one says in a file what was missing. */
async function exhausted(
  work: PhaseWork,
  current: PassResult,
  { flag, why }: Omit<Extract<RemediationNext, { next: 'exhausted' }>, 'next'>,
): Promise<PassResult> {
  const isForced = flag === 'force_incomplete'
  const path = isForced
    ? await publishDiagnostic(work, 'forced-file', current, { kind: 'force_incomplete' })
    : null
  await savePhase(
    work,
    'exhausted',
    (phase) => ({ ...phase, [flag]: true, ...(path === null ? {} : { diagnostic_path: path }) }),
    isForced
      ? [
          { event: 'confidence_diagnostic_written', details: { path } },
          { event: 'force_incomplete_marked', details: { score: current.returned.alignment_score, why } },
        ]
      : [{ event: flag, details: { score: current.returned.alignment_score, why } }],
  )
  await tell(
    work,
    'exhausted-says',
    `No further cycle, ${exhaustedWords(why)}: it passes as ${flag.replaceAll('_', ' ')}.`,
    'warning',
  )
  return current
}
