import { fields, list, text, textContent } from '../json.js'
import { type Answer, finishRequest, type Message, type Part, pieces } from '../turn.js'
import { anthropicSayings } from './messages.js'
import { type Protocol, retryAfterOf, seconds, type Wire, type WireEvent } from './protocol.js'

// POST /v1/messages: Claude Code, and every agent over the Anthropic API.

function readParts(content: unknown): Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return list(content).flatMap((part): Part[] => {
    if (part.type === 'text') return [{ type: 'text', text: text(part.text) }]
    if (part.type === 'tool_use')
      return [{ type: 'call', id: text(part.id), name: text(part.name), input: part.input }]
    if (part.type === 'tool_result') {
      const said = textContent(part.content)
      return [{ type: 'result', id: text(part.tool_use_id), text: said, failed: part.is_error === true }]
    }
    return []
  })
}

function usageOf({ billing }: Wire, output: number): Record<string, number> {
  return {
    input_tokens: billing.input,
    cache_creation_input_tokens: billing.cacheWrite,
    cache_read_input_tokens: billing.cacheRead,
    output_tokens: output,
  }
}

function messageOf(wire: Wire, content: unknown[], stopReason: string | null, output: number) {
  return {
    id: `msg_${wire.serial}`,
    type: 'message',
    role: 'assistant',
    model: wire.model,
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage: usageOf(wire, output),
  }
}

type Turn = Extract<Answer, { kind: 'turn' }>

function callBlocks(answer: Turn, wire: Wire) {
  return (answer.calls ?? []).map((call, index) => ({
    type: 'tool_use',
    id: `toolu_${wire.serial}_${index}`,
    name: call.name,
    input: call.input,
  }))
}

const stopReason = (answer: Turn) => (answer.calls?.length ? 'tool_use' : 'end_turn')
const signature = 'bW9jaw=='

const errorTypes: Record<string, string> = {
  auth: 'authentication_error',
  rate: 'rate_limit_error',
  'usage-limit': 'rate_limit_error',
  server: 'api_error',
  overloaded: 'overloaded_error',
  missing: 'not_found_error',
  invalid: 'invalid_request_error',
}

export const anthropic: Protocol = {
  read(body, { userAgent }) {
    const request = fields(body)
    const messages = list(request.messages).map((message): Message => {
      const role = message.role === 'assistant' ? 'assistant' : message.role === 'system' ? 'system' : 'user'
      return { role, parts: readParts(message.content) }
    })
    return finishRequest({
      client: userAgent.includes('claude-cli') ? 'claude' : 'embedded',
      model: text(request.model),
      system: textContent(request.system),
      messages,
      tools: list(request.tools).map((tool) => ({
        name: text(tool.name),
        schema: fields(tool.input_schema),
      })),
      answerSchema: fields(fields(request.output_config).format).schema ?? undefined,
      stream: request.stream === true,
    })
  },

  events(answer, wire) {
    const events: WireEvent[] = []
    const emit = (name: string, more: object, piece = false) =>
      events.push({ name, data: { type: name, ...more }, piece })
    let index = 0
    emit('message_start', { message: messageOf(wire, [], null, 1) })
    if (answer.thinking !== undefined) {
      emit('content_block_start', { index, content_block: { type: 'thinking', thinking: '', signature: '' } })
      for (const thinking of pieces(answer.thinking))
        emit('content_block_delta', { index, delta: { type: 'thinking_delta', thinking } }, true)
      emit('content_block_delta', { index, delta: { type: 'signature_delta', signature } })
      emit('content_block_stop', { index })
      index += 1
    }
    if (answer.text !== undefined) {
      emit('content_block_start', { index, content_block: { type: 'text', text: '' } })
      for (const piece of pieces(answer.text, answer.pieceSize))
        emit('content_block_delta', { index, delta: { type: 'text_delta', text: piece } }, true)
      emit('content_block_stop', { index })
      index += 1
    }
    for (const block of callBlocks(answer, wire)) {
      emit('content_block_start', { index, content_block: { ...block, input: {} } })
      for (const partial_json of pieces(JSON.stringify(block.input), 200))
        emit('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } })
      emit('content_block_stop', { index })
      index += 1
    }
    emit('message_delta', {
      delta: { stop_reason: stopReason(answer), stop_sequence: null },
      usage: usageOf(wire, wire.billing.output),
    })
    emit('message_stop', {})
    return events
  },

  whole(answer, wire) {
    const content = [
      ...(answer.thinking === undefined ? [] : [{ type: 'thinking', thinking: answer.thinking, signature }]),
      ...(answer.text === undefined ? [] : [{ type: 'text', text: answer.text }]),
      ...callBlocks(answer, wire),
    ]
    return messageOf(wire, content, stopReason(answer), wire.billing.output)
  },

  error(answer) {
    const headers: Record<string, string> = {}
    const after = retryAfterOf(answer)
    if (after !== undefined) headers['retry-after'] = String(after)
    if (answer.reason === 'usage-limit' && answer.resetsAt !== undefined) {
      const reset = String(seconds(answer.resetsAt))
      Object.assign(headers, {
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-reset': reset,
        'anthropic-ratelimit-unified-representative-claim': 'five_hour',
        'anthropic-ratelimit-unified-5h-status': 'rejected',
        'anthropic-ratelimit-unified-5h-reset': reset,
        'anthropic-ratelimit-unified-5h-utilization': '1.0',
        'anthropic-ratelimit-unified-overage-status': 'rejected',
        'anthropic-ratelimit-unified-overage-disabled-reason': 'org_level_disabled',
      })
    }
    const type = errorTypes[answer.reason] ?? 'api_error'
    return {
      status: answer.status,
      headers,
      body: { type: 'error', error: { type, message: anthropicSayings[answer.reason] } },
    }
  },
}
