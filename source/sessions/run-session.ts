import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { dispatchLogPath } from '../agents/dispatch-context.js'
import type { AgentPool } from '../agents/pool.js'
import type { SessionStore } from '../ledger/session-store.js'
import type { Problem } from '../problem.js'
import { endProcesses } from '../processes/end-processes.js'
import { startGuard } from '../processes/guard-client.js'
import type { Config } from '../project/config.js'
import type { Git } from '../project/git.js'
import { openGitCalls } from '../project/git-calls.js'
import { createControls } from '../run/controls.js'
import { drive } from '../run/drive.js'
import { createRun } from '../run/durable-run.js'
import { hiddenLines } from '../run/hidden.js'
import { createHold, type Hold } from '../run/hold.js'
import { createLiveStore, type LiveStore } from '../run/live-store.js'
import type { Machine } from '../run/machine.js'
import { recordStop } from '../run/record-stop.js'
import { RunStopped } from '../run/stopped.js'
import { createTextRedactor, recordedSecrets } from '../secrets/redact.js'
import { writeDurable } from '../storage/durable-file.js'
import type { Ui } from '../ui/ui.js'
import { version } from '../version.js'
import { timesText } from '../view/times.js'
import type { RunSnapshot } from '../view/view.js'
import type { GivenFlags } from '../workflows/flags.js'
import type { Place } from '../workflows/place.js'
import { type Alerts, watchAlerts } from './alerts.js'
import { archiveFinished } from './archive.js'
import { withBudgets } from './budgets.js'
import { beginningOf, type Closing, closingFile, closingLines, closingMarkdown } from './closing-page.js'
import type { SessionConfinement } from './confinement.js'
import { editableFile, readAnyEvidence, readLogPart } from './evidence-text.js'
import { historyOf, noHistory } from './history.js'
import { notifier } from './notify.js'
import { panesOfSession } from './panes-of-session.js'
import { recapOf } from './recap.js'
import type { SessionAt } from './session.js'
import { sessionTools } from './session-tools.js'
import { watchSlowCalls } from './slow-calls.js'

export interface SessionRun<State extends object> extends SessionAt<State> {
  /** Repo-relative path that the session is about. */
  subject: string
  flags: GivenFlags
  /** Words behind the input: which part of it is meant. */
  selectors?: readonly string[]
  config: Config
  agents: AgentPool
  /** Value of `--agent`, kept for the next time; and the command that resumes the session. */
  agent?: string
  goOn: string
  /** Directories of all workflows' sessions. */
  ownPaths: readonly string[]
  /** Programs that some workflow starts, as the trust question named them. */
  programs: readonly string[]
  /** The sessions of the same workflow in this project. */
  places?(): Promise<Place[]>
  /** Everything that runs comes with this program, so nothing is compared with what was trusted. */
  trusted?: boolean
  /** How agents are kept to what they may do, or why not. */
  confinement?: SessionConfinement
  store: SessionStore<State>
  notices: string[]
  ui: Ui
  /** Aborts when a signal ends the program; the reason names it. */
  interrupt?: AbortSignal
}

export interface SessionEnd {
  exitCode: 0 | 1 | 3
  lines: string[]
  /** The person ended this run to begin another one at once. */
  anew?: boolean
}

/** Drives one opened session on the screen until it is finished or stopped; the store is closed at the end. */
export async function runSession<State extends object>(session: SessionRun<State>): Promise<SessionEnd> {
  const { finished, ...end } = await guarded(session)
  if (!finished) return end
  const archived = await archiveFinished(session, finished)
  return archived === undefined ? end : { ...end, lines: [...end.lines, `Archived: ${archived}`] }
}

type DrivenEnd<State> = SessionEnd & { finished?: State }

async function guarded<State extends object>(session: SessionRun<State>): Promise<DrivenEnd<State>> {
  const { store, ui } = session
  const runId = randomUUID()
  const guard = startGuard(runId)
  try {
    return await driveOnScreen(session, runId)
  } finally {
    ui.busy('Saving')
    // Whatever still carries the marker of this run is ended: nothing works on after the screen is gone.
    await endProcesses([runId])
    await store.close().catch(() => undefined)
    guard.release()
  }
}

/** What the run is stopped and asked with, by keys and by signals. */
interface Desk {
  live: LiveStore
  hold: Hold
  stopping: AbortController
  stop(): void
}

async function driveOnScreen<State extends object>(
  session: SessionRun<State>,
  runId: string,
): Promise<DrivenEnd<State>> {
  const { store, ui, workflow, interrupt } = session
  const { confinement } = session
  const calls = openGitCalls(runId)
  const tools = sessionTools({
    ...session,
    calls,
    trusted: session.trusted === true,
    runId,
    confinement: confinement?.kind === 'confined' ? confinement.confinement : undefined,
  })
  const told = withFact(await workflow.machine(tools), confinement)
  const machine = withBudgets(told, workflow, session.config.limits)
  const live = await liveStoreOf(session, machine, await tools.git.branch())
  const { title } = live.getSnapshot().view
  const desk = openDesk(live)
  const { stopping, hold, stop } = desk
  const hide = createTextRedactor(recordedSecrets(process.env, tools.environment))
  const run = createRun({
    machine,
    ledger: store,
    live,
    hold,
    signal: stopping.signal,
    stop,
    now: tools.now,
    hide,
  })
  const ends = watchEnds(session, runId, stop)
  const unwatchCalls = watchSlowCalls(calls, live, stopping.signal)
  const interlude = interludeRequest(live)
  ui.watch(live, {
    ...createControls({ run, hold, live, stop, interlude: interlude.ask }),
    readEvidence: async (evidence) =>
      hiddenLines(hide, await readAnyEvidence(session.root, evidence, tools.git.diffSince)),
    readLog: async (path, part) => {
      const log = await readLogPart(session.root, path, part)
      return { ...log, lines: hiddenLines(hide, log.lines) }
    },
    fileOf: (path) => editableFile(session.root, path),
  })
  tellHistory(session, live)
  const alerts = alertsOf(session, live)
  const remembered = session.agent === undefined ? {} : { agent: session.agent }
  await store.append({ type: 'opened', version, pid: process.pid, runId, ...remembered })
  try {
    const state = await drive(machine, store, run, interlude)
    if (workflow.archives?.beginsAnew(state)) return { exitCode: 0, lines: [], finished: state, anew: true }
    alerts.done()
    const page = await closingPage(session, live, state, tools.git)
    await Promise.race([ui.done('Finished', page), whenAborted(interrupt)])
    return {
      exitCode: workflow.exitCode?.(state) ?? 0,
      lines: [`${title}: finished.`, ...page, '', `Session: ${session.place.slug}`],
      finished: state,
    }
  } catch (error) {
    const taken = ends.taken()
    if (taken) return { exitCode: 3, lines: [taken.what, taken.why, taken.todo] }
    // A call of git that was ended by the stop fails wherever it was.
    const isStopped = error instanceof RunStopped || (stopping.signal.aborted && calls.ended())
    if (!isStopped) throw error
    if (!interrupt?.aborted)
      await recordStop(machine, store, {
        by: error instanceof RunStopped ? error : new RunStopped('key'),
        now: tools.now(),
      }).catch(() => undefined)
    return { exitCode: 3, lines: await stoppedLines(session, live.getSnapshot().view.phaseWord) }
  } finally {
    unwatchCalls()
    ends.unwatch()
    await alerts.close()
  }
}

/** What the run came to; it stays in the session as a file, too. */
async function closingPage<State extends object>(
  { root, workflow, place, store }: SessionRun<State>,
  live: LiveStore,
  state: State,
  git: Pick<Git, 'log'>,
): Promise<string[]> {
  const { reports, view, usage } = live.getSnapshot()
  const since = beginningOf(view)
  const closing: Closing = {
    title: view.title,
    reports: reports.length > 0 ? reports : workflow.doneReport(state),
    view,
    usage,
    times: timesText(store.digest.times),
    // Newest first in git; a commit that is gone is no reason to tell nothing.
    commits: since === undefined ? [] : (await git.log(since).catch(() => [])).toReversed(),
    sessionDir: place.sessionDir,
  }
  const file = join(root, place.sessionDir, closingFile)
  await writeDurable(file, Buffer.from(closingMarkdown(closing), 'utf8')).catch(() => undefined)
  return closingLines(closing)
}

/** What earlier sessions came to is read beside the run, which waits for nothing of it. */
function tellHistory<State extends object>(
  { root, workflow, place, places }: SessionRun<State>,
  live: LiveStore,
): void {
  void historyOf({ root, workflow, place, places })
    .catch(() => noHistory)
    .then((history) => live.patch({ history }))
}

/** Calls the person by the terminal and by the command of their settings. */
function alertsOf<State extends object>(
  { ui, config, root, workflow, subject, place }: SessionRun<State>,
  live: LiveStore,
): Alerts {
  const tell = (text: string) => live.tell({ at: new Date().toISOString(), text, kind: 'warning' })
  const about = { session: place.slug, workflow: workflow.name, subject, project: root }
  return watchAlerts(live, {
    show: (alert) => ui.alert?.(alert?.text),
    ...(config.notify ? { notify: notifier(config.notify, about, tell) } : {}),
  })
}

/** The header says where agents are not kept to what they may do. */
function withFact<State extends object>(
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

async function liveStoreOf<State extends object>(
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
    paneRevision: 0,
    timeline: [...digest.timeline],
    times: digest.times,
    timesAt: Date.now(),
    ...(branch ? { branch } : {}),
    agent: agents.describe(),
    usage: digest.usage,
    phaseUsage: new Map(digest.usageByPhase),
    phaseWork: new Map(digest.workByPhase),
    recap: [...recapOf(digest, store.state ? `Now in ${view.state}.` : ''), ...notices],
    reports: [],
  }
  return createLiveStore(first, (dispatchId) => dispatchLogPath(place.sessionDir, dispatchId))
}

function openDesk(live: LiveStore): Desk {
  const hold = createHold()
  const stopping = new AbortController()
  return {
    live,
    hold,
    stopping,
    stop() {
      if (stopping.signal.aborted) return
      live.patch({ status: 'stopping', stoppingSince: Date.now() })
      stopping.abort()
      hold.release()
    },
  }
}

/** What a person asked for between two states; the driver takes it when it gets there. */
function interludeRequest(live: LiveStore) {
  let asked: string | undefined
  return {
    ask: (id: string) => {
      asked = id
      const { label = id } = live.getSnapshot().view.interludes.find((each) => each.id === id) ?? {}
      live.patch({ banner: `Before the next state: ${label}.` })
    },
    take: () => {
      const taken = asked
      asked = undefined
      if (taken !== undefined) live.patch({ banner: undefined })
      return taken
    },
  }
}

/** Stops the run when a signal ends the program, when a person leaves it, or when the session was taken over elsewhere. */
function watchEnds<State extends object>(
  { store, ui, interrupt }: SessionRun<State>,
  runId: string,
  stop: () => void,
): { unwatch(): void; taken(): Problem | undefined } {
  const onInterrupt = () => {
    void store.append({ type: 'interrupted', text: String(interrupt?.reason) }).catch(() => undefined)
    stop()
  }
  if (interrupt?.aborted) onInterrupt()
  else interrupt?.addEventListener('abort', onInterrupt, { once: true })
  const unlisten = ui.onQuit((how) => {
    stop()
    if (how !== 'stop') void endProcesses([runId])
  })
  let taken: Problem | undefined
  const unwatchLock = store.lock.watch((problem) => {
    taken = problem
    stop()
    // Its agents would work beside those of the other process.
    void endProcesses([runId])
  })
  return {
    taken: () => taken,
    unwatch() {
      interrupt?.removeEventListener('abort', onInterrupt)
      unlisten()
      unwatchLock()
    },
  }
}

/** Nobody closes the last screen of a terminal that is gone. */
function whenAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve()
    signal?.addEventListener('abort', () => resolve(), { once: true })
  })
}

async function stoppedLines<State extends object>(
  session: SessionRun<State>,
  phaseWord = 'Phase',
): Promise<string[]> {
  const word = phaseWord.toLowerCase()
  const { root, workflow, place, store } = session
  const told = store.state && (await workflow.describe(store.state, { root, place }))
  const { phase } = told ?? {}
  const at =
    told && phase
      ? `in ${told.state}, ${word} ${phase.number} of ${phase.total}: ${phase.name}`
      : told
        ? `in ${told.state}`
        : `before the first ${word}`
  return [
    `Stopped ${at}. Everything is saved.`,
    `Time: ${timesText(store.digest.times)}`,
    `Session: ${place.slug}`,
    `Go on with: ${session.goOn}`,
  ]
}
