import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { writeSkillHandoff } from '../artifacts/handoff.js'
import {
  appendGlobalLearning,
  globalLearningCount,
  promoteLearnings,
  pruneThreshold,
} from '../artifacts/learnings.js'
import { countFindings } from '../artifacts/phase-review.js'
import { pullRequestText, writePullRequest } from '../artifacts/pull-request.js'
import { syncRoadmap } from '../artifacts/roadmap.js'
import { writeSessionSummary } from '../artifacts/summary.js'
import { decisionText } from '../decisions.js'
import { specTitle } from '../phases.js'
import { qPr } from '../questions/done.js'
import { qAllSkipped } from '../questions/phase-complete.js'
import { shouldPauseForReview } from '../signals.js'
import { type Finding, type HarnessState, signalsSchema } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import { elapsedText, knownHistory, totals } from '../totals.js'

/** DONE: everything is written down first, then a pull request is offered (sections 1, 5.1). */
export async function done(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Transition<HarnessState>> {
  const at = await run.step('at', () => tools.now().toISOString())
  run.report(doneReport(state))

  await run.step('handoff', async () => writeSkillHandoff(tools, await finalHandoff(state, tools, at)))
  await run.step('learning', async () => appendGlobalLearning(tools, await learningLines(state, tools, at)))
  const { promoted, kept } = await run.step('promotion', () => promoteLearnings(tools))
  await run.note('promoted', `Promoted ${promoted} learnings to global, ${kept} kept in the session.`)
  const count = await run.step('learning-count', () => globalLearningCount(tools))
  if (count > pruneThreshold) {
    await run.note(
      'prune',
      `.harness/learnings.md has ${count} entries (threshold: ${pruneThreshold}). Run \`harness learnings prune\` to archive old ones.`,
    )
  }
  await roadmapDone(state, run, tools)
  await run.step('summary-file', () => writeFinalSummary(state, tools, at))
  await offerPullRequest(state, run, tools)
  return { change: (latest) => latest, finished: true }
}

/** What the person reads at the end, and again when a finished session is opened. */
export function doneReport(state: HarnessState): string[] {
  const sum = totals(state)
  const { findings, status } = state.finalReview
  const overridden = state.decisions.filter((entry) =>
    /^overridden_(final_)?review$/.test(decisionText(entry)),
  )
  const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''
  return [
    'All phases complete.',
    `Total: ${sum.phases} phases${skipped}, ${sum.tasks} tasks, ${sum.retries} ${sum.retries === 1 ? 'retry' : 'retries'}`,
    ...(sum.elapsedMs === undefined ? [] : [`Time: ${elapsedText(sum.elapsedMs)}`]),
    `Final review: ${status} (${findingCounts(findings)})`,
    ...overridden.map((entry) => {
      const { phase, rationale } = entry as { phase?: number; rationale?: string }
      const where =
        decisionText(entry) === 'overridden_review' ? `phase ${Number(phase) + 1}` : 'the final review'
      return `Overridden findings of ${where}: ${rationale ?? 'no rationale'}`
    }),
  ]
}

/** `0 blocking, 1 warning`: severities that were found, and blocking always. */
function findingCounts(findings: readonly Finding[]): string {
  const { blocking, warning, note } = countFindings(findings)
  const parts = [
    `${blocking} blocking`,
    warning > 0 ? `${warning} warning` : '',
    note > 0 ? `${note} note` : '',
  ]
  return parts.filter(Boolean).join(', ')
}

async function finalHandoff(state: HarnessState, tools: HarnessTools, at: string) {
  const sum = totals(state)
  const title = await specTitle(tools)
  return {
    timestamp: at,
    fromSkill: 'harness-autopilot',
    phase: 'DONE',
    summary: `Completed ${sum.phases} phases with ${sum.tasks} total tasks`,
    completed: state.phases.flatMap((phase, index) =>
      phase.status === 'complete' ? [`Phase ${index + 1}: ${phase.name}`] : [],
    ),
    pending: [],
    concerns: [],
    decisions: state.decisions.map((entry) => ({ what: decisionText(entry), why: whyOf(entry) })),
    blockers: [],
    contextKeywords: keywords(title),
    finalReview: { status: state.finalReview.status, findingsCount: state.finalReview.findings.length },
  }
}

function whyOf(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return ''
  const { phase, rationale, choice, signals } = entry as Record<string, unknown>
  const fired = signalsSchema.safeParse(signals)
  const why = fired.success ? (shouldPauseForReview(fired.data) ? 'signals' : 'no signal') : ''
  return [typeof phase === 'number' ? `phase ${phase + 1}` : '', why, choice, rationale]
    .filter(Boolean)
    .join(', ')
}

function keywords(title: string): string[] {
  return [...new Set(title.toLowerCase().match(/[\p{L}\p{N}-]{3,}/gu) ?? [])].slice(0, 8)
}

async function learningLines(state: HarnessState, tools: HarnessTools, at: string): Promise<string[]> {
  const sum = totals(state)
  return [
    `## ${at.slice(0, 10)} — Autopilot: ${await specTitle(tools)}`,
    `- [skill:harness-autopilot] [outcome:complete] Executed ${sum.phases} phases, ${sum.tasks} tasks, ${sum.retries} retries`,
    `- [skill:harness-autopilot] [outcome:observation] ${observation(state)}`,
  ]
}

/** The one thing about the run that stands out: where retries or overrides went, else that nothing did. */
function observation(state: HarnessState): string {
  const worst = knownHistory(state).reduce(
    (most, entry) => (entry.retriesUsed > (most?.retriesUsed ?? 0) ? entry : most),
    undefined as ReturnType<typeof knownHistory>[number] | undefined,
  )
  if (worst) return `Phase ${worst.phase + 1} (${worst.name}) needed the most retries: ${worst.retriesUsed}`
  if (state.finalReview.status === 'overridden') return 'The final review was overridden'
  return 'No phase needed a retry'
}

async function roadmapDone(state: HarnessState, run: Run<HarnessState>, tools: HarnessTools): Promise<void> {
  const finished = state.phases.every((phase) => phase.status === 'complete' || phase.status === 'skipped')
  if (!finished) return
  const allSkipped = state.phases.every((phase) => phase.status === 'skipped')
  if (allSkipped) {
    const answer = await run.ask('all-skipped', qAllSkipped())
    if (answer.value !== 'apply') return
  }
  await syncRoadmap(run, tools, 'done')
}

async function writeFinalSummary(state: HarnessState, tools: HarnessTools, at: string): Promise<void> {
  const sum = totals(state)
  await writeSessionSummary(tools, {
    session: tools.slug,
    lastActive: at,
    skill: 'harness-autopilot',
    status: `DONE. ${sum.phases} phases, ${sum.tasks} tasks complete.`,
    spec: tools.specPath,
    keyContext: `${await specTitle(tools)}: ${state.phases.map((phase) => `${phase.name} ${phase.status}`).join(', ')}.`,
    nextStep: 'All phases complete. Create PR or close session.',
  })
}

async function offerPullRequest(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<void> {
  const answer = await run.ask('pr', qPr(doneReport(state)))
  if (answer.value !== 'yes') return
  const text = await run.step('pr-text', () => pullRequestText(state, tools))
  const path = await run.step('pr-file', () => writePullRequest(tools, text))
  const opened = await run.step(
    'pr-open',
    async () => (await tools.openPullRequest?.(text.title, path)) ?? null,
  )
  const outcome = opened?.ok
    ? opened.output.trim()
    : opened
      ? `gh did not open it: ${opened.output.trim()}`
      : 'gh is not installed, so nothing was opened.'
  run.report([...doneReport(state), '', `Pull request: ${text.title}`, `Text: ${path}`, outcome])
  await run.note('pr', `Pull request "${text.title}": ${path}. ${outcome}`)
}
