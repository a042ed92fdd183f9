import { z } from 'zod'

// The state file of a run in the format that it has everywhere. Keys that nobody here knows
// stay where they are; what older files leave out gets its default.

const text = z.string()
const count = z.int().nonnegative()
const maybe = <T extends z.ZodType>(schema: T) => schema.nullable().default(null as never)

export const phaseStatuses = [
  'not_started',
  'in_progress',
  'completed',
  'failed',
  'needs_human_verification',
  'skipped',
] as const
export type PhaseStatus = (typeof phaseStatuses)[number]

/** The nine steps, as the state file names them, in their order. */
export const stepNames = [
  'preflight',
  'triage',
  'research',
  'plan',
  'plan_check',
  'execute',
  'verify',
  'judge',
  'rate',
] as const
export type StepName = (typeof stepNames)[number]

const status = text.default('pending')
const check = z.union([z.boolean(), z.literal('n/a'), z.null()])

const checks = z.looseObject({
  compile: check.default(null),
  build: check.default(null),
  lint: check.default(null),
  test: check.default(null),
})

const task = z.looseObject({ status, commit: maybe(text), retries: count.default(0) })

const artifact = {
  status,
  output: maybe(text),
  hash: maybe(text),
}

const steps = z.looseObject({
  preflight: z.looseObject({ status, timestamp: maybe(text) }).prefault({}),
  triage: z.looseObject({ status, pass_ratio: maybe(z.number()) }).prefault({}),
  research: z.looseObject(artifact).prefault({}),
  plan: z.looseObject({ ...artifact, validation_rounds: count.default(0) }).prefault({}),
  plan_check: z.looseObject({ status, confidence: maybe(z.number()) }).prefault({}),
  execute: z.looseObject({ status, tasks: z.record(text, task).default({}) }).prefault({}),
  verify: z
    .looseObject({
      status,
      automated: z.looseObject({}).default({}),
      scope_creep: z.array(text).default([]),
    })
    .prefault({}),
  judge: z.looseObject({ status, recommendation: maybe(text) }).prefault({}),
  rate: z.looseObject({ status, alignment_score: maybe(z.number()), score_band: maybe(text) }).prefault({}),
})

const score = z.looseObject({
  score: maybe(z.number()),
  timestamp: text,
  flag: z.enum(['initial', 'force', 'quality', 'gaps']).default('initial'),
  cycle: count.default(0),
})

const verdict = z.looseObject({
  verdict: z.enum(['pass', 'fail', 'issues_found']),
  timestamp: text,
  issues: z.array(text).default([]),
})

const justification = z.looseObject({
  checkpoint_task_id: text,
  task_description: text.default(''),
  auto_tasks_passed: count.default(0),
  auto_tasks_total: count.default(0),
})

const phase = z.looseObject({
  phase_type: z.enum(['ui', 'protocol', 'data', 'mixed']).default('mixed'),
  status: z.enum(phaseStatuses).default('not_started'),
  started_at: maybe(text),
  completed_at: maybe(text),
  steps: steps.prefault({}),
  alignment_score: maybe(z.number()),
  commit_shas: z.array(text).default([]),
  checkpoint_sha: maybe(text),
  automated_checks: checks.prefault({}),
  debug_attempts: count.default(0),
  replan_attempts: count.default(0),
  respawns: z.record(text, count).default({}),
  tokens_used: count.default(0),
  estimated_tokens: count.default(0),
  human_verify_justification: maybe(justification),
  human_verdict: maybe(verdict),
  force_incomplete: z.boolean().default(false),
  diagnostic_path: maybe(text),
  remediation_cycles: count.default(0),
  score_history: z.array(score).default([]),
  quality_exhausted: z.boolean().default(false),
  gaps_exhausted: z.boolean().default(false),
  rubber_stamp_suspect: z.boolean().default(false),
  split: z.boolean().default(false),
  sub_phases: z
    .array(z.looseObject({ sub_phase_id: text, status: text, alignment_score: maybe(z.number()) }))
    .default([]),
})

const deferral = z.looseObject({
  phase_id: text,
  reason: z.enum(['completed', 'deferred']),
  autonomous_confidence: maybe(z.number()),
  human_verdict: maybe(text),
  timestamp: text,
})

export const runStatuses = ['running', 'paused', 'failed', 'completed'] as const

const meta = z.looseObject({
  version: text.default('1.0'),
  run_id: text.min(1),
  started_at: text,
  last_checkpoint: text,
  status: z.enum(runStatuses),
  total_phases: count,
  current_phase: maybe(text),
  current_step: maybe(text),
  orchestrator_context_pct: z.number().default(0),
  human_deferred_count: count.default(0),
  total_phases_processed: count.default(0),
  pass_threshold: z.number().default(9),
  flags: z.record(text, z.unknown()).default({}),
  queue: z.array(text).default([]),
  total_retries: count.default(0),
  autonomous_resolution_rate: maybe(z.number()),
  deferral_rate_limit: z.number().default(0.05),
  autonomous_confidence_threshold: z.number().default(6),
  deferral_history: z.array(deferral).default([]),
  event_count: count.default(0),
})

const breaker = z.looseObject({
  state: z.enum(['closed', 'open', 'half_open']).default('closed'),
  consecutive_no_progress: count.default(0),
  consecutive_same_error: count.default(0),
  last_error: maybe(text),
  cooldown_until: maybe(text),
  reopen_count: count.default(0),
  error_counts: z.record(text, count).default({}),
})

const event = z.looseObject({
  timestamp: text,
  phase: maybe(text),
  step: maybe(text),
  event: text,
  details: z.looseObject({}).default({}),
})

const metrics = z.looseObject({
  total_tokens_used: count.default(0),
  total_duration_minutes: z.number().default(0),
  phases_completed: count.default(0),
  phases_failed: count.default(0),
  debug_loops_total: count.default(0),
  replan_count: count.default(0),
})

export const stateSchema = z.looseObject({
  _meta: meta,
  spec: z.looseObject({ path: text, hash: text, locked_at: text }),
  roadmap_path: text,
  last_checkpoint_sha: maybe(text),
  phases: z.record(text, phase),
  circuit_breaker: breaker.prefault({}),
  event_log: z.array(event).default([]),
  metrics: metrics.prefault({}),
})

export const phaseSchema = phase

export type PlaybookState = z.infer<typeof stateSchema>
export type PhaseRecord = z.infer<typeof phase>
export type TaskRecord = z.infer<typeof task>
export type StateEvent = z.infer<typeof event>
export type BreakerRecord = z.infer<typeof breaker>
export type ScoreEntry = z.infer<typeof score>
export type CheckOutcome = z.infer<typeof check>
