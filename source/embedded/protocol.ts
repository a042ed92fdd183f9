import { z } from 'zod'
import type { AgentErrorKind, AgentEvent } from '../agents/agent.js'

// What goes over the pipes between autopilot and the embedded agent, one JSON object a line (docs/agents.md,
// "Embedded agent"). stdin: the request first, then answers, messages and the word to stop. stdout: events, the last
// one is `end`.

/** Waiting times in milliseconds; each can be set by the request. */
const timesSchema = z.object({
  /** Until the first byte of an answer. */
  firstByteMs: z.number().positive().optional(),
  /** Between two signs of life of a running answer. */
  betweenMs: z.number().positive().optional(),
  /** Pause before the first retry; each further one is twice as long. */
  backoffMs: z.number().nonnegative().optional(),
  /** A usage limit that ends sooner is waited for, a longer one ends the turn. */
  shortLimitMs: z.number().nonnegative().optional(),
  /** One command of bash where the model names no time. */
  commandMs: z.number().positive().optional(),
})

const priceSchema = z.object({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cacheRead: z.number().nonnegative(),
  cacheWrite: z.number().nonnegative(),
})

export const policySchema = z.enum(['ask', 'edits', 'all'])

export const requestSchema = z.object({
  prompt: z.string().min(1),
  systemAppend: z.string().optional(),
  /** JSON Schema of the result; it describes an object. */
  schema: z.unknown().optional(),
  model: z.string().min(1),
  access: z.enum(['read', 'edit', 'full']),
  policy: policySchema.default('ask'),
  /** What was allowed for the whole run before: ids of the options that were chosen. */
  grants: z.array(z.string()).default([]),
  /** Absolute. The tools do not leave it. */
  cwd: z.string().min(1),
  limits: z
    .object({ turns: z.number().positive().optional(), usd: z.number().nonnegative().optional() })
    .default({}),
  baseURL: z.string().optional(),
  sessionId: z.string().min(1),
  /** Every message is kept here, one a line. */
  conversationFile: z.string().min(1),
  /** Go on from this one; another file than `conversationFile` makes a copy of the conversation. */
  resumeFile: z.string().optional(),
  /** The whole task, to begin anew with where that one is gone. */
  task: z.string().min(1).optional(),
  /** Output that is too long for the model is kept here in full. */
  outputDir: z.string().min(1),
  facts: z
    .object({
      price: priceSchema.optional(),
      contextTokens: z.number().positive().optional(),
      maxTokens: z.number().positive().optional(),
    })
    .default({}),
  times: timesSchema.default({}),
})

export type Policy = z.infer<typeof policySchema>
export type EmbeddedRequest = z.infer<typeof requestSchema>
/** A request as it is written: what has a default may be left out. */
export type EmbeddedRequestInput = z.input<typeof requestSchema>

export interface Times {
  firstByteMs: number
  betweenMs: number
  backoffMs: number
  shortLimitMs: number
  commandMs: number
}

/** Defaults of docs/agents.md, "Embedded agent"; a local server may load a model before it answers. */
export function timesOf(request: EmbeddedRequest): Times {
  return {
    firstByteMs: request.times.firstByteMs ?? (isLocal(request.baseURL) ? 600_000 : 120_000),
    betweenMs: request.times.betweenMs ?? 120_000,
    backoffMs: request.times.backoffMs ?? 1000,
    shortLimitMs: request.times.shortLimitMs ?? 120_000,
    commandMs: request.times.commandMs ?? 120_000,
  }
}

function isLocal(baseURL: string | undefined): boolean {
  if (baseURL === undefined || !URL.canParse(baseURL)) return false
  const { hostname } = new URL(baseURL)
  return /^(localhost|127\.[\d.]+|\[::1\]|10\.[\d.]+|192\.168\.[\d.]+|.*\.(local|internal))$/.test(hostname)
}

export const inputLineSchema = z.discriminatedUnion('t', [
  z.object({
    t: z.literal('answer'),
    askId: z.string(),
    optionId: z.string(),
    text: z.string().optional().catch(undefined),
  }),
  z.object({ t: z.literal('send'), text: z.string().min(1) }),
  z.object({ t: z.literal('interrupt') }),
])

export type InputLine = z.infer<typeof inputLineSchema>

export type Emit = (event: AgentEvent) => void

/** Why a turn did not succeed; usage is added at the end. */
export interface Failure {
  error: AgentErrorKind
  message: string
  retry: 'now' | 'later' | 'never'
  resetsAt?: number | undefined
}

export const interrupted: Failure = {
  error: 'aborted',
  message: 'The agent was interrupted.',
  retry: 'now',
}
