import { randomUUID } from 'node:crypto'
import { leftoverLine } from '../../processes/child-end.js'
import type { LadderTimes } from '../../processes/ladder.js'
import { type Child, type ChildExit, startChild } from '../../processes/supervisor.js'
import { watchActivity } from '../activity.js'
import type { AgentEvent, Conversation, OpenRequest, Outcome } from '../agent.js'
import {
  allow,
  type Dialogue,
  deny,
  judgeRequest,
  openDialogue,
  type ToolReply,
  type ToolRequest,
} from './claude-asks.js'
import { type ClaudeSession, claudeArguments, claudeEnvironment } from './claude-command.js'
import { type ClaudeReader, type ClaudeStep, createClaudeReader } from './claude-reader.js'

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

interface Turn {
  done: Promise<Outcome>
  settle(outcome: Outcome): void
}

/**
 * One conversation. It is one process, which ends after its result as its exit code is a sign of success too; after an
 * interrupt it stays open for the next message.
 */
export function converse(start: ConversationStart, sink: (event: AgentEvent) => void): Conversation {
  const { request } = start
  const dialogues = new Map<string, { id: string; dialogue: Dialogue }>()
  let turn: Turn | undefined
  let latest: Promise<Outcome>
  let interrupts = 0
  let isInterrupting = false
  let isStopping = false
  let isInputOpen = true
  let isGone = false
  let reader: ClaudeReader
  let child: Child

  const activity = watchActivity({
    busy: (on) => child.busy(on),
    overdue: () => void child.stop('tool'),
  })

  function pass(event: AgentEvent): void {
    activity.event(event)
    sink(event)
  }

  function say(message: unknown): boolean {
    return isInputOpen && child.write(`${JSON.stringify(message)}\n`)
  }

  function endInput(): void {
    isInputOpen = false
    child.endInput()
  }

  function beginTurn(): void {
    let settle: (outcome: Outcome) => void = () => {}
    latest = new Promise((resolve) => {
      settle = resolve
    })
    turn = { done: latest, settle }
  }

  function endTurn(outcome: Outcome): void {
    dialogues.clear()
    activity.clear()
    isInterrupting = false
    const ended = turn
    turn = undefined
    if (!ended) return
    sink({ type: 'end', outcome })
    ended.settle(outcome)
  }

  function take(step: ClaudeStep) {
    switch (step.step) {
      case 'event':
        return pass(step.event)
      case 'request':
        return takeRequest(step.request)
      case 'foreign':
        say({
          type: 'control_response',
          response: { subtype: 'error', request_id: step.id, error: 'This host cannot do that.' },
        })
        return
      case 'withdrawn':
        return withdraw(step.id)
      case 'result':
        dialogues.clear()
        activity.clear()
        if (!isInterrupting || isStopping) return endInput()
        // Waiting for the next message is no silence to be worried about.
        child.busy(true)
        return endTurn(reader.interrupted())
      case 'hopeless':
        void child.stop('aborted')
    }
  }

  function takeRequest(asked: ToolRequest) {
    const verdict = judgeRequest(asked, request.access, request.permissions)
    if (verdict.verdict === 'allow') return reply(asked.id, allow(asked))
    if (verdict.verdict === 'deny') return reply(asked.id, deny(verdict.reason))
    const dialogue = openDialogue(asked, request.access)
    dialogues.set(dialogue.first.askId, { id: asked.id, dialogue })
    pass(dialogue.first)
  }

  function withdraw(id: string): void {
    for (const [askId, open] of dialogues) {
      if (open.id !== id) continue
      dialogues.delete(askId)
      activity.answered(askId)
    }
  }

  function reply(id: string, response: ToolReply): void {
    say({ type: 'control_response', response: { subtype: 'success', request_id: id, response } })
  }

  function askToInterrupt(): void {
    interrupts += 1
    say({
      type: 'control_request',
      request_id: `interrupt-${interrupts}`,
      request: { subtype: 'interrupt' },
    })
  }

  function connect(session: ClaudeSession, prompt: string): void {
    isInputOpen = true
    reader = createClaudeReader({
      cwd: request.cwd,
      now: start.now,
      mode: session.mode,
      hasSchema: request.schema !== undefined,
    })
    child = startChild({
      file: start.file,
      args: claudeArguments(request, { session, agent: start.agent, systemFile: start.systemFile }),
      cwd: request.cwd,
      env: claudeEnvironment(request.env),
      runId: request.runId,
      dispatchId: request.dispatchId,
      limits: request.limits,
      raw: request.raw,
      line(text) {
        child.touch()
        activity.touch()
        for (const step of reader.line(text)) take(step)
      },
      errorLine: (line) => sink({ type: 'log', stream: 'stderr', line }),
      skipped(stream, bytes) {
        const size = Math.ceil(bytes / (1024 * 1024))
        sink({ type: 'log', stream, line: `a line of ${size} MB was too long and is not read` })
      },
      interrupt() {
        isStopping = true
        askToInterrupt()
      },
      ...(start.times ? { times: start.times } : {}),
    })
    say(userLine(prompt))
    void child.exit.then(gone)
  }

  function gone(exit: ChildExit) {
    const { task } = request.session ?? {}
    if (task !== undefined && reader.isLost() && !exit.stopped && !exit.spawnError) {
      const line = 'the earlier conversation does not exist any more; the agent begins anew'
      sink({ type: 'log', stream: 'stdout', line })
      return connect({ mode: 'new', id: randomUUID() }, task)
    }
    isGone = true
    isInputOpen = false
    const left = leftoverLine(exit)
    if (left !== undefined) sink({ type: 'log', stream: 'stderr', line: left })
    const rest = reader.unbilled()
    if (rest) sink({ type: 'usage', ...rest, scope: 'turn' })
    endTurn(reader.outcome({ exit, file: start.file, wallMs: request.limits.wallMs }))
    start.closed()
  }

  beginTurn()
  connect(start.session, request.prompt)

  return {
    get sessionId() {
      return reader.sessionId()
    },
    get pid() {
      return child.pid
    },
    get done() {
      return latest
    },
    send(text) {
      if (!isInputOpen || isStopping) return 'unsupported'
      if (!turn) {
        reader.beginTurn()
        beginTurn()
        child.busy(false)
      }
      return say(userLine(text)) ? 'sent' : 'unsupported'
    },
    answer(askId, answer) {
      const open = dialogues.get(askId)
      const answered = open?.dialogue.answer(askId, answer)
      if (!open || !answered) return
      dialogues.delete(askId)
      activity.answered(askId)
      if ('reply' in answered) return reply(open.id, answered.reply)
      dialogues.set(answered.next.askId, open)
      pass(answered.next)
    },
    async interrupt() {
      if (!turn || isGone) return
      isInterrupting = true
      askToInterrupt()
      const { done } = turn
      if (!(await within(done, politeMs))) await child.stop('aborted')
      await done
    },
    pause(on) {
      activity.pause(on)
      void child.pause(on)
    },
    async close() {
      if (isGone) return latest
      if (turn) {
        await child.stop('aborted')
        return latest
      }
      endInput()
      if (!(await within(child.exit, politeMs))) await child.stop('aborted')
      return latest
    },
  }
}

function userLine(text: string): unknown {
  return { type: 'user', message: { role: 'user', content: [{ type: 'text', text }] } }
}

/** True if the promise settles within that time. */
async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const settled = await Promise.race([promise.then(() => true), late])
  clearTimeout(timer)
  return settled
}
