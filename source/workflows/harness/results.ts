import { z } from 'zod'
import { cappedText } from '../../agents/border.js'
import { schemaJson } from '../../agents/result.js'
import { saysNothing } from '../../documents/says-something.js'

// What the four personas of the harness hand back (docs/agents.md, "Results").
// Extra keys are kept. Where a list may be missing, it is empty; what decides a gate must be there.

/** Words on what went wrong are kept in the state, in the journal and in the next prompts: never all of an endless output. */
const cappedString = z.string().transform((text) => cappedText(text))

const texts = z.array(z.string()).default([])

/** A list in which `None` is no entry. */
const saidTexts = z.array(z.string()).transform((list) => list.filter((text) => !saysNothing(text)))

export const planResultSchema = z.looseObject({
  planPath: z.string().min(1),
  concerns: saidTexts,
  skeleton: z.string().optional(),
})
export type PlanResult = z.infer<typeof planResultSchema>

export const checkpointSchema = z.looseObject({
  type: z.enum(['human-verify', 'decision', 'human-action']),
  task: z.string(),
  prompt: z.string(),
  options: z.array(z.string()).optional(),
})
export type CheckpointReport = z.infer<typeof checkpointSchema>

export const executionFailureSchema = z.looseObject({
  task: z.string(),
  error: cappedString,
  fixAttempted: cappedString.optional(),
})
export type ExecutionFailure = z.infer<typeof executionFailureSchema>

export const executionResultSchema = z
  .looseObject({
    status: z.enum(['complete', 'checkpoint', 'failed', 'blocked']),
    completed: texts,
    checkpoint: checkpointSchema.optional(),
    failure: executionFailureSchema.optional(),
  })
  .refine((result) => result.status !== 'checkpoint' || result.checkpoint !== undefined, {
    path: ['checkpoint'],
    error: 'needed when status is "checkpoint"',
  })
  .refine((result) => result.status !== 'failed' || result.failure !== undefined, {
    path: ['failure'],
    error: 'needed when status is "failed"',
  })
export type ExecutionResult = z.infer<typeof executionResultSchema>

export const verificationResultSchema = z.looseObject({
  verdict: z.enum(['pass', 'fail', 'incomplete']),
  gaps: saidTexts.default([]),
  evidence: z.array(z.string()).optional(),
})
export type VerificationResult = z.infer<typeof verificationResultSchema>

/** `12`, `12-15` or anything else, as reviewers write it. */
function lineOf(text: string): number | [number, number] | null {
  const match = /^L?(\d+)(?:\s*[-–:]\s*L?(\d+))?$/i.exec(text.trim())
  if (!match) return null
  const first = Number(match[1])
  return match[2] === undefined ? first : [first, Number(match[2])]
}

/**
 * The word for the severity stays as the reviewer wrote it; the workflow maps it (docs/harness.md, "Review
 * files").
 */
export const reportedFindingSchema = z.looseObject({
  severity: z.string().min(1),
  file: z.string(),
  line: z.union([z.int(), z.tuple([z.int(), z.int()]), z.null(), z.string().transform(lineOf)]).optional(),
  title: z.string(),
  rationale: z.string().optional(),
})
export type ReportedFinding = z.infer<typeof reportedFindingSchema>

export const reviewResultSchema = z.looseObject({
  assessment: z.string().optional(),
  findings: z.array(reportedFindingSchema),
})
export type ReviewResult = z.infer<typeof reviewResultSchema>

export const resultSchemas = {
  plan: planResultSchema,
  execution: executionResultSchema,
  verification: verificationResultSchema,
  review: reviewResultSchema,
} as const

export type ResultKind = keyof typeof resultSchemas

/** JSON Schema of a result, as an agent is told to write it. */
export function resultSchemaJson(kind: ResultKind): unknown {
  return schemaJson(resultSchemas[kind])
}
