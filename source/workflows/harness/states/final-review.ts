import { counted } from '../../../counted.js'
import { saysNothing } from '../../../documents/says-something.js'
import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { lastWords, reasonOr } from '../../dispatch/last-words.js'
import { qAgent } from '../../dispatch/questions.js'
import { assessmentsDiffer } from '../../evidence/claims/verdict.js'
import { changedSinceMark, type WorkMark, workMark } from '../../evidence/claims/work-mark.js'
import { qUnproven } from '../../evidence/questions.js'
import { recordFailure } from '../artifacts/failures.js'
import { handoffMark, leftHandoff } from '../artifacts/handoff.js'
import { readPhaseReview } from '../artifacts/phase-review.js'
import { fallenWork } from '../claims.js'
import { dispatchFinalFix, type FixCycle } from '../dispatches/final-fix.js'
import { dispatchFinalReviewer, type EarlierFindings } from '../dispatches/reviewer.js'
import { listedLines } from '../evidence-lines.js'
import { settleFinalTests } from '../execution/final-fix-tests.js'
import { blockingOf, findingsOf, reviewDoubt, severityCounts } from '../findings.js'
import { settleBasesOnce } from '../opening/settle-bases.js'
import { phaseMarkAt } from '../phases.js'
import { findingLines, qFinal, qFinalLimit, qGone } from '../questions/review.js'
import { withDecision } from '../state/decisions.js'
import type { FinalReview, Finding, HarnessState } from '../state/state.js'
import { totals } from '../state/totals.js'
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
  await settleBasesOnce({ run, tools }, run.state)
  const work = phaseWork(state, run, tools)
  const held = await settleRange(work)
  if (held === 'nothing') {
    await run.note('empty', 'Nothing was done since the start, so there is nothing to review.')
    return { change: (latest) => toDone(withFinal(latest, { status: 'passed', findings: [] })) }
  }
  if (held === 'gone') return { change: (latest) => toDone(withFinal(latest, { status: 'overridden' })) }

  const { findings, doubt } = await reviewedFindings(work)
  const blocking = blockingOf(findings)
  const kind = blocking.length > 0 || doubt ? 'warning' : 'note'
  await run.note('findings', `Final review: ${severityCounts(findings)}`, kind)
  // A reviewer can take the work away, so that nothing is left to find: looked at again before anything has passed.
  const after = blocking.length > 0 || doubt !== undefined ? held : await settleRange(work, 'after-')
  if (blocking.length === 0 && doubt === undefined) {
    const status = held === 'accepted' || after !== 'held' ? 'overridden' : 'passed'
    return { change: (latest) => toDone(withFinal(latest, { status, findings })) }
  }

  const stored = await run.update('store-findings', (latest) => withFinal(latest, { findings }))
  const asked = blocking.length > 0 ? blocking : findings
  const question = qFinal(asked, stored.finalReview.retryCount, doubt, listedLines(stored))
  const answer = await run.ask('final', question)
  if (answer.value === 'override') {
    return { change: (latest) => overridden(latest, answer.text ?? '', tools.now().toISOString()) }
  }
  const counted = await run.update('count', (latest) =>
    withFinal(latest, { retryCount: latest.finalReview.retryCount + 1 }),
  )
  const cycle = counted.finalReview.retryCount
  const open = asked.length > 0 ? asked : [unnamed(doubt ?? '')]
  if (cycle > maxFixCycles) await limitReached(work, open)
  else await fixFindings(work, { cycle, maxCycles: maxFixCycles, findings: open })
  return { change: (latest) => ({ ...latest, currentState: 'FINAL_REVIEW' }) }
}

/** A reviewer that wants something and does not say what. */
function unnamed(title: string): Finding {
  return { severity: 'blocking', file: '', line: null, title }
}

/**
 * What the session has done, by content from its start to the work tree. `held`: it is there, with every phase's work.
 * `nothing`: nothing was claimed either. `accepted`: part of it is not there and the person goes on; `gone`: all of it.
 */
async function settleRange(work: PhaseWork, prefix = ''): Promise<'held' | 'nothing' | 'accepted' | 'gone'> {
  const { run, tools, state } = work
  const found = await run.step(`${prefix}range`, async () => {
    const from = state.startingCommit
    const changed = from === null ? ['?'] : await tools.git.changedFrom(from)
    return {
      empty: changed.filter((path) => !path.startsWith('.harness/')).length === 0,
      fallen: await fallenWork(tools, run.state),
    }
  })
  const claimed = totals(state).tasks
  if (found.empty && claimed === 0) return 'nothing'
  const doubts = [
    ...(found.empty
      ? [
          `${counted(claimed, 'task is', 'tasks are')} reported complete, and nothing in the project differs from the start of the session.`,
        ]
      : []),
    ...found.fallen,
  ]
  if (doubts.length === 0) return 'held'
  await run.ask(`${prefix}range`, qGone(doubts))
  await run.update(`${prefix}range-accepted`, (latest) =>
    withDecision(latest, {
      phase: state.currentPhase,
      decision: 'accepted_missing_work',
      timestamp: tools.now().toISOString(),
      rationale: doubts.join(' '),
      lines: doubts,
    }),
  )
  return found.empty ? 'gone' : 'accepted'
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

async function reviewedFindings(work: PhaseWork): Promise<{ findings: Finding[]; doubt?: string }> {
  const reviews = await work.run.step('phase-reviews', () => phaseReviews(work))
  const earlier: EarlierFindings = {
    findings: reviews.flatMap((one) => one.findings as Finding[]),
    listed: reviews.flatMap((one) => listedFindings(one as PhaseReview)),
  }
  let reason: string | undefined
  for (let round = 1; ; round += 1) {
    const suffix = round === 1 ? '' : `-${round}`
    const before = await work.run.step(`before${suffix}`, () => handoffMark(work.tools))
    const done = await dispatchFinalReviewer(work, earlier, `reviewer${suffix}`, reason)
    const { result } = done
    const problem = await work.run.step(`compare${suffix}`, async () => {
      const left = await leftHandoff(work.tools, 'harness-code-review', before)
      if (left.kind === 'foreign') return left.problem
      const recorded = left.kind === 'own' ? left.handoff.assessment : undefined
      return assessmentsDiffer(result.assessment, recorded)
        ? `The final reviewer's result says ${result.assessment}, its handoff says ${recorded}.`
        : null
    })
    if (problem === null) {
      const doubt = reviewDoubt(result, lastWords(done))
      return { findings: findingsOf(result), ...(doubt === undefined ? {} : { doubt }) }
    }
    reason = problem
    await work.run.ask(
      `contradiction${suffix}`,
      qAgent('What the final reviewer left does not fit', [problem]),
    )
  }
}

interface PhaseReview {
  /** What it is called. */
  phase: string
  findings: Finding[]
  /** Set when the file of a phase of 0.1.0 could not be read: that is not "no findings". */
  unreadable?: string | undefined
}

/** From the state; only phases that 0.1.0 reviewed have nothing but their file. */
async function phaseReviews({ state, tools }: PhaseWork): Promise<PhaseReview[]> {
  const all: PhaseReview[] = []
  for (const [index, { findings }] of state.phases.entries()) {
    const phase = phaseMarkAt(state, index)
    const review = findings ? { findings } : await readPhaseReview(tools, index + 1)
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

/** The executor fixes the blocking findings, one commit each; then tests and the validate command have a look. */
async function fixFindings(work: PhaseWork, fix: FixCycle): Promise<void> {
  const { run, tools } = work
  let again: readonly string[] = []
  let wasRed = false
  let first: WorkMark | undefined
  for (let round = 1; ; round += 1) {
    const mark = (await run.step(`fix-mark-${round}`, () => workMark(tools.git))) as WorkMark
    first ??= mark
    const doubts = await fixOnce(work, { ...fix, doubts: again }, { round, mark })
    if (doubts === undefined) {
      const { findings } = fix
      const tested = await settleFinalTests(work, { round, mark: first, findings, wasRed })
      if (tested.kind === 'settled') break
      wasRed = tested.red
      again = tested.doubts
    } else again = doubts
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

/** One dispatch to fix. Returns what is doubted of it, for the next one; undefined where it counts. */
async function fixOnce(
  work: PhaseWork,
  fix: FixCycle,
  { round, mark }: { round: number; mark: WorkMark },
): Promise<string[] | undefined> {
  const { run, tools } = work
  const done = await dispatchFinalFix(work, round, fix)
  const { result } = done
  const isMixed = [result.failure?.error, result.checkpoint?.prompt].some((text = '') => !saysNothing(text))
  if (result.status !== 'complete' || isMixed) {
    const told = result.failure?.error ?? result.checkpoint?.prompt
    const said = `The executor reports ${result.status}. ${reasonOr(told, lastWords(done))}`
    const question = qAgent('The final review findings were not fixed', said.split('\n'))
    await run.ask(`fix-failed-${round}`, question)
    return [said]
  }
  const changed = await run.step(`fix-changed-${round}`, () =>
    changedSinceMark(tools.git, mark, (path) => path.startsWith('.harness/')),
  )
  if (changed.length > 0) return undefined
  const doubts = [
    'The agent says that the findings are fixed, and nothing has changed since it was sent.',
    ...fix.findings.map(({ file, title }) => `To be fixed: ${file ? `${file}: ` : ''}${title}`),
  ]
  const question = qUnproven('Final review', doubts, 'the same order again, with what was doubted')
  if ((await run.ask(`fix-unproven-${round}`, question)).value !== 'accept') return doubts
  await acceptUnmended(work, `fix-accepted-${round}`, doubts)
  return undefined
}

async function acceptUnmended({ run, tools, state }: PhaseWork, key: string, lines: string[]): Promise<void> {
  await run.update(key, (latest) =>
    withDecision(latest, {
      phase: state.currentPhase,
      decision: 'accepted_unproven',
      timestamp: tools.now().toISOString(),
      rationale: lines.join(' '),
      lines,
    }),
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
