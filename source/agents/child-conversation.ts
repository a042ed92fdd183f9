import { leftoverLine, skippedLine } from '../processes/child-end.js'
import type { LadderTimes } from '../processes/ladder.js'
import { type Child, type ChildExit, startChild } from '../processes/supervisor.js'
import { type Activity, watchActivity } from './activity.js'
import type { AgentEvent, Conversation, Failure, OpenRequest, Outcome, TokenUsage } from './agent.js'
import { boundedOutcome } from './border.js'
import { type LastWords, outcomeOfProcess, stoppedByUs } from './end-of-process.js'
import { addUsage, noUsage } from './events.js'

// A conversation with a program that runs as a child: its process, its clocks, its turns and its end, the same for
// every backend. What the lines of the program mean is the business of its protocol.

/** How the program is started. */
export interface ChildStart {
  file: string
  args: readonly string[]
  /** Complete, but for the markers. */
  env: Record<string, string>
  request: OpenRequest
  sink(event: AgentEvent): void
  /** All of its input; absent: stdin stays open. */
  input?: string
  times?: LadderTimes
  /** Said in addition when the program fell silent. */
  silenceHint?: string
  /** False for a program that may be silent for as long as it likes, also within a tool. Default: true. */
  isWatched?: boolean
  start?: typeof startChild
  /** Epoch milliseconds. Default: the clock of this machine. */
  now?(): number
}

/** What a protocol makes of one program. Everything it wants to happen goes through its link. */
export interface Protocol {
  /** The process is there; the first words can be said. */
  opened?(): void
  line(text: string, terminated: boolean): void
  /** Whole lines at once, line feeds included; `line` then gets only those that came in pieces. */
  lines?(bytes: Buffer): void
  /** Default: shown as a line of the log. */
  errorLine?(text: string): void
  /** First rung of the stop ladder. */
  leave?(): void
  /** What the program said of the turn that its exit ends. */
  lastWords(exit: ChildExit): LastWords
  /** What the conversation used, where it is counted otherwise than by its events. */
  usage?(): TokenUsage | undefined
  isWrongInput?(exit: ChildExit): boolean
  /** The process is gone. A new start goes on with the turn in a process of its own. */
  gone?(exit: ChildExit): Pick<ChildStart, 'args'> | undefined
  /** A turn ended, one way or the other: nothing of it is open any more. */
  turnEnded?(): void
  /** The last process is gone, and its turn told. */
  closed?(): void

  sessionId?(): string | undefined
  send?: Conversation['send']
  answer?: Conversation['answer']
  /** Default: the stop ladder. */
  interrupt?(): Promise<void>
  /** Lets go of a program that waits for a message. Default: the stop ladder. */
  release?(): Promise<void>
}

/** Where the process is: it works, it was asked to go and only its exit counts now, or it is gone. */
export type ProcessPhase = 'running' | 'leaving' | 'gone'

/** One turn: it runs, perhaps with a reason of ours to end it, or it is over. */
export type TurnPhase = { at: 'running'; ending?: Failure } | { at: 'over'; outcome: Outcome }

/** What a protocol can do. */
export interface ChildLink {
  process(): ProcessPhase
  turn(): TurnPhase
  /** The outcome of the turn that runs or ran last. */
  done(): Promise<Outcome>
  usage(): TokenUsage
  /** Counts, watches and shows an event. */
  emit(event: AgentEvent): void
  log(line: string, stream?: 'stdout' | 'stderr'): void
  /** The program gave a sign of life; before its first real one only tools and retries are told. */
  alive(isFirst?: boolean): void
  answered(askId: string): void
  /** Tools, asks and retries that were open are over. */
  settled(): void
  write(text: string): boolean
  endInput(): void
  /** A further turn begins in the running process. */
  begin(): void
  /** The turn is over and the process stays. */
  end(outcome: Outcome): void
  /** Why the turn ends, whatever the program says: the first reason stays. */
  ending(reason: Failure): void
  stop(): Promise<ChildExit>
  exit(): Promise<ChildExit>
}

interface Turn {
  phase: TurnPhase
  done: Promise<Outcome>
  settle(outcome: Outcome): void
}

/** Starts the program at once; everything that follows, its failure to start too, is told by `done`. */
export function openChildConversation(start: ChildStart, speak: (link: ChildLink) => Protocol): Conversation {
  const state: ConversationState = { process: 'running', usage: noUsage, turn: newTurn() }
  const activity = watchActivity(
    {
      // Between two turns silence is what is expected.
      busy: (on) => state.child?.busy(on || state.turn.phase.at === 'over'),
      overdue: () => void state.child?.stop('tool'),
    },
    start.isWatched === false ? 0 : undefined,
  )
  const link = linkOf(start, state, activity, () => protocol)
  const protocol = speak(link)
  launch(start, { state, link, protocol })
  const stop = async () => {
    link.ending(stoppedByUs)
    await link.stop()
  }

  return {
    get sessionId() {
      return protocol.sessionId?.()
    },
    get pid() {
      return state.child?.pid
    },
    get done() {
      return state.turn.done
    },
    send: (text) => protocol.send?.(text) ?? 'unsupported',
    answer: (askId, answer) => protocol.answer?.(askId, answer),
    async interrupt() {
      if (protocol.interrupt) await protocol.interrupt()
      else await stop()
    },
    pause(on) {
      activity.pause(on)
      void state.child?.pause(on)
    },
    async close() {
      if (state.process !== 'gone' && state.turn.phase.at === 'over' && protocol.release) {
        await protocol.release()
      } else if (state.process !== 'gone') await stop()
      return state.turn.done
    },
  }
}

interface ConversationState {
  process: ProcessPhase
  usage: TokenUsage
  turn: Turn
  child?: Child
}

function newTurn(): Turn {
  let settle: (outcome: Outcome) => void = () => {}
  const done = new Promise<Outcome>((resolve) => {
    settle = resolve
  })
  return { phase: { at: 'running' }, done, settle: (outcome) => settle(outcome) }
}

function linkOf(
  { request, sink, now = Date.now }: ChildStart,
  state: ConversationState,
  activity: Activity,
  protocol: () => Protocol,
): ChildLink {
  return {
    process: () => state.process,
    turn: () => state.turn.phase,
    done: () => state.turn.done,
    usage: () => protocol().usage?.() ?? state.usage,
    emit(event) {
      if (event.type === 'usage') state.usage = addUsage(state.usage, event)
      activity.event(event)
      sink(event)
    },
    log: (line, stream = 'stdout') => sink({ type: 'log', stream, line }),
    alive(isFirst = true) {
      if (isFirst) state.child?.touch()
      activity.touch()
    },
    answered: activity.answered,
    settled: activity.clear,
    write: (text) => state.child?.write(text) ?? false,
    endInput: () => state.child?.endInput(),
    begin() {
      state.turn = newTurn()
      state.child?.busy(false)
    },
    end(came) {
      const { turn } = state
      if (turn.phase.at === 'over') return
      const outcome = boundedOutcome(came, now())
      turn.phase = { at: 'over', outcome }
      protocol().turnEnded?.()
      activity.clear()
      state.child?.busy(true)
      sink({ type: 'end', outcome })
      turn.settle(outcome)
    },
    ending(reason) {
      const { phase } = state.turn
      if (phase.at === 'running') phase.ending ??= reason
    },
    async stop() {
      return await childOf(state, request).stop('aborted')
    },
    exit: () => childOf(state, request).exit,
  }
}

function childOf({ child }: ConversationState, { dispatchId }: OpenRequest): Child {
  if (child) return child
  throw new Error(`The agent of ${dispatchId} was asked for before it was started.`)
}

interface Launched {
  state: ConversationState
  link: ChildLink
  protocol: Protocol
}

function launch(start: ChildStart, launched: Launched): void {
  const { state, link, protocol } = launched
  const { request } = start
  const child = (start.start ?? startChild)({
    file: start.file,
    args: [...start.args],
    cwd: request.cwd,
    env: start.env,
    runId: request.runId,
    dispatchId: request.dispatchId,
    ...(request.confinement ? { confinement: request.confinement } : {}),
    limits: request.limits,
    raw: request.raw,
    ...(start.input === undefined ? {} : { input: start.input }),
    ...(start.times === undefined ? {} : { times: start.times }),
    line: (text, terminated) => protocol.line(text, terminated),
    ...(protocol.lines ? { lines: protocol.lines } : {}),
    errorLine: (line) => (protocol.errorLine ? protocol.errorLine(line) : link.log(line, 'stderr')),
    skipped: (stream, bytes) => link.log(skippedLine(bytes), stream),
    ...(protocol.leave
      ? {
          interrupt() {
            state.process = 'leaving'
            protocol.leave?.()
          },
        }
      : {}),
  })
  state.child = child
  protocol.opened?.()
  void child.exit.then((exit) => over(exit, start, launched))
}

/** The one rule for the end of a process: perhaps another goes on, else it ends the turn that runs. */
function over(exit: ChildExit, start: ChildStart, { state, link, protocol }: Launched): void {
  state.process = 'gone'
  const next = protocol.gone?.(exit)
  if (next) {
    state.process = 'running'
    launch({ ...start, ...next }, { state, link, protocol })
    return
  }
  const left = leftoverLine(exit)
  if (left !== undefined) link.log(left, 'stderr')
  const { phase } = state.turn
  if (phase.at === 'running') {
    const words = protocol.lastWords(exit)
    const ending = {
      exit,
      words,
      file: start.file,
      cwd: start.request.cwd,
      wallMs: start.request.limits.wallMs,
      usage: link.usage(),
      isWrongInput: protocol.isWrongInput?.(exit) ?? false,
      ...(phase.ending === undefined ? {} : { ours: phase.ending }),
      ...(start.silenceHint === undefined ? {} : { silenceHint: start.silenceHint }),
    }
    link.end(outcomeOfProcess(ending))
  }
  protocol.closed?.()
}
