import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withoutEnd } from '../../documents/edit.js'
import { bundledProgram } from '../../processes/bundled-program.js'
import type { LadderTimes } from '../../processes/ladder.js'
import { version } from '../../version.js'
import type { AgentEvent, Backend, Conversation, OpenRequest, PermissionPolicy } from '../agent.js'
import { type ChildLink, openChildConversation, type Protocol } from '../child-conversation.js'
import type { LastWords } from '../end-of-process.js'
import { type EndLine, parseEventLine } from '../events.js'
import { createTextRecord } from '../text-record.js'

// The agent that comes with autopilot: a loop over the Messages API in a process of its own (docs/agents.md,
// "Embedded agent"). One process is one turn; the conversation is in a file, and a further turn goes on from there.

/** Used where nobody names a model. */
export const defaultModel = 'claude-sonnet-5-5'

export interface EmbeddedOptions {
  model?: string | undefined
  /** Any server that speaks the Messages API; with or without /v1. Default: ANTHROPIC_BASE_URL, else the public one. */
  baseURL?: string | undefined
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
  program?: string | undefined
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
  return text ? withoutEnd(text, '/').replace(/\/v1$/, '') : undefined
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
  const { options } = setting
  const program = options.program ?? bundledProgram('embedded')
  const sessionId = request.session?.mode === 'resume' ? request.session.id : randomUUID()
  const first = firstLine(setting, request, { folder: await folderOf(request), sessionId })
  return openChildConversation(
    {
      file: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', program],
      env: { ...request.env, ...keysOf(setting.environment) },
      request,
      sink,
      ...(options.ladder ? { times: options.ladder } : {}),
    },
    (link) => embeddedProtocol(link, { request, first, sessionId, granted: setting.granted }),
  )
}

/** What the program is told first; see embedded/protocol.ts. */
function firstLine(
  { options, granted, model, baseURL }: Setting,
  request: OpenRequest,
  { folder, sessionId }: { folder: string; sessionId: string },
): object {
  const fileOf = (id: string) => join(folder, 'conversations', `${safeName(id)}.jsonl`)
  const resumed = request.session && request.session.mode !== 'new' ? request.session.id : undefined
  return {
    prompt: request.prompt,
    systemAppend: request.systemAppend,
    schema: request.schema,
    model: request.model ?? model,
    access: request.access,
    policy: request.permissions ?? options.policy,
    grants: [...granted],
    cwd: request.cwd,
    limits: {
      turns: request.limits.turns ?? options.limits?.turns,
      usd: request.limits.usd ?? options.limits?.usd,
    },
    baseURL,
    sessionId,
    conversationFile: fileOf(sessionId),
    resumeFile: resumed === undefined ? undefined : fileOf(resumed),
    task: request.session?.task,
    outputDir: join(folder, 'outputs', `${safeName(request.dispatchId)}-${sessionId.slice(0, 8)}`),
    facts: options.facts,
    times: options.times,
  }
}

interface Embedded {
  request: OpenRequest
  first: object
  sessionId: string
  granted: Set<string>
}

function embeddedProtocol(link: ChildLink, { request, first, sessionId, granted }: Embedded): Protocol {
  const record = createTextRecord()
  const say = (line: object) => link.write(`${JSON.stringify(line)}\n`)
  let end: EndLine | undefined
  return {
    opened: () => void say(first),
    line(text) {
      link.alive()
      const event = parseEventLine(text)
      if (event === undefined) link.log(text)
      else if (event.type === 'end') {
        end = event
        link.settled()
        // The turn is over; the program ends by itself when nobody speaks to it any more.
        link.endInput()
      } else {
        if (event.type === 'text') record.take(event)
        link.emit(event)
      }
    },
    leave: () => void say({ t: 'interrupt' }),
    lastWords: () => wordsOf(end, record.text(), request.schema !== undefined),
    usage: () => end?.usage,
    sessionId: () => sessionId,
    send: (text) => (end === undefined && say({ t: 'send', text }) ? 'sent' : 'unsupported'),
    answer(askId, { optionId, text }) {
      link.answered(askId)
      if (optionId.startsWith('run:')) granted.add(optionId)
      say({ t: 'answer', askId, optionId, text })
    },
    async interrupt() {
      // An answer that is already there counts: there is nothing left to interrupt.
      if (end === undefined) await link.stop()
      else await link.done()
    },
  }
}

/** Success is its last event, that this says so, and a result if one is expected. */
function wordsOf(end: EndLine | undefined, text: string, isResultExpected: boolean): LastWords {
  if (end?.failure) return { said: 'failure', failure: end.failure }
  if (end === undefined) return { said: 'nothing', missing: 'The agent ended without its last event.' }
  const { result } = end
  const hasResult = result !== undefined
  const raw = end.raw === undefined ? {} : { raw: end.raw }
  if (hasResult || !isResultExpected) return { said: 'done', result, text, ...raw, hasResult }
  const message = 'The agent ended without a result.'
  return { said: 'flawed', failure: { error: 'schema', message, retry: 'now' } }
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
  if (request.folder !== undefined) return request.folder
  return mkdtemp(join(tmpdir(), 'autopilot-embedded-'))
}

function safeName(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 100)
}
