import { z } from 'zod'
import { unifiedDiff } from '../../documents/diff.js'
import type { AgentEvent, ToolKind } from '../agent.js'

// `session/update` of the Agent Client Protocol as events (docs/agents.md, "Agent Client Protocol"). Other kinds
// are ignored; a known kind that cannot be read is reported, because words of the agent are lost with it.

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

export interface UpdateSink {
  event(event: AgentEvent): void
  /** What the whole session cost so far. */
  cost(usd: number): void
  /** A tool began: what was said before it is not the final message. */
  toolBegan(): void
  /** The agent went on after a tool: the model answered once more. */
  modelAnswered(): void
}

export interface UpdateReader {
  /** False when it is of a known kind and cannot be read. */
  take(params: unknown, sessionId: string | undefined): boolean
  /** A tool as a permission request tells of it; it may be the first to do so. */
  asked(call: ToolCall): ToolEvent
  denied(toolCallId: string, reason?: string): void
  /** True while a tool runs. */
  busy(): boolean
  /** The turn is over: no tool runs on. */
  settle(): void
}

interface Tool {
  event: ToolEvent
  shown: boolean
}

export function createUpdateReader(sink: UpdateSink): UpdateReader {
  const tools = new Map<string, Tool>()
  let spoken = 0
  let afterTool = false

  function answering(): void {
    if (afterTool && !isBusy()) sink.modelAnswered()
    if (!isBusy()) afterTool = false
  }

  function speak(type: 'text' | 'thinking', update: unknown): boolean {
    const read = chunk.safeParse(update)
    if (!read.success) return false
    const { content, messageId } = read.data
    if (content.type === 'text' && content.text === undefined) return false
    if (content.text === undefined || content.text === '') return true
    answering()
    sink.event({ type, id: messageId ?? `${type}-${spoken}`, delta: content.text })
    return true
  }

  function begin(id: string): Tool {
    answering()
    spoken += 1
    const event: ToolEvent = {
      type: 'tool',
      id,
      name: 'tool',
      kind: 'other',
      title: 'tool',
      status: 'running',
    }
    const tool = { event, shown: false }
    tools.set(id, tool)
    sink.toolBegan()
    return tool
  }

  function merge(call: ToolCall): Tool {
    const tool = tools.get(call.toolCallId) ?? begin(call.toolCallId)
    const { event } = tool
    const diff = diffOf(call)
    // What was shown once keeps its name: later titles and inputs say less, or say it again.
    const isNamed = tool.shown
    const hasInput = !isEmpty(call.rawInput) && !(isNamed && event.input !== undefined)
    tool.event = {
      ...event,
      ...(call.kind === undefined ? {} : { name: nameOf(call.kind), kind: kindOf(call.kind) }),
      title: (isNamed ? undefined : titleOf(call)) ?? event.title,
      ...(hasInput ? { input: call.rawInput } : {}),
      ...(diff === undefined ? {} : { diff }),
    }
    return tool
  }

  function show(tool: Tool, status: ToolEvent['status'], output?: string): void {
    tool.shown = true
    tool.event = { ...tool.event, status, ...(output === undefined ? {} : { output }) }
    sink.event(tool.event)
  }

  function takeTool(update: unknown): boolean {
    const read = toolCallSchema.safeParse(update)
    if (!read.success) return false
    const call = read.data
    const wasDenied = tools.get(call.toolCallId)?.event.status === 'denied'
    const tool = merge(call)
    if (call.status === 'completed' || call.status === 'failed') {
      afterTool = true
      if (wasDenied && call.status === 'failed') return true
      show(tool, call.status === 'completed' ? 'ok' : 'failed', outputOf(call))
      return true
    }
    // Before it has said more than its name there is nothing worth a line.
    const saysMore = call.status !== 'pending' || !isEmpty(call.rawInput) || tool.event.diff !== undefined
    if (!tool.shown && saysMore) show(tool, 'running')
    return true
  }

  const isBusy = () => [...tools.values()].some((tool) => tool.event.status === 'running')

  return {
    take(params, sessionId) {
      const read = updateSchema.safeParse(params)
      if (!read.success) return false
      const { update } = read.data
      if (sessionId !== undefined && read.data.sessionId !== sessionId) return true
      switch (update.sessionUpdate) {
        case 'agent_message_chunk':
          return speak('text', update)
        case 'agent_thought_chunk':
          return speak('thinking', update)
        case 'tool_call':
        case 'tool_call_update':
          return takeTool(update)
        case 'plan': {
          const plan = planSchema.safeParse(update)
          if (!plan.success) return true
          const items = plan.data.entries.map(({ content, status }) => ({ text: content, status }))
          sink.event({ type: 'plan', items })
          return true
        }
        case 'usage_update': {
          const { data } = costSchema.safeParse(update)
          if (data?.cost.currency === 'USD') sink.cost(data.cost.amount)
          return true
        }
        default:
          return true
      }
    },
    asked(call) {
      const tool = merge(call)
      if (!tool.shown) show(tool, 'running')
      return tool.event
    },
    denied(toolCallId, reason) {
      const tool = tools.get(toolCallId)
      afterTool = true
      if (tool) show(tool, 'denied', reason)
    },
    busy: isBusy,
    settle() {
      for (const [id, tool] of tools) if (tool.event.status === 'running') tools.delete(id)
    },
  }
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
