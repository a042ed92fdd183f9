import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '../../../counted.js'
import { isBacklogId } from '../../../documents/playbook-id.js'
import { readPlaybookRoadmap } from '../../../documents/playbook-roadmap.js'
import { readText, writeText } from '../../../project/text-files.js'
import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { projectChecks } from '../checks.js'
import { adjustedThreshold } from '../decisions/human-verification.js'
import { directoryIn } from '../phase-facts.js'
import {
  batchReportPath,
  batchReportText,
  completionPath,
  completionText,
  type ReportedPhase,
} from '../records/completion.js'
import {
  categoriesOf,
  metricsOf,
  metricsPath,
  type RunMetrics,
  readMetrics,
  withMetrics,
} from '../records/metrics.js'
import type { IntegrationResult } from '../results.js'
import { runWork } from '../run-work.js'
import { send } from '../send.js'
import { ownPhases } from '../state/carry.js'
import { acceptedLines } from '../state/decisions.js'
import { withEvents } from '../state/events.js'
import { listedLines } from '../state/listed.js'
import { phaseIds, phaseOf, phasesWith } from '../state/phases.js'
import type { PlaybookState } from '../state/schema.js'
import { isTalkOnly, mapLines } from '../state/talks.js'
import { giveBack } from '../steps/put-aside.js'
import type { PlaybookTools } from '../tools.js'
import type { PhaseWork } from '../work.js'
import { calibrationNote, raisedNote, standingNote, whyFailed } from './said-of-phase.js'
import { type Audit, selfAudit } from './self-audit.js'

/** COMPLETION: what the phases come to together, held against the spec, and told in files. */
export async function completion(
  state: PlaybookState,
  run: Run<PlaybookState>,
  tools: PlaybookTools,
): Promise<Transition<PlaybookState>> {
  const requirements = await run.step('requirements', () => requirementsOf(state, tools))
  const work = runWork({ run, tools }, requirements)
  const { integration, audit } = await lookOver(work, phasesWith(state, 'completed'))
  const at = await run.step('completed-at', () => tools.now().toISOString())
  await run.step('reports', () => publish(work, { state: run.state, at, integration, audit }))
  await giveBack(work, 'give-back')
  run.report(endLines(run.state))
  const { autonomous_confidence_threshold: before, deferral_history: history } = state._meta
  const adjusted = adjustedThreshold(before, history)
  return {
    finished: true,
    change: (latest) => {
      const done = {
        ...latest,
        _meta: {
          ...latest._meta,
          status: 'completed' as const,
          current_step: null,
          last_checkpoint: at,
          autonomous_confidence_threshold: adjusted,
        },
      }
      return withEvents(done, at, [
        ...(adjusted === before
          ? []
          : [{ event: 'deferral_threshold_adjusted' as const, details: { from: before, to: adjusted } }]),
        ...(latest._meta.flags.complete === true ? [{ event: 'batch_completion_report' as const }] : []),
        { event: 'run_completed', details: { phases: latest._meta.total_phases } },
      ])
    },
  }
}

/** What the completed phases of the roadmap ask for. */
async function requirementsOf(state: PlaybookState, tools: PlaybookTools): Promise<string[]> {
  const { phases } = readPlaybookRoadmap((await readText(tools, state.roadmap_path)) ?? '')
  const done = new Set(phasesWith(state, 'completed'))
  return [...new Set(phases.filter(({ id }) => done.has(id)).flatMap(({ requirements }) => requirements))]
}

/** Nothing is looked over where nothing was completed. */
async function lookOver(
  work: PhaseWork,
  completed: readonly string[],
): Promise<Pick<Published, 'integration' | 'audit'>> {
  if (completed.length === 0) return { integration: undefined, audit: undefined }
  return { integration: await integrate(work, completed), audit: await selfAudit(work) }
}

async function integrate(work: PhaseWork, done: readonly string[]): Promise<IntegrationResult | undefined> {
  const { run, tools } = work
  const dirs = await run.step('completed-dirs', async () => {
    const found = await Promise.all(done.map((id) => directoryIn(tools, run.state, id)))
    return found.filter((dir) => dir !== undefined)
  })
  const checks = await projectChecks(work, 'integration-check')
  const commandResults = Object.values(checks).flatMap(({ report }) => report ?? [])
  const sent = await send(
    work,
    'integration',
    { completedPhaseDirs: dirs, commandResults },
    { key: 'integration', title: 'Check that the phases hold together' },
  )
  return sent.ok ? sent.result : undefined
}

interface Published {
  state: PlaybookState
  at: string
  integration: IntegrationResult | undefined
  audit: Audit | undefined
}

async function publish({ tools, run }: PhaseWork, came: Published): Promise<null> {
  const { state, at } = came
  const text = await readText(tools, metricsPath)
  const metrics = metricsFor(state, at, run.times.workMs / 60_000, await categories(state, tools))
  const phases = reported(state, tools, metrics)
  await writeText(
    tools,
    completionPath(at.slice(0, 10)),
    completionText({
      runId: state._meta.run_id,
      at,
      phases,
      integration: came.integration,
      audit: came.audit,
      metrics,
      earlier: readMetrics(text).filter(({ run_id: id }) => id !== state._meta.run_id),
      accepted: acceptedLines(state),
      listed: listedLines(state),
      deferrals: phaseIds(state).flatMap((id) => {
        const { human_verify_justification: why, human_verdict: verdict } = phaseOf(state, id)
        return why === null
          ? []
          : [{ phase: id, task: why.checkpoint_task_id, verdict: verdict?.verdict ?? null }]
      }),
    }),
  )
  if (state._meta.flags.complete === true)
    await writeText(tools, batchReportPath, batchText(state, at, phases, tools))
  const next = withMetrics(text, metrics)
  if (next !== undefined) await writeText(tools, metricsPath, next)
  return null
}

/** Why phases of this run failed, by their post-mortems. */
async function categories({ _meta }: PlaybookState, tools: PlaybookTools) {
  const dir = '.autopilot/diagnostics'
  const names = await readdir(join(tools.root, dir)).catch(() => [] as string[])
  const files = names.filter((name) => name.endsWith('-postmortem.json'))
  const texts = await Promise.all(files.map((name) => readText(tools, `${dir}/${name}`)))
  return categoriesOf(
    texts.filter((text) => text !== undefined),
    _meta.started_at,
  )
}

function metricsFor(
  state: PlaybookState,
  at: string,
  minutes: number,
  found: ReturnType<typeof categoriesOf>,
): RunMetrics {
  return metricsOf({
    runId: state._meta.run_id,
    at,
    categories: found,
    durationMinutes: minutes,
    tokensUsed: state.metrics.total_tokens_used,
    phases: ownPhases(state).map((id) => {
      const record = phaseOf(state, id)
      return {
        id,
        status: record.status,
        score: record.alignment_score,
        estimatedTokens: record.estimated_tokens,
        tokensUsed: record.tokens_used,
        startedAt: record.started_at,
        completedAt: record.completed_at,
        debugAttempts: record.debug_attempts,
        replanAttempts: record.replan_attempts,
        wasDeferred: record.human_verify_justification !== null,
      }
    }),
  })
}

function reported(state: PlaybookState, { outline }: PlaybookTools, metrics: RunMetrics): ReportedPhase[] {
  return metrics.per_phase_summary.map(
    ({ phase_id: id, status, alignment_score: score, duration_minutes: minutes }) => {
      const why = whyFailed(state, id)
      return {
        id,
        name: outline.get(id)?.name ?? id,
        status,
        score,
        minutes,
        note: [
          ...(why === undefined ? [] : [why]),
          ...standingNote(state, id),
          ...(why === undefined ? raisedNote(state, id) : []),
        ].join('; '),
      }
    },
  )
}

function batchText(
  state: PlaybookState,
  at: string,
  attempted: readonly ReportedPhase[],
  { outline }: PlaybookTools,
): string {
  const skipped = phasesWith(state, 'skipped')
  const failed = phasesWith(state, 'failed').filter((id) => standingNote(state, id).length === 0)
  const open = [...failed, ...skipped]
  return batchReportText({
    runId: state._meta.run_id,
    at,
    attempted,
    skipped: skipped.map((id) => ({
      id,
      name: outline.get(id)?.name ?? id,
      reason: 'a phase that it depends on failed',
    })),
    gaps: skipped.map((id) => ({
      id,
      needs: (outline.get(id)?.dependsOn ?? []).filter((one) => open.includes(one)),
    })),
    command: open.length === 0 ? null : `autopilot .planning ${open.join(',')}`,
  })
}

/** More ids than these are no help in a command. */
const mostNamed = 12

/** Phases of the roadmap that this run was not asked for, with the command that goes on. */
function notAskedFor(state: PlaybookState): string[] {
  const rest = phasesWith(state, 'not_started').filter((id) => !isBacklogId(id))
  if (rest.length === 0) return []
  const few = rest.length <= mostNamed
  const told = few ? rest.join(', ') : `${counted(rest.length, 'phase')} from ${rest[0]} on`
  return [`Not in this run: ${told}. Go on with: autopilot .planning ${few ? rest.join(',') : 'all'}`]
}

/** Counts, average and what is left, as the last page says them. */
export function endLines(state: PlaybookState): string[] {
  if (isTalkOnly(state)) return mapLines(state)
  const completed = ownPhases(state, 'completed')
  const failed = phasesWith(state, 'failed')
  const skipped = phasesWith(state, 'skipped')
  const scores = ownPhases(state).flatMap((id) => phaseOf(state, id).alignment_score ?? [])
  const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length
  const average = scores.length === 0 ? 'none' : (Math.floor(mean * 10 + 1e-9) / 10).toFixed(1)
  const standing = failed.filter((id) => standingNote(state, id).length > 0)
  const left = [...failed.filter((id) => !standing.includes(id)), ...skipped]
  return [
    `${counted(completed.length, 'phase')} completed, ${failed.length} failed, ${skipped.length} skipped; average score ${average}.`,
    ...(left.length > 0
      ? [`Left: ${left.join(', ')}. Run them with: autopilot .planning ${left.join(',')}`]
      : []),
    ...notAskedFor(state),
    ...failed
      .filter((id) => !standing.includes(id))
      .map((id) => `Phase ${id} failed: ${whyFailed(state, id) ?? 'its post-mortem says why'}`),
    ...completed.flatMap((id) => raisedNote(state, id).map((note) => `Phase ${id}: ${note}`)),
    ...standing.map((id) => `Phase ${id} was not raised: ${standingNote(state, id).join('')}.`),
    ...calibrationNote(state),
    `Report: ${completionPath(state._meta.last_checkpoint.slice(0, 10))}`,
  ]
}
