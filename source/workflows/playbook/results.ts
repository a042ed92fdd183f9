import { z } from 'zod'
import { schemaJson } from '../../agents/result.js'
import { saysNothing } from '../../documents/says-something.js'
import { namesCommand, showsOwn } from './shown-entries.js'
import { categories } from './taxonomy.js'

// What the nine personas hand back. Names and shapes are those of the phase runner that people know, so that agents
// written for it fit. Extra keys are kept. A list that is missing is empty: what asks for evidence looks at the list. What
// decides a gate must be there.

const text = z.string()
const texts = z.array(text).default([])
/** Entries that show something; `none` and `n/a` are no evidence. */
const shown = texts.transform((all) => all.filter((one) => !saysNothing(one)))
const commands = texts.transform((all) => all.filter(namesCommand))
const evidence = texts.transform((all) => all.filter(showsOwn))
const count = z.int().nonnegative()
/** Whole numbers from 1; a person's scale of ten. */
const confidence = z.number().min(1).max(10)

/** Any persona may add what it noticed beside its work. */
const noticed = { issues_detected: z.array(text).optional() }
const result = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject({ ...shape, ...noticed })

export const complexitySchema = z.enum(['simple', 'medium', 'complex'])

export const researchResult = result({
  key_findings: texts,
  recommended_approach: text,
  risks: texts,
  open_questions: texts,
})

export const questionsResult = result({
  questions: z.array(
    z.looseObject({
      id: z.union([text, z.number()]).transform(String),
      question: text.min(1),
      why: text,
      options: texts,
      recommendation: text.optional(),
    }),
  ),
})

/** Its counts are its own words: what the plan file holds counts. */
export const planResult = result({
  plans_created: count,
  waves: count,
  total_tasks: count,
  complexity: complexitySchema,
  dependencies: texts,
  concerns: texts,
})

export const severities = ['blocker', 'warning', 'info'] as const

export const planIssueSchema = z.looseObject({
  plan: z.union([text, z.number()]).transform(String),
  dimension: text,
  severity: z.enum(severities),
  description: text.min(1),
  fix_hint: text.default(''),
})

export const planCheckResult = result({
  pass: z.boolean(),
  issues: z.array(planIssueSchema).default([]),
  confidence,
  blocker_count: count,
  warning_count: count,
})

/** `done/total`, such as `2/4`. */
const ratio = text.regex(/^\s*\d+\s*\/\s*\d+\s*$/, 'has the form "2/4"')

export const executionResult = result({
  tasks_completed: ratio,
  tasks_failed: ratio,
  commit_shas: texts,
  evidence: z
    .array(
      z.looseObject({
        task_id: text,
        criteria_met: texts,
        commands_run: commands,
      }),
    )
    .default([]),
  deviations: texts,
  confidence: confidence.optional(),
})

const gateWord = z.enum(['pass', 'fail', 'skipped', 'missing'])

export const miniVerificationResult = result({
  task_id: text,
  pass: z.boolean(),
  criteria_results: z
    .array(
      z.looseObject({
        criterion: text,
        status: z.enum(['pass', 'fail']),
        evidence: text.default(''),
        command: text.default(''),
        command_output: text.default(''),
      }),
    )
    .default([]),
  concerns: texts,
  commands_run: commands,
  gate_validation: z.looseObject({ compile: gateWord, lint: gateWord, test: gateWord }),
})

/** A check of the project: it held, it did not, or the project has no such command. */
export const checkValue = z.union([z.boolean(), z.literal('n/a')])

const checkSchema = z.looseObject({ status: checkValue, detail: text.default('') })

/** Asked to be one of the taxonomy; another word is kept, and told as a failure without a category. */
const failureCategory = z.looseObject({ failure: text, category: z.union([z.enum(categories), text]) })

export const visualResultSchema = z.looseObject({
  routes_tested: count,
  routes_passed: count,
  issues_found: z
    .array(
      z.looseObject({
        route: text,
        type: text,
        severity: z.enum(['critical', 'major', 'minor']),
        description: text,
      }),
    )
    .default([]),
  screenshots: texts,
  infrastructure_available: z.boolean(),
})

export const verificationResult = result({
  pass: z.boolean(),
  automated_checks: z.looseObject({
    compile: checkSchema,
    lint: checkSchema,
    build: checkSchema,
    test: checkSchema,
  }),
  criteria_results: z
    .array(
      z.looseObject({ criterion: text, status: z.enum(['verified', 'failed']), evidence: text.default('') }),
    )
    .default([]),
  commands_run: commands,
  failures: texts,
  failure_categories: z.array(failureCategory).default([]),
  scope_creep: texts,
  execution_results: z
    .array(
      z.looseObject({
        criterion: text,
        command: text,
        exit_code: z.int().nullable(),
        output: text.default(''),
        assessment: z.enum(['pass', 'fail', 'timeout', 'violation']),
      }),
    )
    .default([]),
  visual_test_results: visualResultSchema.optional(),
  autonomous_confidence: confidence,
  deferral_evidence: z
    .array(z.looseObject({ criterion: text, methods_attempted: texts, why_insufficient: text }))
    .default([]),
})

const recommendation = z.enum(['proceed', 'debug', 'rollback', 'halt'])

/** The first turn knows nothing of the verifier, so it says nothing of it. */
export const judgementResult = result({
  recommendation,
  concerns: z.array(text.min(1)).min(1),
  independent_evidence: evidence,
  scope_creep: texts,
  missing_requirements: texts,
  notes: text.default(''),
})

export const divergenceResult = judgementResult.extend({
  verifier_agreement: z.boolean(),
  verifier_missed: shown,
})

const score = z.number().min(0).max(10)

export const bands = [
  'excellence',
  'good',
  'acceptable',
  'significant_gaps',
  'major_failures',
  'not_implemented',
] as const

export const ratingResult = result({
  alignment_score: score,
  scorecard: z
    .array(
      z.looseObject({
        criterion: text,
        score,
        verification_command: text.default(''),
        command_output: text.default(''),
        evidence: text.default(''),
        justification: text.default(''),
        execution_result: z
          .looseObject({ command: text, exit_code: z.int().nullable(), output: text.default('') })
          .nullable()
          .default(null),
      }),
    )
    .default([]),
  aggregate_justification: text.default(''),
  side_effects: texts,
  commands_run: commands,
  test_coverage: z.looseObject({
    tasks_with_tests: count,
    tasks_total: count,
    assertions_passed: count,
    assertions_total: count,
  }),
  score_band: z.enum(bands),
})

export const debugResult = result({
  fixed: z.boolean(),
  changes: texts,
  commits: texts,
  remaining_issues: texts,
  failure_categories: z.array(failureCategory).default([]),
})

export const integrationResult = result({ pass: z.boolean(), issues: texts, commands_run: commands })

export const auditResult = result({
  gaps: z
    .array(
      z.looseObject({
        requirement: text,
        description: text,
        files: texts,
        lines: count,
      }),
    )
    .default([]),
  commands_run: commands,
})

/** By the word that an order says of what is expected. */
export const resultSchemas = {
  research: researchResult,
  questions: questionsResult,
  plan: planResult,
  'plan-check': planCheckResult,
  execution: executionResult,
  'mini-verification': miniVerificationResult,
  verification: verificationResult,
  judgement: judgementResult,
  'judgement-divergence': divergenceResult,
  rating: ratingResult,
  debug: debugResult,
  integration: integrationResult,
  audit: auditResult,
} as const

export type Expects = keyof typeof resultSchemas
export type ResultOf<Kind extends Expects> = z.infer<(typeof resultSchemas)[Kind]>

export type ResearchResult = ResultOf<'research'>
export type QuestionsResult = ResultOf<'questions'>
export type PlanResult = ResultOf<'plan'>
export type PlanIssue = z.infer<typeof planIssueSchema>
export type PlanCheckResult = ResultOf<'plan-check'>
export type ExecutionResult = ResultOf<'execution'>
export type MiniVerificationResult = ResultOf<'mini-verification'>
export type VerificationResult = ResultOf<'verification'>
export type VisualResult = z.infer<typeof visualResultSchema>
export type JudgementResult = ResultOf<'judgement'>
export type DivergenceResult = ResultOf<'judgement-divergence'>
export type RatingResult = ResultOf<'rating'>
export type DebugResult = ResultOf<'debug'>
export type IntegrationResult = ResultOf<'integration'>
export type AuditResult = ResultOf<'audit'>
export type CheckValue = z.infer<typeof checkValue>
export type Recommendation = z.infer<typeof recommendation>
export type Band = (typeof bands)[number]
export type Complexity = z.infer<typeof complexitySchema>

/** JSON Schema of a result, as an agent is told to write it. */
export function resultSchemaJson(kind: Expects): unknown {
  return schemaJson(resultSchemas[kind])
}
