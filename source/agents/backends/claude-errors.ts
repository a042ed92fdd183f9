import type { AgentErrorKind, Outcome } from '../agent.js'
import { saysContextFull, saysLimitReached } from '../error-words.js'
import { type Fields, fieldsIn, listIn, numberIn, textIn } from '../fields.js'
import { plausibleReset, resetFromWords } from '../reset-time.js'

export type ClaudeFailure = Omit<Extract<Outcome, { ok: false }>, 'ok' | 'usage'>

/** What is known of a turn that went wrong: any of it may be missing. */
export interface ClaudeTrouble {
  /** The assistant line that carries an error of the API. */
  apiError?: Fields | undefined
  /** The result line. */
  result?: Fields | undefined
  /** Reset time of the last refused rate_limit_event, in epoch milliseconds. */
  resetsAt?: number | undefined
  /** A tool was refused right before the end. */
  denied: boolean
  now: number
}

const retries: Partial<Record<AgentErrorKind, ClaudeFailure['retry']>> = {
  auth: 'never',
  billing: 'never',
  context: 'never',
  refused: 'never',
  turns: 'never',
  budget: 'never',
  denied: 'never',
  input: 'never',
  limit: 'later',
  overloaded: 'later',
  network: 'later',
}

/** A failure of that kind, with the usual word on trying again. */
export function failureOf(error: AgentErrorKind, message: string, resetsAt?: number): ClaudeFailure {
  return { error, message, ...(resetsAt === undefined ? {} : { resetsAt }), retry: retries[error] ?? 'now' }
}

export function signInAdvice(said: string): string {
  return `${said}\nSign in with "claude auth login", or correct the key that Claude Code is given.`
}

/** The class of a failed turn (docs/agents.md, "Claude Code"). */
export function classifyTrouble(trouble: ClaudeTrouble): ClaudeFailure {
  const { result = {}, apiError = {}, now } = trouble
  const error = errorKind(trouble)
  const said = messageOf(result, apiError)
  switch (error) {
    case 'limit':
      return failureOf(error, said, resetOf(trouble, said, now))
    case 'auth':
      return failureOf(error, signInAdvice(said))
    case 'aborted':
      return failureOf(error, 'The agent was interrupted.')
    case 'denied':
      return failureOf(error, 'The agent was told to stop when it asked for permission.')
    case 'refused':
      return failureOf(error, said === '' ? 'The model refused to go on.' : said)
    default:
      return failureOf(error, said === '' ? 'The agent reported a failure and gave no reason.' : said)
  }
}

function errorKind({ result = {}, apiError = {}, denied }: ClaudeTrouble): AgentErrorKind {
  const ended = textIn(result, 'terminal_reason') ?? ''
  switch (textIn(result, 'subtype')) {
    case 'error_max_turns':
      return 'turns'
    case 'error_max_budget_usd':
      return 'budget'
    case 'error_max_structured_output_retries':
      return 'schema'
  }
  if (ended.startsWith('aborted')) return denied && ended === 'aborted_tools' ? 'denied' : 'aborted'
  if (textIn(result, 'stop_reason') === 'refusal') return 'refused'
  const detail = textIn(apiError, 'api_error') ?? textIn(result, 'api_error')
  if (detail === 'prompt_too_long' || ended === 'prompt_too_long') return 'context'
  if (detail === 'usage_limit_reached') return 'limit'
  const status = numberIn(apiError, 'api_error_status') ?? numberIn(result, 'api_error_status')
  const kind = namedKind(textIn(apiError, 'error')) ?? (status === undefined ? undefined : statusKind(status))
  return byWords(kind, { result, apiError }) ?? kind ?? (ended === 'api_error' ? 'network' : 'crash')
}

/** What a word for the kind leaves open is said in the text; the text of an agent's own answer says nothing. */
function byWords(
  kind: AgentErrorKind | undefined,
  { result, apiError }: { result: Fields; apiError: Fields },
): AgentErrorKind | undefined {
  if (kind !== undefined && kind !== 'overloaded' && kind !== 'input') return undefined
  const isOfServer =
    'message' in apiError || (result.is_error === true && textIn(result, 'subtype') === 'success')
  if (!isOfServer) return undefined
  const said = messageOf(result, apiError)
  if (kind !== 'overloaded' && saysContextFull(said)) return 'context'
  return kind !== 'input' && saysLimitReached(said) ? 'limit' : undefined
}

function namedKind(error: string | undefined): AgentErrorKind | undefined {
  switch (error) {
    case 'authentication_failed':
      return 'auth'
    case 'billing_error':
      return 'billing'
    case 'rate_limit':
    case 'overloaded':
    case 'server_error':
      return 'overloaded'
    case 'invalid_request':
    case 'model_not_found':
      return 'input'
  }
  return undefined
}

function statusKind(status: number): AgentErrorKind {
  if (status === 401 || status === 403) return 'auth'
  if (status === 402) return 'billing'
  if (status === 413) return 'context'
  if (status === 429 || status >= 500) return 'overloaded'
  return 'input'
}

function messageOf(result: Fields, apiError: Fields): string {
  const errors = listIn(result, 'errors').filter((each) => typeof each === 'string')
  const content = listIn(fieldsIn(apiError, 'message'), 'content')
  const texts = content
    .map((block) => (block as Fields | null)?.text)
    .filter((text) => typeof text === 'string')
  return (texts.join('\n') || textIn(result, 'result') || errors.join('\n')).trim()
}

function resetOf({ apiError = {}, resetsAt }: ClaudeTrouble, said: string, now: number): number | undefined {
  const info = fieldsIn(fieldsIn(apiError, 'api_error_params'), 'rate_limit_info')
  const seconds = numberIn(info, 'resetsAt')
  return plausibleReset(seconds === undefined ? (resetsAt ?? resetFromWords(said, now)) : seconds * 1000, now)
}
