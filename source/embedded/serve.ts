import { setTimeout as wait } from 'node:timers/promises'
import type { AgentEvent, Outcome } from '../agents/agent.js'
import { noUsage } from '../agents/events.js'
import { createLineSplitter } from '../processes/jsonl.js'
import { redacted } from '../secrets/redact.js'
import { version } from '../version.js'
import { openConversation, type StoredConversation } from './conversation.js'
import { createInbox } from './inbox.js'
import { runLoop } from './loop.js'
import { createPermissions } from './permissions.js'
import { factsOf } from './prices.js'
import { type EmbeddedRequest, type Failure, requestSchema, timesOf } from './protocol.js'
import { createReport } from './report.js'
import { openModel, type StartTimer } from './stream.js'
import { systemPrompt } from './system-prompt.js'
import { openToolset } from './tools/toolset.js'

export interface ServeOptions {
  /** Lines of the protocol; its end before ours means that nobody listens any more. */
  input: AsyncIterable<Buffer | string>
  write(line: string): void
  env: Record<string, string | undefined>
  /** Fired from outside to end the turn. */
  stop: AbortController
  /** From 0 to 1, for the pauses between tries. */
  random?(): number
  /** Epoch milliseconds. Default: the clock of this machine. */
  now?(): number
  /** Watches the silence of the model server. */
  startTimer?: StartTimer
}

/** Serves one turn: reads the request, works, writes events; the last line is `end`. Returns the exit code. */
export async function serve(options: ServeOptions): Promise<number> {
  const emit = (event: AgentEvent) => options.write(JSON.stringify(event))
  const inbox = createInbox(() => options.stop.abort())
  const request = readInput(options, inbox.line, (line) => emit({ type: 'log', stream: 'stdout', line }))
  const outcome = await request.then(
    (given) => work(given, inbox, options, emit),
    (error: unknown) => failed('input', error),
  )
  emit({ type: 'end', outcome })
  return outcome.ok ? 0 : 1
}

/** Settles with the request; lines after it go to the inbox for as long as they come. */
function readInput(
  options: ServeOptions,
  line: (text: string) => boolean,
  note: (text: string) => void,
): Promise<EmbeddedRequest> {
  return new Promise((resolve, reject) => {
    let isFirst = true
    const splitter = createLineSplitter({
      line(text) {
        if (isFirst) {
          isFirst = false
          resolve(Promise.resolve(text).then(readRequest))
        } else if (text.trim() !== '' && !line(text))
          note('a line on stdin was not understood and is ignored')
      },
      skipped: () =>
        isFirst ? reject(new Error('The request is too long.')) : note('a line on stdin was too long'),
    })
    const read = async () => {
      for await (const chunk of options.input) splitter.push(Buffer.from(chunk))
      splitter.end()
    }
    void read()
      .catch(() => {})
      .then(() => {
        reject(new Error('No request came on stdin.'))
        options.stop.abort()
      })
  })
}

function readRequest(text: string): EmbeddedRequest {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('The first line on stdin is not a request: it is no JSON.')
  }
  const request = requestSchema.safeParse(value)
  if (request.success) return request.data
  const [issue] = request.error.issues
  throw new Error(`The request cannot be used: ${issue?.path.join('.')}: ${issue?.message}`)
}

async function work(
  request: EmbeddedRequest,
  inbox: ReturnType<typeof createInbox>,
  options: ServeOptions,
  emit: (event: AgentEvent) => void,
): Promise<Outcome> {
  const { signal } = options.stop
  const { env } = options
  const times = timesOf(request)
  const keys = keysOf(env)
  const report = createReport(request.schema)
  if (report && 'error' in report) return { ok: false, ...report, usage: noUsage }
  const auth = env.ANTHROPIC_API_KEY ? 'API key' : env.ANTHROPIC_AUTH_TOKEN ? 'token' : 'none'
  emit({ type: 'session', id: request.sessionId, model: request.model, auth, version })

  try {
    const opened = await openStored(request, keys, (line) => emit({ type: 'log', stream: 'stdout', line }))
    if ('error' in opened) return { ok: false, ...opened, usage: noUsage }
    const model = await openModel({
      baseURL: request.baseURL,
      apiKey: env.ANTHROPIC_API_KEY || undefined,
      authToken: env.ANTHROPIC_AUTH_TOKEN || undefined,
      times,
      emit,
      ...(options.startTimer ? { startTimer: options.startTimer } : {}),
    })
    const { cwd, access, limits } = request
    const facts = factsOf(request.model, request.facts)
    if (limits.usd !== undefined && !facts.price) {
      emit({
        type: 'log',
        stream: 'stdout',
        line: `the price of ${request.model} is not known: no budget is held`,
      })
    }
    return await runLoop(opened.prompt, {
      modelName: request.model,
      model,
      facts,
      system: systemPrompt({ cwd, access, reports: report !== undefined, append: request.systemAppend }),
      report,
      conversation: opened.conversation,
      inbox,
      limits,
      retry: {
        emit,
        times,
        signal,
        now: options.now ?? Date.now,
        random: options.random ?? Math.random,
        // Cut short by a stop, which the loop sees by itself.
        sleep: (ms) => wait(ms, undefined, { signal }).catch(() => {}),
      },
      tools: await openToolset({ access, cwd, env: commandEnvironment(env), commandMs: times.commandMs }),
      permissions: createPermissions({ policy: request.policy, grants: request.grants, inbox, emit }),
      emit,
      signal,
      cwd,
      outputDir: request.outputDir,
      keys,
    })
  } catch (error) {
    return failed('crash', error)
  }
}

/** The conversation to go on in, and what to say in it. */
async function openStored(
  request: EmbeddedRequest,
  keys: readonly string[],
  note: (line: string) => void,
): Promise<{ conversation: StoredConversation; prompt: string } | Failure> {
  const { conversationFile: file, resumeFile, prompt, task } = request
  const hide = (text: string) => keys.reduce((left, key) => left.replaceAll(key, redacted), text)
  try {
    return { conversation: await openConversation({ file, resumeFile, hide }), prompt }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    if (resumeFile === undefined || task === undefined) {
      const what = resumeFile === undefined ? 'kept' : 'continued'
      const message = `The conversation ${request.sessionId} cannot be ${what}: ${why}`
      return { error: 'input', message, retry: 'never' }
    }
    note(`the earlier conversation cannot be read, a new one begins: ${why}`)
    return { conversation: await openConversation({ file, hide }), prompt: task }
  }
}

function failed(error: Failure['error'], cause: unknown): Outcome {
  const message = cause instanceof Error ? cause.message : String(cause)
  return { ok: false, error, message, retry: 'never', usage: noUsage }
}

const keyName = /^ANTHROPIC_/

/** Keys of the model server stay with us: a command has no use for them. */
function commandEnvironment(env: Record<string, string | undefined>): Record<string, string> {
  const out: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !keyName.test(name)) out[name] = value
  }
  return out
}

function keysOf(env: Record<string, string | undefined>): string[] {
  return [env.ANTHROPIC_API_KEY, env.ANTHROPIC_AUTH_TOKEN].flatMap((key) =>
    key && key.length >= 8 ? [key] : [],
  )
}
