import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type {
  AgentErrorKind,
  AgentEvent,
  Backend,
  OpenRequest,
  Outcome,
} from '../../../source/agents/agent.js'
import { type JournalRecord, readJournal } from '../../../source/ledger/journal.js'
import { openGit } from '../../../source/project/git.js'
import { drive } from '../../../source/run/drive.js'
import { createRun } from '../../../source/run/durable-run.js'
import { createHold } from '../../../source/run/hold.js'
import { createLiveStore } from '../../../source/run/live-store.js'
import { RunStopped } from '../../../source/run/stopped.js'
import { createTextRedactor, recordedSecrets } from '../../../source/secrets/redact.js'
import { openSession } from '../../../source/sessions/open-session.js'
import type { Answer, Question } from '../../../source/view/question.js'
import { harnessMachine } from '../../../source/workflows/harness/machine.js'
import { placeOfSlug, sessionsDir } from '../../../source/workflows/harness/places.js'
import { sessionSlug } from '../../../source/workflows/harness/slug.js'
import type { HarnessState } from '../../../source/workflows/harness/state/state.js'
import type { HarnessFlags, HarnessTools } from '../../../source/workflows/harness/tools.js'
import type { ValidateOutcome } from '../../../source/workflows/harness/validate.js'
import { harnessWorkflow } from '../../../source/workflows/harness/workflow.js'
import { createProject, type TestProject } from '../../support/project.js'
import { snapshotsOf } from '../../support/snapshots.js'

// The whole workflow in this process: real journal, real git, real files; agents are functions of the test, and
// questions are answered from a list.

export const specPath = 'docs/changes/seeds/proposal.md'
export const slug = 'changes--seeds--proposal'
export const sessionDir = `${sessionsDir}/${slug}`

export interface PhaseText {
  name: string
  complexity?: 'low' | 'medium' | 'high'
}

export function specText(phases: readonly PhaseText[]): string {
  const sections = phases.map(
    ({ name, complexity = 'low' }, index) =>
      `### Phase ${index + 1}: ${name}\n<!-- complexity: ${complexity} -->\n\nWhat ${name} is about.\n`,
  )
  return `# Seeds\n\n## Implementation Order\n\n${sections.join('\n')}`
}

export function planText(tasks: number, options: { checkpoints?: number; title?: string } = {}): string {
  const list = Array.from({ length: tasks }, (_, index) => {
    const marker = index < (options.checkpoints ?? 0) ? ' [checkpoint:human-verify]' : ''
    return `### Task ${index + 1}: ${options.title ?? 'step'} ${index + 1}${marker}\n\nDo it.\n`
  })
  return `# Plan: seeds\n\n## Tasks\n\n${list.join('\n')}`
}

/** The dispatch file of one agent, and its prompt. `nth` counts the dispatches of the same kind from 1. */
export interface Dispatch {
  kind: 'plan' | 'execution' | 'verification' | 'review' | 'final-review' | 'final-fix'
  nth: number
  prompt: string
  /** Label of the backend that got it: `scripted`, or `fallback`. */
  backend: string
  /** Bounds that the agent program is told to keep itself. */
  limits: { turns?: number; usd?: number }
  /** Id of the conversation in which it goes on, if it does. */
  resumes?: string
  /** What its process would get. */
  environment: Record<string, string>
  /**
   * What it has used so far, in tokens and US dollars: told at once, so that the dispatch may be ended for it, or only
   * at the end.
   */
  spend(used: { input?: number; output?: number; usd?: number }, told?: 'at once' | 'at the end'): void
  /** Text that the agent says before it ends. */
  says(text: string): void
  brief: {
    id: string
    rigor: string
    phase: { number: number; label: string; name: string; description: string }
    specPath: string
    planPath: string
    attempt: number
    tasks?: { id: string; title: string; status: string }[]
    startTask?: string
    retry?: { task: string; attempt: number; errors: string[]; context: string }
    checkpointAnswer?: { type: string; task: string; answer: string; note?: string }
    findings?: unknown[]
    note?: string
    scratchpadDir?: string
    approvedSkeleton?: string
    diffBase?: string
  }
}

export type Act = (dispatch: Dispatch, project: TestProject) => unknown

/** A result that no agent sends: the process failed, or its model would not go on. */
export const crash = (message: string) => fails('crash', message)
export const fails = (error: AgentErrorKind, message: string) => ({ failed: message, error })

/** The whole program dies while the agent works: nothing more comes of this dispatch, and nothing is recorded. */
export const dies = () => ({ dies: true })

export type Acts = Partial<Record<Dispatch['kind'], Act>>

const usual: Record<Dispatch['kind'], Act> = {
  plan: async ({ brief }, project) => {
    await project.write(brief.planPath, planText(2))
    return { planPath: brief.planPath, concerns: [] }
  },
  execution: ({ brief }) => ({ status: 'complete', completed: (brief.tasks ?? []).map((task) => task.id) }),
  verification: () => ({ verdict: 'pass', gaps: [] }),
  review: () => ({ findings: [] }),
  'final-review': () => ({ findings: [] }),
  'final-fix': () => ({ status: 'complete', completed: [] }),
}

/** One gate as it was answered, or a function of it. */
export type Given = Answer | string | ((question: Question) => Answer | string)
/** By gate: the same answer each time, or one after the other. */
export type Answers = Record<string, Given | Given[]>

export const usualAnswers: Answers = { 'Q-NEXT': 'yes', 'Q-PR': 'no' }

export interface PlayOptions {
  /** The state takes another way after an interruption, so that records of before are left over. */
  leftovers?: 'expected'
  acts?: Acts
  answers?: Answers
  flags?: Partial<HarnessFlags>
  validate?: (nth: number) => ValidateOutcome
  openPullRequest?: HarnessTools['openPullRequest']
  limits?: HarnessTools['limits']
  /** A second backend that goes on when a usage limit is met. */
  fallback?: boolean
  /** Agents can go on in the conversation of a dispatch before. */
  resumable?: boolean
  /** What would be executed, when it is not what was trusted. Called before every dispatch. */
  changedPrograms?: HarnessTools['changedPrograms']
  trustAgain?: HarnessTools['trustAgain']
  /** Asked before the run: adopt, edits, done. */
  askFirst?: (question: Question) => Answer | 'quit'
  spec?: string
  /** What the project's test command prints, each time that it runs; it passes. */
  tests?: (nth: number) => string
  /** The session, where it is not the one that the path of the spec gives. */
  slug?: string
  /** The person presses `q` at this gate. */
  quitAt?: string
  /** Called between two states; true opens the menu of open phases. */
  reorder?: (state: HarnessState) => boolean
}

export interface Played {
  state: HarnessState
  /** Questions in their order, each once. */
  asked: Question[]
  gates: string[]
  dispatches: Dispatch[]
  records: readonly JournalRecord[]
  reports: string[][]
  /** True when a question stopped the run. */
  stopped: boolean
  /** True when an act had the program die. */
  died: boolean
  /** What was said before the run, when it was not opened. */
  closed?: { exitCode: number; lines: string[] }
  notes: string[]
}

export async function createStage(
  phases: readonly PhaseText[] | string,
  files: Record<string, string> = {},
): Promise<TestProject> {
  const spec = typeof phases === 'string' ? phases : specText(phases)
  const project = await createProject({ files: { [specPath]: spec, ...files } })
  await project.git('config', 'user.name', 'Test Person')
  await project.git('config', 'user.email', 'person@example.invalid')
  return project
}

/** Opens the session of the spec and drives it until it is finished or stopped. */
export async function play(project: TestProject, options: PlayOptions = {}): Promise<Played> {
  const spec = options.spec ?? specPath
  const name = options.slug ?? sessionSlug(spec)
  const before: Question[] = []
  const place = placeOfSlug(name)
  const opened = await openSession(
    { root: project.dir, workflow: harnessWorkflow, place },
    async (question) => {
      before.push(question)
      if (!options.askFirst)
        throw new Error(`asked before the run: ${question.gate} ${question.body.join(' / ')}`)
      return options.askFirst(question)
    },
  )
  const none = {
    state: {} as HarnessState,
    records: [],
    dispatches: [],
    reports: [],
    stopped: false,
    died: false,
    notes: [],
  }
  if (opened.kind === 'closed') {
    return { ...none, asked: before, gates: before.map(({ gate }) => gate), closed: opened }
  }
  const { store } = opened
  const dispatches: Dispatch[] = []
  const asked: Question[] = [...before]
  const reports: string[][] = []
  const stopping = new AbortController()
  let failure: unknown
  const fail = (error: unknown) => {
    failure ??= error
    stopping.abort()
  }
  let died = false
  const dying = new AbortController()
  const death = new Promise<void>((resolve) => {
    dying.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const script: Script = {
    project,
    acts: options.acts ?? {},
    dispatches,
    resumable: options.resumable === true,
    fail,
    die: () => {
      died = true
      dying.abort()
    },
  }
  const backend = scriptedBackend(script, 'scripted')
  let validations = 0
  let testRuns = 0
  const tools: HarnessTools = {
    root: project.dir,
    subject: spec,
    place,
    config: {
      personas: {},
      limits: {},
      environment: [],
      confine: 'off',
      confineAllow: [],
      projectFiles: [],
    },
    command: async () => {
      if (!options.tests) throw new Error('no command is run on this stage')
      testRuns += 1
      const ended = { code: 0, signal: null, timedOut: false, missing: false, truncated: false }
      return { ...ended, stdout: options.tests(testRuns), stderr: '' }
    },
    ...(options.tests ? { testCommand: async () => ['check', 'all'] } : {}),
    specPath: spec,
    slug: name,
    sessionDir: `${sessionsDir}/${name}`,
    flags: { fast: false, thorough: false, reviewPlans: false, ...options.flags },
    git: openGit(project.dir, { ownPaths: [sessionsDir] }),
    backendFor: () => backend,
    modelFor: () => undefined,
    permissionsFor: () => 'ask',
    limits: options.limits ?? {},
    ...(options.fallback ? { fallback: scriptedBackend(script, 'fallback') } : {}),
    ...(options.changedPrograms ? { changedPrograms: options.changedPrograms } : {}),
    ...(options.trustAgain ? { trustAgain: options.trustAgain } : {}),
    environment: {},
    runId: randomUUID(),
    snapshots: snapshotsOf(project, [sessionsDir]),
    validate: async () => {
      validations += 1
      return options.validate?.(validations) ?? { kind: 'not-installed' }
    },
    ...(options.openPullRequest ? { openPullRequest: options.openPullRequest } : {}),
    now: () => new Date(),
  }
  const machine = harnessMachine(tools, 'Seeds')
  const live = createLiveStore({
    view: machine.view(store.state),
    status: 'running',
    tasks: [],
    panes: [],
    paneRevision: 0,
    timeline: [],
    times: { workMs: 0, waitingMs: 0, awayMs: 0 },
    timesAt: 0,
    agent: 'scripted',
    usage: { inputTokens: 0, outputTokens: 0 },
    phaseUsage: new Map(),
    recap: [],
    reports: [],
  } as unknown as Parameters<typeof createLiveStore>[0])
  const run = createRun({
    machine,
    ledger: store,
    live,
    hold: createHold(),
    signal: stopping.signal,
    stop: () => stopping.abort(),
    now: () => new Date(),
    hide: createTextRedactor(recordedSecrets(process.env, {})),
    onLeftovers: (steps) => {
      if (options.leftovers === 'expected') return
      throw new Error(`done before the interruption and not asked for after it: ${steps.join(', ')}`)
    },
  })
  const giver = createGiver(options.answers ?? {})
  live.subscribe(() => {
    const { question, reports: lines } = live.getSnapshot()
    if (lines !== reports.at(-1)) reports.push(lines as string[])
    if (!question || asked.some((one) => one === question)) return
    asked.push(question)
    setImmediate(() => {
      if (question.gate === options.quitAt) return stopping.abort()
      try {
        const answer = giver(question)
        if (!run.desk.answer(question.id, answer))
          throw new Error(`${question.gate} takes no ${JSON.stringify(answer)}`)
      } catch (error) {
        fail(error)
      }
    })
  })

  let stopped = false
  try {
    const driven = drive(machine, store, run, {
      take: () => (store.state !== undefined && options.reorder?.(store.state) ? 'reorder' : undefined),
    })
    await Promise.race([driven, death])
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error
    if (failure !== undefined) throw failure
    stopped = true
  } finally {
    await store.close()
  }
  const { records } = await readJournal(join(project.dir, sessionsDir, name, 'journal.jsonl'))
  const notes = records.flatMap((record) => (record.type === 'note' ? [record.text] : []))
  return {
    state: store.state as HarnessState,
    asked,
    gates: asked.map(({ gate }) => gate),
    dispatches,
    records,
    reports,
    stopped,
    died,
    notes,
  }
}

function createGiver(answers: Answers): (question: Question) => Answer {
  const all: Answers = { ...usualAnswers, ...answers }
  const used = new Map<string, number>()
  return (question) => {
    const given = all[question.gate]
    const at = used.get(question.gate) ?? 0
    used.set(question.gate, at + 1)
    if (at > 50) throw new Error(`${question.gate} is asked without an end`)
    const one = Array.isArray(given) ? given[at] : given
    if (one === undefined) {
      throw new Error(
        `nobody knows an answer to ${question.gate} (${at + 1}): ${question.title} / ${question.body.join(' / ')}`,
      )
    }
    const chosen = typeof one === 'function' ? one(question) : one
    return typeof chosen === 'string' ? { value: chosen } : chosen
  }
}

function kindOf(brief: { expects: string; final?: boolean }): Dispatch['kind'] {
  if (brief.expects === 'plan') return 'plan'
  if (brief.expects === 'verification') return 'verification'
  if (brief.expects === 'review') return brief.final ? 'final-review' : 'review'
  return brief.final ? 'final-fix' : 'execution'
}

/** An executor that says it is complete has changed something, unless its result says `idle`. */
async function leaveWork(
  kind: Dispatch['kind'],
  result: unknown,
  brief: Dispatch['brief'],
  project: TestProject,
): Promise<void> {
  const { status, idle } = (result ?? {}) as { status?: unknown; idle?: unknown }
  if (kind !== 'execution' || status !== 'complete' || idle === true) return
  await project.write(`work/phase-${brief.phase.number}.txt`, `${randomUUID()}\n`)
}

/** What the agents of one play share. */
interface Script {
  project: TestProject
  acts: Acts
  dispatches: Dispatch[]
  resumable: boolean
  fail(error: unknown): void
  die(): void
}

const caps = {
  deltas: false,
  ask: false,
  steer: false,
  schema: false,
  cost: true,
  resetTime: false,
  turnLimit: true,
}

/** An agent whose every dispatch is a function of the test. */
function scriptedBackend(script: Script, label: string): Backend {
  return {
    id: 'command',
    label,
    caps: { ...caps, resume: script.resumable },
    detect: async () => undefined,
    async open(request, sink) {
      const done = actOut(script, label, request, sink).catch((error: unknown): Outcome => {
        script.fail(error)
        const usage = { input: 0, output: 0, cached: 0 }
        return { ok: false, error: 'crash', message: String(error), retry: 'never', usage }
      })
      return {
        done,
        send: () => 'unsupported',
        answer: () => undefined,
        interrupt: async () => undefined,
        pause: () => undefined,
        close: () => done,
      }
    },
  }
}

async function actOut(
  script: Script,
  backend: string,
  request: OpenRequest,
  sink: (event: AgentEvent) => void,
): Promise<Outcome> {
  const { dispatches, project, acts } = script
  const brief = JSON.parse(readFileSync(request.env.AUTOPILOT_DISPATCH ?? '', 'utf8'))
  const kind = kindOf(brief)
  const nth = dispatches.filter((one) => one.kind === kind).length + 1
  let usage = { input: 1, output: 1, cached: 0 }
  const { turns, usd } = request.limits
  const dispatch: Dispatch = {
    kind,
    nth,
    prompt: request.prompt,
    brief,
    backend,
    environment: request.env,
    limits: { ...(turns === undefined ? {} : { turns }), ...(usd === undefined ? {} : { usd }) },
    ...(request.session ? { resumes: request.session.id } : {}),
    says: (text) => sink({ type: 'text', id: 'said', full: text }),
    spend(used, told = 'at once') {
      usage = { ...usage, ...used }
      if (told === 'at once') sink({ type: 'usage', scope: 'total', ...usage })
    },
  }
  dispatches.push(dispatch)
  if (dispatches.length > 200) throw new Error('the workflow does not come to an end')
  if (script.resumable) sink({ type: 'session', id: request.session?.id ?? `talk-${dispatches.length}` })
  const result = await (acts[kind] ?? usual[kind])(dispatch, project)
  if (typeof result === 'object' && result !== null && 'dies' in result) {
    script.die()
    return new Promise<Outcome>(() => undefined)
  }
  await leaveWork(kind, result, brief, project)
  if (typeof result === 'object' && result !== null && 'failed' in result) {
    const { failed, error, resetsAt } = result as { failed: string; error: AgentErrorKind; resetsAt?: number }
    return { ok: false, error, message: failed, resetsAt, retry: 'now', usage }
  }
  return { ok: true, result, text: '', usage }
}

/** Decision words of a state, in their order. */
export const decisionsOf = (state: HarnessState): string[] =>
  state.decisions.map((entry) => (entry as { decision: string }).decision)

export const sessionFile = (project: TestProject, name: string) => project.read(join(sessionDir, name))
