import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { AgentEvent, Backend, OpenRequest, Outcome } from '../../../source/agents/agent.js'
import { type LifecycleRecord, readLifecycleState } from '../../../source/documents/lifecycle-state.js'
import { type JournalRecord, readJournal } from '../../../source/ledger/journal.js'
import { openGit } from '../../../source/project/git.js'
import { drive } from '../../../source/run/drive.js'
import { createRun } from '../../../source/run/durable-run.js'
import { createHold } from '../../../source/run/hold.js'
import { createLiveStore } from '../../../source/run/live-store.js'
import { recordStop } from '../../../source/run/record-stop.js'
import { RunStopped } from '../../../source/run/stopped.js'
import { openSession } from '../../../source/sessions/open-session.js'
import type { Answer, Question } from '../../../source/view/question.js'
import { sessionDir } from '../../../source/workflows/lifecycle/places.js'
import { lifecycleWorkflow } from '../../../source/workflows/lifecycle/workflow.js'
import type { SessionTools } from '../../../source/workflows/tools.js'
import { createProject, type TestProject } from '../../support/project.js'
import { snapshotsOf } from '../../support/snapshots.js'

// The whole workflow in this process: real journal, real git, real files; the worker is a function of the test.

export const statePath = '_docs/_autopilot_state.md'

export interface WorkerBrief {
  workflow: string
  expects: string
  persona: string
  attempt: number
  flow: string
  step: { id: string; name: string; number: number; total: number }
  subStep?: { id: string; name: string }
  retry: { attempt: number; errors: string[] }
  gateAnswer?: { id: string; choice: string; note?: string }
  freshContext: boolean
  brief?: string
  prepareOnly?: boolean
  earlier?: unknown[]
  docsDir: string
  statePath: string
}

export interface Dispatch {
  brief: WorkerBrief
  prompt: string
  /** How often this step was dispatched, this one included. */
  nth: number
  resumes?: string
  phase: string | undefined
  /** Stops the run as the key does, while this dispatch is under way. */
  stop(): void
  /** Says something as an agent does while it works. */
  tell(event: AgentEvent): void
  /** Waits until the screen shows this sub-step as the one that is under way. */
  untilShown(title: string): Promise<void>
}

export type Act = (dispatch: Dispatch, project: TestProject) => unknown

export type Given = Answer | string
export type Answers = Record<string, Given | Given[] | ((question: Question) => Given)>

/** A worker whose process comes to this end in place of a result. */
export const endsWith =
  (error: 'context' | 'crash' | 'timeout', before: Act = () => undefined): Act =>
  async (dispatch, project) => {
    await before(dispatch, project)
    return { [endMark]: error }
  }
const endMark = 'the process ended with'

export interface PlayOptions {
  /** By name of the step. */
  acts?: Record<string, Act>
  answers?: Answers
  askFirst?: (question: Question) => Answer | 'quit'
  flags?: SessionTools['flags']
  /** What happens while a question is open. */
  beforeAnswer?: (question: Question) => Promise<void>
  command?: SessionTools['command']
}

export interface Played {
  /** As the file is on disk. */
  text: string
  record: LifecycleRecord
  asked: Question[]
  gates: string[]
  dispatches: Dispatch[]
  records: readonly JournalRecord[]
  reports: string[][]
  stopped: boolean
  closed?: { exitCode: number; lines: string[] }
  notices: readonly string[]
}

export async function createStage(files: Record<string, string>): Promise<TestProject> {
  const project = await createProject({ files: { '.keep': '', ...files } })
  await project.git('config', 'user.name', 'Test Person')
  await project.git('config', 'user.email', 'person@example.invalid')
  return project
}

/** Opens the session of a project and drives it until it is closed or stopped; any gate without an answer stops it. */
export async function play(project: TestProject, options: PlayOptions = {}): Promise<Played> {
  const asked: Question[] = []
  const root = project.dir
  const place = await lifecycleWorkflow.locate(root, '_docs')
  const opened = await openSession({ root, workflow: lifecycleWorkflow, place }, async (question) => {
    asked.push(question)
    if (!options.askFirst)
      throw new Error(`asked before the run: ${question.gate} ${question.body.join(' / ')}`)
    return options.askFirst(question)
  })
  const dispatches: Dispatch[] = []
  const reports: string[][] = []
  const result = async (more: Partial<Played>): Promise<Played> => {
    const text = await project.read(place.stateFile).catch(() => '')
    const { records } = await readJournal(join(root, sessionDir, 'journal.jsonl'))
    return {
      text,
      record: readLifecycleState(text),
      asked,
      gates: asked.map(({ gate }) => gate),
      dispatches,
      records,
      reports,
      stopped: false,
      notices: [],
      ...more,
    }
  }
  if (opened.kind === 'closed') return result({ closed: opened })
  const { store } = opened
  const stopping = new AbortController()
  let failure: unknown
  const fail = (error: unknown) => {
    failure ??= error
    stopping.abort()
  }
  const untilShown = async (title: string) => {
    const isShown = () =>
      live.getSnapshot().tasks.some((task) => task.title === title && task.status === 'in_progress')
    while (!isShown()) await delay(20)
  }
  const backend = scriptedBackend(
    async (request, sink) =>
      actOut({ project, options, dispatches, stop: () => stopping.abort(), untilShown }, request, sink),
    fail,
  )
  const tools: SessionTools = {
    root,
    subject: '_docs',
    place,
    flags: options.flags ?? {},
    config: {
      personas: {},
      limits: {},
      environment: [],
      projectFiles: [],
    } as unknown as SessionTools['config'],
    git: openGit(root, { ownPaths: ['.autopilot'] }),
    backendFor: () => backend,
    modelFor: () => undefined,
    permissionsFor: () => 'ask',
    limits: {},
    environment: {},
    runId: randomUUID(),
    snapshots: snapshotsOf(project, ['.autopilot']),
    command:
      options.command ??
      (async () => {
        throw new Error('no command is run on this stage')
      }),
    now: () => new Date(),
  }
  const machine = await lifecycleWorkflow.machine(tools)
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
    onLeftovers: (steps) => {
      throw new Error(`done before the interruption and not asked for after it: ${steps.join(', ')}`)
    },
  })
  const used = new Map<string, number>()
  live.subscribe(() => {
    const { question, reports: lines } = live.getSnapshot()
    if (lines !== reports.at(-1)) reports.push(lines as string[])
    if (!question || asked.some((one) => one === question)) return
    asked.push(question)
    setImmediate(async () => {
      try {
        await options.beforeAnswer?.(question)
        if (!run.desk.answer(question.id, answerTo(question, options.answers ?? {}, used)))
          throw new Error(`${question.gate} does not take its answer`)
      } catch (error) {
        fail(error)
      }
    })
  })
  let stopped = false
  try {
    await drive(machine, store, run, { take: () => undefined })
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error
    if (failure !== undefined) throw failure
    stopped = true
    await recordStop(machine, store, { by: error, now: new Date() })
  } finally {
    await store.close()
  }
  return result({ stopped, notices: opened.notices })
}

function answerTo(question: Question, answers: Answers, used: Map<string, number>): Answer {
  const given = answers[question.gate]
  const at = used.get(question.gate) ?? 0
  used.set(question.gate, at + 1)
  if (at > 30) throw new Error(`${question.gate} is asked without an end`)
  const one = typeof given === 'function' ? given(question) : Array.isArray(given) ? given[at] : given
  // What nobody answers ends the play: most plays look at one stretch of the way.
  const chosen = one ?? (question.options.some(({ value }) => value === 'stop') ? 'stop' : 'close')
  return typeof chosen === 'string' ? { value: chosen } : chosen
}

function scriptedBackend(
  act: (request: OpenRequest, sink: (event: AgentEvent) => void) => Promise<Outcome>,
  fail: (error: unknown) => void,
): Backend {
  return {
    id: 'command',
    label: 'scripted',
    caps: {
      deltas: false,
      ask: false,
      steer: false,
      schema: false,
      cost: true,
      resetTime: false,
      turnLimit: true,
      resume: true,
    },
    detect: async () => undefined,
    async open(request, sink) {
      const done = act(request, sink).catch((error: unknown): Outcome => {
        fail(error)
        return {
          ok: false,
          error: 'crash',
          message: String(error),
          retry: 'never',
          usage: { input: 0, output: 0, cached: 0 },
        }
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

interface Script {
  project: TestProject
  options: PlayOptions
  dispatches: Dispatch[]
  stop(): void
  untilShown(title: string): Promise<void>
}

async function actOut(
  { project, options, dispatches, stop, untilShown }: Script,
  request: OpenRequest,
  sink: (event: AgentEvent) => void,
): Promise<Outcome> {
  const brief = JSON.parse(readFileSync(request.env.AUTOPILOT_DISPATCH ?? '', 'utf8')) as WorkerBrief
  const nth = dispatches.filter((one) => one.brief.step.name === brief.step.name).length + 1
  const dispatch: Dispatch = {
    brief,
    prompt: request.prompt,
    nth,
    phase: request.env.AUTOPILOT_PHASE,
    stop,
    tell: sink,
    untilShown,
    ...(request.session ? { resumes: request.session.id } : {}),
  }
  dispatches.push(dispatch)
  if (dispatches.length > 60) throw new Error('the workflow does not come to an end')
  sink({ type: 'session', id: request.session?.id ?? `talk-${dispatches.length}` })
  const act =
    options.acts?.[brief.step.name] ?? (() => ({ status: 'failed', error: 'nobody plays this step' }))
  const result = await act(dispatch, project)
  const end = (result as Record<string, 'context'> | undefined)?.[endMark]
  if (end !== undefined)
    return {
      ok: false,
      error: end,
      message: `it ended with ${end}`,
      retry: 'never',
      usage: { input: 1, output: 1, cached: 0 },
    }
  return { ok: true, result, text: '', usage: { input: 1, output: 1, cached: 0 } }
}

const problem = {
  '_docs/00_problem/problem.md': 'x',
  '_docs/00_problem/restrictions.md': 'x',
  '_docs/00_problem/acceptance_criteria.md': 'x',
  '_docs/00_problem/input_data/rows.csv': 'x',
}

export const table = `# Dependencies
**Total Tasks**: 2
**Total Complexity Points**: 5

| Task | Name | Complexity | Dependencies | Epic |
|------|------|------------|--------------|------|
| T-1 | box | 3 | None | Core |
| T-2 | lid | 2 | T-1 | Core |
`

/** What each step leaves behind, as a worker of the tests writes it. */
export const artifacts: Record<string, Record<string, string>> = {
  Problem: problem,
  Research: { '_docs/01_solution/solution.md': 'x' },
  Plan: { '_docs/02_document/architecture.md': 'x', '_docs/02_document/FINAL_report.md': 'x' },
  'UI Design': { '_docs/02_document/ui_mockups/page.html': 'x' },
  Decompose: {
    '_docs/02_tasks/_dependencies_table.md': table,
    '_docs/02_tasks/todo/T-1_box.md': 'x',
    '_docs/02_tasks/todo/T-2_lid.md': 'x',
  },
  Document: { '_docs/02_document/FINAL_report.md': 'x' },
  'Test Spec': { '_docs/02_document/tests/traceability-matrix.md': 'x' },
  'Decompose Tests': {
    '_docs/02_tasks/_dependencies_table.md': table.replaceAll('Core', 'Blackbox Tests'),
    '_docs/02_tasks/todo/T-1_box_test.md': 'x',
  },
  'Implement Tests': {
    '_docs/03_implementation/implementation_report_tests.md': 'x',
    'test/made.test.mjs':
      "import { test } from 'node:test'\nimport { ok } from 'node:assert'\nimport { made } from '../src/made.mjs'\ntest('made', () => ok(made))\n",
  },
}

/** A worker that says something and does nothing. */
export const says =
  (result: unknown): Act =>
  () =>
    result

/** A worker that leaves what its step should. */
export const does: Act = async ({ brief }, project) => {
  for (const [path, text] of Object.entries(artifacts[brief.step.name] ?? {})) await project.write(path, text)
  return { status: 'complete', outcome: `${brief.step.name} is done` }
}

/** Files of a project that is at a step, with its state file. */
export function upTo(flow: string, name: string, text: string): Record<string, string> {
  const order =
    flow === 'greenfield'
      ? ['Problem', 'Research', 'Plan', 'UI Design', 'Decompose']
      : ['Document', 'Test Spec', 'Decompose Tests', 'Implement Tests']
  const before = order.slice(0, Math.max(0, order.indexOf(name)))
  return Object.assign({ [statePath]: text }, ...before.map((step) => artifacts[step]))
}
