import { join } from 'node:path'
import type { z } from 'zod'
import { fullDisk } from '../problem.js'
import { createRedactor, createTextRedactor, redactValue, secretValues } from '../secrets/redact.js'
import type { AgentTask, Conversation, DispatchReply, OpenRequest, Outcome, TokenUsage } from './agent.js'
import { cappedText } from './border.js'
import { confineDispatch } from './confinement.js'
import { type DispatchContext, dispatchLogPath } from './dispatch-context.js'
import { type DispatchEvents, watchEvents } from './dispatch-events.js'
import { openRequest, writeDispatchFile } from './dispatch-request.js'
import { addUsage, noUsage, usageOf } from './events.js'
import { gatherLines } from './gathered-lines.js'
import { type DispatchLog, openDispatchLog } from './log.js'
import { repairPrompt } from './repair-prompt.js'
import { readJsonBlocks, sameResult, schemaJson, validationErrors, wordsBeside } from './result.js'
import type { NotTaken } from './session-mirror.js'
import { redactingLines } from './shown-lines.js'

/** Characters of a text that may be nothing but a result: what is longer says something beside it. */
const longestResultText = 256 * 1024
/** Milliseconds that an interrupted turn may take to end by itself. */
const interruptPatience = 10_000

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
  let log: DispatchLog | undefined
  const { write: line, flush } = gatherLines(
    redactingLines(secrets, (told) => context.line(told, log?.written())),
  )
  const note = (text: string) => line({ kind: 'note', text })
  const logPath = join(context.projectDir, dispatchLogPath(context.sessionDir, context.dispatchId))
  await context.guard?.()
  const opened = openDispatchLog(logPath, secrets, note)
  log = opened
  try {
    const reply = await converse(task, { ...context, line }, opened, hide)
    return withoutSecrets(reply, task, secrets)
  } catch (error) {
    const failure = fullDisk(error)?.what ?? (error instanceof Error ? error.message : String(error))
    const message = hide(cappedText(failure))
    return { ok: false, error: 'spawn', message, retry: 'never', usage: usageOf(noUsage) }
  } finally {
    opened.close()
    flush()
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
  const { ours, odd } = await finish()
  for (const path of ours)
    context.line({
      kind: 'note',
      text: `the agent wrote ${sessionDir}/${path}, which is not its own; it stays as it was`,
    })
  events.finish()

  const reply = repair ? judge(task, context, inTotal(first, repair), events) : settled
  if (reply.ok && odd.length > 0) return withoutRecord(reply, odd)
  if (reply.ok) return reply
  const said = mayHaveSaidWhy.has(reply.error) ? events.said() : ''
  return { ...reply, message: hide(cappedText(reply.message)), ...(said === '' ? {} : { said }) }
}

/** One that ends so may have asked and waited, and often says only in its text why; the others have a cause of their own. */
const mayHaveSaidWhy: ReadonlySet<string> = new Set(['schema', 'crash', 'timeout', 'refused', 'denied'])

/** A record that nobody can read says nothing, and the result beside it is not believed alone. */
function withoutRecord<Result>(reply: DispatchReply<Result>, odd: NotTaken['odd']): DispatchReply<Result> {
  const places = odd.map(({ path, what }) => `${what} in the place of ${path}`).join(', ')
  const message = `The agent left ${places}. It was not read.`
  const { usage, sessionId } = reply
  return { ok: false, error: 'schema', message, retry: 'never', usage, sessionId }
}

/** How this dispatch is confined, and what has to be done after its end: nothing without confinement. */
async function confined(context: DispatchContext): Promise<{
  sessionDir: string
  confinement: Pick<OpenRequest, 'confinement'>
  finish(): Promise<NotTaken>
}> {
  const { sessionDir, confinement: session } = context
  if (!session) return { sessionDir, confinement: {}, finish: async () => ({ ours: [], odd: [] }) }
  const { confinement, finish } = await confineDispatch(session, {
    backend: context.backend.id,
    cwd: context.cwd,
    env: context.env,
    sessionDir: join(context.projectDir, sessionDir),
    dispatchId: context.dispatchId,
    records: context.records ?? [],
    ...(context.sight === undefined ? {} : { sight: context.sight }),
    ...(context.resume === undefined ? {} : { resumed: context.resume.sessionId }),
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
async function runTurn(
  context: DispatchContext,
  request: OpenRequest,
  events: DispatchEvents,
): Promise<Turn> {
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
  events: DispatchEvents,
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
  events: DispatchEvents,
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
  const failedCommands = events.failedCommands()
  const output = events.output()
  const isSpoken = outcome.text.length > longestResultText || wordsBeside(outcome.text) !== ''
  const said = isSpoken ? '' : wordsBeside(events.said())
  return {
    ok: true,
    result: read.data,
    text: outcome.text,
    ...(said === '' ? {} : { said }),
    ...(outcome.raw === undefined ? {} : { raw: outcome.raw }),
    usage,
    sessionId,
    denials: events.denials(),
    ...(commands === undefined ? {} : { commands }),
    ...(failedCommands > 0 ? { failedCommands } : {}),
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
