import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type AgentPool, openAgents } from '../agents/pool.js'
import { Problem, problemLines } from '../problem.js'
import { type Config, loadConfig } from '../project/config.js'
import { openGit } from '../project/git.js'
import { findProjectRoot, toRepoPath } from '../project/paths.js'
import { trust } from '../project/trust.js'
import { sessionOfSpec } from '../sessions/choose-session.js'
import {
  exitCodeOfSignal,
  Interrupted,
  type Interruption,
  watchInterruption,
} from '../sessions/interruption.js'
import { openSession } from '../sessions/open-session.js'
import { settleOrphans } from '../sessions/orphans.js'
import { projectTrust, trustQuestion } from '../sessions/project-trust.js'
import { runSession, type SessionRun } from '../sessions/run-session.js'
import { type SessionAccount, sessionAccounts } from '../sessions/session-summaries.js'
import { lockWorktree } from '../sessions/worktree-lock.js'
import { decideTerminal } from '../terminal/capabilities.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import { openUi, type Ui } from '../ui/ui.js'
import { findSpecs } from '../workflows/harness/find-specs.js'
import { type HarnessFlags, personas } from '../workflows/harness/tools.js'
import { watchCrashes } from './crash.js'
import { exitCodeOf } from './exit-code.js'

export interface RunOptions {
  cwd: string
  spec?: string
  agent?: string
  flags: HarnessFlags
  /** The sample project of the demo was written by this program, so there is nothing to ask. */
  trusted?: boolean
  /** The command that takes the session up again, where it is not `autopilot <spec>`. */
  goOn?: string
}

interface Chosen {
  specPath: string
  slug: string
}

/** `autopilot [spec]`: choose, ask for trust, open the session, run it. Returns the exit code. */
export async function run(options: RunOptions): Promise<number> {
  const mode = decideTerminal(process.env, process.stdin, process.stdout)
  if (mode.kind === 'plain') throw noTerminal(mode.reason)
  if (options.flags.fast && options.flags.thorough) throw bothLevels()
  const root = await findProjectRoot(options.cwd)
  if (root === undefined) throw noRepository(options.cwd)
  const specPath = options.spec === undefined ? undefined : await specFile(root, options.spec, options.cwd)
  const config = await loadConfig(root)
  const agentsFor = (name: string | undefined) =>
    openAgents({ personas, ...(name === undefined ? {} : { agentOption: name }), config })
  // A wrong name is told before the screen opens. Without one, the session may remember who did the work.
  if (options.agent !== undefined || config.agent !== undefined) agentsFor(options.agent)

  const interruption = watchInterruption()
  const ui = await openUi()
  const unwatch = watchCrashes((lines) => ui.finish(lines.map(sanitizeLine)))
  let end: { exitCode: number; lines: string[] } = { exitCode: 3, lines: [] }
  try {
    end = await runOnScreen(options, { root, specPath, config, agentsFor, ui, interruption })
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
  return signal === undefined ? end.exitCode : exitCodeOfSignal(signal)
}

interface RunPlace {
  root: string
  specPath: string | undefined
  config: Config
  agentsFor(name: string | undefined): AgentPool
  ui: Ui
  interruption: Interruption
}

async function runOnScreen(
  options: RunOptions,
  place: RunPlace,
): Promise<{ exitCode: number; lines: string[] }> {
  const { ui, interruption } = place
  const held = { release: async () => {} }
  try {
    const prepared = await Promise.race([prepare(options, place, held), interruption.cut])
    if (prepared.kind === 'closed') return prepared
    return await runSession({ ...prepared.session, ui, interrupt: interruption.signal })
  } finally {
    await held.release()
  }
}

type Prepared =
  | { kind: 'closed'; exitCode: number; lines: string[] }
  | { kind: 'ready'; session: Omit<SessionRun, 'ui' | 'interrupt'> }

/** Everything that a person is asked before the run: which session, trust, what stands in its way. */
async function prepare(
  options: RunOptions,
  place: RunPlace,
  held: { release(): Promise<void> },
): Promise<Prepared> {
  const { root, specPath, config, ui } = place
  const chosen =
    specPath === undefined
      ? await choose(root, options.cwd, ui)
      : { specPath, slug: await sessionOfSpec(root, specPath) }
  if (!chosen) return { kind: 'closed', exitCode: 3, lines: ['Nothing was started.'] }
  const agent =
    options.agent ?? (config.agent === undefined ? await rememberedAgent(root, chosen.slug) : undefined)
  const agents = place.agentsFor(agent)
  if (!options.trusted && !(await askTrust(root, config, agents, ui))) {
    const lines = ['This project is not trusted, so nothing was executed.']
    return { kind: 'closed', exitCode: 3, lines }
  }
  ui.busy('Looking at the repository')
  const [problem] = await openGit(root).startProblems()
  if (problem) throw problem
  ui.busy('Opening the session')
  const opened = await openSession({ root, slug: chosen.slug }, (question, header) =>
    ui.ask(question, header),
  )
  if (opened.kind === 'closed') return opened
  held.release = await lockWorktree(root).catch(async (error: unknown) => {
    await opened.store.close()
    throw error
  })
  const { store, notices } = opened
  if (!(await settleOrphans(store.records, chosen.slug, (question, header) => ui.ask(question, header)))) {
    await store.close()
    return {
      kind: 'closed',
      exitCode: 3,
      lines: ['Processes of an earlier run were left alone; nothing was started.'],
    }
  }
  const { fast, thorough, reviewPlans } = options.flags
  if (store.state && (fast || thorough || reviewPlans)) {
    notices.push(`Flags count only when a session begins; this one stays ${store.state.rigorLevel}.`)
  }
  const flags = { ...options.flags, ...levelOf(config, options.flags) }
  const goOn = options.goOn ?? `autopilot ${chosen.specPath}`
  const remembered = agent === undefined ? {} : { agent }
  return {
    kind: 'ready',
    session: {
      root,
      ...chosen,
      flags,
      config,
      agents,
      ...remembered,
      goOn,
      store,
      notices,
      trusted: options.trusted === true,
    },
  }
}

/** Who did the work of this session before. What it names is trusted by the same question as any other program. */
async function rememberedAgent(root: string, slug: string): Promise<string | undefined> {
  const accounts = await sessionAccounts(root)
  return accounts.find((account) => account.session === slug)?.agent ?? undefined
}

/** The level of the configuration counts where no flag names one. */
function levelOf(config: Config, flags: HarnessFlags): Partial<HarnessFlags> {
  if (flags.fast || flags.thorough || config.rigor === undefined) return {}
  return { fast: config.rigor === 'fast', thorough: config.rigor === 'thorough' }
}

async function choose(root: string, cwd: string, ui: Ui): Promise<Chosen | undefined> {
  ui.busy('Looking for sessions and specs')
  let notices: string[] = []
  for (;;) {
    const [accounts, specs] = await Promise.all([sessionAccounts(root), findSpecs(root)])
    const choice = await ui.choose({ project: root, sessions: accounts.map(startRow), specs, notices })
    if (choice.kind === 'quit') return undefined
    try {
      if (choice.kind === 'spec') {
        const specPath = await specFile(root, choice.path, cwd)
        return { specPath, slug: await sessionOfSpec(root, specPath) }
      }
      const account = accounts.find((one) => one.session === choice.slug)
      if (account) return { specPath: account.spec, slug: account.session }
    } catch (error) {
      notices = problemLines(error)
    }
  }
}

function startRow(account: SessionAccount) {
  const { phase, progress } = account
  return {
    slug: account.session,
    spec: account.spec,
    state: account.state ?? 'unreadable',
    phase: phase ? `${phase.number}/${phase.total} ${phase.name}` : '',
    progress: `${progress.tasksComplete}/${progress.tasksTotal} tasks`,
    lastActive: ago(account.lastActive),
    live: account.live,
    finished: account.finished,
    ...(account.question ? { question: account.question.title } : {}),
  }
}

function ago(iso: string): string {
  const minutes = Math.floor((Date.now() - Date.parse(iso)) / 60_000)
  if (!Number.isFinite(minutes)) return ''
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`
  return `${Math.floor(minutes / (24 * 60))} days ago`
}

async function askTrust(root: string, config: Config, agents: AgentPool, ui: Ui): Promise<boolean> {
  const { subject, trusted } = await projectTrust(root, config, agents)
  if (trusted) return true
  const answer = await ui.ask(trustQuestion(subject, new Date()), root)
  if (answer === 'quit' || answer.value !== 'yes') return false
  await trust(subject)
  return true
}

async function specFile(root: string, input: string, cwd: string): Promise<string> {
  const path = toRepoPath(root, input, cwd)
  const info = await stat(join(root, path)).catch(() => undefined)
  if (info?.isFile()) return path
  throw new Problem({
    code: 'usage',
    what: info ? `${input} is not a file.` : `There is no spec at ${input}.`,
    why: 'A run works through the phases of a spec file.',
    todo: 'Give the path of an approved spec, or start autopilot without one to choose from a list.',
  })
}

function noTerminal(reason: string): Problem {
  return new Problem({
    code: 'usage',
    what: `autopilot needs a terminal for a run: ${reason}.`,
    why: 'Gates are answered by keys, so without a terminal nobody could answer. Nothing was started or changed.',
    todo: 'Start it in a terminal. `autopilot status`, `sessions`, `inspect` and `doctor` work without one.',
  })
}

function bothLevels(): Problem {
  return new Problem({
    code: 'usage',
    what: 'Cannot use --fast and --thorough together. Choose one.',
    why: 'They are opposite rigor levels, and a session keeps the one it begins with.',
    todo: 'Start again with one of them, or with neither for the standard level.',
  })
}

function noRepository(cwd: string): Problem {
  return new Problem({
    code: 'repository',
    what: `${cwd} is not inside a git repository.`,
    why: 'Progress is committed and reviewed as commits, so there is nothing to work with.',
    todo: 'Change into the project, or run `git init` and make a first commit.',
  })
}
