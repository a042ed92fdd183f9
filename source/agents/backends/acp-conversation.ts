import type { ClientConnection } from '@agentclientprotocol/sdk'
import { z } from 'zod'
import { leftoverLine } from '../../processes/child-end.js'
import type { ChildExit, startChild } from '../../processes/supervisor.js'
import { watchActivity } from '../activity.js'
import type { AgentEvent, Conversation, OpenRequest, Outcome, TokenUsage } from '../agent.js'
import { addUsage, noUsage } from '../events.js'
import { lastJsonBlock } from '../result.js'
import { createTextRecord } from '../text-record.js'
import { readAnswer } from './acp-answer.js'
import type { Failure } from './acp-errors.js'
import { Damaged, failureOfError, failureOfExit, stoppedByUs } from './acp-failure.js'
import { cancelledReply, openPermissionDesk, permissionRequestSchema } from './acp-permissions.js'
import { openSession } from './acp-session.js'
import { createUpdateReader } from './acp-updates.js'
import { createWire } from './acp-wire.js'

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

/** Text of a finished agent that is handed on, in characters from its end. */
const textTail = 64 * 1024

/** An agent that does not end its turn within this time after a cancellation is ended itself, in milliseconds. */
const cancelMs = 2000

/**
 * Starts the program at once and shakes hands within the first turn, so that whoever opened it can stop it meanwhile.
 * The process stays for further turns until `close`.
 */
export function startAcpConversation(start: AcpStart): Conversation {
  const { request, sink } = start
  let connection: ClientConnection | undefined
  let sessionId: string | undefined
  let usage: TokenUsage = noUsage
  let costBefore = 0
  let turns = 0
  let said = createTextRecord()
  let messages: string[] = []
  let denials: string[] = []
  /** Why this turn ends, whatever the agent answers. */
  let verdict: Failure | undefined
  let isReplaying = false
  let isRunning = true
  let isPrompting = false
  let hasPrompted = false
  let isAnswered = false
  let isStopping = false
  let isBroken = false
  let hasExited = false
  let prompted: Promise<unknown> = Promise.resolve()
  let reportDamage: (error: Error) => void = () => {}
  const damage = new Promise<never>((_, reject) => {
    reportDamage = reject
  })
  damage.catch(() => {})

  const log = (line: string, stream: 'stdout' | 'stderr' = 'stdout') => sink({ type: 'log', stream, line })

  function emit(event: AgentEvent): void {
    // Words after the end of a turn belong to nothing; money was spent all the same.
    if ((!isRunning || isAnswered) && event.type !== 'usage') return
    activity.event(event)
    if (event.type === 'text') said.delta(event.id, event.delta ?? '')
    if (event.type === 'usage') usage = addUsage(usage, event)
    sink(event)
  }

  const tools = createUpdateReader({
    event: emit,
    cost(usd) {
      const more = usd - costBefore
      costBefore = usd
      // What the session cost before this conversation was counted then.
      if (!hasPrompted || more <= 0) return
      emit({ type: 'usage', input: 0, output: 0, cached: 0, usd: more, scope: 'turn' })
      checkLimits()
    },
    toolBegan() {
      said = createTextRecord()
    },
    modelAnswered() {
      turns += 1
      checkLimits()
    },
  })
  /** Reads what is played back of an earlier conversation: only what it cost matters. */
  const history = createUpdateReader({
    event: () => {},
    cost(usd) {
      costBefore = usd
    },
    toolBegan: () => {},
    modelAnswered: () => {},
  })

  const desk = openPermissionDesk({
    access: request.access,
    policy: request.permissions,
    tools,
    sink: emit,
    answered: (askId) => activity.answered(askId),
    denied({ title, reason, by }) {
      const line = `Denied: ${title}. ${reason}`
      // A person's word is told to the agent in any case, a rule only if the agent stops for it.
      if (by === 'person') messages.push(line)
      else denials.push(line)
    },
  })

  const wire = createWire({
    write: (text) => void child.write(text),
    alive() {
      child.touch()
      activity.touch()
    },
    update(params) {
      const reader = isReplaying ? history : tools
      if (!reader.take(params, sessionId)) broke(JSON.stringify(params) ?? '')
    },
    answered() {
      isAnswered = isPrompting
    },
    noise: (line) => log(line),
    damaged: broke,
  })

  const child = start.startChild({
    file: start.file,
    args: start.args,
    cwd: request.cwd,
    env: start.env,
    runId: request.runId,
    dispatchId: request.dispatchId,
    limits: request.limits,
    raw: request.raw,
    line: wire.line,
    errorLine: (line) => log(line, 'stderr'),
    skipped(stream, bytes) {
      const size = Math.ceil(bytes / (1024 * 1024))
      log(`a line of ${size} MB was too long and is not read`, stream)
    },
    interrupt: leave,
  })
  const activity = watchActivity({ busy: (on) => child.busy(on), overdue: () => void child.stop('tool') })

  void child.exit.then((exit) => {
    hasExited = true
    desk.cancel()
    wire.end()
    const left = leftoverLine(exit)
    if (left !== undefined) log(left, 'stderr')
  })

  function cancel(): void {
    desk.cancel()
    if (!isPrompting || !connection) return
    connection.agent.notify('session/cancel', { sessionId }).catch(() => {})
  }

  /** First rung of the stop ladder: the turn is cancelled, then the end of input lets the agent go. */
  function leave(): void {
    isStopping = true
    cancel()
    void prompted.then(() => setImmediate(() => child.endInput()))
  }

  function endTurn(reason: Failure): void {
    if (verdict || !isRunning) return
    verdict = reason
    if (!isPrompting) return void child.stop('aborted')
    cancel()
    const turn = done
    setTimeout(() => {
      if (isRunning && turn === done) void child.stop('aborted')
    }, cancelMs).unref()
  }

  function checkLimits(): void {
    const { limits } = request
    if (limits.turns !== undefined && turns > limits.turns) {
      const message = `The agent used up its ${limits.turns} turns and was stopped.`
      endTurn({ error: 'turns', message, retry: 'never' })
    }
    if (limits.usd !== undefined && (usage.usd ?? 0) > limits.usd) {
      const message = `The agent used up its budget of $${limits.usd} and was stopped.`
      endTurn({ error: 'budget', message, retry: 'never' })
    }
  }

  function broke(line: string): void {
    log(line)
    if (isBroken) return
    isBroken = true
    reportDamage(new Damaged())
  }

  async function connect(): Promise<string> {
    const acp = await import('@agentclientprotocol/sdk')
    const { client } = acp.methods
    connection = acp
      .client({ name: 'autopilot' })
      .onRequest(client.session.requestPermission, permissionRequestSchema, ({ params }) =>
        isRunning && !verdict && !isStopping ? desk.request(params) : cancelledReply,
      )
      .onRequest(client.fs.writeTextFile, z.unknown(), () => ({}))
      .connect(wire.stream)
    const opened = await openSession(connection.agent, {
      request,
      sink: emit,
      modelIsSet: start.modelIsSet,
      replaying(on) {
        isReplaying = on
      },
    })
    sessionId = opened.id
    return opened.prompt
  }

  async function prompt(text: string): Promise<unknown> {
    if (!connection) throw new Error('The agent is not connected.')
    said = createTextRecord()
    turns += 1
    isPrompting = true
    hasPrompted = true
    isAnswered = false
    const params = { sessionId, prompt: [{ type: 'text', text }] }
    const answer = connection.agent.request<unknown>('session/prompt', params).finally(() => {
      isPrompting = false
    })
    prompted = answer.catch(() => {})
    return Promise.race([answer, damage])
  }

  /** Prompts until there is nothing more to tell the agent, and judges its last answer. */
  async function talk(first: string): Promise<Outcome> {
    for (let text: string | undefined = first; ; ) {
      const answer = readAnswer(await prompt(text))
      desk.cancel()
      if (isStopping) return fromExit(await child.exit)
      const { input, output, cached } = answer.usage
      if (input + output + cached > 0) emit({ type: 'usage', ...answer.usage, scope: 'turn' })
      if (verdict) return failure(verdict)
      if (answer.failure) return failure(answer.failure)
      const final = said.text()
      const result = lastJsonBlock(final)
      text = nextPrompt(result !== undefined)
      if (text !== undefined) continue
      if (request.schema !== undefined && result === undefined) {
        const message =
          'The agent ended its turn without a result: there is no JSON block in its final message.'
        return failure({ error: 'schema', message, retry: 'now' })
      }
      return { ok: true, result, text: final.slice(-textTail), usage }
    }
  }

  /** What came up during the prompt and the agent has not heard yet. */
  function nextPrompt(hasResult: boolean): string | undefined {
    const stoppedForDenial = denials.length > 0 && request.schema !== undefined && !hasResult
    const lines = [...(stoppedForDenial ? denials : []), ...messages]
    denials = []
    messages = []
    if (lines.length === 0) return undefined
    const ending =
      request.schema === undefined ? [] : ['Go on with the task, and end with the result as agreed.']
    return [...lines, ...ending].join('\n\n')
  }

  async function failed(error: unknown): Promise<Outcome> {
    if (hasExited || isStopping) return fromExit(await child.exit)
    if (verdict) return failure(verdict)
    const reason = failureOfError(error, start.now())
    if (reason.error === 'limit') sink({ type: 'limit', status: 'rejected', resetsAt: reason.resetsAt })
    return failure(reason)
  }

  function fromExit(exit: ChildExit): Outcome {
    return failure((exit.spawnError ? undefined : verdict) ?? failureOfExit(exit, start))
  }

  function failure(reason: Failure): Outcome {
    return { ok: false, ...reason, usage }
  }

  async function runTurn(first: () => Promise<string>): Promise<Outcome> {
    isRunning = true
    verdict = undefined
    turns = 0
    const outcome = await Promise.race([first(), damage]).then(talk).catch(failed)
    isRunning = false
    for (const text of messages.splice(0)) log(`not delivered, as the turn is over: ${text}`)
    tools.settle()
    activity.clear()
    sink({ type: 'end', outcome })
    return outcome
  }

  let done = runTurn(connect)
  return {
    get sessionId() {
      return sessionId
    },
    pid: child.pid,
    get done() {
      return done
    },
    send(text) {
      if (isBroken || isStopping || hasExited || (!isRunning && sessionId === undefined)) return 'unsupported'
      if (isRunning) {
        messages.push(text)
        return 'queued'
      }
      done = runTurn(async () => text)
      return 'sent'
    },
    answer: (askId, answer) => desk.answer(askId, answer),
    async interrupt() {
      if (!isRunning) return
      endTurn(stoppedByUs)
      await done
    },
    pause(on) {
      activity.pause(on)
      void child.pause(on)
    },
    async close() {
      await child.stop('aborted')
      return done
    },
  }
}
