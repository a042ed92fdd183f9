import type { ClientConnection } from '@agentclientprotocol/sdk'
import { z } from 'zod'
import { crashMessage } from '../../processes/child-end.js'
import type { startChild } from '../../processes/supervisor.js'
import type { AgentEvent, Conversation, Failure, OpenRequest, Outcome } from '../agent.js'
import { type ChildLink, openChildConversation, type Protocol } from '../child-conversation.js'
import { stoppedByUs, successOf } from '../end-of-process.js'
import { lastJsonBlock } from '../result.js'
import { createTextRecord, type TextRecord } from '../text-record.js'
import { readAnswer } from './acp-answer.js'
import { Damaged, failureOfError } from './acp-failure.js'
import {
  cancelledReply,
  openPermissionDesk,
  type PermissionDesk,
  permissionRequestSchema,
} from './acp-permissions.js'
import { openSession } from './acp-session.js'
import {
  askedTool,
  beforeUpdates,
  deniedTool,
  readUpdate,
  settledTools,
  type UpdateFact,
  type UpdateState,
} from './acp-updates.js'
import { createWire, type Wire } from './acp-wire.js'

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

/**
 * Starts the program at once and shakes hands within the first turn, so that whoever opened it can stop it meanwhile.
 * The process stays for further turns until `close`.
 */
export function startAcpConversation(start: AcpStart): Conversation {
  const { silenceHint } = start
  return openChildConversation(
    {
      file: start.file,
      args: start.args,
      env: start.env,
      request: start.request,
      sink: start.sink,
      now: start.now,
      start: start.startChild,
      ...(silenceHint === undefined ? {} : { silenceHint }),
    },
    (link) => acpProtocol(openAcp(start, link)),
  )
}

/** Where the talk is: what the agent says while its answer to a prompt is looked at belongs to nothing. */
type Talk =
  | { at: 'handshake'; isReplaying: boolean }
  | { at: 'prompting' }
  | { at: 'answered' }
  | { at: 'between' }

/** One agent and what is known of it. */
interface Acp {
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

function openDamage(): Damage {
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

function openAcp(start: AcpStart, link: ChildLink): Acp {
  const { request } = start
  const desk = openPermissionDesk({
    access: request.access,
    policy: request.permissions,
    tools: {
      asked(call) {
        const [next, facts, tool] = askedTool(acp.updates, call)
        follow(acp, next, facts)
        return tool
      },
      denied(toolCallId, reason) {
        follow(acp, ...deniedTool(acp.updates, toolCallId, reason))
      },
    },
    sink: (event) => emit(acp, event),
    answered: link.answered,
    denied({ title, reason, by }) {
      const line = `Denied: ${title}. ${reason}`
      // A person's word is told to the agent in any case, a rule only if the agent stops for it.
      if (by === 'person') acp.messages.push(line)
      else acp.denials.push(line)
    },
  })
  const wire = createWire({
    write: (text) => void link.write(text),
    alive: () => link.alive(),
    update: (params) => takeUpdate(acp, params),
    answered() {
      if (acp.talk.at === 'prompting') acp.talk = { at: 'answered' }
    },
    noise: (line) => link.log(line),
    damaged: (line) => broke(acp, line),
  })
  const acp: Acp = {
    start,
    link,
    wire,
    desk,
    talk: { at: 'handshake', isReplaying: false },
    updates: beforeUpdates,
    cost: { told: 0, isCounted: false },
    turns: 0,
    said: createTextRecord(),
    messages: [],
    denials: [],
    prompted: Promise.resolve(),
    damage: openDamage(),
  }
  return acp
}

function acpProtocol(acp: Acp): Protocol {
  const { link, wire, desk, messages, damage } = acp
  return {
    opened: () => void runTurn(acp, () => connect(acp)),
    line: wire.line,
    /** The turn is cancelled, then the end of input lets the agent go. */
    leave() {
      cancel(acp)
      void acp.prompted.then(() => setImmediate(() => link.endInput()))
    },
    lastWords: (exit) => ({ said: 'nothing', missing: crashMessage(exit) }),
    gone() {
      desk.cancel()
      wire.end()
      return undefined
    },
    turnEnded() {
      for (const text of messages.splice(0)) link.log(`not delivered, as the turn is over: ${text}`)
      acp.updates = settledTools(acp.updates)
    },
    sessionId: () => acp.sessionId,
    send(text) {
      const isRunning = link.turn().at === 'running'
      if (damage.isThere() || link.process() !== 'running') return 'unsupported'
      if (!isRunning && acp.sessionId === undefined) return 'unsupported'
      if (isRunning) {
        messages.push(text)
        return 'queued'
      }
      link.begin()
      void runTurn(acp, async () => text)
      return 'sent'
    },
    answer: desk.answer,
    async interrupt() {
      if (link.turn().at === 'over') return
      const done = link.done()
      endTurn(acp, stoppedByUs)
      await done
    },
  }
}

function emit({ link, talk, said }: Acp, event: AgentEvent): void {
  const isOver = link.turn().at === 'over' || talk.at === 'answered' || talk.at === 'between'
  // Words after the end of a turn belong to nothing; money was spent all the same.
  if (isOver && event.type !== 'usage') return
  if (event.type === 'text') said.take(event)
  link.emit(event)
}

function takeUpdate(acp: Acp, params: unknown): void {
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

function follow(acp: Acp, next: UpdateState, facts: UpdateFact[]): void {
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
    const message = `The agent used up its ${limits.turns} turns and was stopped.`
    endTurn(acp, { error: 'turns', message, retry: 'never' })
  }
  if (limits.usd !== undefined && (acp.link.usage().usd ?? 0) > limits.usd) {
    const message = `The agent used up its budget of $${limits.usd} and was stopped.`
    endTurn(acp, { error: 'budget', message, retry: 'never' })
  }
}

function broke({ link, damage }: Acp, line: string): void {
  link.log(line)
  if (!damage.isThere()) damage.report()
}

function isPrompting({ talk }: Acp): boolean {
  return talk.at === 'prompting' || talk.at === 'answered'
}

function cancel(acp: Acp): void {
  acp.desk.cancel()
  if (!isPrompting(acp) || !acp.connection) return
  acp.connection.agent.notify('session/cancel', { sessionId: acp.sessionId }).catch(() => {})
}

/** Ends the turn and keeps the process, unless the agent does not heed it. */
function endTurn(acp: Acp, reason: Failure): void {
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

async function connect(acp: Acp): Promise<string> {
  const { start, link, wire, desk } = acp
  const sdk = await import('@agentclientprotocol/sdk')
  const { client } = sdk.methods
  const isOpen = () => {
    const turn = link.turn()
    return turn.at === 'running' && turn.ending === undefined && link.process() === 'running'
  }
  acp.connection = sdk
    .client({ name: 'autopilot' })
    .onRequest(client.session.requestPermission, permissionRequestSchema, ({ params }) =>
      isOpen() ? desk.request(params) : cancelledReply,
    )
    .onRequest(client.fs.writeTextFile, z.unknown(), () => ({}))
    .connect(wire.stream)
  const opened = await openSession(acp.connection.agent, {
    request: start.request,
    sink: start.sink,
    modelIsSet: start.modelIsSet,
    replaying(isReplaying) {
      acp.talk = { at: 'handshake', isReplaying }
    },
  })
  acp.sessionId = opened.id
  return opened.prompt
}

async function prompt(acp: Acp, text: string): Promise<unknown> {
  if (!acp.connection) throw new Error('The agent is not connected.')
  acp.said = createTextRecord()
  acp.turns += 1
  acp.talk = { at: 'prompting' }
  acp.cost.isCounted = true
  const params = { sessionId: acp.sessionId, prompt: [{ type: 'text', text }] }
  const answer = acp.connection.agent.request<unknown>('session/prompt', params).finally(() => {
    acp.talk = { at: 'between' }
  })
  acp.prompted = answer.catch(() => {})
  return Promise.race([answer, acp.damage.happened])
}

/** One turn. Where the process ends it, its exit tells what came of it. */
async function runTurn(acp: Acp, first: () => Promise<string>): Promise<void> {
  acp.turns = 0
  const { damage, link } = acp
  const outcome = await Promise.race([first(), damage.happened])
    .then((text) => talk(acp, text))
    .catch((error: unknown) => failed(acp, error))
  if (outcome) link.end(outcome)
}

/** Prompts until there is nothing more to tell the agent, and judges its last answer. */
async function talk(acp: Acp, first: string): Promise<Outcome | undefined> {
  const { link, desk } = acp
  const hasSchema = acp.start.request.schema !== undefined
  for (let text: string | undefined = first; ; ) {
    const answer = readAnswer(await prompt(acp, text))
    desk.cancel()
    if (link.process() !== 'running') return undefined
    const { input, output, cached } = answer.usage
    if (input + output + cached > 0) emit(acp, { type: 'usage', ...answer.usage, scope: 'turn' })
    const reason = ourReason(acp) ?? answer.failure
    if (reason) return failure(acp, reason)
    const final = acp.said.text()
    const result = lastJsonBlock(final)
    text = nextPrompt(acp, result !== undefined)
    if (text !== undefined) continue
    if (!hasSchema || result !== undefined) return successOf({ result, text: final }, link.usage())
    const message = 'The agent ended its turn without a result: there is no JSON block in its final message.'
    return failure(acp, { error: 'schema', message, retry: 'now' })
  }
}

/** What came up during the prompt and the agent has not heard yet. */
function nextPrompt(acp: Acp, hasResult: boolean): string | undefined {
  const hasSchema = acp.start.request.schema !== undefined
  const denials = acp.denials.splice(0)
  const lines = [...(hasSchema && !hasResult ? denials : []), ...acp.messages.splice(0)]
  if (lines.length === 0) return undefined
  const ending = hasSchema ? ['Go on with the task, and end with the result as agreed.'] : []
  return [...lines, ...ending].join('\n\n')
}

function failed(acp: Acp, error: unknown): Outcome | undefined {
  const { link, start } = acp
  if (link.process() !== 'running') return undefined
  const ours = ourReason(acp)
  if (ours) return failure(acp, ours)
  const reason = failureOfError(error, start.now())
  if (reason.error === 'limit') {
    const { resetsAt } = reason
    start.sink({ type: 'limit', status: 'rejected', ...(resetsAt === undefined ? {} : { resetsAt }) })
  }
  return failure(acp, reason)
}

function ourReason({ link }: Acp): Failure | undefined {
  const turn = link.turn()
  return turn.at === 'running' ? turn.ending : undefined
}

function failure({ link }: Acp, reason: Failure): Outcome {
  return { ok: false, ...reason, usage: link.usage() }
}
