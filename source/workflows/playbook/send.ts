import type { Access, AgentErrorKind } from '../../agents/agent.js'
import { dispatchUnattended } from '../dispatch/persona.js'
import type { DispatchSetting } from '../dispatch/tools.js'
import { settleCaps } from './circuit.js'
import { dispatchGrounds } from './dispatch-grounds.js'
import type { CommonFields } from './orders/fields.js'
import { briefOf, type OrderFacts, orderOf } from './orders/order.js'
import { personaOf, personas } from './personas/personas.js'
import { promptOf } from './personas/prompt.js'
import { tell } from './progress.js'
import { overBudget } from './response-budget.js'
import { type Expects, type ResultOf, resultSchemas } from './results.js'
import { decisionLog } from './state/decisions.js'
import type { PlaybookState } from './state/schema.js'
import type { Category } from './taxonomy.js'
import { commonFields, type PhaseWork, save } from './work.js'

/** What an order of this kind says beside what every order says. */
export type OwnFacts<Kind extends Expects> = Omit<OrderFacts<Kind>, keyof CommonFields> &
  Pick<Partial<CommonFields>, 'enforcement'>

/** What the program of an agent tells of the commands that were run; absent where it tells of no tools. */
export interface CommandsTold {
  commands?: number
  /** Of these, how many have failed. */
  failedCommands?: number
}

/** How a dispatch came out. A failure is the step's, never a question. */
export type Sent<Kind extends Expects> =
  /** `raw`: the words that the result was read from, as far as they are known. */
  | ({ ok: true; result: ResultOf<Kind>; sessionId?: string; raw: string } & CommandsTold)
  | { ok: false; error: AgentErrorKind; message: string; category: Category }

export interface SendOptions {
  /** Unique in the pass. */
  key: string
  /** For the pane: `Plan phase 2.1`. */
  title: string
  /** 1-based. */
  attempt?: number
  /** An earlier conversation to go on in, where the backend can. */
  conversation?: string
}

/**
 * Everybody but the checker of plans runs commands or writes a file; what is changed beyond its contract is found
 * afterwards (docs/playbook-checks.md, "Orders").
 */
const readers: ReadonlySet<string> = new Set(['plan-checker'])
const accessOf = (persona: string): Access => (readers.has(persona) ? 'read' : 'full')

/**
 * One dispatch of one role. An agent that fails, or hands back nothing that has the agreed shape, is sent once more and
 * told why; a full conversation is the caller's to go on from.
 */
export async function send<Kind extends Expects>(
  work: PhaseWork,
  kind: Kind,
  facts: OwnFacts<Kind>,
  options: SendOptions,
): Promise<Sent<Kind>> {
  const { key } = options
  const first = await sendOnce(work, kind, facts, options)
  if (first.ok || first.error === 'context') return first
  await countRetry(work, `${key}-retry`)
  const reason = `The last try came to nothing: ${first.message}`
  await tell(work, `${key}-again`, `${options.title}: sent once more. ${reason}`, 'warning')
  const again = { ...facts, enforcement: { check: 'result', reason } }
  return sendOnce(work, kind, again, { ...options, key: `${key}-2`, attempt: (options.attempt ?? 1) + 1 })
}

async function sendOnce<Kind extends Expects>(
  work: PhaseWork,
  kind: Kind,
  facts: OwnFacts<Kind>,
  options: SendOptions,
): Promise<Sent<Kind>> {
  const { at, cwd } = work
  const { key } = options
  await settleCaps(work, key)
  const persona = personaOf[kind]
  const order = orderOf(kind, { ...commonFields(work), ...facts } as unknown as OrderFacts<Kind>)
  const { id, number } = work.facts
  const outcome = await dispatchUnattended<PlaybookState, ResultOf<Kind>>(settingOf(work), `${at}${key}`, {
    persona,
    title: options.title,
    failedTitle: options.title,
    phase: { id, number },
    attempt: options.attempt ?? 1,
    access: accessOf(persona),
    ...(cwd === undefined ? {} : { cwd }),
    ...(options.conversation === undefined ? {} : { conversation: options.conversation }),
    prompt: (begin) => promptOf(order, begin),
    brief: briefOf(order),
    expects: resultSchemas[kind] as never,
  })
  if (outcome.kind === 'failed') {
    const { error, message } = outcome
    return { ok: false, error, message, category: categoryOf(error) }
  }
  const { result, text, raw, sessionId, commands, failedCommands } = outcome
  const long = overBudget(kind, text)
  if (long !== undefined) await tell(work, `${key}-long`, `${options.title}: ${long}`, 'warning')
  return {
    ok: true,
    result,
    raw: raw ?? text,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(commands === undefined ? {} : { commands }),
    ...(failedCommands === undefined ? {} : { failedCommands }),
  }
}

function categoryOf(error: AgentErrorKind): Category {
  if (error === 'context') return 'context_exhaustion'
  return error === 'schema' ? 'coordination_failure' : 'tool_failure'
}

/** Retries of the whole run have a bound (the circuit breaker looks at it). */
export function countRetry(work: PhaseWork, key: string): Promise<PlaybookState> {
  return save(work, `${work.at}${key}`, (state) => ({
    ...state,
    _meta: { ...state._meta, total_retries: state._meta.total_retries + 1 },
  }))
}

function settingOf(work: PhaseWork): DispatchSetting<PlaybookState> {
  const { run, tools } = work
  return {
    run,
    tools,
    workflow: 'playbook',
    personas,
    decisions: decisionLog,
    grounds: dispatchGrounds(work),
  }
}
