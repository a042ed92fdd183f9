import { fields, list, parsed, text, textContent } from '../json.js'
import { type Answer, finishRequest, type Message, type Part, pieces } from '../turn.js'
import { openaiSayings } from './messages.js'
import { type Protocol, retryAfterOf, seconds, type Wire, type WireEvent } from './protocol.js'

// POST /v1/responses: Codex.

function readItem(item: Record<string, unknown>): Message | undefined {
  const alone = (role: Message['role'], part: Part): Message => ({ role, parts: [part] })
  switch (item.type ?? 'message') {
    case 'message': {
      const role = item.role === 'assistant' ? 'assistant' : item.role === 'user' ? 'user' : 'system'
      return alone(role, { type: 'text', text: textContent(item.content) })
    }
    case 'function_call':
    case 'custom_tool_call': {
      const input = parsed(item.arguments ?? item.input)
      return alone('assistant', { type: 'call', id: text(item.call_id), name: text(item.name), input })
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const output = textContent(item.output)
      return alone('user', { type: 'result', id: text(item.call_id), text: output, failed: false })
    }
    default:
      return undefined
  }
}

type Turn = Extract<Answer, { kind: 'turn' }>

function items(answer: Turn, wire: Wire): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = []
  if (answer.thinking !== undefined) {
    const summary = [{ type: 'summary_text', text: answer.thinking }]
    found.push({ type: 'reasoning', id: `rs_${wire.serial}`, summary, encrypted_content: 'bW9jaw==' })
  }
  if (answer.text !== undefined) {
    const content = [{ type: 'output_text', text: answer.text, annotations: [] }]
    found.push({
      type: 'message',
      id: `msg_${wire.serial}`,
      role: 'assistant',
      status: 'completed',
      content,
    })
  }
  for (const [index, call] of (answer.calls ?? []).entries()) {
    const ids = { id: `fc_${wire.serial}_${index}`, call_id: `call_${wire.serial}_${index}`, name: call.name }
    found.push(
      call.plain
        ? { type: 'custom_tool_call', ...ids, status: 'completed', input: String(call.input) }
        : { type: 'function_call', ...ids, status: 'completed', arguments: JSON.stringify(call.input) },
    )
  }
  return found
}

function responseOf(answer: Turn, wire: Wire) {
  const { billing } = wire
  const input = billing.input + billing.cacheRead + billing.cacheWrite
  return {
    id: `resp_${wire.serial}`,
    object: 'response',
    status: 'completed',
    model: wire.model,
    output: items(answer, wire),
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: billing.cacheRead },
      output_tokens: billing.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + billing.output,
    },
  }
}

export const responses: Protocol = {
  read(body) {
    const request = fields(body)
    const messages = list(request.input).flatMap((item) => readItem(item) ?? [])
    if (typeof request.input === 'string')
      messages.push({ role: 'user', parts: [{ type: 'text', text: request.input }] })
    return finishRequest({
      client: 'codex',
      model: text(request.model),
      system: text(request.instructions),
      messages,
      tools: list(request.tools).map((tool) => ({
        name: text(tool.name) || text(tool.type),
        ...(tool.type === 'function' ? { schema: fields(tool.parameters) } : {}),
      })),
      answerSchema: fields(fields(request.text).format).schema ?? undefined,
      stream: request.stream === true,
    })
  },

  events(answer, wire) {
    const events: WireEvent[] = []
    const emit = (name: string, more: object, piece = false) =>
      events.push({ name, data: { type: name, ...more }, piece })
    emit('response.created', { response: { id: `resp_${wire.serial}`, status: 'in_progress', output: [] } })
    for (const [output_index, item] of items(answer, wire).entries()) {
      const item_id = item.id
      if (item.type === 'message') {
        emit('response.output_item.added', { output_index, item: { ...item, content: [] } })
        for (const delta of pieces(answer.text ?? '', answer.pieceSize))
          emit('response.output_text.delta', { item_id, output_index, content_index: 0, delta }, true)
      } else if (item.type === 'reasoning') {
        emit('response.output_item.added', { output_index, item: { ...item, summary: [] } })
        emit('response.reasoning_summary_part.added', { item_id, output_index, summary_index: 0 })
        for (const delta of pieces(answer.thinking ?? ''))
          emit(
            'response.reasoning_summary_text.delta',
            { item_id, output_index, summary_index: 0, delta },
            true,
          )
      }
      emit('response.output_item.done', { output_index, item })
    }
    emit('response.completed', { response: responseOf(answer, wire) })
    return events
  },

  whole: responseOf,

  error(answer) {
    const headers: Record<string, string> = {}
    const after = retryAfterOf(answer)
    if (after !== undefined && answer.reason !== 'usage-limit') headers['retry-after'] = String(after)
    const message = openaiSayings[answer.reason]
    if (answer.reason !== 'usage-limit') {
      const type = answer.reason === 'auth' ? 'invalid_request_error' : `${answer.reason}_error`
      return { status: answer.status, headers, body: { error: { type, code: answer.reason, message } } }
    }
    const reset = answer.resetsAt === undefined ? {} : { resets_at: seconds(answer.resetsAt) }
    if (answer.resetsAt !== undefined) {
      headers['x-codex-primary-used-percent'] = '100'
      headers['x-codex-primary-window-minutes'] = '300'
      headers['x-codex-primary-reset-at'] = String(seconds(answer.resetsAt))
    }
    const error = { type: 'usage_limit_reached', message, plan_type: 'plus', ...reset }
    return { status: answer.status, headers, body: { error } }
  },
}
