import { dispatchLogPath } from '../agents/dispatch-context.js'
import { createLiveStore, type LiveStore } from '../run/live-store.js'
import type { Machine } from '../run/machine.js'
import type { RunSnapshot } from '../view/view.js'
import { type Alerts, watchAlerts } from './alerts.js'
import type { SessionConfinement } from './confinement.js'
import { historyOf, noHistory } from './history.js'
import { notifier } from './notify.js'
import { panesOfSession } from './panes-of-session.js'
import { recapOf } from './recap.js'
import type { SessionRun } from './session-run.js'

// What the screen of a session shows from its first moment, and what is added beside the run.

export async function liveStoreOf<State extends object>(
  { root, place, store, agents, notices }: SessionRun<State>,
  machine: Machine<State>,
  branch: string | null,
): Promise<LiveStore> {
  const { digest } = store
  const view = machine.view(store.state)
  const first: RunSnapshot = {
    view,
    status: 'running',
    tasks: [],
    panes: await panesOfSession(root, place.sessionDir, digest.dispatches),
    dispatched: new Map(digest.dispatchesByPhase),
    paneRevision: 0,
    timeline: [...digest.timeline],
    times: digest.times,
    timesAt: Date.now(),
    ...(branch ? { branch } : {}),
    agent: agents.describe(),
    usage: digest.usage,
    phaseUsage: new Map(digest.usageByPhase),
    phaseWork: new Map(digest.workByPhase),
    // A small screen shows the first of them; the rest is in the timeline too.
    recap: [...notices, ...recapOf(digest, store.state ? `It was left in ${view.state}.` : '')],
    reports: [],
  }
  return createLiveStore(first, (dispatchId) => dispatchLogPath(place.sessionDir, dispatchId))
}

/** What earlier sessions came to is read beside the run, which waits for nothing of it. */
export function tellHistory<State extends object>(
  { root, workflow, place, places }: SessionRun<State>,
  live: LiveStore,
): void {
  void historyOf({ root, workflow, place, places })
    .catch(() => noHistory)
    .then((history) => live.patch({ history }))
}

/** Calls the person by the terminal and by the command of their settings. */
export function alertsOf<State extends object>(
  { ui, config, root, workflow, subject, place }: SessionRun<State>,
  live: LiveStore,
): Alerts {
  const tell = (text: string) => live.tell({ at: new Date().toISOString(), text, kind: 'warning' })
  const about = { session: place.slug, workflow: workflow.name, subject, project: root }
  return watchAlerts(live, {
    show: (alert) => ui.alert?.(alert?.text),
    name: (text) => ui.alert?.(text, true),
    ...(config.notify ? { notify: notifier(config.notify, about, tell) } : {}),
  })
}

/** The header says where agents are not kept to what they may do. */
export function withFact<State extends object>(
  machine: Machine<State>,
  confinement: SessionConfinement | undefined,
): Machine<State> {
  if (confinement?.kind !== 'unconfined') return machine
  return {
    ...machine,
    view: (state) => {
      const view = machine.view(state)
      return { ...view, facts: [...view.facts, { text: 'unconfined', tone: 'warn' }] }
    },
  }
}
