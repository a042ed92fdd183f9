import { type AlertEvent, alertOf, alertWords } from '../view/alert.js'
import { isWorking, type Pane } from '../view/panes.js'
import type { RunStore } from '../view/view.js'

// Calls a person who looks away: docs/terminal.md "Alerts".

/** One call, as the terminal shows it and as a notify command reads it. */
export interface Alert {
  event: AlertEvent
  /** ISO time. */
  at: string
  text: string
  question?: { id: string; gate: string; title: string; askedAt: string }
  /** The agent that is silent. */
  agent?: { persona: string; title: string }
}

/** Where alerts go. */
export interface AlertSink {
  /** Undefined: what was told last is over. */
  show(alert: Alert | undefined): void
  /** A call that waits its turn: what says without a sound that somebody is needed is right at once. */
  name?(text: string): void
  /** For the command of the user's settings; resolves when it has ended. Never throws. */
  notify?(alert: Alert): Promise<void>
}

export interface Alerts {
  /** The run has come to its end. */
  done(): void
  /** Ends the watch and waits for notifications that are under way. */
  close(): Promise<void>
}

/** Least milliseconds between two alerts of a kind; one that comes earlier waits, and is dropped when it is over by then. */
const leastBetween = 20_000
/** Milliseconds without a line after which an agent counts as stuck, and how often that is looked at. */
const silentFor = 10 * 60_000
const lookEvery = 60_000

/** When an agent last said something, and whether that was told. */
interface Silence {
  total: number
  since: number
  told: boolean
}

/** Looks whether agents that work have been silent for long; gives back those that were not told yet. */
function createSilenceWatch(now: () => number): (panes: readonly Pane[]) => Pane[] {
  const known = new Map<string, Silence>()
  return (panes) => {
    const stuck: Pane[] = []
    const running = panes.filter((pane) => isWorking(pane) && pane.status !== 'suspended')
    for (const id of known.keys()) if (!running.some((pane) => pane.id === id)) known.delete(id)
    for (const pane of running) {
      const { total } = pane.lines
      const before = known.get(pane.id)
      if (before?.total !== total) known.set(pane.id, { total, since: now(), told: false })
      else if (!before.told && now() - before.since >= silentFor) {
        before.told = true
        stuck.push(pane)
      }
    }
    return stuck
  }
}

const textOf = (event: AlertEvent) => `autopilot ${alertWords[event]}`

/** Watches a run and calls when a question opens, an agent is silent for long, or the run is done. */
export function watchAlerts(store: RunStore, sink: AlertSink, now: () => number = Date.now): Alerts {
  const lastAt = new Map<AlertEvent, number>()
  const timers = new Set<NodeJS.Timeout>()
  const underWay = new Set<Promise<void>>()
  const silence = createSilenceWatch(now)
  let asked: string | undefined

  function emit(event: AlertEvent, more: Partial<Alert>): void {
    lastAt.set(event, now())
    const alert: Alert = {
      event,
      at: new Date(now()).toISOString(),
      text: textOf(event),
      ...more,
    }
    sink.show(alert)
    if (!sink.notify) return
    const sent: Promise<void> = sink.notify(alert).finally(() => underWay.delete(sent))
    underWay.add(sent)
  }

  /** Now, or when the last one of its kind is long enough ago and it still holds. */
  function call(event: AlertEvent, more: Partial<Alert>, holds: () => boolean): void {
    const wait = leastBetween - (now() - (lastAt.get(event) ?? Number.NEGATIVE_INFINITY))
    if (wait <= 0) {
      emit(event, more)
      return
    }
    sink.name?.(textOf(event))
    const timer = setTimeout(() => {
      timers.delete(timer)
      if (holds()) emit(event, more)
    }, wait)
    timers.add(timer)
  }

  function look(): void {
    const { question } = store.getSnapshot()
    if (question?.id === asked) return
    asked = question?.id
    if (!question) {
      sink.show(undefined)
      return
    }
    const { id, gate, title, askedAt } = question
    const holds = () => store.getSnapshot().question?.id === id
    call(alertOf(question), { question: { id, gate, title, askedAt } }, holds)
  }

  const unsubscribe = store.subscribe(look)
  const clock = setInterval(() => {
    const { panes, status } = store.getSnapshot()
    if (status !== 'running') return
    for (const { persona, title } of silence(panes)) call('stuck', { agent: { persona, title } }, () => true)
  }, lookEvery)
  look()
  return {
    done: () => emit('done', {}),
    async close() {
      unsubscribe()
      clearInterval(clock)
      for (const timer of timers) clearTimeout(timer)
      await Promise.allSettled(underWay)
    },
  }
}
