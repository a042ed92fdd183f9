import { z } from 'zod'
import type { AgentErrorKind, Failure } from '../agent.js'
import { saysContextFull, saysLimitReached, saysSpent } from '../error-words.js'
import { plausibleReset, resetFromWords } from '../reset-time.js'

// Error answers of agents that speak the Agent Client Protocol (docs/agents.md, "Agent Client Protocol"): gemini gives the HTTP status
// as code, adapters give -32603 with a word for the kind, and -32000 asks for a login.

const errorSchema = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() })

const dataSchema = z
  .object({
    errorKind: z.string().optional().catch(undefined),
    codexErrorInfo: z
      .union([z.string(), z.record(z.string(), z.unknown()).transform((info) => Object.keys(info)[0])])
      .optional()
      .catch(undefined),
    resetsAt: z.number().optional().catch(undefined),
    details: z.string().optional().catch(undefined),
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
  const data = dataSchema.parse(read.data.data ?? {})
  const message = plainMessage(read.data.message, data.details)
  const kind = kindOf(code, data.errorKind ?? data.codexErrorInfo, message)
  const told = data.resetsAt === undefined ? resetFromWords(message, nowMs) : toMs(data.resetsAt)
  const resetsAt = kind === 'limit' ? plausibleReset(told, nowMs) : undefined
  return {
    error: kind,
    message: code === -32000 && kind === 'auth' ? `${message} (the agent is not signed in)` : message,
    retry: retries[kind] ?? 'never',
    ...(resetsAt === undefined ? {} : { resetsAt }),
  }
}

function kindOf(code: number, word: string | undefined, message: string): AgentErrorKind {
  const named = word === undefined ? undefined : byWord(word, message)
  if (named) return named
  if (code === -32000) return 'auth'
  const byStatus = kindOfStatus(code, message)
  if (byStatus) return byStatus
  if (code <= -32600 && code >= -32602) return 'input'
  const status = /\b(?:status|code|HTTP)\D{0,4}([45]\d\d)\b/i.exec(message)?.[1]
  return (status === undefined ? undefined : kindOfStatus(Number(status), message)) ?? byPhrase(message)
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

/** Some agents put the whole answer of the server, as JSON, into the message. */
function plainMessage(message: string, details: string | undefined): string {
  const inner = innerMessage(message) ?? message
  return details === undefined || details === '' || inner.includes(details) ? inner : `${inner}: ${details}`
}

const innerSchema = z.object({ error: z.object({ message: z.string() }) })

function innerMessage(message: string): string | undefined {
  if (!message.trimStart().startsWith('{')) return undefined
  try {
    return innerSchema.safeParse(JSON.parse(message)).data?.error.message
  } catch {
    return undefined
  }
}

/** Seconds and milliseconds are both in use. */
function toMs(time: number): number {
  return time < 1e12 ? time * 1000 : time
}
