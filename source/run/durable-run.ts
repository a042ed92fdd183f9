import { randomUUID } from 'node:crypto'
import { Problem } from '../problem.js'
import { diskQuestion, foreignEditQuestion } from './aside-questions.js'
import { createGateDesk, type GateDesk } from './gate-desk.js'
import type { Hold } from './hold.js'
import type { FactWithoutImage, JournalFact, JournalRecord } from './journal.js'
import type { Ledger } from './ledger.js'
import type { LiveStore } from './live-store.js'
import type { Machine } from './machine.js'
import type { Question } from './question.js'
import type { GateBuild, GateResult, Run } from './run.js'
import { RunStopped, StateAdopted } from './stopped.js'
import { timelineEntry } from './timeline.js'
import { addUsage, usageOf, usageOfReply } from './usage.js'
import { emptyVisit, visitFrom } from './visit.js'

export interface RunParts<State extends object> {
  machine: Machine<State>
  ledger: Ledger<State>
  live: LiveStore
  hold: Hold
  signal: AbortSignal
  now(): Date
}

/** A run plus what the driver of a run needs. */
export interface DrivenRun<State extends object> extends Run<State> {
  /** Starts a visit, or takes up the one that was interrupted. */
  enter(state: string): Promise<void>
  /** Ends the visit: the next state is saved and shown. */
  leave(from: string, next: State, finished: boolean): Promise<void>
  /** Forgets the visit in which the state file was replaced by another hand's. */
  reset(): void
  /** True while a visit goes on that an earlier process began. */
  readonly midVisit: boolean
  /** Waits while the person holds the run; throws RunStopped after a stop. */
  pause(): Promise<void>
  desk: GateDesk
}

export function createRun<State extends object>(parts: RunParts<State>): DrivenRun<State> {
  const { machine, ledger, live, hold, signal } = parts
  const desk = createGateDesk(signal)
  let visit = visitFrom(ledger.records)
  let usage = usageOf(ledger.records)
  const used = new Set<string>()

  const saved = (): State => {
    if (ledger.state === undefined) throw new Error('the session has no state yet')
    return ledger.state
  }
  const stopIfAsked = () => {
    if (signal.aborted) throw new RunStopped('key')
  }
  const pause = async () => {
    stopIfAsked()
    if (!hold.held) return
    await ledger.append({ type: 'held' })
    await hold.wait(() => live.patch({ status: 'held' }))
    stopIfAsked()
    await ledger.append({ type: 'released' })
    live.patch({ status: 'running' })
  }
  const claim = (key: string) => {
    if (used.has(key)) throw new Error(`the key ${key} is used twice in one visit of ${visit.state}`)
    used.add(key)
  }
  const told = (record: JournalRecord) => {
    const entry = timelineEntry(record)
    if (entry) live.tell(entry)
  }
  const show = (state: State) => live.patch({ view: machine.view(state) })

  /** Asks something that cannot be put into the journal, since the journal or its state is what is wrong. */
  const askAside = async (question: Question): Promise<string> => {
    const { answer } = await desk.open(question, (open) => live.patch({ question: open }))
    live.patch({ question: undefined })
    if (answer.value === 'stop') throw new RunStopped('gate')
    return answer.value
  }
  /** A full disk and an edited state file are settled with the person; anything else ends the run. */
  const settleTrouble = async (error: unknown): Promise<void> => {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'disk-full') {
      live.patch({ banner: `${error.what} ${error.todo}` })
      await askAside(diskQuestion(error, parts.now()))
      return
    }
    if (error.code !== 'foreign-edit') throw error
    const ask = await ledger.foreignEdit()
    if (!ask) return
    if (ask.kind !== 'foreign-edit') return ask.resolve()
    const choice = await askAside(foreignEditQuestion(ask, parts.now()))
    await ask.resolve(choice === 'accept' ? 'accept' : 'restore')
    if (choice === 'accept') throw new StateAdopted()
  }
  const append = async (fact: JournalFact): Promise<JournalRecord> => {
    for (;;) {
      try {
        const record = await ledger.append(fact)
        live.patch({ banner: undefined })
        told(record)
        return record
      } catch (error) {
        await settleTrouble(error)
      }
    }
  }
  const saveImage = async (fact: FactWithoutImage, next: State): Promise<JournalRecord> => {
    let attempted = false
    for (;;) {
      try {
        const behind = attempted && ledger.state === next
        if (behind) {
          await ledger.retry()
          live.patch({ banner: undefined })
          return ledger.records[ledger.records.length - 1] as JournalRecord
        }
        const record = await ledger.saveImage(fact, next)
        live.patch({ banner: undefined })
        told(record)
        show(next)
        return record
      } catch (error) {
        attempted = true
        await settleTrouble(error)
      }
    }
  }

  const ask = async <Subject>(
    key: string,
    build: () => Promise<GateBuild<Subject>>,
    onStop?: (state: State, subject: Subject) => State,
  ): Promise<GateResult<Subject>> => {
    claim(`ask ${key}`)
    const before = visit.find('answered', key)
    if (before && !before.stop) return before.answer as GateResult<Subject>
    stopIfAsked()
    const id = `${visit.number}.${visit.state}.${key}`
    let notice: string | undefined
    for (;;) {
      const built = await build()
      if (!('question' in built)) {
        const result: GateResult<Subject> = { answer: { value: built.settled }, subject: built.subject }
        await append({
          type: 'answered',
          visit: visit.number,
          key,
          questionId: id,
          answer: result,
          stop: false,
        })
        return result
      }
      const asked = visit.find('asked', key)
      const question: Question = {
        ...built.question,
        body: notice ? [notice, '', ...built.question.body] : built.question.body,
        id,
        askedAt: (asked?.question as Question | undefined)?.askedAt ?? parts.now().toISOString(),
      }
      if (!asked || !sameQuestion(asked.question as Question, question)) {
        await recordAsked(key, question)
      }
      const { answer } = await desk.open(question, (open) =>
        live.patch({ question: open, status: 'running' }),
      )
      live.patch({ question: undefined })
      const stop = question.options.some((option) => option.value === answer.value && option.stops)
      const now = await build()
      if (!stop && JSON.stringify(now) !== JSON.stringify(built)) {
        notice =
          'This changed while the question was open. It is shown again as it is now; nothing was decided.'
        continue
      }
      const result: GateResult<Subject> = { answer, subject: built.subject }
      await recordAnswered(key, id, result, stop, onStop)
      if (stop) throw new RunStopped('gate')
      return result
    }
  }

  const recordAsked = async (key: string, question: Question) => {
    const fact = { type: 'asked', visit: visit.number, key, question } as const
    const record = ledger.state
      ? await saveImage(fact, machine.withQuestion(ledger.state, question))
      : await append(fact)
    visit.add(record)
  }

  const recordAnswered = async <Subject>(
    key: string,
    questionId: string,
    result: GateResult<Subject>,
    stop: boolean,
    onStop?: (state: State, subject: Subject) => State,
  ) => {
    const fact = { type: 'answered', visit: visit.number, key, questionId, answer: result, stop } as const
    if (!ledger.state) {
      await append(fact)
      return
    }
    const left = stop ? (onStop?.(ledger.state, result.subject) ?? ledger.state) : ledger.state
    await saveImage(fact, stop ? left : machine.withQuestion(left, undefined))
  }

  return {
    signal,
    desk,
    get state() {
      return saved()
    },
    pause,
    get midVisit() {
      return visit.state !== ''
    },
    reset() {
      visit = visitFrom(ledger.records)
      show(saved())
    },

    async enter(state) {
      used.clear()
      if (visit.state === state && visit.number > 0) return
      visit = emptyVisit(visit.number + 1, state)
      await append({ type: 'visit', visit: visit.number, state })
    },

    async leave(from, next, finished) {
      await pause()
      const to = machine.nameOf(next)
      const end = finished ? { finished } : {}
      await saveImage(
        { type: 'transition', visit: visit.number, from, to, ...end },
        machine.withQuestion(next, undefined),
      )
      visit = emptyVisit(visit.number, '')
    },

    async step(key, action) {
      claim(`step ${key}`)
      const before = visit.find('step', key)
      if (before) return before.result as Awaited<ReturnType<typeof action>>
      await pause()
      const result = await action()
      await append({ type: 'step', visit: visit.number, key, result: result === undefined ? null : result })
      return result
    },

    async effect(key, effect) {
      claim(`step ${key}`)
      const before = visit.find('step', key)
      if (before) return before.result as Awaited<ReturnType<typeof effect.apply>>
      await pause()
      const effectId = `${visit.number}.${visit.state}.${key}`
      type Intent = Awaited<ReturnType<typeof effect.prepare>>
      const intended = visit.find('intent', key)
      const happened = intended ? await effect.recover(intended.intent as Intent, effectId) : undefined
      let result = happened
      if (result === undefined) {
        const intent = await effect.prepare()
        visit.add(await append({ type: 'intent', visit: visit.number, key, intent }))
        result = await effect.apply(intent, effectId)
      }
      await append({ type: 'step', visit: visit.number, key, result })
      return result
    },

    async agent(key, meta, dispatch) {
      claim(`agent ${key}`)
      const before = visit.find('agent', key)
      if (before) return before.reply as Awaited<ReturnType<typeof dispatch>>
      await pause()
      const earlier = visit.count('dispatched', key)
      const attempt = earlier + 1
      const dispatchId = `${String(visit.number).padStart(3, '0')}-${key}-${attempt}-${randomUUID().slice(0, 8)}`
      const conversation = visit.find('session', key)
      await append({ type: 'dispatched', visit: visit.number, key, attempt, dispatchId, ...meta })
      const pane = live.openPane({
        id: dispatchId,
        persona: meta.persona,
        title: meta.title,
        attempt,
        startedAt: parts.now().getTime(),
      })
      const settled = usage
      const reply = await dispatch({
        dispatchId,
        attempt,
        signal,
        ...(earlier > 0 ? { interrupted: conversation ? { sessionId: conversation.sessionId } : {} } : {}),
        line: (line) => live.writePane(pane, line),
        usage: (running) => live.patch({ usage: addUsage(settled, running) }),
        session: (sessionId) => {
          ledger
            .append({ type: 'session', visit: visit.number, key, sessionId })
            .catch(() =>
              live.patch({ banner: 'The conversation id of the running agent could not be saved.' }),
            )
        },
      })
      if (signal.aborted) {
        live.closePane(dispatchId, 'stopped', parts.now().getTime())
        throw new RunStopped('key')
      }
      live.closePane(dispatchId, reply.ok ? 'ok' : 'failed', parts.now().getTime())
      usage = addUsage(settled, usageOfReply(reply))
      live.patch({ usage })
      await append({ type: 'agent', visit: visit.number, key, dispatchId, reply, ...meta })
      return reply
    },

    async ask(key, question, onStop) {
      const build = async () => ({ subject: null, question })
      const { answer } = await ask(key, build, onStop && ((state: State) => onStop(state)))
      return answer
    },

    gate: ask,

    async update(key, change) {
      claim(`update ${key}`)
      const before = visit.find('update', key)
      if (before) return before.image.state as State
      await pause()
      const next = change(saved())
      await saveImage({ type: 'update', visit: visit.number, key }, next)
      return next
    },

    async note(key, text, kind = 'note') {
      claim(`note ${key}`)
      if (visit.find('note', key)) return
      visit.add(await append({ type: 'note', visit: visit.number, key, kind, text }))
    },

    report: (lines) => live.patch({ reports: [...lines] }),
    tasks: (tasks) => live.patch({ tasks }),
    banner: (text) => live.patch({ banner: text }),
  }
}

function sameQuestion(a: Question, b: Question): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
