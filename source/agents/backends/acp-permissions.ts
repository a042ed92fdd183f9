import { z } from 'zod'
import type { Access, AgentEvent, AskOption, PermissionPolicy } from '../agent.js'
import { judgePermission } from '../permission-policy.js'
import { type ToolCall, toolCallSchema } from './acp-updates.js'

// Permission requests of the Agent Client Protocol as questions, one at a time (docs/agents.md, "Agent Client Protocol").

export const permissionRequestSchema = z.object({
  toolCall: toolCallSchema,
  options: z.array(z.object({ optionId: z.string(), name: z.string(), kind: z.string().catch('other') })),
})
export type PermissionRequest = z.infer<typeof permissionRequestSchema>

type Option = PermissionRequest['options'][number]
type Ask = Extract<AgentEvent, { type: 'ask' }>

export type PermissionReply = {
  outcome: { outcome: 'selected'; optionId: string } | { outcome: 'cancelled' }
}

export interface PermissionDesk {
  /** Settles when the request is answered, by the policy, the person or a cancellation. */
  request(request: PermissionRequest): Promise<PermissionReply>
  answer(askId: string, answer: { optionId: string; text?: string }): void
  /** The turn is over: every open request is answered as cancelled. */
  cancel(): void
}

/** What is known of the tools that permission is asked for. */
export interface AskedTools {
  asked(call: ToolCall): Extract<AgentEvent, { type: 'tool' }>
  denied(toolCallId: string, reason?: string): void
}

export interface PermissionContext {
  access: Access
  policy: PermissionPolicy | undefined
  tools: AskedTools
  sink(event: AgentEvent): void
  answered(askId: string): void
  /** A request was denied, and why, as far as a reason is known; the protocol has no field for it. */
  denied(denial: { title: string; reason: string; by: 'person' | 'policy' }): void
}

interface Pending {
  ask: Ask
  request: PermissionRequest
  settle(reply: PermissionReply): void
}

export const cancelledReply: PermissionReply = { outcome: { outcome: 'cancelled' } }

export function openPermissionDesk(context: PermissionContext): PermissionDesk {
  const waiting: Pending[] = []
  let count = 0

  function put(): void {
    const next = waiting[0]
    if (next) context.sink(next.ask)
  }

  function decide(request: PermissionRequest): PermissionReply | undefined {
    const tool = context.tools.asked(request.toolCall)
    const judged = judgePermission(context.access, context.policy, tool.kind)
    if (judged.verdict === 'ask') return undefined
    if (judged.verdict === 'allow') {
      // Never one that lasts: what an agent may do for good is for a person to say.
      const option = optionOf(request, 'allow_once')
      return option && selected(option)
    }
    const { reason } = judged
    context.tools.denied(request.toolCall.toolCallId, reason)
    context.denied({ title: tool.title, reason, by: 'policy' })
    return refusal(request)
  }

  function settle(pending: Pending, chosen: Option | undefined, text: string | undefined): void {
    const { request, ask } = pending
    if (chosen && kindOf(chosen) !== 'deny') {
      pending.settle(selected(chosen))
      return
    }
    context.tools.denied(request.toolCall.toolCallId, text)
    if (text !== undefined && text !== '') context.denied({ title: ask.title, reason: text, by: 'person' })
    pending.settle(chosen ? selected(chosen) : refusal(request))
  }

  return {
    request(request) {
      const decided = decide(request)
      if (decided) return Promise.resolve(decided)
      count += 1
      const ask = askOf(request, `permission-${count}`, context.tools)
      return new Promise((resolve) => {
        waiting.push({ ask, request, settle: resolve })
        if (waiting.length === 1) put()
      })
    },
    answer(askId, { optionId, text }) {
      const pending = waiting[0]
      if (pending?.ask.askId !== askId) return
      waiting.shift()
      context.answered(askId)
      const chosen = pending.request.options.find((option) => option.optionId === optionId)
      settle(pending, chosen, text)
      put()
    },
    cancel() {
      for (const { ask, settle: answer } of waiting.splice(0)) {
        context.answered(ask.askId)
        answer(cancelledReply)
      }
    },
  }
}

function askOf(request: PermissionRequest, askId: string, tools: AskedTools): Ask {
  const tool = tools.asked(request.toolCall)
  return {
    type: 'ask',
    askId,
    kind: 'permission',
    title: tool.title,
    detail: detailOf(tool.input, tool.diff),
    ...(tool.diff === undefined ? {} : { diff: tool.diff }),
    options: request.options.map((option): AskOption => {
      return { id: option.optionId, label: option.name, kind: kindOf(option) }
    }),
    defaultNo: true,
  }
}

/** The command, else all that is known of the input; nothing where a diff says it better. */
function detailOf(input: unknown, diff: string | undefined): string {
  if (diff !== undefined || input === undefined) return ''
  if (typeof input === 'string') return input
  const command = z.object({ command: z.union([z.string(), z.array(z.string())]) }).safeParse(input)
  if (!command.success) return JSON.stringify(input, undefined, 2)
  const { command: words } = command.data
  return typeof words === 'string' ? words : words.join(' ')
}

function kindOf(option: Option): AskOption['kind'] {
  switch (option.kind) {
    case 'allow_once':
      return 'allow-once'
    case 'allow_always':
      return 'allow-always'
    case 'reject_once':
    case 'reject_always':
      return 'deny'
    default:
      return 'other'
  }
}

function optionOf(request: PermissionRequest, kind: string): Option | undefined {
  return request.options.find((option) => option.kind === kind)
}

function selected(option: Option): PermissionReply {
  return { outcome: { outcome: 'selected', optionId: option.optionId } }
}

/** An agent that offers no way to say no is told that the request is cancelled. */
function refusal(request: PermissionRequest): PermissionReply {
  const option = optionOf(request, 'reject_once') ?? optionOf(request, 'reject_always')
  return option ? selected(option) : cancelledReply
}
