import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { commonBrief, dispatchPersona, sessionFields } from '../../dispatch/dispatch.js'
import { qAgent } from '../../dispatch/questions.js'
import { recordFailure } from '../artifacts/failures.js'
import { sessionFiles } from '../artifacts/files.js'
import { countFindings, readPhaseReview } from '../artifacts/phase-review.js'
import { withDecision } from '../decisions.js'
import { blockingOf, findingsOf, fixFinding } from '../findings.js'
import { finalReviewPrompt } from '../personas/code-reviewer.js'
import { finalFixPrompt } from '../personas/task-executor.js'
import { currentPhase } from '../phases.js'
import { findingLines, qFinal, qFinalLimit } from '../questions/review.js'
import {
  type ExecutionResult,
  executionResultSchema,
  type ReviewResult,
  reviewResultSchema,
} from '../results.js'
import type { FinalReview, Finding, HarnessState } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import { validationGaps, validationReason } from './verify.js'

type Leave = Transition<HarnessState>

/** Exactly three fix cycles (section 5.1). */
const maxFixCycles = 3

/** FINAL_REVIEW: one review over all phases, startingCommit..HEAD (section 1). */
export async function finalReview(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Leave> {
  await run.update('in-progress', (latest) => withFinal(latest, { status: 'in_progress' }))
  const from = state.startingCommit
  const somethingToReview = await run.step(
    'diff',
    async () => from === null || (await tools.git.hasDiff(from)),
  )
  if (!somethingToReview) {
    await run.note('empty', 'Nothing was committed since the start, so there is nothing to review.')
    return { change: (latest) => toDone(withFinal(latest, { status: 'passed', findings: [] })) }
  }

  const findings = await reviewedFindings(state, run, tools)
  const counts = countFindings(findings)
  const line = `Final review: ${counts.blocking} blocking, ${counts.warning} warning, ${counts.note} note`
  await run.note('findings', line, counts.blocking > 0 ? 'warning' : 'note')
  const blocking = blockingOf(findings)
  if (blocking.length === 0) {
    return { change: (latest) => toDone(withFinal(latest, { status: 'passed', findings })) }
  }

  const stored = await run.update('store-findings', (latest) => withFinal(latest, { findings }))
  const answer = await run.ask('final', qFinal(blocking, stored.finalReview.retryCount))
  if (answer.value === 'override') {
    return {
      change: (latest) =>
        toDone(
          withDecision(withFinal(latest, { status: 'overridden' }), {
            phase: latest.currentPhase,
            decision: 'overridden_final_review',
            timestamp: tools.now().toISOString(),
            rationale: answer.text ?? '',
          }),
        ),
    }
  }
  const counted = await run.update('count', (latest) =>
    withFinal(latest, { retryCount: latest.finalReview.retryCount + 1 }),
  )
  const cycle = counted.finalReview.retryCount
  if (cycle > maxFixCycles) return limitReached(run, tools, blocking)
  await fixFindings(counted, run, tools, blocking, cycle)
  return { change: (latest) => ({ ...latest, currentState: 'FINAL_REVIEW' }) }
}

function withFinal(state: HarnessState, change: Partial<FinalReview>): HarnessState {
  return { ...state, finalReview: { ...state.finalReview, ...change } }
}

function toDone(state: HarnessState): HarnessState {
  return { ...state, currentState: 'DONE' }
}

async function reviewedFindings(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Finding[]> {
  const earlier = await run.step('phase-reviews', () => phaseFindings(state, tools))
  const context = currentPhase(state)
  const result = await dispatchPersona<ReviewResult>(run, tools, 'reviewer', {
    persona: 'harness-code-reviewer',
    title: 'Final review across all phases',
    phase: context.number,
    expects: reviewResultSchema,
    access: 'read',
    failedTitle: 'The final review did not succeed',
    brief: {
      ...(await commonBrief(tools, context)),
      expects: 'review',
      final: true,
      findings: earlier.flatMap((one) => one.findings),
      ...(state.startingCommit ? { diffBase: state.startingCommit } : {}),
    },
    prompt: (begin) =>
      finalReviewPrompt({
        ...sessionFields(tools, state.rigorLevel, begin),
        startingCommit: state.startingCommit ?? 'HEAD',
        earlier: earlier.flatMap(promptFindings),
        phases: state.phases.map((phase, index) => ({
          number: index + 1,
          name: phase.name,
          status: phase.status,
        })),
      }),
  })
  return findingsOf(result)
}

interface PhaseFindings {
  phase: number
  findings: Finding[]
  /** Set when the file of the phase could not be read: that is not "no findings". */
  unreadable?: string
}

async function phaseFindings(state: HarnessState, tools: HarnessTools): Promise<PhaseFindings[]> {
  const all: PhaseFindings[] = []
  for (let number = 1; number <= state.phases.length; number += 1) {
    const review = await readPhaseReview(tools, number)
    if (!review) continue
    all.push(
      'findings' in review
        ? { phase: number, findings: review.findings }
        : { phase: number, findings: [], unreadable: review.unreadable },
    )
  }
  return all
}

/** An unreadable review of a phase is told as a finding, so that it is looked at again. */
function promptFindings(review: PhaseFindings) {
  if (review.unreadable) {
    const title = `the review of this phase cannot be read (${review.unreadable}); review it again`
    return [{ phase: review.phase, severity: 'unknown', file: 'phase review', title }]
  }
  return review.findings.map((finding) => ({
    phase: review.phase,
    severity: finding.severity,
    file: finding.file,
    title: finding.title,
  }))
}

/** The executor fixes the blocking findings, one commit each; then the validate command has a look. */
async function fixFindings(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
  blocking: readonly Finding[],
  cycle: number,
): Promise<void> {
  const context = currentPhase(state)
  for (let round = 1; ; round += 1) {
    const result = await dispatchPersona<ExecutionResult>(run, tools, `fix-${round}`, {
      persona: 'harness-task-executor',
      title: `Fix final review findings (cycle ${cycle} of ${maxFixCycles})`,
      attempt: round,
      phase: context.number,
      expects: executionResultSchema,
      access: 'full',
      failedTitle: 'Fixing the final review findings did not succeed',
      brief: {
        ...(await commonBrief(tools, context)),
        expects: 'execution',
        final: true,
        findings: blocking,
        ...(state.startingCommit ? { diffBase: state.startingCommit } : {}),
      },
      prompt: (begin) =>
        finalFixPrompt({
          ...sessionFields(tools, state.rigorLevel, begin),
          statePath: sessionFiles(tools.sessionDir).taskState,
          findings: blocking.map(fixFinding),
          cycle,
          maxCycles: maxFixCycles,
        }),
    })
    if (result.status === 'complete') break
    const said =
      result.failure?.error ?? result.checkpoint?.prompt ?? `The executor reports ${result.status}.`
    await run.ask(`fix-failed-${round}`, qAgent('The final review findings were not fixed', [said], false))
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
    `Validation after fix cycle ${cycle}: ${said.join('; ')}`,
    outcome.kind === 'failed' ? 'warning' : 'note',
  )
}

async function limitReached(
  run: Run<HarnessState>,
  tools: HarnessTools,
  blocking: readonly Finding[],
): Promise<Leave> {
  const at = await run.step('limit-at', () => tools.now().toISOString())
  await run.step('failures', () =>
    recordFailure(tools, at.slice(0, 10), 'Final review', findingLines(blocking).slice(0, 6)),
  )
  await run.ask('limit', qFinalLimit(blocking))
  return { change: (latest) => ({ ...latest, currentState: 'FINAL_REVIEW' }) }
}
