import { randomUUID } from 'node:crypto'
import { counted } from '../counted.js'
import { paneStatusOf } from '../ledger/digest.js'
import type { JournalRecord } from '../ledger/journal-record.js'
import type { Pane } from '../view/panes.js'
import type { QuestionDraft } from '../view/question.js'
import type { Usage } from '../view/usage.js'
import type { AgentsAtWork } from './agents-at-work.js'
import type { AskAside } from './ask-aside.js'
import type { Recorded } from './recorded.js'
import { recorded } from './recorded-fact.js'
import type { Around, Dispatched, DispatchHooks, DispatchMeta, GateResult, Reply, Run } from './run.js'
import type { RunContext } from './run-context.js'
import { messageLine, type Steering } from './steering.js'
import { RunStopped } from './stopped.js'
import type { UsageMeter } from './usage-meter.js'

/** What dispatches work with. */
export interface DispatchParts<State extends object> {
  run: RunContext<State>
  atWork: AgentsAtWork
  steering: Steering
  askAside: AskAside
  meter: UsageMeter
}

/** One dispatch that is on disk and begins. */
interface Begun {
  visit: number
  key: string
  meta: DispatchMeta
  /** 1 for the first process of this dispatch. */
  attempt: number
  dispatchId: string
  messages: string[]
  around?: Around
  /** What was seen before it, as recorded. */
  before?: unknown
  /** An earlier process was broken off in it; the conversation to go on in, if it is known. */
  interrupted?: { sessionId?: string }
}

/** After so many processes that died in the same dispatch, somebody has to look (docs/durability.md). */
const mostBrokenTries = 3

/**
 * Dispatches agents: recorded before and after, shown in a pane each, ended with the run. Several may be under way at
 * once.
 */
export function createDispatcher<State extends object>(parts: DispatchParts<State>): Run<State>['agent'] {
  const { run } = parts
  return async <R extends Reply>(
    key: string,
    meta: DispatchMeta,
    dispatch: (hooks: DispatchHooks) => Promise<R>,
    around?: Around,
  ): Promise<Dispatched<R>> => {
    run.claim(`agent ${key}`)
    const before = run.ledger.visit.find('agent', key)
    if (before) return repliedWith<R>(before)
    await run.pause()
    await settleBroken(parts, key, meta.title)
    return run.underWay(
      (async () => {
        const begun = await begin(parts, key, meta, around)
        return work(parts, begun, dispatch)
      })(),
    )
  }
}

/** The reply as it is in the journal, with the dispatch that it came from. */
function repliedWith<R>(record: JournalRecord): Dispatched<R> {
  const { reply, dispatchId, left } = recorded(record, 'agent')
  const seen = left === undefined ? {} : { left }
  return { ...(reply as Recorded<R>), dispatchId, ...seen } as Dispatched<R>
}

/** Asks before a dispatch in which the whole program died again and again. */
async function settleBroken<State extends object>(
  { run: { ledger, visitSignal }, askAside }: DispatchParts<State>,
  key: string,
  title: string,
): Promise<void> {
  const broken = ledger.visit.count('dispatched', key) - ledger.visit.count('spent', key)
  if (broken < mostBrokenTries) return
  const about = `${key}-broken-${broken}`
  // Answered by a process that died before the dispatch was on record: the same tries are not asked about twice.
  const before = ledger.visit.find('answered', about)?.answer as GateResult<null> | undefined
  if (before?.answer.value === goOn) return
  await askAside(about, brokenQuestion(title, broken), visitSignal)
}

const goOn = 'again'

/** The program ended so often before a dispatch was over that it may be the cause. */
export function brokenQuestion(title: string, times: number): QuestionDraft {
  return {
    gate: 'Q-BROKEN-STEP',
    title: `${title}: broken off ${counted(times, 'time')}`,
    body: ['Each time the whole program ended before this step did. Something in it may be the cause.'],
    options: [
      { value: goOn, label: 'dispatch again', consequence: 'the agent is told that it was interrupted' },
      {
        value: 'stop',
        label: 'stop',
        consequence: 'save the state and exit',
        stops: true,
        safe: true,
      },
    ],
  }
}

/** Puts the dispatch on disk before anything of it runs. */
async function begin<State extends object>(
  { run, steering }: DispatchParts<State>,
  key: string,
  meta: DispatchMeta,
  around: Around | undefined,
): Promise<Begun> {
  const { ledger, saver } = run
  const { visit } = ledger
  const earlier = visit.count('dispatched', key)
  const attempt = earlier + 1
  const name = `${String(visit.number).padStart(3, '0')}-${key}-${attempt}`
  const dispatchId = `${name}-${randomUUID().slice(0, 8)}`
  const conversation = visit.find('session', key)?.sessionId
  // What an interrupted dispatch was told at its beginning may never have reached it.
  const earlierMessages = visit.find('dispatched', key)?.messages ?? []
  const seen = around ? { before: await around.before() } : {}
  run.stopIfAsked()
  let before: unknown
  const told = await steering.take(async (kept) => {
    const messages = [...earlierMessages, ...kept]
    const heard = messages.length > 0 ? { messages } : {}
    const fact = { type: 'dispatched', visit: visit.number, key, attempt, dispatchId } as const
    const record = await saver.append({ ...fact, ...meta, ...heard, ...seen })
    before = recorded(record, 'dispatched').before
  })
  const watched = around ? { around, before } : {}
  const messages = [...earlierMessages, ...told]
  const begun = { visit: visit.number, key, meta, attempt, dispatchId, messages, ...watched }
  if (earlier === 0) return begun
  return { ...begun, interrupted: conversation === undefined ? {} : { sessionId: conversation } }
}

/** From the opening of its pane to the record of what it came to. */
async function work<State extends object, R extends Reply>(
  parts: DispatchParts<State>,
  begun: Begun,
  dispatch: (hooks: DispatchHooks) => Promise<R>,
): Promise<Dispatched<R>> {
  const { run, atWork, meter } = parts
  const { live, saver, visitSignal } = run
  const { visit, key, meta, dispatchId } = begun
  const pane = live.openPane({
    id: dispatchId,
    persona: meta.persona,
    title: meta.title,
    phase: meta.phase,
    attempt: begun.attempt,
    startedAt: run.now().getTime(),
  })
  atWork.begin(dispatchId, { show: (line) => live.writePane(pane, line) })
  for (const message of begun.messages) live.writePane(pane, messageLine(message))
  const ended = new AbortController()
  const close = (status: 'ok' | 'failed' | 'stopped') =>
    live.closePane(dispatchId, status, run.now().getTime())
  try {
    const reply = await dispatch(hooksOf(parts, begun, pane, ended.signal)).finally(() => ended.abort())
    const seen = begun.around ? { left: await begun.around.after(begun.before) } : {}
    if (visitSignal.aborted) {
      close('stopped')
      // What a stopped dispatch used was paid for all the same.
      const usage = meter.of(dispatchId)
      await saver.append({ type: 'spent', visit, key, dispatchId, phase: meta.phase, usage, ...seen })
      throw new RunStopped('key', true)
    }
    close(paneStatusOf(reply))
    const record = await saver.append({ type: 'agent', visit, key, dispatchId, reply, ...meta, ...seen })
    return repliedWith<R>(record)
  } finally {
    atWork.end(dispatchId)
    meter.end(dispatchId)
  }
}

function hooksOf<State extends object>(
  parts: DispatchParts<State>,
  begun: Begun,
  pane: Pane,
  ended: AbortSignal,
): DispatchHooks {
  const { run, atWork, meter } = parts
  const { live, saver } = run
  const { visit, key, attempt, dispatchId, meta } = begun
  let asks = 0
  return {
    dispatchId,
    attempt,
    signal: run.visitSignal,
    messages: begun.messages,
    ...(begun.interrupted ? { interrupted: begun.interrupted } : {}),
    line: (lines, at) => live.writePane(pane, lines, at),
    usage(now: Usage) {
      meter.uses(dispatchId, meta.phase, now)
      live.setPane(dispatchId, { usage: now })
    },
    session: (sessionId) => {
      saver
        .append({ type: 'session', visit, key, sessionId })
        .catch(() => live.patch({ banner: 'The conversation id of the running agent could not be saved.' }))
    },
    ask: (draft) => {
      asks += 1
      return parts.askAside(`${key}-${attempt}-asks-${asks}`, draft, ended)
    },
    control: (parts) => atWork.control(dispatchId, parts),
  }
}
