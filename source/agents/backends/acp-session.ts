import type { ClientContext } from '@agentclientprotocol/sdk'
import { z } from 'zod'
import { version } from '../../version.js'
import type { AgentEvent, OpenRequest } from '../agent.js'

// The handshake of the Agent Client Protocol: initialize, a new session or an earlier one, the model
// (docs/agents.md, "Agent Client Protocol").

/** The earlier conversation is gone and the request does not carry what a new one would need. */
export class ConversationGone extends Error {}

export interface OpenedSession {
  id: string
  /** First prompt: that of the request, or the whole task where the earlier conversation is lost. */
  prompt: string
  /** True if an earlier conversation goes on. */
  resumed: boolean
}

export interface SessionContext {
  request: OpenRequest
  sink(event: AgentEvent): void
  /** While it is on, updates are history that is played back. */
  replaying(on: boolean): void
  /** True where the profile tells the program its model by itself. */
  modelIsSet: boolean
}

const helloSchema = z.object({
  protocolVersion: z.number(),
  agentInfo: z.object({ version: z.string() }).optional().catch(undefined),
  agentCapabilities: z.object({ loadSession: z.boolean() }).optional().catch(undefined),
})

const modelOption = z.object({
  id: z.string(),
  category: z.string().nullish(),
  currentValue: z.unknown().optional(),
  options: z.array(z.object({ value: z.string() })).catch([]),
})

const stateSchema = z.object({
  configOptions: z
    .array(z.union([modelOption, z.unknown().transform(() => undefined)]))
    .nullish()
    .catch(undefined),
  models: z
    .object({
      currentModelId: z.string().optional().catch(undefined),
      availableModels: z.array(z.object({ modelId: z.string() })).catch([]),
    })
    .nullish()
    .catch(undefined),
})
type SessionState = z.infer<typeof stateSchema>

const newSessionSchema = z.object({ sessionId: z.string().min(1) })

/** Throws what the agent answers with, a ZodError for an answer that is none, and ConversationGone. */
export async function openSession(agent: ClientContext, context: SessionContext): Promise<OpenedSession> {
  const { request, sink } = context
  const hello = helloSchema.parse(
    await agent.request<unknown>('initialize', {
      protocolVersion: 1,
      clientInfo: { name: 'autopilot', title: 'Autopilot', version },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    }),
  )
  const canLoad = hello.agentCapabilities?.loadSession === true
  const earlier = request.session?.mode === 'resume' ? request.session : undefined
  const loaded = earlier && canLoad ? await load(agent, context, earlier.id) : undefined
  const opened = loaded ? { state: loaded, id: earlier?.id ?? '' } : await begin(agent, request)

  const { state, id } = opened
  const model = modelOf(state)
  const agentVersion = hello.agentInfo?.version
  sink({
    type: 'session',
    id,
    ...(model === undefined ? {} : { model }),
    ...(agentVersion === undefined ? {} : { version: agentVersion }),
  })
  if (request.model !== undefined && !context.modelIsSet && request.model !== model) {
    await setModel(agent, context, { id, state }, request.model)
  }
  if (loaded) return { id, prompt: request.prompt, resumed: true }
  return { id, prompt: firstPrompt(request, earlier !== undefined, sink), resumed: false }
}

/** Plays the history back before it answers. Undefined where the agent cannot find or read the conversation. */
async function load(
  agent: ClientContext,
  context: SessionContext,
  sessionId: string,
): Promise<SessionState | undefined> {
  context.replaying(true)
  try {
    const { cwd } = context.request
    return stateSchema.parse(
      (await agent.request<unknown>('session/load', { sessionId, cwd, mcpServers: [] })) ?? {},
    )
  } catch (error) {
    if (agentIsGone(error)) throw error
    const why = error instanceof Error ? error.message : String(error)
    context.sink({ type: 'log', stream: 'stderr', line: `the earlier conversation cannot be loaded: ${why}` })
    return undefined
  } finally {
    context.replaying(false)
  }
}

async function begin(
  agent: ClientContext,
  request: OpenRequest,
): Promise<{ state: SessionState; id: string }> {
  const answer = await agent.request<unknown>('session/new', { cwd: request.cwd, mcpServers: [] })
  return { id: newSessionSchema.parse(answer).sessionId, state: stateSchema.parse(answer) }
}

function firstPrompt(request: OpenRequest, isLost: boolean, sink: (event: AgentEvent) => void): string {
  if (!isLost) return withRole(request, request.prompt)
  const task = request.session?.task
  if (task === undefined)
    throw new ConversationGone('The earlier conversation of the agent cannot be continued.')
  sink({ type: 'log', stream: 'stdout', line: 'a new conversation begins; what was said before is lost' })
  return withRole(
    request,
    `Work on the task below was begun before and broken off, and that conversation is gone. Look at \`git status\` and \`git log\` for what of it has reached the disk; keep what is good and do not repeat it.\n\n${task}`,
  )
}

/** Neither a role nor a schema has a place of its own in the protocol, so both go into the prompt. */
function withRole(request: OpenRequest, prompt: string): string {
  const role = request.systemAppend === undefined ? '' : `${request.systemAppend.trimEnd()}\n\n`
  if (request.schema === undefined) return `${role}${prompt}`
  const schema = JSON.stringify(request.schema, undefined, 2)
  if (prompt.includes(schema)) return `${role}${prompt}`
  const ending = prompt.endsWith('\n') ? '' : '\n'
  return `${role}${prompt}${ending}\nEnd your very last message with the result: one fenced block marked \`json\` that fits this JSON Schema, and nothing after it.\n\n\`\`\`json\n${schema}\n\`\`\`\n`
}

function modelChoice(state: SessionState) {
  return state.configOptions?.find((option) => option?.category === 'model')
}

function modelOf(state: SessionState): string | undefined {
  const current = modelChoice(state)?.currentValue
  return typeof current === 'string' ? current : state.models?.currentModelId
}

async function setModel(
  agent: ClientContext,
  { sink }: SessionContext,
  { id: sessionId, state }: { id: string; state: SessionState },
  model: string,
): Promise<void> {
  const note = (line: string) => sink({ type: 'log', stream: 'stderr', line })
  const option = modelChoice(state)
  try {
    if (option?.options.some(({ value }) => value === model)) {
      await agent.request('session/set_config_option', { sessionId, configId: option.id, value: model })
    } else if (state.models?.availableModels.some(({ modelId }) => modelId === model)) {
      await agent.request<unknown>('session/set_model', { sessionId, modelId: model })
    } else note(`the agent does not offer the model ${model}; its own is used`)
  } catch (error) {
    if (agentIsGone(error)) throw error
    const why = error instanceof Error ? error.message : String(error)
    note(`the agent did not accept the model ${model} (${why}); its own is used`)
  }
}

/** An answer of the agent has a code; without one the connection itself is at its end. */
function agentIsGone(error: unknown): boolean {
  return !(error instanceof z.ZodError) && !(error instanceof Error && 'code' in error)
}
