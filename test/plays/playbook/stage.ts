import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentEvent, Backend, OpenRequest, Outcome } from '../../../source/agents/agent.js'
import { type JournalRecord, readJournal } from '../../../source/ledger/journal.js'
import { type CommandResult, runCommand } from '../../../source/processes/commands.js'
import { openGit } from '../../../source/project/git.js'
import { drive } from '../../../source/run/drive.js'
import { createRun } from '../../../source/run/durable-run.js'
import { createHold } from '../../../source/run/hold.js'
import { createLiveStore } from '../../../source/run/live-store.js'
import { RunStopped } from '../../../source/run/stopped.js'
import { archiveFinished } from '../../../source/sessions/archive.js'
import { openSession } from '../../../source/sessions/open-session.js'
import { settleOtherRun } from '../../../source/sessions/other-run.js'
import type { Answer, Question } from '../../../source/view/question.js'
import type { TaskView, WorkflowView } from '../../../source/view/view.js'
import type { Expects } from '../../../source/workflows/playbook/results.js'
import type { PlaybookState } from '../../../source/workflows/playbook/state/schema.js'
import { playbookWorkflow } from '../../../source/workflows/playbook/workflow.js'
import type { SessionTools } from '../../../source/workflows/tools.js'
import type { Typed } from '../../../source/workflows/workflow.js'
import { createProject, type TestProject } from '../../support/project.js'
import { snapshotsOf } from '../../support/snapshots.js'
import { honest, roadmapOf } from './roles.js'

// The whole workflow in this process: real journal, real git, real files and commands; the roles are functions of the test.

export interface Order {
  expects: Expects
  persona: string
  attempt: number
  phase: { id: string; name: string; number: number; total: number }
  phaseDir: string
  enforcement?: { check: string; reason: string }
  [field: string]: unknown
}

export interface Dispatch {
  order: Order
  prompt: string
  /** How often this was asked for in this phase, this time included. */
  nth: number
  cwd: string
  /** The program is stopped while this dispatch is under way. */
  stop(): void
}

export type Act = (dispatch: Dispatch, project: TestProject) => unknown
export type Acts = Partial<Record<Expects, Act>>

export type Given = Answer | string
export type Answers = Record<string, Given | Given[] | ((question: Question) => Given)>

export interface PlayOptions {
  acts?: Acts
  answers?: Answers
  askFirst?: (question: Question) => Answer | 'quit'
  flags?: SessionTools['flags']
  /** Default: all. */
  selectors?: SessionTools['selectors']
  now?: () => Date
  /** What is typed beside a run that may be under way; without it nobody is asked which one is meant. */
  typed?: Typed
  /** The run is stopped once so many records are written; nothing that is under way comes to its end. */
  stopAfter?: number
  /** The same, once what is handed over to be written is such. */
  stopWhen?(written: readonly unknown[]): boolean
  /** What a command of the program comes to, in the place of running it. */
  command?(argv: readonly string[], options: { timeoutMs?: number | undefined }): CommandResult | undefined
  /** Killed when the last state is saved, before anything is moved. */
  diesAtEnd?: boolean
}

export interface Played {
  state: PlaybookState
  asked: Question[]
  gates: string[]
  dispatches: Dispatch[]
  /** `1 research`, `1 plan`, ... */
  order: string[]
  records: readonly JournalRecord[]
  events: string[]
  notes: string[]
  views: WorkflowView[]
  /** The list of tasks, each time it changed. */
  tasks: (readonly TaskView[])[]
  reports: string[]
  stopped: boolean
  /** Repo-relative directory of a run that came to its end. */
  archived?: string
  closed?: { exitCode: number; lines: string[] }
  /** What a session of the same project would be opened with. */
  tools: Omit<SessionTools, 'place'>
}

/** A project with a roadmap, and settings under which nothing of a test waits. */
export async function createStage(files: Record<string, string> = {}): Promise<TestProject> {
  const project = await createProject({
    files: {
      'readme.md': 'A project\n',
      '.gitignore': '.autopilot/\n',
      '.planning/ROADMAP.md': roadmapOf(2),
      '.planning/REQUIREMENTS.md': '# Requirements\n',
      '.planning/config.json': JSON.stringify({ verification_min_seconds: 0 }),
      ...files,
    },
  })
  await project.git('config', 'user.name', 'Test Person')
  await project.git('config', 'user.email', 'person@example.invalid')
  return project
}

export async function play(project: TestProject, options: PlayOptions = {}): Promise<Played> {
  const asked: Question[] = []
  const root = project.dir
  const place = await playbookWorkflow.locate(root, '.planning')
  const opened = await openSession({ root, workflow: playbookWorkflow, place }, async (question) => {
    asked.push(question)
    if (!options.askFirst)
      throw new Error(`asked before the run: ${question.gate} ${question.body.join(' / ')}`)
    return options.askFirst(question)
  })
  const dispatches: Dispatch[] = []
  const views: WorkflowView[] = []
  const lists: (readonly TaskView[])[] = []
  const read = async (more: Partial<Played>): Promise<Played> => {
    const dir = more.archived ?? place.sessionDir
    const { records } = await readJournal(join(root, dir, 'journal.jsonl'))
    const text = await project.read(`${dir}/state.json`).catch(() => 'null')
    const state = JSON.parse(text) as PlaybookState
    return {
      state,
      asked,
      gates: asked.map(({ gate }) => gate),
      dispatches,
      order: dispatches.map(({ order }) => `${order.phase.id} ${order.expects}`),
      records,
      events: (state?.event_log ?? []).map(({ event }) => event),
      notes: records.flatMap((record) => (record.type === 'note' ? [record.text] : [])),
      views,
      tasks: lists,
      reports: [],
      stopped: false,
      tools: toolsOf(project, options, idle),
      ...more,
    }
  }
  if (opened.kind === 'closed') return read({ closed: opened })
  const { store } = opened
  const { typed } = options
  if (typed !== undefined) {
    const session = { root, workflow: playbookWorkflow, place }
    const which = await settleOtherRun({ session, store, typed }, async (question) => {
      asked.push(question)
      return options.askFirst?.(question) ?? 'quit'
    })
    if (which === 'stop') return read({ closed: { exitCode: 3, lines: [] } })
    const { typed: _, ...rest } = options
    if (which === 'anew') return play(project, { ...rest, selectors: typed.selectors, flags: typed.flags })
  }
  const stopping = new AbortController()
  let failure: unknown
  const fail = (error: unknown) => {
    failure ??= error
    stopping.abort()
  }
  const tools = toolsOf(
    project,
    options,
    scripted({ project, options, dispatches, stop: () => stopping.abort() }, fail),
  )
  const machine = await playbookWorkflow.machine({ ...tools, place })
  const live = createLiveStore({
    view: machine.view(store.state),
    status: 'running',
    tasks: [],
    panes: [],
    paneRevision: 0,
    timeline: [],
    startedAt: 0,
    agent: 'scripted',
    usage: { inputTokens: 0, outputTokens: 0 },
    phaseUsage: new Map(),
    recap: [],
    reports: [],
  } as unknown as Parameters<typeof createLiveStore>[0])
  const run = createRun({
    machine,
    ledger:
      options.stopAfter === undefined && options.stopWhen === undefined
        ? store
        : stoppedAfter(store, options, () => stopping.abort()),
    live,
    hold: createHold(),
    signal: stopping.signal,
    stop: () => stopping.abort(),
    now: options.now ?? (() => new Date()),
    onLeftovers: (steps) => {
      throw new Error(`done before the interruption and not asked for after it: ${steps.join(', ')}`)
    },
  })
  const used = new Map<string, number>()
  live.subscribe(() => {
    const { question, view, tasks } = live.getSnapshot()
    if (view !== views.at(-1)) views.push(view)
    if (tasks !== lists.at(-1)) lists.push(tasks)
    if (!question || asked.some((one) => one === question)) return
    asked.push(question)
    setImmediate(() => {
      try {
        if (!run.desk.answer(question.id, answerTo(question, options.answers ?? {}, used)))
          throw new Error(`${question.gate} does not take its answer`)
      } catch (error) {
        fail(error)
      }
    })
  })
  let stopped = false
  let archived: string | undefined
  try {
    const state = await drive(machine, store, run, { take: () => undefined })
    await store.close()
    if (!options.diesAtEnd)
      archived = await archiveFinished({ root, workflow: playbookWorkflow, place }, state)
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error
    if (failure !== undefined) throw failure
    stopped = true
  } finally {
    await store.close()
  }
  const reports = [...live.getSnapshot().reports]
  return read({ stopped, reports, ...(archived === undefined ? {} : { archived }) })
}

/** The ledger, with a stop after so many records, or such a record. */
function stoppedAfter<Store extends object>(
  store: Store,
  { stopAfter: most, stopWhen }: Pick<PlayOptions, 'stopAfter' | 'stopWhen'>,
  stop: () => void,
): Store {
  let count = 0
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (name !== 'append' && name !== 'saveImage') return value
      return async (...given: unknown[]) => {
        const record: unknown = await (value as (...given: unknown[]) => Promise<unknown>).apply(
          target,
          given,
        )
        count += 1
        if (count === most || stopWhen?.(given)) stop()
        return record
      }
    },
  })
}

function toolsOf(project: TestProject, options: PlayOptions, backend: Backend): Omit<SessionTools, 'place'> {
  const root = project.dir
  return {
    root,
    subject: '.planning/ROADMAP.md',
    flags: options.flags ?? {},
    selectors: options.selectors ?? ['all'],
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
    command: async (argv, { isOfProject: _, cwd = '.', env, ...limits }) =>
      options.command?.(argv, limits) ??
      runCommand([...argv], { cwd: join(root, cwd), env: { ...project.env, ...env }, ...limits }),
    now: options.now ?? (() => new Date()),
  }
}

function answerTo(question: Question, answers: Answers, used: Map<string, number>): Answer {
  const given = answers[question.gate]
  const at = used.get(question.gate) ?? 0
  used.set(question.gate, at + 1)
  if (at > 30) throw new Error(`${question.gate} is asked without an end`)
  const one = typeof given === 'function' ? given(question) : Array.isArray(given) ? given[at] : given
  const chosen = one ?? 'stop'
  return typeof chosen === 'string' ? { value: chosen } : chosen
}

interface Script {
  project: TestProject
  options: PlayOptions
  dispatches: Dispatch[]
  stop(): void
}

function scripted(script: Script, fail: (error: unknown) => void): Backend {
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
      const done = actOut(script, request, sink).catch((error: unknown): Outcome => {
        fail(error)
        return { ok: false, error: 'crash', message: String(error), retry: 'never', usage: noTokens }
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

/** For whoever only looks. */
const idle = { id: 'command', label: 'nobody' } as unknown as Backend

const noTokens = { input: 0, output: 0, cached: 0 }
const mostDispatches = 250

async function actOut(
  { project, options, dispatches, stop }: Script,
  request: OpenRequest,
  sink: (event: AgentEvent) => void,
): Promise<Outcome> {
  const order = JSON.parse(readFileSync(request.env.AUTOPILOT_DISPATCH ?? '', 'utf8')) as Order
  const same = dispatches.filter(
    (one) => one.order.expects === order.expects && one.order.phase.id === order.phase.id,
  )
  const dispatch: Dispatch = {
    order,
    prompt: request.prompt,
    nth: same.length + 1,
    cwd: request.cwd,
    stop,
  }
  dispatches.push(dispatch)
  if (dispatches.length > mostDispatches) throw new Error('the workflow does not come to an end')
  sink({ type: 'session', id: request.session?.id ?? `talk-${dispatches.length}` })
  const act = options.acts?.[order.expects] ?? honest[order.expects]
  if (!act) throw new Error(`nobody plays ${order.expects}`)
  const result = await act(dispatch, project)
  if (isFailure(result))
    return { ok: false, message: result.failed, retry: 'now', usage: noTokens, error: result.failed }
  return { ok: true, result, text: JSON.stringify(result), usage: { input: 100, output: 10, cached: 0 } }
}

/** What an act hands back to fail as an agent program does. */
export type FailedAct = { failed: 'context' | 'crash' | 'timeout' }

const isFailure = (result: unknown): result is FailedAct =>
  typeof result === 'object' && result !== null && 'failed' in result
