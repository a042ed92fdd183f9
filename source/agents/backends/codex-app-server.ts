import { crashMessage } from '../../processes/child-end.js'
import { type LadderTimes, ladderTimes } from '../../processes/ladder.js'
import type { startChild } from '../../processes/supervisor.js'
import { version } from '../../version.js'
import type { AgentEvent, Conversation, Failure, OpenRequest, Outcome, TokenUsage } from '../agent.js'
import { type ChildLink, openChildConversation, type Protocol } from '../child-conversation.js'
import { type LastWords, successOf } from '../end-of-process.js'
import { type Fields, fieldsOf, textIn } from '../fields.js'
import { within } from '../within.js'
import { threadSettings } from './codex-access.js'
import { type AskDesk, createAskDesk } from './codex-ask-desk.js'
import { classifyCodexError } from './codex-errors.js'
import { finishedWords } from './codex-outcome.js'
import { createErrorLines } from './codex-refusals.js'
import { createRpc, type Rpc, type RpcReply } from './codex-rpc.js'
import { type StrictSchema, strictSchema } from './codex-schema.js'
import {
  beforeThread,
  beginTurn,
  itemOf,
  nameTurn,
  openTurnId,
  readNotification,
  type ThreadSetting,
  type ThreadState,
  type TurnVerdict,
} from './codex-turn.js'

// A conversation with `codex app-server` (docs/agents.md, "Codex"): JSON-RPC over lines, one thread, turn after turn.

export interface AppServerOptions {
  /** Program and arguments, without `app-server`. */
  argv: readonly string[]
  now(): number
  start?: typeof startChild | undefined
  /** Of the stop ladder. */
  times?: LadderTimes | undefined
}

const interrupted: Failure = { error: 'aborted', message: 'The agent was interrupted.', retry: 'now' }
const denied: Failure = {
  error: 'denied',
  message: 'A permission was denied and the turn ended with it.',
  retry: 'never',
}

/** Opens at once; program, handshake and turn are followed by `done`. */
export function openAppServer(
  request: OpenRequest,
  sink: (event: AgentEvent) => void,
  options: AppServerOptions,
): Conversation {
  const [file = '', ...args] = options.argv
  return openChildConversation(
    {
      file,
      args: [...args, 'app-server'],
      env: request.env,
      request,
      sink,
      now: options.now,
      ...(options.times ? { times: options.times } : {}),
      ...(options.start ? { start: options.start } : {}),
    },
    (link) => appServerProtocol(openServer(link, request, options)),
  )
}

/** One server and what is known of it. */
interface Server {
  link: ChildLink
  request: OpenRequest
  schema: StrictSchema | undefined
  setting: ThreadSetting
  interruptMs: number
  rpc: Rpc
  desk: AskDesk
  thread: ThreadState
  /** A turn was started: until then the clock of the first event watches the handshake. */
  isReady: boolean
  /** Messages that the next turn begins with, or this one is told when it has a name. */
  unsent: string[]
}

function openServer(link: ChildLink, request: OpenRequest, options: AppServerOptions): Server {
  const rpc = createRpc({
    write: link.write,
    notification(method, params) {
      if (method === 'serverRequest/resolved') desk.drop(params.requestId)
      const [next, events] = readNotification(server.thread, method, params, server.setting)
      server.thread = next
      for (const event of events) link.emit(event)
    },
    request: (id, method, params) => desk.take(id, method, params),
    stray: (line) => link.log(line),
  })
  const desk = createAskDesk({
    request,
    item: (id) => itemOf(server.thread, id),
    emit: link.emit,
    answer: rpc.answer,
    say: (text) => steer(server, text),
    closed: link.answered,
    stopped: () => link.ending(denied),
  })
  const { turns } = request.limits
  const server: Server = {
    link,
    request,
    schema: request.schema === undefined ? undefined : strictSchema(request.schema),
    setting: {
      cwd: request.cwd,
      now: options.now,
      isResumed: request.session !== undefined && request.session.mode !== 'new',
      ...(turns === undefined ? {} : { maxCalls: turns }),
    },
    interruptMs: (options.times ?? ladderTimes).interruptMs,
    rpc,
    desk,
    thread: beforeThread,
    isReady: false,
    unsent: [],
  }
  return server
}

function appServerProtocol(server: Server): Protocol {
  const { link, rpc, desk, unsent } = server
  return {
    opened: () => void handshake(server),
    line(text) {
      rpc.take(text)
      afterLine(server)
    },
    errorLine: createErrorLines(link.emit),
    leave() {
      interruptTurn(server)
      // At the end of its input codex ends by itself.
      link.endInput()
    },
    lastWords: (exit) => ({
      said: 'failure',
      failure: { error: 'crash', message: `${crashMessage(exit)} Its turn was not over.`, retry: 'now' },
    }),
    gone() {
      rpc.end()
      return undefined
    },
    turnEnded: () => desk.clear(),
    sessionId: () => server.thread.threadId,
    send(text) {
      if (link.process() !== 'running') return 'unsupported'
      if (link.turn().at === 'over') {
        link.begin()
        void startTurn(server, [...unsent.splice(0), text].join('\n\n'))
        return 'sent'
      }
      const canSteer = openTurnId(server.thread) !== undefined
      steer(server, text)
      return canSteer ? 'sent' : 'queued'
    },
    answer: desk.answer,
    interrupt: () => endTurn(server, interrupted),
  }
}

function afterLine(server: Server): void {
  const { link, thread, isReady } = server
  link.alive(isReady)
  const turn = link.turn()
  if (turn.at === 'over') return
  const { hopeless, verdict } = thread.turn
  if (hopeless && turn.ending === undefined) void endTurn(server, hopeless)
  if (verdict && link.process() === 'running') settle(server, verdict)
}

/** What we did to a turn goes before what codex says of it. */
function settle(server: Server, verdict: TurnVerdict): void {
  const { link } = server
  const turn = link.turn()
  const ours = turn.at === 'running' ? turn.ending : undefined
  const words = wordsOf(server, verdict)
  const usage = link.usage()
  if (ours) link.end(failed(ours, usage))
  else if (words.said === 'done') link.end(successOf(words, usage))
  else link.end(failed(words.failure, usage))
}

type TurnWords = Extract<LastWords, { said: 'done' | 'flawed' | 'failure' }>

function wordsOf({ request, schema }: Server, verdict: TurnVerdict): TurnWords {
  switch (verdict.status) {
    case 'interrupted': {
      const message = 'Codex interrupted the turn.'
      return { said: 'failure', failure: { error: 'aborted', message, retry: 'now' } }
    }
    case 'failed':
      return { said: 'failure', failure: verdict.failure }
    case 'completed':
      return finishedWords(verdict.text, request.schema !== undefined, schema)
  }
}

function failed({ error, message, retry, resetsAt }: Failure, usage: TokenUsage): Outcome {
  return { ok: false, error, message, retry, usage, ...(resetsAt === undefined ? {} : { resetsAt }) }
}

async function handshake(server: Server): Promise<void> {
  const { rpc, request, link } = server
  const hello = await rpc.ask('initialize', {
    clientInfo: { name: 'autopilot', title: 'Autopilot', version },
    capabilities: null,
  })
  if (!hello.ok) return refuse(server, 'the connection', hello)
  rpc.notify('initialized')

  const { session } = request
  const place = threadSettings(request)
  const isOld = session !== undefined && session.mode !== 'new'
  const opened = isOld
    ? await rpc.ask(`thread/${session.mode}`, { threadId: session.id, ...place, excludeTurns: true })
    : await rpc.ask('thread/start', place)
  if (!opened.ok) {
    return refuse(server, isOld ? `to go on with conversation ${session.id}` : 'a conversation', opened)
  }
  const id = textIn(fieldsOf(opened.result.thread), 'id')
  if (id === undefined) {
    const message = 'Codex opened a conversation without naming it.'
    return giveUp(server, { error: 'crash', message, retry: 'now' })
  }
  server.thread = { ...server.thread, threadId: id }
  const model = textIn(opened.result, 'model')
  link.emit({
    type: 'session',
    id,
    ...(model === undefined ? {} : { model }),
    ...versionOf(hello.result),
  })
  await startTurn(server, request.prompt)
}

async function startTurn(server: Server, text: string): Promise<void> {
  const { rpc, schema } = server
  server.thread = beginTurn(server.thread)
  const started = await rpc.ask('turn/start', {
    threadId: server.thread.threadId,
    input: [{ type: 'text', text }],
    ...(schema === undefined ? {} : { outputSchema: schema.schema }),
  })
  if (!started.ok) return refuse(server, 'the turn', started)
  server.thread = nameTurn(server.thread, textIn(fieldsOf(started.result.turn), 'id'))
  server.isReady = true
  for (const waiting of server.unsent.splice(0)) steer(server, waiting)
  afterLine(server)
}

function refuse(server: Server, what: string, reply: Extract<RpcReply, { ok: false }>): void {
  const { link } = server
  // Code 0: the process ended, and its exit says more.
  if (reply.code === 0 || link.turn().at === 'over' || link.process() !== 'running') return
  const known = classifyCodexError(reply.data.codexErrorInfo, reply.message)
  const message = `Codex refused ${what}: ${reply.message}`
  if (known.error === 'crash') giveUp(server, { error: 'input', message, retry: 'never' })
  else giveUp(server, { error: known.error, message, retry: known.retry })
}

/** A conversation that cannot go on: its process is of no more use. */
function giveUp({ link }: Server, failure: Failure): void {
  link.end(failed(failure, link.usage()))
  void link.stop()
}

function steer({ link, rpc, thread, unsent }: Server, text: string): void {
  const expectedTurnId = openTurnId(thread)
  if (expectedTurnId === undefined) {
    unsent.push(text)
    return
  }
  const input = [{ type: 'text', text }]
  void rpc.ask('turn/steer', { threadId: thread.threadId, expectedTurnId, input }).then((reply) => {
    if (reply.ok || link.process() === 'gone') return
    unsent.push(text)
    link.log(`codex did not take the message (${reply.message}); it is kept for the next turn`)
  })
}

function interruptTurn({ rpc, thread }: Server): boolean {
  const turnId = openTurnId(thread)
  if (turnId === undefined) return false
  void rpc.ask('turn/interrupt', { threadId: thread.threadId, turnId })
  return true
}

/** Ends the turn and keeps the process, unless codex does not heed it. */
async function endTurn(server: Server, reason: Failure): Promise<void> {
  const { link } = server
  if (link.turn().at === 'over') return
  link.ending(reason)
  const done = link.done()
  if (!interruptTurn(server) || !(await within(done, server.interruptMs))) await link.stop()
}

/** `autopilot/0.171.0 (Linux; x86_64)`: our name, the version of codex. */
function versionOf(hello: Fields): { version?: string } {
  const found = /\/(\d{1,9}\.\d{1,9}[\w.+-]*)/.exec(textIn(hello, 'userAgent') ?? '')?.[1]
  return found === undefined ? {} : { version: found }
}
