import { type AgentPool, openAgents } from '../agents/pool.js'
import type { Config } from '../project/config.js'
import { openGit } from '../project/git.js'
import { shellWord } from '../project/shell-word.js'
import { agreeTrust } from '../sessions/agree-trust.js'
import { beginRepository } from '../sessions/begin-repository.js'
import {
  hooksConfinement,
  makeCaches,
  type SessionConfinement,
  sessionConfinement,
} from '../sessions/confinement.js'
import type { Interruption } from '../sessions/interruption.js'
import { openSession } from '../sessions/open-session.js'
import { settleOrphans } from '../sessions/orphans.js'
import { settleOtherRun } from '../sessions/other-run.js'
import { placeOfSubject } from '../sessions/place-of-subject.js'
import { loadProjectConfig } from '../sessions/project-config.js'
import { runSession } from '../sessions/run-session.js'
import { ownPathsOf, programsOf, type SessionAt } from '../sessions/session.js'
import type { SessionRun } from '../sessions/session-run.js'
import { listSessions } from '../sessions/session-summaries.js'
import { settleStartDoubts } from '../sessions/start-doubts.js'
import { waitForLetGo } from '../sessions/take-over.js'
import { lockWorktree } from '../sessions/worktree-lock.js'
import { bindKeys } from '../ui/key-bindings.js'
import type { Ui } from '../ui/ui.js'
import type { AnyWorkflow, WorkflowEntry } from '../workflows/workflow.js'
import type { Chosen } from './choose-input.js'
import type { End, RunOptions } from './run-options.js'
import type { ChosenOnScreen } from './start-screen.js'

/** The settings of a project. Throws a Problem for those that cannot be used, and for an agent that is none. */
export async function settingsOf(
  { registry, flags, agent }: RunOptions,
  root: string,
  entries: readonly WorkflowEntry[],
): Promise<Config> {
  const config = await loadProjectConfig(root, registry, flags)
  bindKeys(config.keys)
  // Without a name of one, the session may remember who did the work.
  if (agent !== undefined || config.agent !== undefined)
    openPool(await Promise.all(entries.map((entry) => entry.load())), agent, config)
  return config
}

function openPool(of: readonly AnyWorkflow[], agent: string | undefined, config: Config): AgentPool {
  const personas = of.flatMap((workflow) => Object.keys(workflow.personas))
  return openAgents({ ...(agent === undefined ? {} : { agentOption: agent }), config, personas })
}

interface Surroundings {
  root: string
  chosen: ChosenOnScreen
  config: Config
  ui: Ui
  interruption: Interruption
}

/** Runs what was chosen, and what a person begins anew at its end. */
export async function runChosen(options: RunOptions, around: Surroundings): Promise<End> {
  const { ui, interruption } = around
  const held = { release: async () => {} }
  let chosen: ChosenOnScreen
  try {
    const prepared = await Promise.race([prepare(options, around, held), interruption.cut])
    if (prepared.kind === 'closed') return prepared
    const { anew, ...end } = await runSession({ ...prepared.session, ui, interrupt: interruption.signal })
    if (!anew) return end
    const { entry, subject } = prepared.chosen
    chosen = { entry, subject }
  } finally {
    await held.release()
  }
  // What was named and flagged then was about the run that was ended: without its phases a flag would mean all of them.
  return runChosen({ ...options, selectors: [], flags: {} }, { ...around, chosen })
}

type Prepared =
  | ({ kind: 'closed' } & End)
  | { kind: 'ready'; chosen: Chosen; session: Omit<SessionRun<object>, 'ui' | 'interrupt'> }

const closed = (...lines: string[]) => ({ kind: 'closed', exitCode: 3, lines }) as const

/** Everything that a person is asked before the run: which session, trust, what stands in its way. */
async function prepare(
  options: RunOptions,
  around: Surroundings,
  held: { release(): Promise<void> },
): Promise<Prepared> {
  const { root, ui } = around
  const chosen = await sessionOf(around)
  if (!chosen) return closed('Nothing was started.')
  const { subject, session } = chosen
  const agent = options.agent ?? (around.config.agent === undefined ? chosen.remembered : undefined)
  const agents = openPool([session.workflow], agent, around.config)
  const ownPaths = ownPathsOf(options.registry)
  const programs = programsOf(options.registry)
  const trusted = options.trusted === true
  const agreed = await agreeTrust({ root, config: around.config, agents, programs, ownPaths, ui, trusted })
  if (!agreed) return closed('This project is not trusted, so nothing was executed.')
  const { config } = agreed
  let { confinement } = agreed
  await makeCaches(confinedOf(confinement))
  ui.busy('Looking at the repository')
  if (chosen.entry.beginsRepositories) {
    const confineHooks = hooksConfinement(confinedOf(confinement))
    const begun = await beginRepository({ root, ownPaths, confineHooks }, (question, header) =>
      ui.ask(question, header),
    )
    if (begun === 'stop') return closed('Nothing was made and nothing was started.')
    // What is kept from agents in a repository was not there before.
    if (begun === 'begun') confinement = await sessionConfinement(root, config, ownPaths)
  }
  const git = openGit(root, { ownPaths })
  const [problem] = await git.startProblems()
  if (problem) throw problem
  if (!(await settleStartDoubts(git, (question, header) => ui.ask(question, header))))
    return closed('Nothing was started.')
  ui.busy('Opening the session')
  const opened = await openSession({ ...session, fresh: options.fresh === true }, (question, header) =>
    ui.ask(question, header),
  )
  if (opened.kind === 'closed') return opened
  const { store, notices } = opened
  const { tookOver } = store
  if (tookOver) {
    ui.busy('Waiting for the other process to let go')
    await waitForLetGo(root, tookOver, store.digest.runIds)
  }
  held.release = await lockWorktree(root, tookOver).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  if (
    !(await settleOrphans(store.digest.runIds, session.place.slug, (question, header) =>
      ui.ask(question, header),
    ))
  ) {
    await store.close()
    return closed('Processes of an earlier run were left alone; nothing was started.')
  }
  const typed = { selectors: options.selectors ?? [], flags: options.flags }
  const which = await settleOtherRun({ session, store, typed }, (question, header) =>
    ui.ask(question, header),
  )
  if (which === 'stop') return closed('The run that is under way was left as it is.')
  if (which === 'anew') {
    await held.release()
    held.release = async () => {}
    return prepare(options, around, held)
  }
  if (store.state && !session.workflow.takesFlags && Object.keys(options.flags).length > 0) {
    const { rigor } = await session.workflow.describe(store.state, session)
    notices.push(`Flags count only when a session begins; this one stays ${rigor ?? 'as it was begun'}.`)
  }
  return {
    kind: 'ready',
    chosen,
    session: {
      ...session,
      subject,
      flags: options.flags,
      ...(options.selectors ? { selectors: options.selectors } : {}),
      config,
      agents,
      ...(agent === undefined ? {} : { agent }),
      goOn: options.goOn ?? `autopilot ${shellWord(subject)}`,
      ownPaths,
      programs,
      places: () => chosen.entry.places(root),
      store,
      notices: confinement.kind === 'unconfined' ? [...notices, ...confinement.lines] : notices,
      confinement,
      trusted,
    },
  }
}

const confinedOf = (found: SessionConfinement) => (found.kind === 'confined' ? found.confinement : undefined)

interface ChosenSession {
  entry: WorkflowEntry
  subject: string
  session: SessionAt<object>
  /** Who did the work of this session before. What it names is trusted by the same question as any other program. */
  remembered: string | undefined
}

/** The session of what was chosen; undefined where the person starts none. */
async function sessionOf({ root, chosen, ui }: Surroundings): Promise<ChosenSession | undefined> {
  const { entry, subject, session: listed } = chosen
  const workflow = await entry.load()
  const place =
    listed?.place ?? (await placeOfSubject({ root, workflow, subject }, (question) => ui.ask(question, root)))
  if (!place) return undefined
  const known = listed ?? (await listSessions(root, [entry])).find((one) => one.session === place.slug)
  return { entry, subject, session: { root, workflow, place }, remembered: known?.agent ?? undefined }
}
