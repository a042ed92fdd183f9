import { z } from 'zod'
import { badges } from '../../evidence/badges.js'

// The state file of the harness workflow, version 5: docs/harness.md, "State file", in its order and words.
// Unknown keys survive load and save, hence the loose objects.

export const complexities = ['low', 'medium', 'high'] as const
export type Complexity = (typeof complexities)[number]

export const rigorLevels = ['fast', 'standard', 'thorough'] as const
export type RigorLevel = (typeof rigorLevels)[number]

export const stateNames = [
  'ASSESS',
  'PLAN',
  'APPROVE_PLAN',
  'EXECUTE',
  'VERIFY',
  'REVIEW',
  'PHASE_COMPLETE',
  'FINAL_REVIEW',
  'DONE',
] as const
export type StateName = (typeof stateNames)[number]

export const severities = ['blocking', 'warning', 'note'] as const
export type Severity = (typeof severities)[number]

const count = z.int().nonnegative()

/** One review finding (docs/harness.md, "Review files"). `line` is a line, a range or null. */
export const findingSchema = z.looseObject({
  severity: z.enum(severities),
  file: z.string(),
  line: z.union([z.int(), z.tuple([z.int(), z.int()]), z.null()]).default(null),
  title: z.string(),
  rationale: z.string().optional(),
  rawSeverity: z.string().optional(),
})
export type Finding = z.infer<typeof findingSchema>

const testRunSchema = z.object({
  command: z.string(),
  outcome: z.enum(['passed', 'failed', 'none', 'cannot-run']),
  counts: z.object({ executed: count, failed: count, skipped: count }).optional(),
  units: z.string().optional(),
  hung: z.literal(true).optional(),
  durationMs: z.number(),
  tail: z.array(z.string()),
})

/** What is known of the work of a phase beyond what agents say (docs/evidence.md, "Badges"). */
export const phaseEvidenceSchema = z.object({
  /** Badges of each task, by its id. */
  tasks: z.record(z.string(), z.array(z.enum(badges))).default({}),
  /** The project's tests as the phase began, and after its work; null where it has no test command. */
  testsBefore: testRunSchema.nullable().optional(),
  tests: testRunSchema.nullable().optional(),
  /** Of the work tree that `tests` ran on. */
  testedTree: z.string().optional(),
  /** What tests were held to and is another now, line by line: listed at the next gates. */
  rewritten: z.array(z.string()).optional(),
  /** An independent agent passed it, and not our tests alone. */
  verified: z.boolean().optional(),
})
export type PhaseEvidence = z.infer<typeof phaseEvidenceSchema>

const dirtySchema = z.array(z.object({ path: z.string(), hash: z.string().nullable(), staged: z.boolean() }))
const baselineSchema = z.object({
  dirty: dirtySchema,
  decided: z.record(z.string(), z.enum(['include', 'leave'])),
  branch: z.string().nullable().optional(),
})

const timesSchema = z.object({ workMs: z.number(), waitingMs: z.number(), awayMs: z.number() })

export const phaseSchema = z.looseObject({
  name: z.string(),
  complexity: z.enum(complexities).default('medium'),
  complexityOverride: z.enum(['medium', 'high']).nullable().default(null),
  planPath: z.string().nullable().default(null),
  status: z.enum(['pending', 'in-progress', 'complete', 'skipped']).default('pending'),
  startedAt: z.string().optional(),
  startCommit: z.string().optional(),
  retriesUsed: count.optional(),
  verification: z.enum(['pass', 'fail', 'skipped']).optional(),
  concerns: z.array(z.string()).optional(),
  // Kept by this program beside the keys of the reference. What decides is read from here, never from a file beside it.
  /** What was uncommitted when the phase began, and what was decided about it. */
  baseline: baselineSchema.optional(),
  /** What its agents have left uncommitted. */
  left: dirtySchema.optional(),
  /** HEAD when its work was done. */
  endCommit: z.string().optional(),
  /** What its reviewer found. */
  findings: z.array(findingSchema).optional(),
  /** Where the time of the session had gone when it began, in milliseconds. */
  timesBefore: timesSchema.optional(),
  /** What the spec calls it, in place of a number from 1; absent for one that a person typed. */
  specLabel: z.string().optional(),
  /** SHA-256 of its own lines in the spec, kept in the session; null for one that a person typed. */
  specText: z.string().nullable().optional(),
  /** The outline that was approved before the plan was written out. */
  outline: z.string().optional(),
  /** Retries of tasks that are over, by the name of the task (`Task 2`); of the plan in force. */
  taskRetries: z.record(z.string(), count).optional(),
  /** SHA-256 of the plan that is executed and judged; a copy of it lies in the session. */
  approvedPlan: z.string().optional(),
  /** SHA-256 of another text in its file, which the person decided not to take. */
  refusedPlan: z.string().optional(),
  evidence: phaseEvidenceSchema.optional(),
})
export type Phase = z.infer<typeof phaseSchema>

export const attemptSchema = z.looseObject({
  timestamp: z.string(),
  error: z.string(),
  tried: z.string().optional(),
  fix: z.string(),
  result: z.enum(['failed', 'passed']),
})
export type Attempt = z.infer<typeof attemptSchema>

export const retryBudgetSchema = z.looseObject({
  maxAttempts: count.default(3),
  currentTask: z
    .looseObject({ name: z.string(), attemptsUsed: count, attempts: z.array(attemptSchema) })
    .nullable()
    .default(null),
})
export type RetryBudget = z.infer<typeof retryBudgetSchema>

export const historyEntrySchema = z.looseObject({
  phase: z.int(),
  name: z.string(),
  startedAt: z.string(),
  completedAt: z.string(),
  tasksCompleted: count,
  retriesUsed: count,
  verificationPassed: z.boolean(),
  reviewFindings: z.looseObject({ blocking: count, warning: count, note: count }),
  status: z.literal('skipped').optional(),
  /** Where the time between its start and its end went. */
  times: timesSchema.optional(),
})
export type HistoryEntry = z.infer<typeof historyEntrySchema>

/** The five signals of the plan gate (docs/harness.md, "Plan gate"), as they are stored. */
export const signalsSchema = z.looseObject({
  reviewPlans: z.boolean(),
  highComplexity: z.enum(complexities),
  complexityOverride: z.enum(['medium', 'high']).nullable(),
  plannerConcerns: z.array(z.string()),
  taskCount: count,
  taskThreshold: z.literal(15),
})
export type Signals = z.infer<typeof signalsSchema>

export const decisionSchema = z.looseObject({
  phase: z.int(),
  decision: z.string(),
  timestamp: z.string(),
  signals: signalsSchema.optional(),
  rationale: z.string().optional(),
  choice: z.string().optional(),
  /** Of a checkpoint: id and title of its task, and what was asked. */
  task: z.string().optional(),
  title: z.string().optional(),
  question: z.string().optional(),
  /** What was accepted, line by line. */
  lines: z.array(z.string()).optional(),
})
export type Decision = z.infer<typeof decisionSchema>

export const finalReviewSchema = z.looseObject({
  status: z.enum(['pending', 'in_progress', 'passed', 'overridden']).default('pending'),
  findings: z.array(findingSchema).default([]),
  retryCount: count.default(0),
})
export type FinalReview = z.infer<typeof finalReviewSchema>

export const pendingQuestionSchema = z.looseObject({
  id: z.string(),
  options: z.array(z.string()),
  askedAt: z.string(),
})

/**
 * autopilot-state.json, schemaVersion 5. History and decision entries of other shapes, which real files hold
 * (docs/harness.md, "State migrations"), are kept as they are: `unknown` beside the known shape.
 */
export const harnessStateSchema = z.looseObject({
  schemaVersion: z.literal(5),
  sessionDir: z.string(),
  specPath: z.string(),
  startingCommit: z.string().nullable(),
  reviewPlans: z.boolean().default(false),
  rigorLevel: z.enum(rigorLevels).default('standard'),
  currentState: z.enum(stateNames),
  currentPhase: count.default(0),
  awaitingInteractivePlan: z.boolean().default(false),
  phases: z.array(phaseSchema),
  retryBudget: retryBudgetSchema,
  history: z.array(z.union([historyEntrySchema, z.unknown()])),
  decisions: z.array(z.union([decisionSchema, z.unknown()])),
  finalReview: finalReviewSchema,
  pendingQuestion: pendingQuestionSchema.optional(),
  // Kept by this program beside the keys of the reference; other tools carry them along.
  /** What the executor was sent back with, from VERIFY or REVIEW. */
  fix: z
    .looseObject({ source: z.enum(['verification', 'review']), findings: z.array(z.unknown()) })
    .optional(),
  /** The person wants to revise the plan after failures: the gate asks, whatever the signals say. */
  planRevision: z.boolean().optional(),
  /** What a migrated file left open; gone once the person has answered. */
  migrationAsks: z.array(z.looseObject({ kind: z.string() })).optional(),
  /** SHA-256 of the plan that passed the gate; another content opens the gate again. */
  approvedPlanHash: z.string().nullable().optional(),
  /** SHA-256 of the spec that the session goes by, and of one that the person decided not to take. */
  approvedSpec: z.string().optional(),
  refusedSpec: z.string().optional(),
})
export type HarnessState = z.infer<typeof harnessStateSchema>

export const freshRetryBudget: RetryBudget = { maxAttempts: 3, currentTask: null }
export const freshFinalReview: FinalReview = { status: 'pending', findings: [], retryCount: 0 }
