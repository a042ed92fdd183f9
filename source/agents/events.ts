import { z } from 'zod'
import { isTooDeep } from '../documents/json-depth.js'
import { repeatedKey } from '../documents/json-keys.js'
import type { Usage } from '../view/usage.js'
import type { AgentEvent, Outcome, TokenUsage } from './agent.js'
import { saysTwice } from './result.js'

// Events as an agent program prints them, one JSON object a line. Readers are tolerant: unknown keys are dropped,
// missing ones get a sensible value, and what is no event at all is left to the caller as text.

export const noUsage: TokenUsage = { input: 0, output: 0, cached: 0 }

/** What an agent used, as everybody else counts it. */
export function usageOf({ input, output, usd }: TokenUsage): Usage {
  return { inputTokens: input, outputTokens: output, ...(usd === undefined ? {} : { usd }) }
}

const count = z.number().nonnegative().catch(0)
const optionalText = z.string().optional().catch(undefined)
const optionalNumber = z.number().optional().catch(undefined)

/** A moment: a number, or a date of ISO 8601. */
const optionalMoment = z
  .union([
    z.number(),
    z
      .string()
      .max(40)
      .regex(/^\d{4}-\d\d-\d\dT/)
      .transform((text) => Date.parse(text)),
  ])
  .optional()
  .catch(undefined)

const identity = z.union([z.string(), z.number().transform(String)])

const usageFields = { input: count, output: count, cached: count, usd: optionalNumber }
const usageSchema = z.object(usageFields)

const errorKinds = [
  'auth',
  'billing',
  'limit',
  'overloaded',
  'network',
  'context',
  'refused',
  'turns',
  'budget',
  'schema',
  'denied',
  'aborted',
  'timeout',
  'crash',
  'spawn',
  'input',
] as const

const outcomeSchema = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    result: z.unknown().optional(),
    text: z.string().catch(''),
    usage: usageSchema.optional().catch(undefined),
  }),
  z.object({
    ok: z.literal(false),
    error: z.enum(errorKinds).catch('crash'),
    message: z.string().catch('The agent reported a failure without a message.'),
    resetsAt: optionalMoment,
    retry: z.enum(['now', 'later', 'never']).catch('now'),
    usage: usageSchema.optional().catch(undefined),
  }),
])

function spoken<Type extends 'text' | 'thinking'>(type: Type) {
  return z
    .object({
      type: z.literal(type),
      id: identity.catch(type),
      delta: optionalText,
      full: optionalText,
      text: optionalText,
      agent: optionalText,
    })
    .transform(({ text, full, ...rest }) => ({ ...rest, full: full ?? text }))
    .refine((event) => event.delta !== undefined || event.full !== undefined)
}

const eventSchema = z.union([
  spoken('text'),
  spoken('thinking'),
  z.object({
    type: z.literal('session'),
    id: z.string(),
    model: optionalText,
    auth: optionalText,
    version: optionalText,
  }),
  z
    .object({
      type: z.literal('tool'),
      id: identity.catch('tool'),
      name: z.string().catch('tool'),
      kind: z.enum(['read', 'edit', 'exec', 'other']).catch('other'),
      title: optionalText,
      input: z.unknown().optional(),
      output: optionalText,
      diff: optionalText,
      status: z.enum(['running', 'ok', 'failed', 'denied']).catch('running'),
      agent: optionalText,
    })
    .transform((event) => ({ ...event, title: event.title ?? event.name })),
  z.object({
    type: z.literal('plan'),
    items: z.array(z.object({ text: z.string(), status: z.string().catch('pending') })),
  }),
  z.object({ type: z.literal('usage'), ...usageFields, scope: z.enum(['turn', 'total']).catch('turn') }),
  z.object({
    type: z.literal('ask'),
    askId: identity,
    kind: z.enum(['permission', 'question', 'plan']).catch('question'),
    title: z.string().catch(''),
    detail: z.string().catch(''),
    diff: optionalText,
    options: z.array(
      z.object({
        id: identity,
        label: z.string(),
        kind: z.enum(['allow-once', 'allow-always', 'deny', 'other']).catch('other'),
      }),
    ),
    defaultNo: z.boolean().catch(true),
  }),
  z.object({
    type: z.literal('retry'),
    attempt: z.number().catch(1),
    max: optionalNumber,
    delayMs: optionalNumber,
    cause: z.string().catch('unknown'),
  }),
  z.object({
    type: z.literal('limit'),
    status: z.enum(['warning', 'rejected']).catch('warning'),
    resetsAt: optionalMoment,
    window: optionalText,
    usedPct: optionalNumber,
  }),
  z.object({
    type: z.literal('log'),
    stream: z.enum(['stdout', 'stderr']).catch('stdout'),
    line: z.string(),
  }),
])

const eventTypes = [
  'text',
  'thinking',
  'session',
  'tool',
  'plan',
  'usage',
  'ask',
  'retry',
  'limit',
  'log',
] as const
/** The schema of each type, so that none is tried that cannot fit. */
const schemaOf = new Map<unknown, (typeof eventSchema.options)[number]>(
  eventTypes.map((type, index) => [type, eventSchema.options[index] ?? eventSchema.options[0]]),
)

/** What a program says at its end: `result` beside `type`, or a whole `outcome`. */
const endSchema = z.object({
  type: z.literal('end'),
  result: z.unknown().optional(),
  outcome: outcomeSchema.optional().catch(undefined),
})

/** The end line of a program: not yet an outcome, as exit code and validation also count. */
export interface EndLine {
  type: 'end'
  result?: unknown
  /** The line itself. */
  raw?: string
  failure?: Extract<Outcome, { ok: false }>
  usage?: TokenUsage | undefined
}

export type ParsedLine = Exclude<AgentEvent, { type: 'end' }> | EndLine

/** Text as nearly all of it comes, without the way through all schemas; undefined where anything about it is unusual. */
function plainSpoken(value: object): Extract<AgentEvent, { type: 'text' | 'thinking' }> | undefined {
  const { type, id, delta, full, text, agent } = value as Record<string, unknown>
  if ((type !== 'text' && type !== 'thinking') || typeof id !== 'string') return undefined
  if (text !== undefined || (agent !== undefined && typeof agent !== 'string')) return undefined
  const by = agent === undefined ? {} : { agent }
  if (typeof full === 'string' && delta === undefined) return { type, id, ...by, full }
  return typeof delta === 'string' && full === undefined ? { type, id, delta, ...by } : undefined
}

/** Reads one line of output; undefined when it is not an event of the union. */
export function parseEventLine(line: string): ParsedLine | undefined {
  const value = parseObject(line)
  if (value === undefined) return undefined
  const spokenEvent = plainSpoken(value)
  if (spokenEvent) return spokenEvent
  const event = schemaOf.get((value as Record<string, unknown>).type)?.safeParse(value)
  if (event) return event.data
  const end = endSchema.safeParse(value)
  if (!end.success) return undefined
  const twice = repeatedKey(line)
  if (twice !== undefined) {
    const message = `The result ${saysTwice(twice)}; which of it counts is not for it to leave open.`
    return { type: 'end', failure: { ok: false, error: 'schema', message, retry: 'never', usage: noUsage } }
  }
  // A failure that is told beside the type, and not within an outcome, is one all the same.
  const isFlat = end.data.outcome === undefined && Reflect.get(value, 'ok') === false
  const outcome = isFlat ? outcomeSchema.safeParse(value).data : end.data.outcome
  if (outcome && !outcome.ok) {
    return { type: 'end', failure: { ...outcome, usage: outcome.usage ?? noUsage }, usage: outcome.usage }
  }
  const result = end.data.result ?? outcome?.result
  return { type: 'end', result, ...(result === undefined ? {} : { raw: line }), usage: outcome?.usage }
}

/** Adds or replaces what was used so far, as the event says. */
export function addUsage(sum: TokenUsage, event: Extract<AgentEvent, { type: 'usage' }>): TokenUsage {
  const { input, output, cached, usd } = event
  if (event.scope === 'total') return { input, output, cached, usd }
  return {
    input: sum.input + input,
    output: sum.output + output,
    cached: sum.cached + cached,
    usd: usd === undefined ? sum.usd : (sum.usd ?? 0) + usd,
  }
}

function parseObject(line: string): object | undefined {
  const trimmed = line.trim()
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}') || isTooDeep(trimmed)) return undefined
  try {
    const value: unknown = JSON.parse(trimmed)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
