import { z } from 'zod'

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
})
export type Phase = z.infer<typeof phaseSchema>

export const attemptSchema = z.looseObject({
  timestamp: z.string(),
  error: z.string(),
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
})
export type HarnessState = z.infer<typeof harnessStateSchema>

export const freshRetryBudget: RetryBudget = { maxAttempts: 3, currentTask: null }
export const freshFinalReview: FinalReview = { status: 'pending', findings: [], retryCount: 0 }
