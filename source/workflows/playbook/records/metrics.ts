import { isObject, parseJson } from '../../../documents/json.js'
import { type Category, isCategory } from '../taxonomy.js'

// Figures of runs, one entry a run, kept beside the archive.

export const metricsPath = '.autopilot/archive/metrics.json'

export interface RunMetrics {
  run_id: string
  timestamp: string
  phases_attempted: number
  phases_succeeded: number
  phases_failed: number
  phases_human_deferred: number
  failure_taxonomy_histogram: Record<string, number>
  avg_alignment_score: number | null
  total_duration_minutes: number
  total_estimated_tokens: number
  /** What agents were billed for. */
  total_tokens_used: number
  total_debug_loops: number
  total_replan_attempts: number
  success_rate: number
  per_phase_summary: {
    phase_id: string
    status: string
    alignment_score: number | null
    estimated_tokens: number
    tokens_used: number
    duration_minutes: number
  }[]
}

/** One phase of a run, as its record says. */
export interface MeasuredPhase {
  id: string
  status: string
  score: number | null
  estimatedTokens: number
  tokensUsed: number
  /** ISO; null where it did not begin or end. */
  startedAt: string | null
  completedAt: string | null
  debugAttempts: number
  replanAttempts: number
  wasDeferred: boolean
}

export interface MetricsFacts {
  runId: string
  at: string
  phases: readonly MeasuredPhase[]
  /** Of the post-mortems of the run. */
  categories: readonly Category[]
  /** Without pauses and open questions. */
  durationMinutes: number
  tokensUsed: number
}

const leastScore = 7
const untouched = new Set(['not_started', 'skipped'])

/** The figures of a run. Succeeded is what is completed with at least 7.0. */
export function metricsOf(facts: MetricsFacts): RunMetrics {
  const attempted = facts.phases.filter(({ status }) => !untouched.has(status))
  const succeeded = attempted.filter(
    ({ status, score }) => status === 'completed' && (score ?? 0) >= leastScore,
  )
  const scores = attempted.flatMap(({ score }) => score ?? [])
  const sum = (pick: (phase: MeasuredPhase) => number) =>
    attempted.reduce((all, phase) => all + pick(phase), 0)
  return {
    run_id: facts.runId,
    timestamp: facts.at,
    phases_attempted: attempted.length,
    phases_succeeded: succeeded.length,
    phases_failed: attempted.filter(({ status }) => status === 'failed').length,
    phases_human_deferred: attempted.filter(({ wasDeferred }) => wasDeferred).length,
    failure_taxonomy_histogram: histogram(facts.categories),
    avg_alignment_score: scores.length === 0 ? null : mean(scores),
    total_duration_minutes: tenth(facts.durationMinutes),
    total_estimated_tokens: sum(({ estimatedTokens }) => estimatedTokens),
    total_tokens_used: facts.tokensUsed,
    total_debug_loops: sum(({ debugAttempts }) => debugAttempts),
    total_replan_attempts: sum(({ replanAttempts }) => replanAttempts),
    success_rate: attempted.length === 0 ? 0 : hundredth(succeeded.length / attempted.length),
    per_phase_summary: attempted.map((phase) => ({
      phase_id: phase.id,
      status: phase.status,
      alignment_score: phase.score,
      estimated_tokens: phase.estimatedTokens,
      tokens_used: phase.tokensUsed,
      duration_minutes: minutesOf(phase),
    })),
  }
}

function histogram(categories: readonly Category[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const category of categories) counts[category] = (counts[category] ?? 0) + 1
  return counts
}

function mean(scores: readonly number[]): number {
  return Math.floor((scores.reduce((sum, one) => sum + one, 0) / scores.length) * 10 + 1e-9) / 10
}

function minutesOf({ startedAt, completedAt }: MeasuredPhase): number {
  if (startedAt === null || completedAt === null) return 0
  return tenth(Math.max(0, Date.parse(completedAt) - Date.parse(startedAt)) / 60_000)
}

const tenth = (value: number) => Math.round(value * 10) / 10
const hundredth = (value: number) => Math.round(value * 100) / 100

/** All entries of the file; what is no entry is left out. */
export function readMetrics(text: string | undefined): RunMetrics[] {
  if (text === undefined) return []
  const read = parseJson(text)
  const value = 'value' in read ? read.value : []
  return Array.isArray(value) ? value.filter((one) => isObject(one) && typeof one.run_id === 'string') : []
}

/** The file with this run in it, once. A file that cannot be read is told of and not written over: undefined. */
export function withMetrics(text: string | undefined, metrics: RunMetrics): string | undefined {
  if (text !== undefined && text.trim() !== '') {
    const read = parseJson(text)
    if (!('value' in read) || !Array.isArray(read.value)) return undefined
    const kept = read.value.filter((one) => !isObject(one) || one.run_id !== metrics.run_id)
    return `${JSON.stringify([...kept, metrics], null, 2)}\n`
  }
  return `${JSON.stringify([metrics], null, 2)}\n`
}

/** Categories of the post-mortems since a run began (ISO), words that are none left out. */
export function categoriesOf(postMortems: readonly string[], since: string): Category[] {
  return postMortems.flatMap((text) => {
    const read = parseJson(text)
    const post = 'value' in read && isObject(read.value) ? read.value : {}
    if (typeof post.timestamp === 'string' && post.timestamp < since) return []
    const cause = post.root_cause
    const word = isObject(cause) ? cause.category : undefined
    return typeof word === 'string' && isCategory(word) ? [word] : []
  })
}
