import { durationText } from '../../../durations.js'
import type { AuditResult, IntegrationResult } from '../results.js'
import type { RunMetrics } from './metrics.js'

// What is told of a run at its end, as files. Pure.

export interface ReportedPhase {
  id: string
  name: string
  status: string
  score: number | null
  minutes: number
  /** Why it was skipped or failed, or what it waits for. */
  note: string
}

export interface CompletionFacts {
  runId: string
  /** ISO. */
  at: string
  phases: readonly ReportedPhase[]
  integration: IntegrationResult | undefined
  audit:
    | { requirements: number; gaps: AuditResult['gaps']; fixed: readonly string[]; rounds: number }
    | undefined
  metrics: RunMetrics
  /** Runs before this one, oldest first. */
  earlier: readonly RunMetrics[]
  deferrals: readonly { phase: string; task: string; verdict: string | null }[]
  /** What people have accepted as it is, a line each. */
  accepted?: readonly string[]
  /** What nobody was asked about, and should be seen. */
  listed?: readonly string[]
}

/** Repo-relative; `date` is `YYYY-MM-DD`. */
export function completionPath(date: string): string {
  return `.autopilot/completion-${date}.md`
}

export const batchReportPath = '.autopilot/completion-report.md'

const scoreText = (score: number | null) => (score === null ? '-' : `${score.toFixed(1)}/10`)
const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim()
const list = (items: readonly string[], none: string) =>
  items.length === 0 ? [none] : items.map((item) => `- ${item}`)

export function completionText(facts: CompletionFacts): string {
  const { metrics } = facts
  return [
    `# Completion: ${facts.runId}`,
    '',
    `**Date:** ${facts.at}`,
    '',
    '## Phases',
    '',
    ...phaseTable(facts.phases),
    '',
    '## Integration',
    '',
    ...integrationLines(facts.integration),
    '',
    '## Self-Audit Results',
    '',
    ...auditLines(facts.audit),
    '',
    '## Statistics',
    '',
    `- Attempted: ${metrics.phases_attempted}, succeeded: ${metrics.phases_succeeded}, failed: ${metrics.phases_failed}, left to a person: ${metrics.phases_human_deferred}`,
    `- Average score: ${scoreText(metrics.avg_alignment_score)}`,
    `- Duration: ${durationText(60_000 * metrics.total_duration_minutes)}`,
    `- Tokens: ${metrics.total_tokens_used} used, ${metrics.total_estimated_tokens} estimated`,
    `- Debug loops: ${metrics.total_debug_loops}, re-plans: ${metrics.total_replan_attempts}`,
    ...Object.entries(metrics.failure_taxonomy_histogram).map(([word, count]) => `- ${word}: ${count}`),
    '',
    '## Deferrals',
    '',
    ...list(
      facts.deferrals.map(
        ({ phase, task, verdict }) => `Phase ${phase}, task ${task}: ${verdict ?? 'no verdict yet'}`,
      ),
      'None.',
    ),
    ...section('Accepted', facts.accepted),
    ...section('To be looked at', facts.listed),
    ...trendLines(facts),
    '',
  ].join('\n')
}

/** Only where there is something in it. */
function section(title: string, lines: readonly string[] = []): string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...list(lines, '')]
}

function phaseTable(phases: readonly ReportedPhase[]): string[] {
  return [
    '| Phase | Name | Status | Score | Duration | Note |',
    '|-------|------|--------|-------|----------|------|',
    ...phases.map(
      ({ id, name, status, score, minutes, note }) =>
        `| ${id} | ${cell(name)} | ${status} | ${scoreText(score)} | ${durationText(60_000 * minutes)} | ${cell(note)} |`,
    ),
  ]
}

function integrationLines(result: IntegrationResult | undefined): string[] {
  if (result === undefined) return ['Not checked.']
  return [
    `**Result:** ${result.pass ? 'PASS' : 'FAIL'}`,
    '',
    ...list(result.issues, 'No issues.'),
    ...result.commands_run.map((command) => `- ran: ${command}`),
  ]
}

function auditLines(audit: CompletionFacts['audit']): string[] {
  if (audit === undefined) return ['Not audited.']
  const { requirements, gaps, fixed, rounds } = audit
  return [
    `**Requirements:** ${requirements}, **gaps left:** ${gaps.length}, **gaps closed:** ${fixed.length}, **rounds:** ${rounds}`,
    '',
    ...fixed.map((requirement) => `- closed: ${requirement}`),
    ...list(
      gaps.map(
        ({ requirement, description, files }) =>
          `${requirement}: ${description}${files.length === 0 ? '' : ` (${files.join(', ')})`}`,
      ),
      'No gaps are left.',
    ),
  ]
}

/** From the second run on there is something to compare. */
function trendLines({ metrics, earlier }: CompletionFacts): string[] {
  const before = earlier.at(-1)
  if (before === undefined) return []
  const change = (now: number | null, then: number | null) =>
    now === null || then === null
      ? 'not comparable'
      : `${then} -> ${now} (${now >= then ? '+' : ''}${(now - then).toFixed(2)})`
  const words = new Map<string, number>()
  for (const run of [...earlier, metrics])
    for (const [word, count] of Object.entries(run.failure_taxonomy_histogram))
      words.set(word, (words.get(word) ?? 0) + count)
  const often = [...words].sort((one, other) => other[1] - one[1]).slice(0, 3)
  return [
    '',
    '## Trend Analysis',
    '',
    `- Runs: ${earlier.length + 1}`,
    `- Success rate: ${change(metrics.success_rate, before.success_rate)}`,
    `- Average score: ${change(metrics.avg_alignment_score, before.avg_alignment_score)}`,
    `- Debug loops: ${change(metrics.total_debug_loops, before.total_debug_loops)}`,
    ...often.map(([word, count]) => `- Failures over all runs: ${word} ${count}`),
  ]
}

export interface BatchFacts {
  runId: string
  at: string
  attempted: readonly ReportedPhase[]
  skipped: readonly { id: string; name: string; reason: string }[]
  /** Phases with what they depend on and did not get. */
  gaps: readonly { id: string; needs: readonly string[] }[]
  /** What to type for the phases that are left; null where none is. */
  command: string | null
}

/** The report of a run of all outstanding phases. */
export function batchReportText({ runId, at, attempted, skipped, gaps, command }: BatchFacts): string {
  const completed = attempted.filter(({ status }) => status === 'completed')
  const scores = completed.flatMap(({ score }) => score ?? [])
  const average =
    scores.length === 0
      ? null
      : Math.floor((scores.reduce((sum, one) => sum + one, 0) / scores.length) * 10 + 1e-9) / 10
  const failed = attempted.filter(({ status }) => status === 'failed')
  return [
    `# Completion Report: ${runId}`,
    '',
    `**Date:** ${at}`,
    '',
    '## Phases Attempted',
    '',
    ...phaseTable(attempted),
    '',
    '## Phases Skipped',
    '',
    ...list(
      skipped.map(({ id, name, reason }) => `Phase ${id} (${name}): ${reason}`),
      'None.',
    ),
    '',
    '## Dependency Gaps',
    '',
    ...list(
      gaps.map(({ id, needs }) => `Phase ${id} needs ${needs.join(', ')}`),
      'None.',
    ),
    '',
    '## Summary',
    '',
    `- Completed: ${completed.length} of ${attempted.length} attempted, skipped: ${skipped.length}`,
    `- Average score: ${scoreText(average)}`,
    '',
    '## Next Steps',
    '',
    ...list(
      [
        ...failed.map(({ id, note }) => `Look at phase ${id}: ${note === '' ? 'it failed' : note}`),
        ...(command === null ? [] : [`Run what is left: \`${command}\``]),
      ],
      'Nothing is left.',
    ),
    '',
  ].join('\n')
}
