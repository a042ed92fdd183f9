import { counted } from '../../../counted.js'
import { shown } from '../../../documents/spec-unread.js'
import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { writeSkillHandoff } from '../artifacts/handoff.js'
import {
  appendGlobalLearning,
  globalLearningCount,
  promoteLearnings,
  pruneThreshold,
} from '../artifacts/learnings.js'
import { pullRequestText, writePullRequest } from '../artifacts/pull-request.js'
import { syncRoadmap } from '../artifacts/roadmap.js'
import { specTitle } from '../artifacts/spec.js'
import { writeSessionSummary } from '../artifacts/summary.js'
import { allComplete, doneReport } from '../done-report.js'
import { letPassLines, overriddenFindings, phaseBadges } from '../evidence-lines.js'
import { isOpen, phaseMarkAt, phaseTitle } from '../phases.js'
import { shouldPauseForReview } from '../planning/signals.js'
import { qPr } from '../questions/done.js'
import { qAllSkipped } from '../questions/phase-complete.js'
import { decisionText } from '../state/decisions.js'
import { type HarnessState, type Phase, signalsSchema } from '../state/state.js'
import { knownHistory, totals } from '../state/totals.js'
import type { HarnessTools } from '../tools.js'
import type { HarnessWork } from '../work.js'

/** DONE: everything is written down first, then a pull request is offered (docs/harness.md, "States"). */
export async function done(
  state: HarnessState,
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<Transition<HarnessState>> {
  const work: HarnessWork = { run, tools }
  const at = await run.step('at', () => tools.now().toISOString())
  // How long it took is told at the end, when nobody waits for anybody any more.
  const told = doneReport(state)
  run.report(told)

  await run.step('handoff', async () => writeSkillHandoff(tools, await finalHandoff(state, tools, at)))
  await run.step('learning', async () => appendGlobalLearning(tools, await learningLines(state, tools, at)))
  const { promoted, kept } = await run.step('promotion', () => promoteLearnings(tools))
  const learned = [`Promoted ${counted(promoted, 'learning')} to global, ${kept} kept in the session.`]
  await run.note('promoted', learned[0] ?? '')
  const count = await run.step('learning-count', () => globalLearningCount(tools))
  if (count > pruneThreshold) {
    const hint = `.harness/learnings.md has ${counted(count, 'entry', 'entries')} (threshold: ${pruneThreshold}). Run \`harness learnings prune\` to archive old ones.`
    await run.note('prune', hint)
    learned.push(hint)
  }
  const lines = [...told, ...learned]
  run.report(lines)
  await roadmapDone(work, state)
  await run.step('summary-file', () => writeFinalSummary(state, tools, at))
  await offerPullRequest(work, state, lines)
  return { change: (latest) => latest, finished: true }
}

async function finalHandoff(state: HarnessState, tools: HarnessTools, at: string) {
  const sum = totals(state)
  const title = await specTitle(tools)
  return {
    timestamp: at,
    fromSkill: 'harness-autopilot',
    phase: 'DONE',
    summary: `Completed ${sum.phases} phases with ${sum.tasks} total tasks${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`,
    completed: state.phases.flatMap((phase, index) =>
      phase.status === 'complete' ? [phaseTitle(phase, index)] : [],
    ),
    pending: [],
    concerns: [...letPassLines(state), ...overriddenFindings(state)],
    decisions: state.decisions.map((entry) => ({ what: decisionText(entry), why: whyOf(state, entry) })),
    blockers: [],
    contextKeywords: keywords(title),
    finalReview: { status: state.finalReview.status, findingsCount: state.finalReview.findings.length },
  }
}

function whyOf(state: HarnessState, entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return ''
  const { phase, rationale, choice, signals } = entry as Record<string, unknown>
  const fired = signalsSchema.safeParse(signals)
  const why = fired.success ? (shouldPauseForReview(fired.data) ? 'signals' : 'no signal') : ''
  return [typeof phase === 'number' ? `phase ${phaseMarkAt(state, phase)}` : '', why, choice, rationale]
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
    `- [skill:harness-autopilot] [outcome:complete] Executed ${sum.phases} phases, ${sum.tasks} tasks, ${sum.retries} retries${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`,
    `- [skill:harness-autopilot] [outcome:observation] ${observation(state)}`,
  ]
}

/** The one thing about the run that stands out: where retries or overrides went, else that nothing did. */
function observation(state: HarnessState): string {
  const worst = knownHistory(state).reduce(
    (most, entry) => (entry.retriesUsed > (most?.retriesUsed ?? 0) ? entry : most),
    undefined as ReturnType<typeof knownHistory>[number] | undefined,
  )
  if (worst)
    return `Phase ${phaseMarkAt(state, worst.phase)} (${shown(worst.name)}) needed the most retries: ${worst.retriesUsed}`
  if (state.finalReview.status === 'overridden') return 'The final review was overridden'
  return 'No phase needed a retry'
}

/** The feature is done only when every phase is over, and asked about when all were skipped. */
async function roadmapDone(work: HarnessWork, state: HarnessState): Promise<void> {
  if (state.phases.some(isOpen)) return
  const allSkipped = state.phases.every((phase) => phase.status === 'skipped')
  const wants = async () =>
    !allSkipped || (await work.run.ask('all-skipped', qAllSkipped())).value === 'apply'
  await syncRoadmap(work, 'done', wants)
}

async function writeFinalSummary(state: HarnessState, tools: HarnessTools, at: string): Promise<void> {
  const sum = totals(state)
  await writeSessionSummary(tools, {
    session: tools.slug,
    lastActive: at,
    skill: 'harness-autopilot',
    status: `DONE. ${sum.phases} phases, ${sum.tasks} tasks complete.`,
    spec: tools.specPath,
    keyContext: [
      `${await specTitle(tools)}: ${state.phases.map(phaseWords).join(', ')}.`,
      ...[...letPassLines(state), ...overriddenFindings(state)].map((line) => `${line}.`),
    ].join(' '),
    nextStep: allComplete(state)
      ? 'All phases complete. Create PR or close session.'
      : 'Not all phases are complete. Create PR or close session.',
  })
}

function phaseWords(phase: Phase): string {
  const known = phaseBadges(phase)
  return `${shown(phase.name)} ${phase.status}${known.length > 0 ? ` (${known.join(', ')})` : ''}`
}

async function offerPullRequest(
  { run, tools }: HarnessWork,
  state: HarnessState,
  lines: readonly string[],
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
  run.report([...lines, '', `Pull request: ${text.title}`, `Text: ${path}`, outcome])
  await run.note('pr', `Pull request "${text.title}": ${path}. ${outcome}`)
}
