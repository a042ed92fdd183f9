import { crashMessage, leftoverLine, spawnMessage, timeoutMessage } from '../../processes/child-end.js'
import { type LadderTimes, ladderTimes } from '../../processes/ladder.js'
import { type ChildExit, startChild } from '../../processes/supervisor.js'
import { version } from '../../version.js'
import { watchActivity } from '../activity.js'
import type { AgentEvent, Conversation, OpenRequest, Outcome, TokenUsage } from '../agent.js'
import { addUsage, noUsage } from '../events.js'
import { type Fields, fieldsOf, textIn } from '../fields.js'
import { threadSettings } from './codex-access.js'
import { createAskDesk } from './codex-ask-desk.js'
import { classifyCodexError, type TurnFailure } from './codex-errors.js'
import { finishedOutcome, skippedLine } from './codex-outcome.js'
import { createErrorLines } from './codex-refusals.js'
import { createRpc, type RpcReply } from './codex-rpc.js'
import { strictSchema } from './codex-schema.js'
import { createTurnReader, type TurnVerdict } from './codex-turn.js'

// A conversation with `codex app-server` (agents.md section 2.2): JSON-RPC over lines, one thread, turn after turn.

type Failed = Extract<Outcome, { ok: false }>

export interface AppServerOptions {
  /** Program and arguments, without `app-server`. */
  argv: readonly string[]
  now(): number
  start?: typeof startChild
  /** Of the stop ladder. */
  times?: LadderTimes
}

interface Turn {
  done: Promise<Outcome>
  settle(outcome: Outcome): void
  settled: boolean
  /** Why we ended it ourselves; goes before whatever codex says then. */
  stopped?: 'interrupt' | 'denied' | TurnFailure
}

/** Opens at once; program, handshake and turn are followed by `done`. */
export function openAppServer(
  request: OpenRequest,
  sink: (event: AgentEvent) => void,
  options: AppServerOptions,
): Conversation {
  const [file = '', ...args] = options.argv
  const schema = request.schema === undefined ? undefined : strictSchema(request.schema)
  const unsent: string[] = []
  let usage: TokenUsage = noUsage
  let threadId: string | undefined
  let turn = newTurn()
  let isReady = false
  /** The stop ladder asked codex to end; only its exit tells the reason. */
  let isEnding = false
  let isGone = false

  function emit(event: AgentEvent): void {
    if (event.type === 'usage') usage = addUsage(usage, event)
    activity.event(event)
    sink(event)
  }

  // Between two turns silence is what is expected.
  const activity = watchActivity({
    busy: (on) => child.busy(on || turn.settled),
    overdue: () => void child.stop('tool'),
  })

  const reader = createTurnReader({
    cwd: request.cwd,
    now: options.now,
    emit,
    isResumed: request.session !== undefined && request.session.mode !== 'new',
    maxCalls: request.limits.turns,
  })

  const rpc = createRpc({
    write: (line) => child.write(line),
    notification(method, params) {
      if (method === 'serverRequest/resolved') desk.drop(params.requestId)
      reader.take(method, params)
    },
    request: (id, method, params) => desk.take(id, method, params),
    stray: (line) => sink({ type: 'log', stream: 'stdout', line }),
  })

  const desk = createAskDesk({
    request,
    item: reader.item,
    emit,
    answer: rpc.answer,
    say: steer,
    closed: activity.answered,
    stopped() {
      turn.stopped ??= 'denied'
    },
  })

  const child = (options.start ?? startChild)({
    file,
    args: [...args, 'app-server'],
    cwd: request.cwd,
    env: request.env,
    runId: request.runId,
    dispatchId: request.dispatchId,
    limits: request.limits,
    raw: request.raw,
    times: options.times,
    line(text) {
      rpc.take(text)
      afterLine()
    },
    errorLine: createErrorLines(emit),
    skipped: (stream, bytes) => sink({ type: 'log', stream, line: skippedLine(bytes) }),
    interrupt() {
      isEnding = true
      interruptTurn()
      // At the end of its input codex ends by itself.
      child.endInput()
    },
  })

  // The first sign of life is the start of a turn: until then the clock of the first event watches the handshake.
  function afterLine(): void {
    if (isReady) child.touch()
    activity.touch()
    const hopeless = reader.hopeless()
    if (hopeless && turn.stopped === undefined && !turn.settled) void endTurn(hopeless)
    const verdict = reader.verdict()
    if (verdict && !turn.settled && !isEnding) turn.settle(outcomeOf(verdict))
  }

  function newTurn(): Turn {
    let resolve: (outcome: Outcome) => void = () => {}
    const made: Turn = {
      done: new Promise((settled) => {
        resolve = settled
      }),
      settled: false,
      settle(outcome) {
        if (made.settled) return
        made.settled = true
        desk.clear()
        activity.clear()
        child.busy(true)
        sink({ type: 'end', outcome })
        resolve(outcome)
      },
    }
    return made
  }

  function failed(
    error: Failed['error'],
    message: string,
    retry: Failed['retry'],
    resetsAt?: number,
  ): Failed {
    return { ok: false, error, message, retry, usage, ...(resetsAt === undefined ? {} : { resetsAt }) }
  }

  function failedAs(failure: TurnFailure): Failed {
    return failed(failure.error, failure.message, failure.retry, failure.resetsAt)
  }

  /** What we did to a turn goes before what codex says of it; undefined if we did nothing. */
  function stoppedOutcome(): Failed | undefined {
    if (turn.stopped === undefined) return undefined
    if (turn.stopped === 'interrupt') return failed('aborted', 'The agent was interrupted.', 'now')
    if (turn.stopped === 'denied') {
      return failed('denied', 'A permission was denied and the turn ended with it.', 'never')
    }
    return failedAs(turn.stopped)
  }

  function outcomeOf(verdict: TurnVerdict): Outcome {
    const stopped = stoppedOutcome()
    if (stopped) return stopped
    switch (verdict.status) {
      case 'interrupted':
        return failed('aborted', 'Codex interrupted the turn.', 'now')
      case 'failed':
        return failedAs(verdict.failure)
      case 'completed':
        return finishedOutcome({
          text: verdict.text,
          isResultExpected: request.schema !== undefined,
          schema,
          usage,
        })
    }
  }

  async function handshake(): Promise<void> {
    const hello = await rpc.ask('initialize', {
      clientInfo: { name: 'autopilot', title: 'Autopilot', version },
      capabilities: null,
    })
    if (!hello.ok) return refuse('the connection', hello)
    rpc.notify('initialized')

    const { session } = request
    const place = threadSettings(request)
    const isOld = session !== undefined && session.mode !== 'new'
    const opened = isOld
      ? await rpc.ask(`thread/${session.mode}`, { threadId: session.id, ...place, excludeTurns: true })
      : await rpc.ask('thread/start', place)
    if (!opened.ok)
      return refuse(isOld ? `to go on with conversation ${session.id}` : 'a conversation', opened)
    const id = textIn(fieldsOf(opened.result.thread), 'id')
    if (id === undefined) return giveUp('Codex opened a conversation without naming it.')
    threadId = id
    reader.thread(id)
    const model = textIn(opened.result, 'model')
    sink({
      type: 'session',
      id,
      ...(model === undefined ? {} : { model }),
      ...versionOf(hello.result),
    })
    await startTurn(request.prompt)
  }

  async function startTurn(text: string): Promise<void> {
    reader.begin()
    const started = await rpc.ask('turn/start', {
      threadId,
      input: [{ type: 'text', text }],
      ...(schema === undefined ? {} : { outputSchema: schema.schema }),
    })
    if (!started.ok) return refuse('the turn', started)
    const id = textIn(fieldsOf(started.result.turn), 'id')
    if (id !== undefined) reader.turn(id)
    isReady = true
    for (const waiting of unsent.splice(0)) steer(waiting)
    afterLine()
  }

  function refuse(what: string, reply: Extract<RpcReply, { ok: false }>): void {
    // Code 0: the process ended, and its exit says more.
    if (reply.code === 0 || turn.settled || isEnding) return
    const known = classifyCodexError(reply.data.codexErrorInfo, reply.message)
    const failure = known.error === 'crash' ? ({ error: 'input', retry: 'never' } as const) : known
    giveUp(`Codex refused ${what}: ${reply.message}`, failure)
  }

  /** A conversation that cannot go on: its process is of no more use. */
  function giveUp(
    message: string,
    failure: Pick<Failed, 'error' | 'retry'> = { error: 'crash', retry: 'now' },
  ) {
    turn.settle(failed(failure.error, message, failure.retry))
    void child.stop('aborted')
  }

  function steer(text: string): void {
    const expectedTurnId = reader.turnId()
    if (expectedTurnId === undefined) {
      unsent.push(text)
      return
    }
    const input = [{ type: 'text', text }]
    void rpc.ask('turn/steer', { threadId, expectedTurnId, input }).then((reply) => {
      if (reply.ok || isGone) return
      unsent.push(text)
      const line = `codex did not take the message (${reply.message}); it is kept for the next turn`
      sink({ type: 'log', stream: 'stdout', line })
    })
  }

  function interruptTurn(): boolean {
    const turnId = reader.turnId()
    if (turnId === undefined) return false
    void rpc.ask('turn/interrupt', { threadId, turnId })
    return true
  }

  /** Ends the turn and keeps the process, unless codex does not heed it. */
  async function endTurn(reason: NonNullable<Turn['stopped']>): Promise<void> {
    const ending = turn
    if (ending.settled) return
    ending.stopped ??= reason
    if (!interruptTurn()) {
      await child.stop('aborted')
      return
    }
    const heeded = await Promise.race([
      ending.done.then(() => true),
      late((options.times ?? ladderTimes).interruptMs),
    ])
    if (!heeded) await child.stop('aborted')
  }

  const ended = child.exit.then((exit) => {
    isGone = true
    rpc.end()
    const left = leftoverLine(exit)
    if (left !== undefined) sink({ type: 'log', stream: 'stderr', line: left })
    turn.settle(exitOutcome(exit))
  })

  function exitOutcome(exit: ChildExit): Outcome {
    if (exit.spawnError) return failed('spawn', spawnMessage(exit.spawnError, file, request.cwd), 'never')
    const stopped = stoppedOutcome()
    if (stopped) return stopped
    if (exit.stopped === 'aborted') return failed('aborted', 'The agent was stopped.', 'now')
    if (exit.stopped) return failed('timeout', timeoutMessage(exit.stopped, request.limits.wallMs), 'now')
    return failed('crash', `${crashMessage(exit)} Its turn was not over.`, 'now')
  }

  void handshake()

  return {
    get sessionId() {
      return threadId
    },
    pid: child.pid,
    get done() {
      return turn.done
    },
    send(text) {
      if (isGone || isEnding) return 'unsupported'
      if (turn.settled) {
        turn = newTurn()
        child.busy(false)
        void startTurn([...unsent.splice(0), text].join('\n\n'))
        return 'sent'
      }
      const canSteer = reader.turnId() !== undefined
      steer(text)
      return canSteer ? 'sent' : 'queued'
    },
    answer: desk.answer,
    async interrupt() {
      await endTurn('interrupt')
    },
    pause(on) {
      activity.pause(on)
      void child.pause(on)
    },
    async close() {
      await child.stop('aborted')
      await ended
      return turn.done
    },
  }
}

/** `autopilot/0.171.0 (Linux; x86_64)`: our name, the version of codex. */
function versionOf(hello: Fields): { version?: string } {
  const found = /\/(\d+\.\d+[\w.+-]*)/.exec(textIn(hello, 'userAgent') ?? '')?.[1]
  return found === undefined ? {} : { version: found }
}

function late(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms).unref())
}
