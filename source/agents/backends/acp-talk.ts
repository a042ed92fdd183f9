import type { ClientConnection } from '@agentclientprotocol/sdk'
import { counted } from '../../counted.js'
import type { startChild } from '../../processes/supervisor.js'
import type { AgentEvent, Failure, OpenRequest } from '../agent.js'
import type { ChildLink } from '../child-conversation.js'
import { createTextRecord, type TextRecord } from '../text-record.js'
import { Damaged } from './acp-failure.js'
import type { PermissionDesk } from './acp-permissions.js'
import { beforeUpdates, readUpdate, type UpdateFact, type UpdateState } from './acp-updates.js'
import type { Wire } from './acp-wire.js'

// What is known of one agent that speaks ACP, and what its words and its bounds make of it.

export interface AcpStart {
  file: string
  args: string[]
  /** Complete, but for the markers. */
  env: Record<string, string>
  request: OpenRequest
  sink(event: AgentEvent): void
  modelIsSet: boolean
  silenceHint: string | undefined
  now(): number
  startChild: typeof startChild
}

/** An agent that does not end its turn within this time after a cancellation is ended itself, in milliseconds. */
const cancelMs = 2000

/** Where the talk is: what the agent says while its answer to a prompt is looked at belongs to nothing. */
type Talk =
  | { at: 'handshake'; isReplaying: boolean }
  | { at: 'prompting' }
  | { at: 'answered' }
  | { at: 'between' }

/** One agent and what is known of it. */
export interface Acp {
  start: AcpStart
  link: ChildLink
  wire: Wire
  desk: PermissionDesk
  connection?: ClientConnection
  sessionId?: string
  talk: Talk
  updates: UpdateState
  /** Of the session, as it was told last; counted from the first prompt on. */
  cost: { told: number; isCounted: boolean }
  /** Answers of the model in this turn. */
  turns: number
  /** What the agent said since its last tool. */
  said: TextRecord
  /** What the agent has not heard yet: words of a person, and rules that it ran into. */
  messages: string[]
  denials: string[]
  /** Settles with the prompt that runs. */
  prompted: Promise<unknown>
  damage: Damage
}

/** Words of the agent that were lost on their way; the first is enough. */
interface Damage {
  happened: Promise<never>
  isThere(): boolean
  report(): void
}

export function openDamage(): Damage {
  let isThere = false
  let fail: (error: Error) => void = () => {}
  const happened = new Promise<never>((_, reject) => {
    fail = reject
  })
  happened.catch(() => {})
  return {
    happened,
    isThere: () => isThere,
    report() {
      isThere = true
      fail(new Damaged())
    },
  }
}

export function emit({ link, talk, said }: Acp, event: AgentEvent): void {
  const isOver = link.turn().at === 'over' || talk.at === 'answered' || talk.at === 'between'
  // Words after the end of a turn belong to nothing; money was spent all the same.
  if (isOver && event.type !== 'usage') return
  if (event.type === 'text') said.take(event)
  link.emit(event)
}

export function takeUpdate(acp: Acp, params: unknown): void {
  const isReplaying = acp.talk.at === 'handshake' && acp.talk.isReplaying
  // Of what is played back of an earlier conversation only its cost matters.
  const read = readUpdate(isReplaying ? beforeUpdates : acp.updates, params, acp.sessionId)
  if (!read) {
    broke(acp, JSON.stringify(params) ?? '')
    return
  }
  const [next, facts] = read
  if (!isReplaying) follow(acp, next, facts)
  else for (const each of facts) if (each.fact === 'cost') acp.cost.told = each.usd
}

export function follow(acp: Acp, next: UpdateState, facts: UpdateFact[]): void {
  acp.updates = next
  for (const each of facts) {
    switch (each.fact) {
      case 'event':
        emit(acp, each.event)
        break
      case 'cost':
        takeCost(acp, each.usd)
        break
      case 'tool-began':
        acp.said = createTextRecord()
        break
      case 'model-answered':
        acp.turns += 1
        checkLimits(acp)
    }
  }
}

function takeCost(acp: Acp, usd: number): void {
  const more = usd - acp.cost.told
  acp.cost.told = usd
  // What the session cost before this conversation was counted then.
  if (!acp.cost.isCounted || more <= 0) return
  emit(acp, { type: 'usage', input: 0, output: 0, cached: 0, usd: more, scope: 'turn' })
  checkLimits(acp)
}

function checkLimits(acp: Acp): void {
  const { limits } = acp.start.request
  if (limits.turns !== undefined && acp.turns > limits.turns) {
    const message = `The agent used up its ${counted(limits.turns, 'turn')} and was stopped.`
    endTurn(acp, { error: 'turns', message, retry: 'never' })
  }
  if (limits.usd !== undefined && (acp.link.usage().usd ?? 0) > limits.usd) {
    const message = `The agent used up its budget of $${limits.usd} and was stopped.`
    endTurn(acp, { error: 'budget', message, retry: 'never' })
  }
}

export function broke({ link, damage }: Acp, line: string): void {
  link.log(line)
  if (!damage.isThere()) damage.report()
}

function isPrompting({ talk }: Acp): boolean {
  return talk.at === 'prompting' || talk.at === 'answered'
}

export function cancel(acp: Acp): void {
  acp.desk.cancel()
  if (!isPrompting(acp) || !acp.connection) return
  acp.connection.agent.notify('session/cancel', { sessionId: acp.sessionId }).catch(() => {})
}

/** Ends the turn and keeps the process, unless the agent does not heed it. */
export function endTurn(acp: Acp, reason: Failure): void {
  const { link } = acp
  const turn = link.turn()
  if (turn.at === 'over' || turn.ending !== undefined) return
  link.ending(reason)
  if (!isPrompting(acp)) {
    void link.stop()
    return
  }
  cancel(acp)
  const ended = link.done()
  setTimeout(() => {
    if (link.turn().at === 'running' && ended === link.done()) void link.stop()
  }, cancelMs).unref()
}
