import { fields, list, text } from '../json.js'
import { type Answer, finishRequest, type Message, type Part, pieces } from '../turn.js'
import { geminiSayings } from './messages.js'
import { type Protocol, retryAfterOf, type Wire, type WireEvent } from './protocol.js'

// POST /v1beta/models/<model>:generateContent and :streamGenerateContent: Gemini CLI.

function readParts(message: Record<string, unknown>): Part[] {
  return list(message.parts).flatMap((part): Part[] => {
    if (part.functionCall !== undefined) {
      const call = fields(part.functionCall)
      return [{ type: 'call', id: text(call.id), name: text(call.name), input: call.args }]
    }
    if (part.functionResponse !== undefined) {
      const reply = fields(part.functionResponse)
      const response = fields(reply.response)
      const failed = response.error !== undefined
      return [{ type: 'result', id: text(reply.id), text: JSON.stringify(response), failed }]
    }
    return part.thought === true || part.text === undefined ? [] : [{ type: 'text', text: text(part.text) }]
  })
}

type Turn = Extract<Answer, { kind: 'turn' }>

function calls(answer: Turn) {
  return (answer.calls ?? []).map((call) => ({
    functionCall: { name: call.name, args: call.input },
    thoughtSignature: 'bW9jaw==',
  }))
}

function chunk(wire: Wire, parts: object[], last: boolean) {
  const { billing } = wire
  const prompt = billing.input + billing.cacheRead + billing.cacheWrite
  const usageMetadata = {
    promptTokenCount: prompt,
    cachedContentTokenCount: billing.cacheRead,
    candidatesTokenCount: billing.output,
    totalTokenCount: prompt + billing.output,
  }
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(last ? { finishReason: 'STOP' } : {}) }],
    modelVersion: wire.model,
    responseId: `mock-${wire.serial}`,
    ...(last ? { usageMetadata } : {}),
  }
}

const statusWords: Record<string, string> = {
  auth: 'UNAUTHENTICATED',
  rate: 'RESOURCE_EXHAUSTED',
  'usage-limit': 'RESOURCE_EXHAUSTED',
  overloaded: 'UNAVAILABLE',
  missing: 'NOT_FOUND',
  invalid: 'INVALID_ARGUMENT',
}

const rpc = 'type.googleapis.com/google.rpc'
/** With it, gemini gives up at once; a limit without it is slept through, for hours if need be. */
const quotaInfo = {
  '@type': `${rpc}.ErrorInfo`,
  reason: 'QUOTA_EXHAUSTED',
  domain: 'cloudcode-pa.googleapis.com',
}

function clock(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  return `${hours}h${Math.floor((seconds % 3600) / 60)}m${seconds % 60}s`
}

export const gemini: Protocol = {
  read(body, { url }) {
    const request = fields(body)
    const generation = fields(request.generationConfig)
    return finishRequest({
      client: 'gemini',
      model: /models\/([^:/?]+)/.exec(url)?.[1] ?? '',
      system: readParts(fields(request.systemInstruction))
        .map((part) => (part.type === 'text' ? part.text : ''))
        .join('\n'),
      messages: list(request.contents).map(
        (message): Message => ({
          role: message.role === 'model' ? 'assistant' : 'user',
          parts: readParts(message),
        }),
      ),
      tools: list(request.tools).flatMap((tool) =>
        list(tool.functionDeclarations).map((each) => ({
          name: text(each.name),
          schema: fields(each.parametersJsonSchema ?? each.parameters),
        })),
      ),
      answerSchema: generation.responseJsonSchema ?? generation.responseSchema ?? undefined,
      stream: url.includes(':streamGenerateContent'),
    })
  },

  events(answer, wire) {
    const events: WireEvent[] = []
    for (const thought of pieces(answer.thinking ?? ''))
      events.push({ data: chunk(wire, [{ text: thought, thought: true }], false), piece: true })
    for (const piece of pieces(answer.text ?? '', answer.pieceSize))
      events.push({ data: chunk(wire, [{ text: piece }], false), piece: true })
    events.push({ data: chunk(wire, calls(answer), true) })
    return events
  },

  whole(answer, wire) {
    const said = answer.text === undefined ? [] : [{ text: answer.text }]
    return chunk(wire, [...said, ...calls(answer)], true)
  },

  error(answer) {
    const after = retryAfterOf(answer)
    const headers: Record<string, string> = after === undefined ? {} : { 'retry-after': String(after) }
    const details: object[] = []
    if (answer.reason === 'usage-limit') details.push(quotaInfo)
    if (after !== undefined) details.push({ '@type': `${rpc}.RetryInfo`, retryDelay: `${after}s` })
    const message =
      answer.reason === 'usage-limit' && after !== undefined
        ? `${geminiSayings['usage-limit']} Your quota will reset after ${clock(after)}.`
        : geminiSayings[answer.reason]
    const status = statusWords[answer.reason] ?? 'INTERNAL'
    const error = { code: answer.status, message, status, ...(details.length > 0 ? { details } : {}) }
    return { status: answer.status, headers, body: { error } }
  },
}
