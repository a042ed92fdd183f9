import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

// A model server that says exactly what a test wants on the wire: what the mock model has no words for.

export type Reply = (response: ServerResponse, body: { messages: unknown[] }) => void

/** Replies one after the other, the last one again and again. */
export async function startWire(...replies: Reply[]) {
  const bodies: { messages: { role: string; content: Record<string, unknown>[] }[] }[] = []
  const server = createServer((message, response) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      const reply = replies[Math.min(bodies.length, replies.length - 1)]
      bodies.push(body)
      reply?.(response, body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies }
}

export function failing(
  status: number,
  type: string,
  headers: Record<string, string> = {},
  message = type,
): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ type: 'error', error: { type, message } }))
  }
}

export const hanging: Reply = () => {}

interface Spoken {
  text?: string
  calls?: { name: string; input: unknown }[]
  stop: string
  usage?: Record<string, number>
}

/** A whole answer with any stop reason. */
export function speaking(spoken: Spoken): Reply {
  return (response) => {
    begin(response)
    for (const event of eventsOf(spoken)) send(response, event)
    response.end()
  }
}

/** The first events of an answer, then `then` decides. */
export function broken(count: number, then: (response: ServerResponse) => void): Reply {
  return (response) => {
    begin(response)
    for (const event of eventsOf({ text: 'half a sentence', stop: 'end_turn' }).slice(0, count))
      send(response, event)
    then(response)
  }
}

export function begin(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' })
}

export function send(response: ServerResponse, event: { type: string }): void {
  response.write(wireText(event))
}

export function wireText(event: { type: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

function eventsOf({ text = '', calls = [], stop, usage }: Spoken): { type: string }[] {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1, ...usage },
  }
  const blocks = [
    ...(text === '' ? [] : [{ start: { type: 'text', text: '' }, delta: { type: 'text_delta', text } }]),
    ...calls.map(({ name, input }, index) => ({
      start: { type: 'tool_use', id: `call_${index}`, name, input: {} },
      delta: {
        type: 'input_json_delta',
        partial_json: typeof input === 'string' ? input : JSON.stringify(input),
      },
    })),
  ]
  return [
    { type: 'message_start', message },
    ...blocks.flatMap(({ start, delta }, index) => [
      { type: 'content_block_start', index, content_block: start },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ] as { type: string }[]
}
