import { randomUUID } from 'node:crypto'
import type { LadderTimes } from '../../processes/ladder.js'
import type { ChildExit } from '../../processes/supervisor.js'
import type { AgentEvent, Conversation, OpenRequest } from '../agent.js'
import { type ChildLink, openChildConversation, type Protocol } from '../child-conversation.js'
import { within } from '../within.js'
import {
  type AskAnswer,
  allow,
  type Dialogue,
  deny,
  judgeRequest,
  openDialogue,
  type RequestId,
  type ToolReply,
  type ToolRequest,
} from './claude-asks.js'
import { type ClaudeSession, claudeArguments, claudeEnvironment } from './claude-command.js'
import { failureOf } from './claude-errors.js'
import {
  beforeClaude,
  beginClaudeTurn,
  type ClaudeState,
  type ClaudeStep,
  isLost,
  isUnbegun,
  readClaudeLine,
  wordsOfClaude,
} from './claude-reader.js'
import { billRest } from './claude-usage.js'

/** How long a program may take to end a turn when it is asked to, or to end when its input is closed. */
const politeMs = 5000

export interface ConversationStart {
  /** The program. */
  file: string
  request: OpenRequest
  session: ClaudeSession
  agent?: string
  systemFile?: string
  now(): number
  times?: LadderTimes
  /** The last process of the conversation is gone. */
  closed(): void
}

/**
 * One conversation. It is one process, which ends after its result as its exit code is a sign of success too; after an
 * interrupt it stays open for the next message.
 */
export function converse(start: ConversationStart, sink: (event: AgentEvent) => void): Conversation {
  const { request, session } = start
  return openChildConversation(
    {
      file: start.file,
      args: argumentsFor(start, session),
      env: claudeEnvironment(request.env),
      request,
      sink,
      now: start.now,
      ...(start.times ? { times: start.times } : {}),
    },
    (link) =>
      claudeProtocol({
        start,
        link,
        state: beforeClaude(request.cwd, session.mode),
        prompt: request.prompt,
        dialogues: new Map(),
        interrupts: 0,
        isInterrupting: false,
        isInputOpen: true,
      }),
  )
}

function argumentsFor({ request, agent, systemFile }: ConversationStart, session: ClaudeSession): string[] {
  return claudeArguments(request, {
    session,
    ...(agent === undefined ? {} : { agent }),
    ...(systemFile === undefined ? {} : { systemFile }),
  })
}

/** One program, what is known of it, and what is open between it and the person. */
interface Claude {
  start: ConversationStart
  link: ChildLink
  state: ClaudeState
  /** What the process is told first. */
  prompt: string
  /** Questions to the person, by the id of the ask; `id` is that of the program's request. */
  dialogues: Map<string, { id: RequestId; dialogue: Dialogue }>
  interrupts: number
  /** The turn is to end with its next result, and the process is to stay. */
  isInterrupting: boolean
  /** False from a result on: nothing more can be said. */
  isInputOpen: boolean
}

function claudeProtocol(claude: Claude): Protocol {
  const { link, start } = claude
  const { request } = start
  return {
    opened() {
      claude.isInputOpen = true
      say(claude, userLine(claude.prompt))
    },
    line(text) {
      link.alive()
      const [next, steps] = readClaudeLine(claude.state, text, start.now())
      claude.state = next
      for (const step of steps) take(claude, step)
    },
    leave: () => askToInterrupt(claude),
    lastWords() {
      const [bill, rest] = billRest(claude.state.bill)
      claude.state = { ...claude.state, bill }
      if (rest) link.emit({ type: 'usage', ...rest, scope: 'turn' })
      return wordsOfClaude(claude.state, { hasSchema: request.schema !== undefined, now: start.now() })
    },
    usage: () => claude.state.bill.total,
    isWrongInput: (exit) => isUnbegun(claude.state, exit),
    gone: (exit) => again(claude, exit),
    turnEnded() {
      claude.dialogues.clear()
      claude.isInterrupting = false
    },
    closed: start.closed,
    sessionId: () => claude.state.session?.id,
    send(text) {
      if (!claude.isInputOpen || link.process() !== 'running') return 'unsupported'
      if (link.turn().at === 'over') {
        claude.state = beginClaudeTurn(claude.state)
        link.begin()
      }
      return say(claude, userLine(text)) ? 'sent' : 'unsupported'
    },
    answer: (askId, answer) => answerDialogue(claude, askId, answer),
    async interrupt() {
      if (link.turn().at === 'over' || link.process() === 'gone') return
      claude.isInterrupting = true
      askToInterrupt(claude)
      const done = link.done()
      if (!(await within(done, politeMs))) await link.stop()
      await done
    },
    async release() {
      endInput(claude)
      if (!(await within(link.exit(), politeMs))) await link.stop()
    },
  }
}

/** An earlier conversation that is gone makes place for a new one with the whole task. */
function again(claude: Claude, exit: ChildExit): { args: string[] } | undefined {
  const { start, link, state } = claude
  claude.isInputOpen = false
  const task = start.request.session?.task
  if (task === undefined || !isLost(state) || exit.stopped || exit.spawnError) return undefined
  link.log('the earlier conversation does not exist any more; the agent begins anew')
  const session = { mode: 'new', id: randomUUID() } as const
  claude.state = beforeClaude(start.request.cwd, session.mode)
  claude.prompt = task
  return { args: argumentsFor(start, session) }
}

function take(claude: Claude, step: ClaudeStep): void {
  const { link } = claude
  switch (step.step) {
    case 'event':
      link.emit(step.event)
      break
    case 'request':
      takeRequest(claude, step.request)
      break
    case 'foreign':
      say(claude, {
        type: 'control_response',
        response: { subtype: 'error', request_id: step.id, error: 'This host cannot do that.' },
      })
      break
    case 'withdrawn':
      withdraw(claude, step.id)
      break
    case 'result':
      takeResult(claude)
      break
    case 'hopeless':
      link.ending(step.failure)
      void link.stop()
  }
}

function takeResult(claude: Claude): void {
  const { link } = claude
  claude.dialogues.clear()
  link.settled()
  if (!claude.isInterrupting || link.process() !== 'running') {
    endInput(claude)
    return
  }
  const interrupted = failureOf('aborted', 'The agent was interrupted.')
  link.end({ ok: false, ...interrupted, usage: claude.state.bill.total })
}

function takeRequest(claude: Claude, asked: ToolRequest): void {
  const { request } = claude.start
  const verdict = judgeRequest(asked, request.access, request.permissions)
  if (verdict.verdict === 'allow') reply(claude, asked.id, allow(asked))
  else if (verdict.verdict === 'deny') reply(claude, asked.id, deny(verdict.reason))
  else {
    const dialogue = openDialogue(asked, request.access)
    claude.dialogues.set(dialogue.first.askId, { id: asked.id, dialogue })
    claude.link.emit(dialogue.first)
  }
}

function withdraw({ dialogues, link }: Claude, id: RequestId): void {
  for (const [askId, open] of dialogues) {
    if (open.id !== id) continue
    dialogues.delete(askId)
    link.answered(askId)
  }
}

function answerDialogue(claude: Claude, askId: string, answer: AskAnswer): void {
  const { dialogues, link } = claude
  const open = dialogues.get(askId)
  const answered = open?.dialogue.answer(askId, answer)
  if (!open || !answered) return
  dialogues.delete(askId)
  link.answered(askId)
  if ('reply' in answered) reply(claude, open.id, answered.reply)
  else {
    dialogues.set(answered.next.askId, open)
    link.emit(answered.next)
  }
}

function reply(claude: Claude, id: RequestId, response: ToolReply): void {
  say(claude, { type: 'control_response', response: { subtype: 'success', request_id: id, response } })
}

function askToInterrupt(claude: Claude): void {
  claude.interrupts += 1
  say(claude, {
    type: 'control_request',
    request_id: `interrupt-${claude.interrupts}`,
    request: { subtype: 'interrupt' },
  })
}

function say({ isInputOpen, link }: Claude, message: unknown): boolean {
  return isInputOpen && link.write(`${JSON.stringify(message)}\n`)
}

function endInput(claude: Claude): void {
  claude.isInputOpen = false
  claude.link.endInput()
}

function userLine(text: string): unknown {
  return { type: 'user', message: { role: 'user', content: [{ type: 'text', text }] } }
}
