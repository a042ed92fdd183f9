import { mkdir, open, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { fullDisk } from '../problem.js'
import {
  createRedactor,
  createTextRedactor,
  recordedSecrets,
  redactValue,
  secretValues,
} from '../secrets/redact.js'
import type { PaneBlock, PaneLine } from '../view/panes.js'
import type { Usage } from '../view/usage.js'
import type {
  AgentEvent,
  AgentTask,
  Backend,
  Conversation,
  DispatchReply,
  OpenRequest,
  Outcome,
  PermissionPolicy,
  TokenUsage,
} from './agent.js'
import { cappedText } from './border.js'
import { createCommandOutput, runsCommand } from './command-output.js'
import { type AgentConfinement, confineDispatch } from './confinement.js'
import { addUsage, noUsage, usageOf } from './events.js'
import { type DispatchLog, openDispatchLog } from './log.js'
import { createPaneWriter } from './pane-lines.js'
import { repairPrompt } from './repair-prompt.js'
import { readJsonBlocks, sameResult, schemaJson, validationErrors } from './result.js'
import { resumePrompt } from './resume-prompt.js'
import { redactingLines } from './shown-lines.js'
import { createTextRecord } from './text-record.js'

/** What one dispatch needs besides its task. */
export interface DispatchContext {
  backend: Backend
  /** New for every start of autopilot; marks all its processes. */
  runId: string
  /** Unique in the session; names the files of this dispatch. */
  dispatchId: string
  /** Absolute. */
  projectDir: string
  /** Absolute: where the agent works, if that is not the project itself but a worktree of it. */
  cwd?: string
  /** Repo-relative. */
  sessionDir: string
  signal: AbortSignal
  /** Looks before an agent is started whether it may be, and throws where not; the dispatch throws the same. */
  guard?: () => Promise<void>
  /** How agents of this session are confined. Default: not at all. */
  confinement?: AgentConfinement
  /** Names in the session directory that are autopilot's own, such as that of the state file. */
  records?: readonly string[]
  /** Environment of the agent, complete but for the variables of the contract (docs/agents.md, "The command agent"). */
  env: Record<string, string>
  /** Go on in this conversation, where the backend can; `prompt` defaults to a word that it was broken off. */
  resume?: { sessionId: string; prompt?: string }
  model?: string
  permissions?: PermissionPolicy
  /** Longest silence in milliseconds, where the person set one. */
  idleMs?: number
  /** Bounds of one dispatch, where the person set them and the backend can keep them. */
  turns?: number
  usd?: number
  line: (lines: PaneLine | PaneBlock) => void
  /** What the whole dispatch used so far. */
  usage(usage: Usage): void
  session(id: string): void
  /** Answers a permission request or a question of the agent. Without it, the safe option is taken. */
  ask?(event: Extract<AgentEvent, { type: 'ask' }>): Promise<{ optionId: string; text?: string }>
  event?: ((event: AgentEvent) => void) | undefined
  /** Handed a function that sends a message into the running conversation. */
  say?(send: (text: string) => 'sent' | 'queued' | 'unsupported'): void
  /** Handed the switch that suspends and continues the agent's processes. */
  hold?(pause: (on: boolean) => void): void
  /** Handed a function that ends the agent's turn; the dispatch then fails as aborted and can be resumed. */
  interrupt?(end: () => void): void
}

/** Milliseconds that an interrupted turn may take to end by itself. */
const interruptPatience = 10_000

/** Watchdogs where a backend names none of its own (docs/agents.md, "Watchdogs"). */
const usualSilence = { firstMs: 30_000, idleMs: 180_000 }

/** Repo-relative path of the raw log of a dispatch. */
export function dispatchLogPath(sessionDir: string, dispatchId: string): string {
  return join(sessionDir, 'logs', `${dispatchId}.log`)
}

/** Repo-relative path of the file that AUTOPILOT_DISPATCH names. */
export function dispatchFilePath(sessionDir: string, dispatchId: string): string {
  return join(sessionDir, 'dispatches', `${dispatchId}.json`)
}

/**
 * Runs one persona to its end and validates what it hands back; an invalid result gets one repair turn in the same
 * conversation where the backend can. Never throws for what an agent does, and an agent that was stopped never counts
 * as a success.
 */
export async function dispatchAgent<Result>(
  task: AgentTask<Result>,
  context: DispatchContext,
): Promise<DispatchReply<Result>> {
  const secrets = secretValues(process.env, context.env)
  const hide = createRedactor(secrets)
  const line = redactingLines(secrets, (told) => context.line(told))
  const note = (text: string) => line({ kind: 'note', text })
  const logPath = join(context.projectDir, dispatchLogPath(context.sessionDir, context.dispatchId))
  await context.guard?.()
  const log = openDispatchLog(logPath, secrets, note)
  try {
    const reply = await converse(task, { ...context, line }, log, hide)
    return withoutSecrets(reply, task, secrets)
  } catch (error) {
    const failure = fullDisk(error)?.what ?? (error instanceof Error ? error.message : String(error))
    const message = hide(cappedText(failure))
    return { ok: false, error: 'spawn', message, retry: 'never', usage: usageOf(noUsage) }
  } finally {
    log.close()
  }
}

/** What a reply says is recorded, shown and written into files of the project, so it is hidden before any of that. */
function withoutSecrets<Result>(
  reply: DispatchReply<Result>,
  task: AgentTask<Result>,
  secrets: readonly string[],
): DispatchReply<Result> {
  const hidden = redactValue(createTextRedactor(secrets), reply)
  if (!hidden.ok || task.expects.safeParse(hidden.result).success) return hidden
  // The value of some variable is a word of the contract, such as a status: only what looks like a key is hidden.
  return redactValue(createTextRedactor([]), reply)
}

async function converse<Result>(
  task: AgentTask<Result>,
  context: DispatchContext,
  log: DispatchLog,
  hide: (text: string) => string,
): Promise<DispatchReply<Result>> {
  const schema = schemaJson(task.expects)
  const file = await writeDispatchFile(task, context, schema)
  const events = watchEvents(context)
  const { sessionDir, finish, confinement } = await confined(context)
  const request = { ...openRequest(task, context, { schema, file, log }), ...confinement }
  const first = await runTurn(context, request, events)

  const settled = judge(task, context, first.outcome, events)
  const isWrong =
    !settled.ok && settled.error === 'schema' && settled.retry !== 'never' && !context.signal.aborted
  const prompt = isWrong ? repairPrompt(settled.message, schema) : undefined
  const repair =
    prompt === undefined ? undefined : await repairTurn(context, { ...request, prompt }, events, first)
  await first.conversation?.close()
  await repair?.conversation?.close()
  for (const path of await finish())
    context.line({
      kind: 'note',
      text: `the agent wrote ${sessionDir}/${path}, which is not its own; it stays as it was`,
    })
  events.finish()

  const reply = repair ? judge(task, context, inTotal(first, repair), events) : settled
  if (reply.ok) return reply
  const said = reply.error === 'schema' ? events.said() : ''
  return { ...reply, message: hide(cappedText(reply.message)), ...(said === '' ? {} : { said }) }
}

/** How this dispatch is confined, and what has to be done after its end: nothing without confinement. */
async function confined(context: DispatchContext): Promise<{
  sessionDir: string
  confinement: Pick<OpenRequest, 'confinement'>
  finish(): Promise<string[]>
}> {
  const { sessionDir, confinement: session } = context
  if (!session) return { sessionDir, confinement: {}, finish: async () => [] }
  const { confinement, finish } = await confineDispatch(session, {
    backend: context.backend.id,
    cwd: context.cwd,
    env: context.env,
    sessionDir: join(context.projectDir, sessionDir),
    dispatchId: context.dispatchId,
    records: context.records ?? [],
  })
  return { sessionDir, confinement: { confinement }, finish }
}

interface Turn {
  conversation?: Conversation
  outcome: Outcome
}

/** A conversation reports its own total; a resumed one is a second conversation, so both count. */
function inTotal(first: Turn, repair: Turn): Outcome {
  if (!repair.conversation) return repair.outcome
  const usage = addUsage(first.outcome.usage, { type: 'usage', scope: 'turn', ...repair.outcome.usage })
  return { ...repair.outcome, usage }
}

/** One turn of an agent, ended early when the run is stopped. */
async function runTurn(context: DispatchContext, request: OpenRequest, events: Events): Promise<Turn> {
  if (context.signal.aborted) return { outcome: aborted(noUsage) }
  const conversation = await context.backend.open(request, (event) => events.take(event))
  events.answerWith(conversation)
  context.say?.((text) => conversation.send(text))
  context.hold?.((on) => conversation.pause(on))
  return { conversation, outcome: await endOfTurn(context, conversation) }
}

async function endOfTurn(context: DispatchContext, conversation: Conversation): Promise<Outcome> {
  const stop = () => void conversation.close()
  let interrupted: NodeJS.Timeout | undefined
  context.interrupt?.(() => {
    if (interrupted) return
    interrupted = setTimeout(stop, interruptPatience)
    void conversation.interrupt().catch(stop)
  })
  if (context.signal.aborted) stop()
  else context.signal.addEventListener('abort', stop, { once: true })
  try {
    const outcome = await conversation.done
    // Not done before its processes are gone: whoever asked to stop relies on that.
    if (context.signal.aborted) await conversation.close()
    // Also where the turn came to its end just then: the person wants to say something first.
    return interrupted ? aborted(outcome.usage, 'The agent was interrupted.') : outcome
  } finally {
    clearTimeout(interrupted)
    context.signal.removeEventListener('abort', stop)
  }
}

/** The same conversation once more: still open, or resumed by its id. Undefined where the backend can do neither. */
async function repairTurn(
  context: DispatchContext,
  request: OpenRequest,
  events: Events,
  first: Turn,
): Promise<Turn | undefined> {
  const announce = () =>
    context.line({ kind: 'note', text: 'The result is not valid; asking the agent once to mend it.' })
  if (first.conversation?.send(request.prompt) === 'sent') {
    announce()
    return { outcome: await endOfTurn(context, first.conversation) }
  }
  const id = first.conversation?.sessionId ?? events.sessionId()
  if (!context.backend.caps.resume || id === undefined) return undefined
  announce()
  await first.conversation?.close()
  return runTurn(context, { ...request, session: { id, mode: 'resume' } }, events)
}

function judge<Result>(
  task: AgentTask<Result>,
  context: DispatchContext,
  outcome: Outcome,
  events: Events,
): DispatchReply<Result> {
  const sessionId = events.sessionId()
  const usage = usageOf(outcome.usage)
  if (context.signal.aborted) return { ...aborted(outcome.usage), usage, sessionId }
  if (!outcome.ok) return { ...outcome, usage, sessionId }
  const read: z.ZodSafeParseResult<Result> = task.expects.safeParse(outcome.result)
  if (!read.success) {
    const message = `The result does not have the agreed shape: ${validationErrors(read.error).join('; ')}`
    return { ok: false, error: 'schema', message, retry: 'now', usage, sessionId }
  }
  if (isContradicted(task, outcome, read.data)) {
    const message =
      'The agent handed back two different results; which of them counts is not for it to leave open.'
    return { ok: false, error: 'schema', message, retry: 'never', usage, sessionId }
  }
  const commands = events.commands()
  const output = events.output()
  return {
    ok: true,
    result: read.data,
    text: outcome.text,
    ...(outcome.raw === undefined ? {} : { raw: outcome.raw }),
    usage,
    sessionId,
    denials: events.denials(),
    ...(commands === undefined ? {} : { commands }),
    ...(output === undefined ? {} : { output }),
  }
}

/** A second result of the same kind that says something else; one of another kind is none (docs/agents.md, "Results"). */
function isContradicted<Result>(
  task: AgentTask<Result>,
  outcome: Extract<Outcome, { ok: true }>,
  result: Result,
): boolean {
  const blocks = readJsonBlocks(outcome.text).flatMap((block) =>
    block.kind === 'found' ? [block.value] : [],
  )
  return [...(outcome.others ?? []), ...blocks].some((other) => {
    const read = task.expects.safeParse(other)
    return read.success && !sameResult(read.data, result)
  })
}

function aborted(usage: TokenUsage, message = 'The agent was stopped.'): Extract<Outcome, { ok: false }> {
  return { ok: false, error: 'aborted', message, retry: 'now', usage }
}

interface Events {
  take(event: AgentEvent): void
  answerWith(conversation: Conversation): void
  sessionId(): string | undefined
  denials(): string[]
  /** Commands that were run; undefined where the program reports no tools. */
  commands(): number | undefined
  /** The end of what its tests or commands have printed. */
  output(): string | undefined
  /** The end of what the agent itself has said. */
  said(): string
  finish(): void
}

/** Characters of it: what somebody reads who has to answer. */
const saidTail = 8 * 1024

/** Passes events on to the pane, the totals and the person, and remembers what the reply has to tell. */
function watchEvents(context: DispatchContext): Events {
  const pane = createPaneWriter((line) => context.line(line))
  const denied: string[] = []
  const tools = new Map<string, boolean>()
  const spoken = createTextRecord(saidTail)
  const printed = createCommandOutput()
  let session = context.resume?.sessionId
  let conversation: Conversation | undefined
  let used = noUsage

  async function answer(event: Extract<AgentEvent, { type: 'ask' }>): Promise<void> {
    const chosen = (await context.ask?.(event).catch(() => undefined)) ?? safeAnswer(event)
    conversation?.answer(event.askId, chosen)
  }

  return {
    take(event) {
      context.event?.(event)
      pane.event(event)
      if (event.type === 'text' && event.agent === undefined) spoken.take(event)
      if (event.type === 'session') {
        session = event.id
        context.session(event.id)
      }
      if (event.type === 'usage') {
        used = addUsage(used, event)
        context.usage(usageOf(used))
      }
      if (event.type === 'tool' && event.status === 'denied') denied.push(event.title)
      if (event.type === 'tool') {
        tools.set(event.id, event.status !== 'denied' && runsCommand(event))
        printed.take(event)
      }
      if (event.type === 'ask') void answer(event)
    },
    answerWith(open) {
      conversation = open
    },
    sessionId: () => session,
    denials: () => [...denied],
    commands: () =>
      tools.size === 0 && mayTellTools.has(context.backend.id)
        ? undefined
        : [...tools.values()].filter((ran) => ran).length,
    output: () => printed.text(),
    said: () => spoken.text().trim(),
    finish: () => pane.end(),
  }
}

/** Programs that tell their tools if they like to; the protocol of every other backend tells each of them. */
const mayTellTools: ReadonlySet<string> = new Set(['command', 'rehearsal'])

/** Nobody is there to answer: nothing is permitted that was not before. */
function safeAnswer(event: Extract<AgentEvent, { type: 'ask' }>): { optionId: string; text: string } {
  const option = event.options.find((each) => each.kind === 'deny') ?? event.options[event.options.length - 1]
  return { optionId: option?.id ?? 'deny', text: 'Nobody can answer. Go on without it.' }
}

function openRequest<Result>(
  task: AgentTask<Result>,
  context: DispatchContext,
  made: { schema: unknown; file: string; log: DispatchLog },
): OpenRequest {
  const { backend, resume } = context
  const silence = backend.silence ?? usualSilence
  const session = resume && backend.caps.resume ? resume : undefined
  return {
    runId: context.runId,
    dispatchId: context.dispatchId,
    role: task.persona,
    cwd: context.cwd ?? context.projectDir,
    folder: join(context.projectDir, context.sessionDir),
    prompt: session ? (session.prompt ?? resumePrompt()) : task.prompt,
    schema: made.schema,
    model: context.model,
    access: task.access,
    permissions: context.permissions,
    env: {
      ...context.env,
      AUTOPILOT_RUN_ID: context.runId,
      AUTOPILOT_SESSION_DIR: context.sessionDir,
      AUTOPILOT_PERSONA: task.persona,
      AUTOPILOT_PHASE: String(task.phase),
      AUTOPILOT_ATTEMPT: String(task.attempt),
      AUTOPILOT_DISPATCH: made.file,
    },
    session: session ? { id: session.sessionId, mode: 'resume', task: task.prompt } : undefined,
    limits: {
      ...silence,
      idleMs: context.idleMs ?? silence.idleMs,
      wallMs: task.wallMs,
      turns: context.turns,
      usd: context.usd,
    },
    raw: (stream, bytes) => made.log.raw(stream, bytes),
  }
}

/** Fields in which a person's own words to this dispatch are: they stay as they were typed. */
const typed = ['note', 'checkpointAnswer']

/** What a dispatch file says of files and agents, without secrets. */
function hiddenBrief(brief: Record<string, unknown>, { env }: DispatchContext): Record<string, unknown> {
  const hide = createTextRedactor(recordedSecrets(process.env, env))
  return Object.fromEntries(
    Object.entries(brief).map(([name, value]) => [
      name,
      typed.includes(name) ? value : redactValue(hide, value),
    ]),
  )
}

/** Writes the file that AUTOPILOT_DISPATCH names and returns its absolute path. Replaces one of an earlier try. */
async function writeDispatchFile<Result>(
  task: AgentTask<Result>,
  context: DispatchContext,
  resultSchema: unknown,
): Promise<string> {
  const content = {
    id: context.dispatchId,
    workflow: task.workflow,
    persona: task.persona,
    attempt: task.attempt,
    projectDir: context.projectDir,
    ...(context.cwd === undefined ? {} : { cwd: context.cwd }),
    sessionDir: context.sessionDir,
    ...hiddenBrief(task.brief, context),
    resultSchema,
  }
  const path = join(context.projectDir, dispatchFilePath(context.sessionDir, context.dispatchId))
  const draft = `${path}.${process.pid}.tmp`
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  try {
    const file = await open(draft, 'w', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(content, undefined, 2)}\n`)
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await unlink(draft).catch(() => undefined)
    throw error
  }
  return path
}
