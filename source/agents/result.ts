import { z } from 'zod'

// What the four personas of the harness hand back (design.md section 4, harness.md sections 1.3, 2.4, 2.5).
// Extra keys are kept. Where a list may be missing, it is empty; what decides a gate must be there.

const texts = z.array(z.string()).default([])

export const planResultSchema = z.looseObject({
  planPath: z.string().min(1),
  concerns: z.array(z.string()),
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
  error: z.string(),
  fixAttempted: z.string().optional(),
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
  gaps: texts,
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

/** The word for the severity stays as the reviewer wrote it: the map of harness.md section 2.5 is the workflow's. */
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

/** JSON Schema of what a validator accepts, without the defaults that it fills in. */
export function schemaJson(schema: z.ZodType): unknown {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}

/** Each thing wrong with a result on one line: where, and what. */
export function validationErrors(error: z.ZodError): string[] {
  return error.issues.map((issue) => {
    const where = issue.path.length > 0 ? issue.path.map(String).join('.') : 'result'
    return `${where}: ${issue.message}`
  })
}

const openFence = /^\s*(`{3,}|~{3,})\s*json5?\b.*$/i
const anyFence = /^\s*(`{3,}|~{3,})(.*)$/

/** What a text holds as a result. A broken block is the last one; its message goes on behind "the block": `is not valid JSON: ...`. */
export type JsonBlock =
  | { kind: 'found'; value: object }
  | { kind: 'broken'; message: string }
  | { kind: 'none' }

/** The value of the last JSON block of a text, as `readJsonBlock` finds it; undefined where none is found. */
export function lastJsonBlock(text: string): unknown {
  const block = readJsonBlock(text)
  return block.kind === 'found' ? block.value : undefined
}

/**
 * The last fenced `json` block, which must parse to an object; a whole text that is one JSON object counts too
 * (agents.md section 1). Blocks inside other fences do not count.
 */
export function readJsonBlock(text: string): JsonBlock {
  let found: JsonBlock = { kind: 'none' }
  let fence: { mark: string; json: boolean; lines: string[] } | undefined
  for (const line of text.split('\n')) {
    if (fence && closes(line, fence.mark)) {
      if (fence.json) found = parseJsonObject(fence.lines.join('\n'))
      fence = undefined
      continue
    }
    if (fence) {
      fence.lines.push(line)
      continue
    }
    const opened = anyFence.exec(line)
    if (opened?.[1]) fence = { mark: opened[1], json: openFence.test(line), lines: [] }
  }
  if (fence?.json) found = parseJsonObject(fence.lines.join('\n'))
  if (found.kind === 'found') return found
  const whole = parseJsonObject(text.trim())
  return whole.kind === 'found' ? whole : found
}

function closes(line: string, mark: string): boolean {
  const trimmed = line.trim()
  return trimmed.length >= mark.length && trimmed === (mark[0] ?? '').repeat(trimmed.length)
}

function parseJsonObject(text: string): JsonBlock {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { kind: 'found', value }
    return { kind: 'broken', message: 'is no JSON object' }
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    return { kind: 'broken', message: `is not valid JSON: ${placed(said, text)}` }
  }
}

/** Length of what is repeated from the parser, in characters. */
const longestComplaint = 160

/** The parser's own words. Where they tell an offset it becomes line and column of the block; else they quote the place. */
function placed(message: string, text: string): string {
  const offset = / at position (\d+)/.exec(message)?.[1]
  // An unexpected end has no offset: it is where the text ends.
  const at = offset !== undefined ? Number(offset) : /end of JSON/.test(message) ? text.length : undefined
  const words = message
    .replace(/ (?:in JSON )?at position \d+.*$/s, '')
    .replace(/ is not valid JSON$/, '')
    .replace(/\s+/g, ' ')
    .slice(0, longestComplaint)
  if (at === undefined) return words
  const before = text.slice(0, at).split('\n')
  return `${words} in line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1} of the block`
}
