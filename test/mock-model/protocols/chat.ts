import { fields, list, parsed, text, textContent } from '../json.js'
import { type Answer, finishRequest, type Message, type Part, pieces } from '../turn.js'
import { openaiSayings } from './messages.js'
import { type Protocol, retryAfterOf, type Wire, type WireEvent } from './protocol.js'

// POST /v1/chat/completions: opencode with an OpenAI-compatible provider.

function readMessage(message: Record<string, unknown>): Message {
  const said = textContent(message.content)
  if (message.role === 'tool') {
    const id = text(message.tool_call_id)
    return { role: 'user', parts: [{ type: 'result', id, text: said, failed: false }] }
  }
  const parts: Part[] = said === '' ? [] : [{ type: 'text', text: said }]
  for (const call of list(message.tool_calls)) {
    const called = fields(call.function)
    const input = parsed(called.arguments)
    parts.push({ type: 'call', id: text(call.id), name: text(called.name), input })
  }
  const role = message.role === 'assistant' ? 'assistant' : message.role === 'user' ? 'user' : 'system'
  return { role, parts }
}

type Turn = Extract<Answer, { kind: 'turn' }>

function toolCalls(answer: Turn, wire: Wire) {
  return (answer.calls ?? []).map((call, index) => ({
    index,
    id: `call_${wire.serial}_${index}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  }))
}

const finishReason = (answer: Turn) => (answer.calls?.length ? 'tool_calls' : 'stop')

function usageOf({ billing }: Wire) {
  const prompt = billing.input + billing.cacheRead + billing.cacheWrite
  return {
    prompt_tokens: prompt,
    prompt_tokens_details: { cached_tokens: billing.cacheRead },
    completion_tokens: billing.output,
    completion_tokens_details: { reasoning_tokens: 0 },
    total_tokens: prompt + billing.output,
  }
}

const errorTypes: Record<string, string> = {
  auth: 'invalid_api_key',
  rate: 'rate_limit_exceeded',
  'usage-limit': 'usage_limit_reached',
  server: 'server_error',
  overloaded: 'server_error',
  missing: 'not_found',
  invalid: 'invalid_request_error',
}

export const chat: Protocol = {
  read(body) {
    const request = fields(body)
    const messages = list(request.messages).map(readMessage)
    return finishRequest({
      client: 'opencode',
      model: text(request.model),
      system: messages
        .filter((message) => message.role === 'system')
        .flatMap((message) => message.parts.map((part) => (part.type === 'text' ? part.text : '')))
        .join('\n'),
      messages: messages.filter((message) => message.role !== 'system'),
      tools: list(request.tools).map((tool) => ({
        name: text(fields(tool.function).name),
        schema: fields(fields(tool.function).parameters),
      })),
      stream: request.stream === true,
    })
  },

  events(answer, wire) {
    const base = { id: `chatcmpl-${wire.serial}`, object: 'chat.completion.chunk', model: wire.model }
    const events: WireEvent[] = []
    const emit = (delta: object, finish: string | null, piece = false) =>
      events.push({ data: { ...base, choices: [{ index: 0, delta, finish_reason: finish }] }, piece })
    emit({ role: 'assistant', content: '' }, null)
    for (const reasoning_content of pieces(answer.thinking ?? '')) emit({ reasoning_content }, null, true)
    for (const content of pieces(answer.text ?? '', answer.pieceSize)) emit({ content }, null, true)
    for (const call of toolCalls(answer, wire)) emit({ tool_calls: [call] }, null)
    emit({}, finishReason(answer))
    events.push({ data: { ...base, choices: [], usage: usageOf(wire) } })
    events.push({ data: '[DONE]' })
    return events
  },

  whole(answer, wire) {
    const calls = toolCalls(answer, wire)
    const message = {
      role: 'assistant',
      content: answer.text ?? null,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    }
    return {
      id: `chatcmpl-${wire.serial}`,
      object: 'chat.completion',
      model: wire.model,
      choices: [{ index: 0, message, finish_reason: finishReason(answer) }],
      usage: usageOf(wire),
    }
  },

  error(answer) {
    const after = retryAfterOf(answer)
    const headers: Record<string, string> = after === undefined ? {} : { 'retry-after': String(after) }
    const type = errorTypes[answer.reason] ?? 'server_error'
    const error = { message: openaiSayings[answer.reason], type, code: type, param: null }
    return { status: answer.status, headers, body: { error } }
  },
}
