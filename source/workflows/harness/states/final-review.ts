import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { qAgent } from '../../dispatch/questions.js'
import { recordFailure } from '../artifacts/failures.js'
import { readPhaseReview } from '../artifacts/phase-review.js'
import { dispatchFinalFix, type FixCycle } from '../dispatches/final-fix.js'
import { dispatchFinalReviewer, type EarlierFindings } from '../dispatches/reviewer.js'
import { blockingOf, findingsOf, severityCounts } from '../findings.js'
import { findingLines, qFinal, qFinalLimit } from '../questions/review.js'
import { withDecision } from '../state/decisions.js'
import type { FinalReview, Finding, HarnessState } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import { validationGaps, validationReason } from '../validate.js'
import { type PhaseWork, phaseWork } from '../work.js'

type Leave = Transition<HarnessState>

/** Exactly three fix cycles (docs/harness.md, "Settled decisions"). */
const maxFixCycles = 3

/** FINAL_REVIEW: one review over all phases, startingCommit..HEAD (docs/harness.md, "States"). */
export async function finalReview(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Leave> {
  await run.update('in-progress', (latest) => withFinal(latest, { status: 'in_progress' }))
  const from = state.startingCommit
  const somethingToReview = await run.step('diff', async () => from === null || tools.git.hasDiff(from))
  if (!somethingToReview) {
    await run.note('empty', 'Nothing was committed since the start, so there is nothing to review.')
    return { change: (latest) => toDone(withFinal(latest, { status: 'passed', findings: [] })) }
  }

  const work = phaseWork(state, run, tools)
  const findings = await reviewedFindings(work)
  const blocking = blockingOf(findings)
  const kind = blocking.length > 0 ? 'warning' : 'note'
  await run.note('findings', `Final review: ${severityCounts(findings)}`, kind)
  if (blocking.length === 0) {
    return { change: (latest) => toDone(withFinal(latest, { status: 'passed', findings })) }
  }

  const stored = await run.update('store-findings', (latest) => withFinal(latest, { findings }))
  const answer = await run.ask('final', qFinal(blocking, stored.finalReview.retryCount))
  if (answer.value === 'override') {
    return { change: (latest) => overridden(latest, answer.text ?? '', tools.now().toISOString()) }
  }
  const counted = await run.update('count', (latest) =>
    withFinal(latest, { retryCount: latest.finalReview.retryCount + 1 }),
  )
  const cycle = counted.finalReview.retryCount
  if (cycle > maxFixCycles) await limitReached(work, blocking)
  else await fixFindings(work, { cycle, maxCycles: maxFixCycles, findings: blocking })
  return { change: (latest) => ({ ...latest, currentState: 'FINAL_REVIEW' }) }
}

function withFinal(state: HarnessState, change: Partial<FinalReview>): HarnessState {
  return { ...state, finalReview: { ...state.finalReview, ...change } }
}

function toDone(state: HarnessState): HarnessState {
  return { ...state, currentState: 'DONE' }
}

function overridden(state: HarnessState, rationale: string, timestamp: string): HarnessState {
  return toDone(
    withDecision(withFinal(state, { status: 'overridden' }), {
      phase: state.currentPhase,
      decision: 'overridden_final_review',
      timestamp,
      rationale,
    }),
  )
}

async function reviewedFindings(work: PhaseWork): Promise<Finding[]> {
  const reviews = await work.run.step('phase-reviews', () => phaseReviews(work))
  const earlier: EarlierFindings = {
    findings: reviews.flatMap((one) => one.findings),
    listed: reviews.flatMap(listedFindings),
  }
  return findingsOf(await dispatchFinalReviewer(work, earlier))
}

interface PhaseReview {
  /** 1-based. */
  phase: number
  findings: Finding[]
  /** Set when the file of the phase could not be read: that is not "no findings". */
  unreadable?: string | undefined
}

async function phaseReviews({ state, tools }: PhaseWork): Promise<PhaseReview[]> {
  const all: PhaseReview[] = []
  for (let phase = 1; phase <= state.phases.length; phase += 1) {
    const review = await readPhaseReview(tools, phase)
    if (!review) continue
    all.push('findings' in review ? { phase, ...review } : { phase, findings: [], ...review })
  }
  return all
}

/** An unreadable review of a phase is told as a finding, so that it is looked at again. */
function listedFindings(review: PhaseReview) {
  if (review.unreadable) {
    const title = `the review of this phase cannot be read (${review.unreadable}); review it again`
    return [{ phase: review.phase, severity: 'unknown', file: 'phase review', title }]
  }
  return review.findings.map(({ severity, file, title }) => ({ phase: review.phase, severity, file, title }))
}

/** The executor fixes the blocking findings, one commit each; then the validate command has a look. */
async function fixFindings(work: PhaseWork, fix: FixCycle): Promise<void> {
  const { run, tools } = work
  for (let round = 1; ; round += 1) {
    const result = await dispatchFinalFix(work, round, fix)
    if (result.status === 'complete') break
    const said =
      result.failure?.error ?? result.checkpoint?.prompt ?? `The executor reports ${result.status}.`
    await run.ask(`fix-failed-${round}`, qAgent('The final review findings were not fixed', [said]))
  }
  const outcome = await run.step('validate', () => tools.validate(run.signal))
  const said =
    outcome.kind === 'pass'
      ? ['passed']
      : outcome.kind === 'failed'
        ? validationGaps(outcome)
        : validationReason(outcome)
  await run.note(
    'validated',
    `Validation after fix cycle ${fix.cycle}: ${said.join('; ')}`,
    outcome.kind === 'failed' ? 'warning' : 'note',
  )
}

/** Three cycles did not clear the review: on record, and the person mends it. */
async function limitReached({ run, tools }: PhaseWork, blocking: readonly Finding[]): Promise<void> {
  const at = await run.step('limit-at', () => tools.now().toISOString())
  const attempts = findingLines(blocking).slice(0, 6)
  await run.step('failures', () =>
    recordFailure(tools, { date: at.slice(0, 10), task: 'Final review', attempts }),
  )
  await run.ask('limit', qFinalLimit(blocking))
}
