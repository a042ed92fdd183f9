import * as z from 'zod/mini'

// What lists, `status`, the start screen and the last page need of a session. It is kept in a file of its own, so it
// is checked when it is read; zod/mini, since `status` may load nothing heavier.

const count = z.number()

const usageSchema = z.object({
  inputTokens: count,
  outputTokens: count,
  usd: z.optional(count),
})

const factSchema = z.object({
  text: z.string(),
  tone: z.enum(['plain', 'good', 'warn', 'bad', 'quiet']),
})

const optionSchema = z.object({ value: z.string(), label: z.string(), consequence: z.string() })

const questionSchema = z.object({
  id: z.string(),
  gate: z.string(),
  title: z.string(),
  body: z.array(z.string()),
  options: z.array(optionSchema),
  askedAt: z.string(),
})

const phaseSchema = z.object({
  id: z.string(),
  /** Its place, from 1. */
  number: count,
  name: z.string(),
  status: z.string(),
  facts: z.array(factSchema),
  /** Of workflows that know it. */
  complexity: z.optional(z.string()),
  usage: usageSchema,
})

export const sessionSummarySchema = z.object({
  v: z.literal(1),
  /** Its slug. */
  session: z.string(),
  workflow: z.string(),
  /** Repo-relative path that the session is about. */
  subject: z.string(),
  title: z.optional(z.string()),
  /** INIT before the first state was saved; null when the state cannot be read. */
  state: z.nullable(z.string()),
  phase: z.nullable(z.object({ id: z.string(), number: count, name: z.string(), total: count })),
  progress: z.object({
    phasesComplete: count,
    phasesTotal: count,
    tasksComplete: count,
    tasksTotal: count,
  }),
  facts: z.array(factSchema),
  /** Of workflows that know it. */
  rigor: z.nullable(z.string()),
  question: z.nullable(questionSchema),
  finished: z.boolean(),
  /** Tokens and cost of all agents so far, those that were stopped included. */
  usage: usageSchema,
  phases: z.array(phaseSchema),
  /** The `--agent` that the session was last run with, if any. */
  agent: z.nullable(z.string()),
  /** ISO time of the last change. */
  lastActive: z.string(),
  /** Why the state cannot be read, if so. */
  problem: z.optional(z.string()),
  /** The journal that this was made from: its size in bytes and the hash of its last line. */
  journal: z.object({ size: count, lastHash: z.string() }),
})

/** What lists need of a session, without its journal. */
export type SessionSummary = z.infer<typeof sessionSummarySchema>

/** The summary that a JSON text holds; undefined if it holds none, of this version or at all. */
export function readSessionSummary(text: string): SessionSummary | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const read = sessionSummarySchema.safeParse(value)
  return read.success ? read.data : undefined
}
