import type { JournalRecord } from '../ledger/journal.js'
import type { Ledger } from '../ledger/ledger.js'
import { usageByPhase, usageOf } from '../ledger/usage.js'
import { emptyVisit, visitFrom } from '../ledger/visit.js'
import { version } from '../version.js'
import type { Said } from '../view/view.js'
import { createDispatcher } from './dispatches.js'
import { createGateDesk, type GateDesk } from './gate-desk.js'
import { createGate } from './gates.js'
import type { Hold } from './hold.js'
import type { LiveStore } from './live-store.js'
import type { Machine } from './machine.js'
import type { Recorded } from './recorded.js'
import type { Effect, Run } from './run.js'
import type { AgentSlot } from './running-agent.js'
import { createSaver } from './saver.js'
import { createSteering } from './steering.js'
import { RunStopped } from './stopped.js'

export interface RunParts<State extends object> {
  machine: Machine<State>
  ledger: Ledger<State>
  live: LiveStore
  hold: Hold
  /** Aborted by `stop`. */
  signal: AbortSignal
  stop(): void
  now(): Date
}

/** A run plus what the driver of a run and the keys need. */
export interface DrivenRun<State extends object> extends Run<State> {
  /** Starts a visit, or goes on with the one that was interrupted. */
  enter(state: string, interlude?: boolean): Promise<void>
  /** Ends the visit: the next state is saved and shown. */
  leave(from: string, next: State, finished: boolean): Promise<void>
  /** Forgets the visit in which the state file was replaced by another hand's. */
  reset(): void
  /** True while a visit goes on that an earlier process began. */
  readonly midVisit: boolean
  /** Id of the interlude that such a visit is one of. */
  readonly interlude: string | undefined
  /** Tells the agent something, now or at the next dispatch. */
  say(text: string): Said
  /** Suspends or continues the agent; false if none works. */
  suspendAgent(on: boolean): boolean
  /** Ends the agent's turn; false if there is none that can be ended. */
  interruptAgent(): boolean
  desk: GateDesk
}

/** What came back for a fact of this type. */
function recorded<T extends JournalRecord['type']>(record: JournalRecord, type: T) {
  if (record.type !== type) throw new Error(`a ${record.type} came back for a ${type}`)
  return record as Extract<JournalRecord, { type: T }>
}

export function createRun<State extends object>(parts: RunParts<State>): DrivenRun<State> {
  const { machine, ledger, live, hold, signal, now } = parts
  const desk = createGateDesk(signal)
  const saver = createSaver({ machine, ledger, live, desk, now })
  const usage = { total: usageOf(ledger.records), byPhase: usageByPhase(ledger.records) }
  const slot: AgentSlot = { suspended: false }
  const steering = createSteering({ slot, saver, live, records: () => ledger.records })
  const used = new Set<string>()
  let visit = visitFrom(ledger.records)

  const saved = (): State => {
    if (ledger.state === undefined) throw new Error('the session has no state yet')
    return ledger.state
  }
  const stopIfAsked = () => {
    if (signal.aborted) throw new RunStopped('key')
  }
  /** Waits while the person holds the run; throws RunStopped after a stop. */
  const pause = async () => {
    stopIfAsked()
    if (!hold.held) return
    await saver.append({ type: 'held' })
    await hold.wait(() => live.patch({ status: 'held' }))
    stopIfAsked()
    await saver.append({ type: 'released' })
    live.patch({ status: 'running' })
  }
  const recordStep = async <Result>(key: string, result: Result): Promise<Recorded<Result>> => {
    const fact = {
      type: 'step',
      visit: visit.number,
      key,
      result: result === undefined ? null : result,
    } as const
    return recorded(await saver.append(fact), 'step').result as Recorded<Result>
  }
  const claim = (key: string) => {
    if (used.has(key)) throw new Error(`the key ${key} is used twice in one visit of ${visit.state}`)
    used.add(key)
  }
  const shared = { live, desk, saver, claim, now, visit: () => visit }
  const gate = createGate<State>({ ...shared, machine, ledger, stopIfAsked })
  const agent = createDispatcher<State>({ ...shared, signal, pause, stop: parts.stop, usage, slot, steering })

  return {
    signal,
    desk,
    gate,
    agent,
    get state() {
      return saved()
    },
    get midVisit() {
      return visit.state !== ''
    },
    get interlude() {
      return visit.interlude ? visit.state : undefined
    },
    say: steering.say,
    suspendAgent(on) {
      slot.suspended = on && slot.agent !== undefined
      slot.agent?.suspend?.(on)
      return slot.agent !== undefined
    },
    interruptAgent() {
      if (!slot.agent?.interrupt) return false
      // A suspended process would not hear of it.
      if (slot.suspended) slot.agent.suspend?.(false)
      slot.suspended = false
      slot.agent.interrupt()
      return true
    },
    get spent() {
      return usage
    },

    reset() {
      visit = visitFrom(ledger.records)
      live.patch({ view: machine.view(saved()) })
    },

    async enter(state, interlude = false) {
      used.clear()
      if (visit.state === state && visit.interlude === interlude && visit.number > 0) return
      const revision = machine.revisions[state] ?? 0
      visit = emptyVisit({ number: visit.number + 1, state, interlude, workflow: machine.workflow, revision })
      await saver.append({
        type: 'visit',
        visit: visit.number,
        state,
        ...(interlude ? { interlude } : {}),
        workflow: machine.workflow,
        revision,
        version,
      })
    },

    async leave(from, next, finished) {
      await pause()
      const to = machine.nameOf(next)
      const end = finished ? { finished } : {}
      await saver.saveImage(
        { type: 'transition', visit: visit.number, from, to, ...end },
        machine.withQuestion(next, undefined),
      )
      visit = emptyVisit({ number: visit.number, state: '' })
    },

    async step<Result>(key: string, action: () => Promise<Result> | Result) {
      claim(`step ${key}`)
      const before = visit.find('step', key)
      if (before) return before.result as Recorded<Result>
      await pause()
      return recordStep<Result>(key, await action())
    },

    async effect<Intent, Result>(key: string, effect: Effect<Intent, Result>) {
      claim(`step ${key}`)
      const before = visit.find('step', key)
      if (before) return before.result as Recorded<Result>
      await pause()
      const effectId = `${visit.number}.${visit.state}.${key}`
      const intended = visit.find('intent', key)
      let result = intended ? await effect.recover(intended.intent as Recorded<Intent>, effectId) : undefined
      if (result === undefined) {
        const intent = (await effect.prepare()) ?? null
        const record = await saver.append({ type: 'intent', visit: visit.number, key, intent })
        result = await effect.apply(recorded(record, 'intent').intent as Recorded<Intent>, effectId)
      }
      return recordStep<Result>(key, result)
    },

    async ask(key, question, onStop) {
      const build = async () => ({ subject: null, question })
      const { answer } = await gate(key, build, onStop && ((state: State) => onStop(state)))
      return answer
    },

    async update(key, change) {
      claim(`update ${key}`)
      const before = visit.find('update', key)
      if (before) return before.image.state as State
      await pause()
      const next = change(saved())
      await saver.saveImage({ type: 'update', visit: visit.number, key }, next)
      return next
    },

    async note(key, text, kind = 'note') {
      claim(`note ${key}`)
      if (visit.find('note', key)) return
      await saver.append({ type: 'note', visit: visit.number, key, kind, text })
    },

    report: (lines) => live.patch({ reports: [...lines] }),
    tasks: (tasks) => live.patch({ tasks }),
    banner: (text) => live.patch({ banner: text }),
  }
}
