import { lookup } from '../../lookup.js'
import type { AgentErrorKind } from '../agent.js'
import { saysContextFull, saysLimitReached } from '../error-words.js'
import { fieldsOf, numberIn } from '../fields.js'
import { isFields } from './codex-values.js'

export interface FailureClass {
  error: AgentErrorKind
  retry: 'now' | 'later' | 'never'
}

/** Why a turn failed, for the outcome. */
export interface TurnFailure extends FailureClass {
  message: string
  resetsAt?: number
}

/**
 * Retries in a row without progress. codex counts its own, but waits for a network for ever (docs/agents.md,
 * "Codex").
 */
export const retryCaps = { auth: 2, uncounted: 5, any: 20 } as const

const classes = lookup<FailureClass>({
  usageLimitExceeded: { error: 'limit', retry: 'later' },
  rateLimitExceeded: { error: 'overloaded', retry: 'later' },
  serverOverloaded: { error: 'overloaded', retry: 'later' },
  flexUnavailable: { error: 'overloaded', retry: 'later' },
  policyCapacityUnavailable: { error: 'overloaded', retry: 'later' },
  internalServerError: { error: 'overloaded', retry: 'later' },
  contextWindowExceeded: { error: 'context', retry: 'never' },
  sessionBudgetExceeded: { error: 'budget', retry: 'never' },
  unauthorized: { error: 'auth', retry: 'never' },
  badRequest: { error: 'input', retry: 'never' },
  modelNotFound: { error: 'input', retry: 'never' },
  cyberPolicy: { error: 'refused', retry: 'never' },
  bioPolicy: { error: 'refused', retry: 'never' },
  misalignmentPolicyViolation: { error: 'refused', retry: 'never' },
  inferenceHookDenied: { error: 'denied', retry: 'never' },
  tooManyDenials: { error: 'denied', retry: 'never' },
})

const byPhrase: readonly [{ test(message: string): boolean }, FailureClass][] = [
  [{ test: saysContextFull }, { error: 'context', retry: 'never' }],
  [/usage limit|\bhit your\b.{0,40}\blimit\b/i, { error: 'limit', retry: 'later' }],
  [/quota exceeded|insufficient_quota|billing|out of credits/i, { error: 'billing', retry: 'never' }],
  [{ test: saysLimitReached }, { error: 'limit', retry: 'later' }],
  [/high demand|overloaded|at capacity/i, { error: 'overloaded', retry: 'later' }],
  [/not (?:logged|signed) in|log ?in again|unauthorized/i, { error: 'auth', retry: 'never' }],
]

const network: FailureClass = { error: 'network', retry: 'later' }
const networkPhrase =
  /stream disconnected|error sending request|connection (?:failed|refused|reset|closed)|waiting for network|timed out|dns/i

/**
 * Class of a failed turn by its `codexErrorInfo` (docs/agents.md, "Codex"), else by the HTTP status or the words
 * of its message, which is all that `codex exec` tells.
 */
export function classifyCodexError(info: unknown, message: string): FailureClass {
  const known = classOfName(typeof info === 'string' ? info : Object.keys(fieldsOf(info))[0])
  if (known) return known
  const status = httpStatus(info) ?? statusInText(message)
  const bySign = status === undefined ? undefined : classOfStatus(status)
  const phrase = byPhrase.find(([pattern]) => pattern.test(message))?.[1]
  // A refused key and a spent limit may both come as 429 or 401; the words are more precise than a mere number.
  if (
    phrase &&
    (bySign === undefined ||
      phrase.error === 'limit' ||
      phrase.error === 'context' ||
      phrase.error === 'billing')
  )
    return phrase
  if (bySign) return bySign
  if (isFields(info) || networkPhrase.test(message)) return network
  return { error: 'crash', retry: 'now' }
}

/** The same name in another spelling, as in `usage_limit_exceeded`, means the same. */
function classOfName(name = ''): FailureClass | undefined {
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const key = `${camel.charAt(0).toLowerCase()}${camel.slice(1)}`
  return classes[key]
}

/** True for a refusal of the key, whatever comes of the retries. */
export function isAuthFailure(info: unknown, message: string): boolean {
  return classifyCodexError(info, message).error === 'auth'
}

function httpStatus(info: unknown): number | undefined {
  for (const detail of Object.values(fieldsOf(info))) {
    const status = numberIn(fieldsOf(detail), 'httpStatusCode')
    if (status !== undefined) return status
  }
  return undefined
}

function statusInText(message: string): number | undefined {
  const found = /\bstatus:? (\d{3})\b/i.exec(message)?.[1]
  return found === undefined ? undefined : Number(found)
}

function classOfStatus(status: number): FailureClass | undefined {
  if (status === 401 || status === 403) return { error: 'auth', retry: 'never' }
  if (status === 402) return { error: 'billing', retry: 'never' }
  if (status === 413) return { error: 'context', retry: 'never' }
  if (status === 408) return network
  if (status === 429 || status >= 500) return { error: 'overloaded', retry: 'later' }
  return status >= 400 ? { error: 'input', retry: 'never' } : undefined
}

/** `Reconnecting... 2/5` says which attempt it is; a codex that waits for the network counts no more. */
export function readRetry(message: string): { attempt: number; max: number } | undefined {
  const found = /(\d{1,9})\/(\d{1,9})/.exec(message)
  return found ? { attempt: Number(found[1]), max: Number(found[2]) } : undefined
}
