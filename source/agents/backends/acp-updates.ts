import { z } from 'zod'
import { unifiedDiff } from '../../documents/diff.js'
import type { AgentEvent, ToolKind } from '../agent.js'
import { withValue } from '../read-only-map.js'

// `session/update` of the Agent Client Protocol as events (docs/agents.md, "Agent Client Protocol"). Other kinds are ignored; a known kind
// that cannot be read is reported, because words of the agent are lost with it.

type ToolEvent = Extract<AgentEvent, { type: 'tool' }>

/** Characters of a tool's output that go to the pane. */
const outputLimit = 200_000

const optionalText = z.string().optional().catch(undefined)

const toolContent = z.union([
  z.object({ type: z.literal('content'), content: z.object({ type: z.literal('text'), text: z.string() }) }),
  z.object({
    type: z.literal('diff'),
    path: z.string(),
    oldText: z.string().nullish().catch(undefined),
    newText: z.string(),
  }),
  z.unknown().transform(() => undefined),
])

/** A tool call, whole or only what changed, as it comes in updates and in permission requests. */
export const toolCallSchema = z.object({
  toolCallId: z.string(),
  title: optionalText,
  kind: optionalText,
  status: optionalText,
  content: z.array(toolContent).optional().catch(undefined),
  locations: z
    .array(z.object({ path: z.string() }))
    .optional()
    .catch(undefined),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
})
export type ToolCall = z.infer<typeof toolCallSchema>

const chunk = z.object({
  messageId: optionalText,
  content: z.object({ type: z.string(), text: optionalText }),
})

const planSchema = z.object({
  entries: z.array(z.object({ content: z.string(), status: z.string().catch('pending') })),
})

const costSchema = z.object({ cost: z.object({ amount: z.number().nonnegative(), currency: z.string() }) })

const updateSchema = z.object({
  sessionId: z.string(),
  update: z.looseObject({ sessionUpdate: z.string() }),
})

/** What an update tells, in order. */
export type UpdateFact =
  | { fact: 'event'; event: AgentEvent }
  /** What the whole session cost so far. */
  | { fact: 'cost'; usd: number }
  /** A tool began: what was said before it is not the final message. */
  | { fact: 'tool-began' }
  /** The agent went on after a tool: the model answered once more. */
  | { fact: 'model-answered' }

/** The tools of one conversation, and what it did last. */
export interface UpdateState {
  tools: ReadonlyMap<string, Tool>
  /** Runs of text so far: those without an id of their own are named by it. */
  spoken: number
  /** A tool ended, and the model has not answered since. */
  afterTool: boolean
}

interface Tool {
  event: ToolEvent
  shown: boolean
}

export const beforeUpdates: UpdateState = { tools: new Map(), spoken: 0, afterTool: false }

type Read = [UpdateState, UpdateFact[]]

/** Reads one update. Undefined when it is of a known kind and cannot be read. */
export function readUpdate(
  state: UpdateState,
  params: unknown,
  sessionId: string | undefined,
): Read | undefined {
  const read = updateSchema.safeParse(params)
  if (!read.success) return undefined
  const { update } = read.data
  if (sessionId !== undefined && read.data.sessionId !== sessionId) return [state, []]
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      return readSpeech(state, 'text', update)
    case 'agent_thought_chunk':
      return readSpeech(state, 'thinking', update)
    case 'tool_call':
    case 'tool_call_update':
      return readTool(state, update)
    case 'plan': {
      const plan = planSchema.safeParse(update)
      if (!plan.success) return [state, []]
      const items = plan.data.entries.map(({ content, status }) => ({ text: content, status }))
      return [state, [{ fact: 'event', event: { type: 'plan', items } }]]
    }
    case 'usage_update': {
      const { data } = costSchema.safeParse(update)
      const isCost = data?.cost.currency === 'USD'
      return [state, isCost ? [{ fact: 'cost', usd: data.cost.amount }] : []]
    }
    default:
      return [state, []]
  }
}

/** A tool as a permission request tells of it; it may be the first to do so. */
export function askedTool(before: UpdateState, call: ToolCall): [...Read, ToolEvent] {
  const [state, facts, tool] = merged(before, call)
  if (tool.shown) return [state, facts, tool.event]
  const [shown, more] = show(state, tool, 'running')
  return [shown, [...facts, ...more], { ...tool.event, status: 'running' }]
}

export function deniedTool(before: UpdateState, toolCallId: string, reason?: string): Read {
  const state = { ...before, afterTool: true }
  const tool = state.tools.get(toolCallId)
  return tool ? show(state, tool, 'denied', reason) : [state, []]
}

/** The turn is over: no tool runs on. */
export function settledTools(state: UpdateState): UpdateState {
  const left = [...state.tools].filter(([, tool]) => tool.event.status !== 'running')
  return { ...state, tools: new Map(left) }
}

function isBusy({ tools }: UpdateState): boolean {
  return [...tools.values()].some((tool) => tool.event.status === 'running')
}

function answering(state: UpdateState): Read {
  if (!state.afterTool || isBusy(state)) return [state, []]
  return [{ ...state, afterTool: false }, [{ fact: 'model-answered' }]]
}

function readSpeech(before: UpdateState, type: 'text' | 'thinking', update: unknown): Read | undefined {
  const read = chunk.safeParse(update)
  if (!read.success) return undefined
  const { content, messageId } = read.data
  if (content.type === 'text' && content.text === undefined) return undefined
  if (content.text === undefined || content.text === '') return [before, []]
  const [state, facts] = answering(before)
  const event: AgentEvent = { type, id: messageId ?? `${type}-${state.spoken}`, delta: content.text }
  return [state, [...facts, { fact: 'event', event }]]
}

function readTool(before: UpdateState, update: unknown): Read | undefined {
  const read = toolCallSchema.safeParse(update)
  if (!read.success) return undefined
  const call = read.data
  const wasDenied = before.tools.get(call.toolCallId)?.event.status === 'denied'
  const [state, facts, tool] = merged(before, call)
  if (call.status === 'completed' || call.status === 'failed') {
    const ended = { ...state, afterTool: true }
    if (wasDenied && call.status === 'failed') return [ended, facts]
    const [next, more] = show(ended, tool, call.status === 'completed' ? 'ok' : 'failed', outputOf(call))
    return [next, [...facts, ...more]]
  }
  // Before it has said more than its name there is nothing worth a line.
  const saysMore = call.status !== 'pending' || !isEmpty(call.rawInput) || tool.event.diff !== undefined
  if (tool.shown || !saysMore) return [state, facts]
  const [next, more] = show(state, tool, 'running')
  return [next, [...facts, ...more]]
}

function begun(before: UpdateState, id: string): [...Read, Tool] {
  const [state, facts] = answering(before)
  const event: ToolEvent = { type: 'tool', id, name: 'tool', kind: 'other', title: 'tool', status: 'running' }
  return [{ ...state, spoken: state.spoken + 1 }, [...facts, { fact: 'tool-began' }], { event, shown: false }]
}

/** What a call adds to what is known of its tool. */
function merged(before: UpdateState, call: ToolCall): [...Read, Tool] {
  const known = before.tools.get(call.toolCallId)
  const [state, facts, tool] = known ? ([before, [], known] as const) : begun(before, call.toolCallId)
  const { event } = tool
  const diff = diffOf(call)
  // What was shown once keeps its name: later titles and inputs say less, or say it again.
  const isNamed = tool.shown
  const hasInput = !isEmpty(call.rawInput) && !(isNamed && event.input !== undefined)
  const more: Tool = {
    ...tool,
    event: {
      ...event,
      ...(call.kind === undefined ? {} : { name: nameOf(call.kind), kind: kindOf(call.kind) }),
      title: (isNamed ? undefined : titleOf(call)) ?? event.title,
      ...(hasInput ? { input: call.rawInput } : {}),
      ...(diff === undefined ? {} : { diff }),
    },
  }
  return [withTool(state, more), [...facts], more]
}

function show(state: UpdateState, tool: Tool, status: ToolEvent['status'], output?: string): Read {
  const event = { ...tool.event, status, ...(output === undefined ? {} : { output }) }
  return [withTool(state, { event, shown: true }), [{ fact: 'event', event }]]
}

function withTool(state: UpdateState, tool: Tool): UpdateState {
  return { ...state, tools: withValue(state.tools, tool.event.id, tool) }
}

function kindOf(kind: string): ToolKind {
  switch (kind) {
    case 'read':
    case 'search':
    case 'think':
      return 'read'
    case 'edit':
    case 'delete':
    case 'move':
      return 'edit'
    case 'execute':
      return 'exec'
    default:
      return 'other'
  }
}

function nameOf(kind: string): string {
  return kind === 'other' ? 'tool' : kind
}

/** Some titles are the name of a tool only; the file that it works on says more. */
function titleOf(call: ToolCall): string | undefined {
  const path = call.locations?.[0]?.path
  if (call.title === undefined || path === undefined) return call.title ?? path
  const name = path.slice(path.lastIndexOf('/') + 1)
  return call.title.includes(name) ? call.title : `${call.title} ${path}`
}

function diffOf(call: ToolCall): string | undefined {
  const diffs = (call.content ?? []).flatMap((each) =>
    each?.type === 'diff' ? [unifiedDiff(each.path, each.oldText ?? '', each.newText)] : [],
  )
  return diffs.length > 0 ? diffs.join('') : undefined
}

function outputOf(call: ToolCall): string | undefined {
  const texts = (call.content ?? []).flatMap((each) => (each?.type === 'content' ? [each.content.text] : []))
  const text = texts.length > 0 ? texts.join('\n') : rawText(call.rawOutput)
  if (text === undefined || text === '') return undefined
  return text.length > outputLimit ? `${text.slice(0, outputLimit)}\n(the rest is in the log)` : text
}

function rawText(raw: unknown): string | undefined {
  if (typeof raw === 'string') return raw
  if (typeof raw !== 'object' || raw === null) return undefined
  const found = Object.entries(raw).find(
    ([key, value]) => ['output', 'error', 'stdout', 'stderr'].includes(key) && typeof value === 'string',
  )
  return found ? String(found[1]) : undefined
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
