import { z } from 'zod'
import type { AgentErrorKind, Failure } from '../agent.js'
import { saysContextFull, saysLimitReached, saysSpent } from '../error-words.js'
import { fieldsOf, numberIn } from '../fields.js'
import { plausibleReset, resetFromWords } from '../reset-time.js'

// Error answers of agents that speak the Agent Client Protocol (docs/agents.md, "Agent Client Protocol"): gemini gives the HTTP status
// as code, adapters give -32603 with a word for the kind, and -32000 asks for a login.

const errorSchema = z.object({
  code: z.union([
    z.number(),
    z
      .string()
      .regex(/^-?\d{1,9}$/)
      .transform(Number),
  ]),
  message: z.string(),
  data: z.unknown().optional(),
})

const optionalText = z.string().optional().catch(undefined)
const dataSchema = z
  .object({
    errorKind: optionalText,
    codexErrorInfo: z
      .union([z.string(), z.record(z.string(), z.unknown())])
      .optional()
      .catch(undefined),
    resetsAt: z.number().optional().catch(undefined),
    details: optionalText,
    message: optionalText,
  })
  .catch({})

const retries: Readonly<Partial<Record<AgentErrorKind, Failure['retry']>>> = {
  limit: 'later',
  overloaded: 'later',
  network: 'later',
  crash: 'now',
}

/** What an error answer comes to; undefined for something that is no error answer. */
export function readRpcError(error: unknown, nowMs: number): Failure | undefined {
  const read = errorSchema.safeParse(error)
  if (!read.success) return undefined
  const { code } = read.data
  const given = read.data.data ?? {}
  const data = dataSchema.parse(typeof given === 'string' ? { details: given } : given)
  const inner = innerError(read.data.message)
  const message = plainMessage(inner?.message ?? read.data.message, data.details ?? data.message)
  const info = typeof data.codexErrorInfo === 'string' ? { [data.codexErrorInfo]: null } : data.codexErrorInfo
  const kind = kindOf({ code, word: data.errorKind ?? Object.keys(info ?? {})[0], message }, [
    ...Object.values(info ?? {}).map((detail) => numberIn(fieldsOf(detail), 'httpStatusCode')),
    inner?.code,
  ])
  const told = data.resetsAt ?? resetFromWords(message, nowMs)
  const resetsAt = kind === 'limit' ? plausibleReset(told, nowMs) : undefined
  return {
    error: kind,
    message: code === -32000 && kind === 'auth' ? `${message} (the agent is not signed in)` : message,
    retry: retries[kind] ?? 'never',
    ...(resetsAt === undefined ? {} : { resetsAt }),
  }
}

/** @param statuses of HTTP that are told apart from code and message, most precise first */
function kindOf(
  { code, word, message }: { code: number; word: string | undefined; message: string },
  statuses: readonly (number | undefined)[],
): AgentErrorKind {
  const byNumber = (status: number | undefined) =>
    status === undefined ? undefined : kindOfStatus(status, message)
  const precise = statuses.map(byNumber).find((kind) => kind !== undefined)
  const named = word === undefined ? undefined : byWord(word, message)
  // A connection that failed has one cause or another, and its status tells which.
  if (named && (named !== 'network' || precise === undefined)) return named
  if (code === -32000) return 'auth'
  const byStatus = byNumber(code) ?? precise
  if (byStatus) return byStatus
  if (code <= -32600 && code >= -32602) return 'input'
  const [, before, behind] =
    /\b(?:status|code|HTTP)\D{0,4}([45]\d\d)\b|\b([45]\d\d) (?=[A-Z][a-z])/.exec(message) ?? []
  const status = before ?? behind
  return (status === undefined ? undefined : byNumber(Number(status))) ?? byPhrase(message)
}

function kindOfStatus(status: number, message: string): AgentErrorKind | undefined {
  if (status === 401 || status === 403) return 'auth'
  if (status === 402) return 'billing'
  if (status === 413) return 'context'
  if (status === 408 || status === 504) return 'network'
  if (status === 429) return saysSpent(message) ? 'limit' : 'overloaded'
  if (status >= 500 && status < 600) return 'overloaded'
  if (status >= 400 && status < 500) return saysContextFull(message) ? 'context' : 'input'
  return undefined
}

function byWord(word: string, message: string): AgentErrorKind | undefined {
  const flat = word.replace(/[^a-z]/gi, '').toLowerCase()
  if (/usagelimit|quotaexceeded/.test(flat)) return 'limit'
  if (/ratelimit/.test(flat)) return saysSpent(message) ? 'limit' : 'overloaded'
  if (/overload|servererror|capacity/.test(flat)) return 'overloaded'
  if (/auth/.test(flat)) return 'auth'
  if (/billing|credit/.test(flat)) return 'billing'
  if (/contextwindow|prompttoolong|contextlength/.test(flat)) return 'context'
  if (/connection|stream|network|timeout/.test(flat)) return 'network'
  if (/budget/.test(flat)) return 'budget'
  if (/maxturns/.test(flat)) return 'turns'
  if (/refus|policy/.test(flat)) return 'refused'
  if (/invalidrequest|badrequest|modelnotfound/.test(flat))
    return saysContextFull(message) ? 'context' : 'input'
  return undefined
}

function byPhrase(message: string): AgentErrorKind {
  if (saysContextFull(message)) return 'context'
  if (saysLimitReached(message)) return 'limit'
  if (/log ?in|sign ?in|authenticat|api key/i.test(message)) return 'auth'
  if (/overloaded|high demand/i.test(message)) return 'overloaded'
  if (
    /ECONN|ENOTFOUND|ETIMEDOUT|socket hang up|fetch failed|connection (?:error|refused|reset)/i.test(message)
  )
    return 'network'
  return 'crash'
}

function plainMessage(message: string, details = ''): string {
  if (details === '' || message.includes(details)) return message
  return message === '' ? details : `${message}: ${details}`
}

const innerSchema = z.object({
  error: z.object({ message: z.string(), code: z.number().optional().catch(undefined) }),
})

/** Some agents put the whole answer of the server, as JSON, into the message. */
function innerError(message: string): { message: string; code?: number | undefined } | undefined {
  if (!/^\s{0,100}[[{]/.test(message)) return undefined
  try {
    const told: unknown = JSON.parse(message)
    return innerSchema.safeParse(Array.isArray(told) ? told[0] : told).data?.error
  } catch {
    return undefined
  }
}
