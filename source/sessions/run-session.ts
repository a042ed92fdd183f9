import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentPool } from '../agents/pool.js'
import { readSpec } from '../documents/spec.js'
import { activeMs } from '../ledger/active-time.js'
import type { SessionStore } from '../ledger/session-store.js'
import { timelineOf } from '../ledger/timeline.js'
import { usageByPhase, usageOf } from '../ledger/usage.js'
import { childEnvironment, findOnPath, runCommand } from '../processes/commands.js'
import { endProcesses } from '../processes/end-processes.js'
import { startGuard } from '../processes/guard-client.js'
import type { Config } from '../project/config.js'
import { type Git, openGit } from '../project/git.js'
import { sessionsDir } from '../project/paths.js'
import { describeSubject, trust } from '../project/trust.js'
import { createControls } from '../run/controls.js'
import { drive } from '../run/drive.js'
import { createRun } from '../run/durable-run.js'
import { createHold } from '../run/hold.js'
import { createLiveStore } from '../run/live-store.js'
import { RunStopped } from '../run/stopped.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import type { Ui } from '../ui/ui.js'
import { version } from '../version.js'
import type { HarnessState } from '../workflows/harness/state/state.js'
import { doneReport } from '../workflows/harness/states/done.js'
import type { HarnessFlags, HarnessTools } from '../workflows/harness/tools.js'
import { runValidation } from '../workflows/harness/validate.js'
import { harnessWorkflow } from '../workflows/harness/workflow.js'
import { panesOfSession } from './panes-of-session.js'
import { projectTrust } from './project-trust.js'
import { recapOf } from './recap.js'

export { personas } from '../workflows/harness/tools.js'

export interface SessionRun {
  root: string
  slug: string
  specPath: string
  flags: HarnessFlags
  config: Config
  agents: AgentPool
  /** Value of `--agent`, kept for the next time; and the command that takes the session up again. */
  agent?: string
  goOn: string
  /** Everything that runs comes with this program, so nothing is compared with what was trusted. */
  trusted?: boolean
  store: SessionStore<HarnessState>
  notices: string[]
  ui: Ui
  /** Aborts when a signal ends the program; the reason names it. */
  interrupt?: AbortSignal
}

export interface SessionEnd {
  exitCode: 0 | 1 | 3
  lines: string[]
}

/** Drives one opened session on the screen until it is finished or stopped; the store is closed at the end. */
export async function runSession(session: SessionRun): Promise<SessionEnd> {
  const { store, ui } = session
  const runId = randomUUID()
  const guard = startGuard(runId)
  const stopping = new AbortController()
  try {
    return await driveOnScreen(session, runId, stopping)
  } finally {
    ui.busy('Saving')
    // Whatever still carries the marker of this run is ended: nothing works on after the screen is gone.
    await endProcesses([runId])
    await store.close().catch(() => undefined)
    guard.release()
  }
}

async function driveOnScreen(
  session: SessionRun,
  runId: string,
  stopping: AbortController,
): Promise<SessionEnd> {
  const { store, ui, root, slug } = session
  const tools = await harnessTools(session, runId)
  const title = await titleOf(root, session.specPath)
  const machine = harnessWorkflow.machine(tools, title)
  const hold = createHold()
  const before = [...store.records]
  const branch = await tools.git.branch()
  const live = createLiveStore({
    view: machine.view(store.state),
    status: 'running',
    tasks: [],
    panes: await panesOfSession(root, tools.sessionDir, before),
    paneRevision: 0,
    timeline: timelineOf(before),
    startedAt: Date.now() - activeMs(before),
    ...(branch ? { branch } : {}),
    agent: session.agents.describe(),
    usage: usageOf(before),
    phaseUsage: usageByPhase(before),
    recap: [...recapOf(before, store.state ? `Now in ${store.state.currentState}.` : ''), ...session.notices],
    reports: [],
  })
  const stop = () => {
    if (stopping.signal.aborted) return
    live.patch({ status: 'stopping', stoppingSince: Date.now() })
    stopping.abort()
    hold.release()
  }
  const run = createRun({
    machine,
    ledger: store,
    live,
    hold,
    signal: stopping.signal,
    stop,
    now: () => new Date(),
  })

  let interludeAsked: string | undefined
  const { interrupt } = session
  const onInterrupt = () => {
    void store.append({ type: 'interrupted', text: String(interrupt?.reason) }).catch(() => undefined)
    stop()
  }
  if (interrupt?.aborted) onInterrupt()
  else interrupt?.addEventListener('abort', onInterrupt, { once: true })
  const unlisten = ui.onQuit((how) => {
    stop()
    if (how === 'kill') void endProcesses([runId])
  })
  const interlude = (id: string) => {
    interludeAsked = id
    live.patch({ banner: 'The menu of open phases opens before the next state.' })
  }
  ui.watch(live, createControls({ run, hold, live, stop, interlude }))
  const remembered = session.agent === undefined ? {} : { agent: session.agent }
  await store.append({ type: 'opened', version, pid: process.pid, runId, ...remembered })
  try {
    const state = await drive(machine, store, run, {
      take: () => {
        const asked = interludeAsked
        interludeAsked = undefined
        if (asked !== undefined) live.patch({ banner: undefined })
        return asked
      },
    })
    const { reports } = live.getSnapshot()
    await Promise.race([
      ui.done('Finished', reports.length > 0 ? [...reports] : doneReport(state)),
      whenAborted(interrupt),
    ])
    return {
      exitCode: 0,
      lines: [`${title}: finished.`, ...live.getSnapshot().reports, '', `Session: ${slug}`],
    }
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error
    if (!interrupt?.aborted)
      await store.append({ type: 'interrupted', text: error.by }).catch(() => undefined)
    return { exitCode: 3, lines: stoppedLines(store.state, slug, session.goOn) }
  } finally {
    interrupt?.removeEventListener('abort', onInterrupt)
    unlisten()
  }
}

/** Nobody closes the last screen of a terminal that is gone. */
function whenAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve()
    signal?.addEventListener('abort', () => resolve(), { once: true })
  })
}

function stoppedLines(state: HarnessState | undefined, slug: string, goOn: string): string[] {
  const phase = state?.phases[state.currentPhase]
  const at =
    state && phase
      ? `in ${state.currentState}, phase ${state.currentPhase + 1} of ${state.phases.length}: ${phase.name}`
      : 'before the first phase'
  return [`Stopped ${at}. Everything is saved.`, `Session: ${slug}`, `Go on with: ${goOn}`]
}

async function harnessTools(session: SessionRun, runId: string): Promise<HarnessTools> {
  const { root, slug, config } = session
  const git: Git = openGit(root)
  const gh = await findOnPath('gh')
  const environment = childEnvironment(allowed(config))
  return {
    root,
    specPath: session.specPath,
    slug,
    sessionDir: `${sessionsDir}/${slug}`,
    flags: session.flags,
    git,
    backendFor: (persona) => session.agents.forPersona(persona),
    ...(session.agents.fallback ? { fallback: session.agents.fallback } : {}),
    modelFor: (persona) => session.agents.modelFor(persona),
    permissionsFor: (persona) => config.personas[persona]?.permissions ?? config.permissions ?? 'ask',
    limits: config.limits,
    ...(session.trusted ? {} : trustWatch(root, config, session.agents)),
    environment,
    runId,
    validate: (signal) => runValidation(root, config.validate, { signal, env: { AUTOPILOT_RUN_ID: runId } }),
    ...(gh
      ? { openPullRequest: (title: string, bodyFile: string) => openPullRequest(root, gh, title, bodyFile) }
      : {}),
    now: () => new Date(),
  }
}

function trustWatch(root: string, config: Config, agents: AgentPool) {
  return {
    changedPrograms: async () => {
      const { subject, trusted } = await projectTrust(root, config, agents)
      return trusted ? null : { hash: subject.hash, lines: describeSubject(subject).map(sanitizeLine) }
    },
    trustAgain: async () => trust((await projectTrust(root, config, agents)).subject),
  }
}

/** Variables that the user's configuration hands on to agents beside the usual ones. */
function allowed(config: Config): Record<string, string> {
  return Object.fromEntries(
    config.environment.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

async function openPullRequest(root: string, gh: string, title: string, bodyFile: string) {
  const result = await runCommand(
    [gh, 'pr', 'create', '--title', title, '--body-file', join(root, bodyFile)],
    {
      cwd: root,
      timeoutMs: 120_000,
      outputCap: 16_000,
    },
  )
  return { ok: result.code === 0, output: `${result.stdout}${result.stderr}` }
}

async function titleOf(root: string, specPath: string): Promise<string> {
  const text = await readFile(join(root, specPath), 'utf8').catch(() => '')
  return readSpec(text).title ?? specPath
}
