import { realpath } from 'node:fs/promises'
import { type AgentPool, openAgents } from '../agents/pool.js'
import { Problem, problemLines } from '../problem.js'
import type { Config } from '../project/config.js'
import { openGit } from '../project/git.js'
import { findProjectRoot } from '../project/paths.js'
import { agreeTrust } from '../sessions/agree-trust.js'
import { beginRepository } from '../sessions/begin-repository.js'
import { hooksConfinement, type SessionConfinement, sessionConfinement } from '../sessions/confinement.js'
import { exitCodeOfSignal, Interrupted, type Interruption } from '../sessions/interruption.js'
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
import { sanitizeLine } from '../terminal/sanitize.js'
import { bindKeys } from '../ui/key-bindings.js'
import type { Ui } from '../ui/ui.js'
import type { GivenFlags } from '../workflows/flags.js'
import type { Registry } from '../workflows/workflow.js'
import {
  type Chosen,
  checkFlags,
  checkFlagsEarly,
  chooseInput,
  isTaken,
  type LoadedWorkflow,
  loadWorkflows,
} from './choose-input.js'
import { watchCrashes } from './crash.js'
import { exitCodeOf } from './exit-code.js'
import { type OpenScreen, openScreen } from './open-screen.js'
import { checkingFlags } from './refused-flags.js'
import { type ChosenOnScreen, candidatesOf, chooseOnScreen } from './start-screen.js'
import { tooManyArguments } from './usage-problems.js'

export interface RunOptions {
  registry: Registry
  cwd: string
  /** A path as it was typed; without one the start screen asks. */
  input?: string
  /** What follows the input: which part of it is meant. */
  selectors?: readonly string[]
  agent?: string
  flags: GivenFlags
  /** Lines instead of the full screen, also where there is one. */
  plain: boolean
  /** It was opened before the rest was loaded; whoever did that leaves it. */
  screen?: OpenScreen | undefined
  /** The sample project of the demo was written by this program, so there is nothing to ask. */
  trusted?: boolean
  /** The project was made a moment ago, so a session of an earlier one of its name is none of its own. */
  fresh?: boolean
  /** Starts the sample project, where the person chooses that instead. */
  startDemo?: () => Promise<number>
  /** The command that resumes the session, where it is not `autopilot <input>`. */
  goOn?: string
}

interface End {
  exitCode: number
  lines: string[]
  /** The person chose the sample project instead. */
  demo?: boolean
}

/** `autopilot [input]`: choose, ask for trust, open the session, run it. Returns the exit code. */
export async function run(options: RunOptions): Promise<number> {
  await checkingFlags(options, () => checkFlagsEarly(options.registry, options.flags))
  const { root, loaded } = await projectOf(options)
  const named =
    options.input === undefined ? undefined : await chooseInput(loaded, root, options.input, options.cwd)
  if (named) await checkingFlags(options, () => checkFlags(named.entry, options.registry, options.flags))
  if (named) {
    const told = await answerOfSelectors(named, root, options)
    if (told !== undefined) return told
  }
  const config = await loadProjectConfig(root, options.registry, options.flags)
  // A wrong name is told before the screen opens. Without one, the session may remember who did the work.
  if (options.agent !== undefined || config.agent !== undefined)
    openPool(named ? [named] : loaded, options.agent, config)

  bindKeys(config.keys)
  const { ui, interruption } = options.screen ?? (await openScreen(options.plain))
  const unwatch = watchCrashes((lines) => ui.finish(lines.map(sanitizeLine)))
  let end: End = { exitCode: 3, lines: [] }
  try {
    end = await runOnScreen(options, { root, loaded, named, config, ui, interruption })
  } catch (error) {
    end =
      error instanceof Interrupted
        ? { exitCode: 3, lines: [`Ended by ${error.by}.`] }
        : { exitCode: exitCodeOf(error), lines: problemLines(error) }
  }
  await ui.finish(end.lines.map(sanitizeLine))
  unwatch()
  const signal = interruption.received()
  interruption.settle()
  if (signal !== undefined) return exitCodeOfSignal(signal)
  if (end.demo && options.startDemo) return await options.startDemo()
  return end.exitCode
}

/**
 * The project that the current directory is in, and the workflows that can work in it: without a repository those that
 * begin one where they are.
 */
async function projectOf({
  registry,
  cwd,
  input,
}: RunOptions): Promise<{ root: string; loaded: LoadedWorkflow[] }> {
  const found = await findProjectRoot(cwd)
  if (found !== undefined) return { root: found, loaded: await loadWorkflows(registry) }
  const root = await realpath(cwd)
  const loaded = await loadWorkflows(registry.filter((entry) => entry.beginsRepositories === true))
  const mayBegin =
    input === undefined
      ? (await candidatesOf(loaded, root)).length > 0
      : await isTaken(loaded, root, input, cwd)
  if (!mayBegin) throw noRepository(cwd)
  return { root, loaded }
}

/** Selectors that name nothing are told before anything opens; some of them are answered without a run. */
async function answerOfSelectors(
  { entry }: LoadedWorkflow,
  root: string,
  { selectors = [], flags, screen }: RunOptions,
): Promise<number | undefined> {
  if (entry.selectors === undefined) {
    if (selectors.length > 0) throw tooManyArguments(selectors)
    return undefined
  }
  const lines = await entry.selectors.answer(root, selectors)
  if (lines === undefined) {
    await entry.selectors.check(root, selectors, flags)
    return undefined
  }
  const told = lines.map(sanitizeLine)
  if (screen) await screen.ui.finish(told)
  else process.stdout.write(`${told.join('\n')}\n`)
  return 0
}

function openPool(of: readonly LoadedWorkflow[], agent: string | undefined, config: Config): AgentPool {
  const personas = of.flatMap(({ workflow }) => Object.keys(workflow.personas))
  return openAgents({ ...(agent === undefined ? {} : { agentOption: agent }), config, personas })
}

interface Surroundings {
  root: string
  loaded: readonly LoadedWorkflow[]
  named: Chosen | undefined
  config: Config
  ui: Ui
  interruption: Interruption
}

async function runOnScreen(options: RunOptions, around: Surroundings): Promise<End> {
  const { ui, interruption } = around
  const held = { release: async () => {} }
  let named: Chosen | undefined
  try {
    const prepared = await Promise.race([prepare(options, around, held), interruption.cut])
    if (prepared.kind === 'closed') return prepared
    const { anew, ...end } = await runSession({ ...prepared.session, ui, interrupt: interruption.signal })
    if (!anew) return end
    named = prepared.chosen
  } finally {
    await held.release()
  }
  // What was named then was about the run that was ended.
  return runOnScreen({ ...options, selectors: [] }, { ...around, named })
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
  const chosen = await choose(options, around)
  if (chosen === 'demo') return { ...closed(), demo: true }
  if (!chosen) return closed('Nothing was started.')
  const { subject, session } = chosen
  const agent = options.agent ?? (around.config.agent === undefined ? chosen.remembered : undefined)
  const agents = openPool([chosen], agent, around.config)
  const ownPaths = ownPathsOf(options.registry)
  const programs = programsOf(options.registry)
  const trusted = options.trusted === true
  const agreed = await agreeTrust({ root, config: around.config, agents, programs, ownPaths, ui, trusted })
  if (!agreed) return closed('This project is not trusted, so nothing was executed.')
  const { config } = agreed
  let { confinement } = agreed
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
  if (store.state && Object.keys(options.flags).length > 0) {
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
      goOn: options.goOn ?? `autopilot ${subject}`,
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

interface ChosenSession extends Chosen {
  session: SessionAt<object>
  /** Who did the work of this session before. What it names is trusted by the same question as any other program. */
  remembered: string | undefined
}

async function choose(
  options: RunOptions,
  around: Surroundings,
): Promise<ChosenSession | 'demo' | undefined> {
  const { root, loaded, named, ui } = around
  const chosen: ChosenOnScreen | 'demo' | undefined =
    named ?? (await chooseOnScreen(loaded, { root, cwd: options.cwd }, ui))
  if (!chosen || chosen === 'demo') return chosen
  if (!named) checkFlags(chosen.entry, options.registry, options.flags)
  const { entry, workflow, subject, session: listed } = chosen
  const place =
    listed?.place ?? (await placeOfSubject({ root, workflow, subject }, (question) => ui.ask(question, root)))
  if (!place) return undefined
  const known = listed ?? (await listSessions(root, [entry])).find((one) => one.session === place.slug)
  return { ...chosen, session: { root, workflow, place }, remembered: known?.agent ?? undefined }
}

function noRepository(cwd: string): Problem {
  return new Problem({
    code: 'repository',
    what: `${cwd} is not inside a git repository.`,
    why: 'Progress is committed and reviewed as commits, so there is nothing to work with.',
    todo: 'Change into the project, or run `git init` and make a first commit. `autopilot demo` shows what a run is like, with a project of its own.',
  })
}
