import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledProgram } from '../../processes/bundled-program.js'
import { crashMessage, leftoverLine, spawnMessage, timeoutMessage } from '../../processes/child-end.js'
import type { LadderTimes } from '../../processes/ladder.js'
import { type ChildExit, startChild } from '../../processes/supervisor.js'
import { version } from '../../version.js'
import { watchActivity } from '../activity.js'
import type { AgentEvent, Backend, Conversation, OpenRequest, Outcome, PermissionPolicy } from '../agent.js'
import { addUsage, type EndLine, noUsage, parseEventLine } from '../events.js'
import { createTextRecord } from '../text-record.js'

// The agent that comes with autopilot: a loop over the Messages API in a process of its own (agents.md section 4).
// One process is one turn; the conversation is in a file, and a further turn goes on from there.

/** Text of a finished agent that is handed on, in characters from its end. */
const textTail = 64 * 1024

/** Used where nobody names a model. */
export const defaultModel = 'claude-sonnet-5-5'

export interface EmbeddedOptions {
  model?: string
  /** Any server that speaks the Messages API; with or without /v1. Default: ANTHROPIC_BASE_URL, else the public one. */
  baseURL?: string
  /** Where a request names none of its own. */
  policy: PermissionPolicy
  limits?: { turns?: number; usd?: number }
  /** Facts about a model that autopilot does not know. Prices are US dollars per million tokens. */
  facts?: {
    price?: { input: number; output: number; cacheRead: number; cacheWrite: number }
    contextTokens?: number
    maxTokens?: number
  }
  /** Waiting times in milliseconds, see embedded/protocol.ts. */
  times?: {
    firstByteMs?: number
    betweenMs?: number
    backoffMs?: number
    shortLimitMs?: number
    commandMs?: number
  }
  /** Where keys are looked for. Default: the environment of this process. */
  environment?: Record<string, string | undefined>
  /** Path of the program. Default: the one that is bundled with autopilot. */
  program?: string
  ladder?: LadderTimes
}

export function embeddedBackend(options: EmbeddedOptions): Backend {
  const environment = options.environment ?? process.env
  const baseURL = withoutVersion(options.baseURL ?? environment.ANTHROPIC_BASE_URL)
  const model = options.model ?? environment.ANTHROPIC_MODEL ?? defaultModel
  // Each persona keeps what it was allowed for the whole run.
  const grants = new Map<string, Set<string>>()

  return {
    id: 'embedded',
    label: `embedded: ${model}${baseURL === undefined ? '' : ` at ${baseURL}`}`,
    caps: {
      deltas: true,
      ask: true,
      steer: true,
      schema: true,
      cost: true,
      resetTime: true,
      resume: true,
      turnLimit: true,
    },
    // The program itself watches the model server and tells of every pause; this is for the program alone.
    silence: { firstMs: 30_000, idleMs: 660_000 },
    async detect() {
      const auth = baseURL !== undefined || canReachModel(environment) ? 'ok' : 'missing'
      return { path: options.program ?? bundledProgram('embedded'), version, auth }
    },
    async open(request, sink) {
      const granted = grants.get(request.role) ?? new Set<string>()
      grants.set(request.role, granted)
      return converse({ options, environment, baseURL, model, granted }, request, sink)
    },
  }
}

const keyNames = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'] as const

/** True where a key or the address of a server is set. Nothing is asked and nothing is executed. */
export function canReachModel(environment: Record<string, string | undefined> = process.env): boolean {
  return [...keyNames, 'ANTHROPIC_BASE_URL'].some((name) => Boolean(environment[name]?.trim()))
}

/** The client appends /v1/messages by itself. */
function withoutVersion(url: string | undefined): string | undefined {
  const text = url?.trim()
  return text ? text.replace(/\/+$/, '').replace(/\/v1$/, '') : undefined
}

interface Setting {
  options: EmbeddedOptions
  environment: Record<string, string | undefined>
  baseURL: string | undefined
  model: string
  granted: Set<string>
}

async function converse(
  setting: Setting,
  request: OpenRequest,
  sink: (event: AgentEvent) => void,
): Promise<Conversation> {
  const { options, granted } = setting
  const program = options.program ?? bundledProgram('embedded')
  const folder = await folderOf(request)
  const resumed = request.session && request.session.mode !== 'new' ? request.session.id : undefined
  const sessionId = request.session?.mode === 'resume' ? request.session.id : randomUUID()
  const fileOf = (id: string) => join(folder, 'conversations', `${safeName(id)}.jsonl`)

  const record = createTextRecord()
  const activity = watchActivity({
    busy: (on) => child.busy(on),
    overdue: () => void child.stop('tool'),
  })
  let usage = noUsage
  let end: EndLine | undefined

  function onLine(text: string): void {
    child.touch()
    activity.touch()
    const event = parseEventLine(text)
    if (event === undefined) {
      sink({ type: 'log', stream: 'stdout', line: text })
      return
    }
    if (event.type === 'end') {
      end = event
      activity.clear()
      // The turn is over; the program ends by itself when nobody speaks to it any more.
      child.endInput()
      return
    }
    activity.event(event)
    if (event.type === 'usage') usage = addUsage(usage, event)
    if (event.type === 'text') {
      if (event.full !== undefined) record.full(event.id, event.full)
      else record.delta(event.id, event.delta ?? '')
    }
    sink(event)
  }

  const child = startChild({
    file: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', program],
    cwd: request.cwd,
    env: { ...request.env, ...keysOf(setting.environment) },
    runId: request.runId,
    dispatchId: request.dispatchId,
    limits: request.limits,
    raw: request.raw,
    line: onLine,
    errorLine: (line) => sink({ type: 'log', stream: 'stderr', line }),
    skipped: (stream, bytes) => sink({ type: 'log', stream, line: `a line of ${bytes} bytes is not read` }),
    interrupt: () => void say({ t: 'interrupt' }),
    times: options.ladder,
  })
  const say = (line: object) => child.write(`${JSON.stringify(line)}\n`)

  say({
    prompt: request.prompt,
    systemAppend: request.systemAppend,
    schema: request.schema,
    model: request.model ?? setting.model,
    access: request.access,
    policy: request.permissions ?? options.policy,
    grants: [...granted],
    cwd: request.cwd,
    limits: {
      turns: request.limits.turns ?? options.limits?.turns,
      usd: request.limits.usd ?? options.limits?.usd,
    },
    baseURL: setting.baseURL,
    sessionId,
    conversationFile: fileOf(sessionId),
    resumeFile: resumed === undefined ? undefined : fileOf(resumed),
    task: request.session?.task,
    outputDir: join(folder, 'outputs', `${safeName(request.dispatchId)}-${sessionId.slice(0, 8)}`),
    facts: options.facts,
    times: options.times,
  })

  const done = child.exit.then((exit) => {
    activity.clear()
    const left = leftoverLine(exit)
    if (left !== undefined) sink({ type: 'log', stream: 'stderr', line: left })
    const outcome = outcomeOf(request, exit, end, record.text(), end?.usage ?? usage)
    sink({ type: 'end', outcome })
    return outcome
  })

  async function stop(): Promise<void> {
    // An answer that is already there counts: there is nothing left to interrupt.
    if (end === undefined) await child.stop('aborted')
    else await done
  }

  return {
    sessionId,
    pid: child.pid,
    done,
    send: (text) => (end === undefined && say({ t: 'send', text }) ? 'sent' : 'unsupported'),
    answer(askId, { optionId, text }) {
      activity.answered(askId)
      if (optionId.startsWith('run:')) granted.add(optionId)
      say({ t: 'answer', askId, optionId, text })
    },
    interrupt: stop,
    pause(on) {
      activity.pause(on)
      void child.pause(on)
    },
    async close() {
      await child.stop('aborted')
      return done
    },
  }
}

/** Success is its last event, that this says so, exit code 0, a result if one is expected, and that nobody stopped it. */
function outcomeOf(
  request: OpenRequest,
  exit: ChildExit,
  end: EndLine | undefined,
  text: string,
  usage: Outcome['usage'],
): Outcome {
  const failure = (
    error: Extract<Outcome, { ok: false }>['error'],
    message: string,
    retry: 'now' | 'never' = 'now',
  ) => ({ ok: false, error, message, retry, usage }) as const

  if (exit.spawnError) {
    return failure('spawn', spawnMessage(exit.spawnError, process.execPath, request.cwd), 'never')
  }
  if (exit.stopped === 'aborted') return failure('aborted', 'The agent was stopped.')
  if (exit.stopped) return failure('timeout', timeoutMessage(exit.stopped, request.limits.wallMs))
  if (end?.failure) return { ...end.failure, usage }
  if (exit.code !== 0) return failure('crash', crashMessage(exit, end?.result !== undefined))
  if (!end) return failure('crash', 'The agent ended without its last event.')
  if (request.schema !== undefined && end.result === undefined) {
    return failure('schema', 'The agent ended without a result.')
  }
  return { ok: true, result: end.result, text: text.slice(-textTail), usage }
}

/** Keys get to the agent here and nowhere else; it keeps them from its tools. */
function keysOf(environment: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    keyNames.flatMap((name) => {
      const value = environment[name]
      return value ? [[name, value]] : []
    }),
  )
}

/** Conversations and long outputs are kept in the session's directory, absolute. */
async function folderOf(request: OpenRequest): Promise<string> {
  const session = request.env.AUTOPILOT_SESSION_DIR
  if (session !== undefined) return join(request.cwd, session)
  return mkdtemp(join(tmpdir(), 'autopilot-embedded-'))
}

function safeName(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 100)
}
