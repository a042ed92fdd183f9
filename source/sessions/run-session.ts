import { randomUUID } from 'node:crypto'
import { Problem } from '../problem.js'
import { endProcesses } from '../processes/end-processes.js'
import { startGuard } from '../processes/guard-client.js'
import { openGitCalls } from '../project/git-calls.js'
import { createControls } from '../run/controls.js'
import { drive } from '../run/drive.js'
import { createRun } from '../run/durable-run.js'
import { hiddenLines } from '../run/hidden.js'
import { recordStop } from '../run/record-stop.js'
import { RunStopped } from '../run/stopped.js'
import { createTextRedactor, recordedSecrets } from '../secrets/redact.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import { version } from '../version.js'
import { archiveFinished } from './archive.js'
import { withBudgets } from './budgets.js'
import { withSitting } from './changes-of-sitting.js'
import { tellCommits } from './commits-of-run.js'
import { interludeRequest, openDesk, watchEnds } from './desk.js'
import { editableFile, readAnyEvidence } from './evidence-text.js'
import { alertsOf, liveStoreOf, tellHistory, withFact } from './live-of-session.js'
import { readLogPart } from './log-parts.js'
import { searchLog } from './log-search.js'
import { closingPage, stoppedLines } from './pages-of-run.js'
import type { SessionEnd, SessionRun } from './session-run.js'
import { sessionTools } from './session-tools.js'
import { watchSlowCalls } from './slow-calls.js'

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
    onCommand: (text) => live.patch({ doing: text === undefined ? undefined : { text, since: Date.now() } }),
    trusted: session.trusted === true,
    runId,
    confinement: confinement?.kind === 'confined' ? confinement.confinement : undefined,
  })
  const [branch, opened] = await Promise.all([tools.git.branch(), tools.git.head().catch(() => null)])
  const told = withFact(withSitting(await workflow.machine(tools), opened), confinement)
  const machine = withBudgets(told, workflow, session.config.limits)
  const live = await liveStoreOf(session, machine, branch)
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
    searchLog: (path, query, signal) =>
      searchLog(session.root, path, query, { shown: (line) => sanitizeLine(hide(line)), signal }),
    fileOf: (path) => editableFile(session.root, path),
  })
  tellHistory(session, live)
  const unwatchCommits = tellCommits({ git: tools.git, live, opened, hide })
  const alerts = alertsOf(session, live)
  const remembered = session.agent === undefined ? {} : { agent: session.agent }
  await store.append({ type: 'opened', version, pid: process.pid, runId, ...remembered })
  try {
    const state = await drive(machine, store, run, interlude)
    if (workflow.archives?.beginsAnew(state)) return { exitCode: 0, lines: [], finished: state, anew: true }
    alerts.done()
    const page = await closingPage(session, live, state, { git: tools.git, opened })
    await Promise.race([ui.done('Finished', page), whenAborted(interrupt)])
    return {
      exitCode: workflow.exitCode?.(state) ?? 0,
      lines: [`${title}: finished.`, ...page, '', `Session: ${session.place.slug}`],
      finished: state,
    }
  } catch (error) {
    // A write may have noticed it first.
    const taken = ends.taken() ?? (error instanceof Problem && error.code === 'fenced' ? error : undefined)
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
    unwatchCommits()
    ends.unwatch()
    await alerts.close()
  }
}

/** Nobody closes the last screen of a terminal that is gone. */
function whenAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve()
    signal?.addEventListener('abort', () => resolve(), { once: true })
  })
}
