import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parsed } from './json.js'
import { anthropic } from './protocols/anthropic.js'
import { chat } from './protocols/chat.js'
import { gemini } from './protocols/gemini.js'
import type { Protocol, WireEvent } from './protocols/protocol.js'
import { responses } from './protocols/responses.js'
import { scenarios } from './scenarios.js'
import { type Answer, type Billing, exampleTitle, type ModelRequest, type Scenario, turn } from './turn.js'
import { exampleOf } from './vocabulary.js'

// A model server for tests, on loopback only. The first part of the path names the scenario.

export interface RecordedRequest {
  scenario: string
  method: string
  /** Behind the scenario, without the query. */
  path: string
  headers: IncomingMessage['headers']
  body: unknown
  /** Absent for what is no request to a model. */
  request?: ModelRequest
  status: number
  outcome: 'pending' | 'answered' | 'failed' | 'cut' | 'hung' | 'dropped'
  /** Tokens that a whole answer told the client. */
  billed?: Billing
}

export interface Bill {
  /** Whole answers. */
  answers: number
  /** Neither read from nor written to a cache. */
  inputTokens: number
  cacheReadTokens: number
  cacheWriteTokens: number
  outputTokens: number
}

export interface MockModel {
  readonly port: number
  /** In the order of arrival. */
  readonly requests: RecordedRequest[]
  /** Base URL of a scenario, without `/v1`. */
  url(scenario: string): string
  /** What all whole answers together told the clients, of one scenario or of all. */
  billed(scenario?: string): Bill
  /** Answers one after the other (the last one for ever), or a function of the request. Replaces what was there. */
  script(scenario: string, answers: readonly Answer[] | Scenario): void
  /** The scenario `play`: a test decides each turn. Returns its base URL. */
  play(handler: Scenario): string
  /** Resolves when a request fits, now or later. */
  seen(fits: (request: RecordedRequest) => boolean): Promise<RecordedRequest>
  /** Ends all connections, also those that hang. */
  close(): Promise<void>
}

function protocolOf(path: string): Protocol | undefined {
  if (path.endsWith('/messages')) return anthropic
  if (path.endsWith('/responses')) return responses
  if (path.endsWith('/chat/completions')) return chat
  return /:(stream)?generateContent$/i.test(path) ? gemini : undefined
}

export async function startMockModel(): Promise<MockModel> {
  const requests: RecordedRequest[] = []
  const table = new Map<string, Scenario>(Object.entries(scenarios))
  const counts = new Map<string, number>()
  const waiting = new Set<() => void>()
  let serial = 0

  const server = createServer((message, response) => {
    void serve(message, response).catch(() => response.destroy())
  })

  const lookAgain = () => {
    for (const look of [...waiting]) look()
  }

  /** The first outcome stays. */
  function settle(record: RecordedRequest, outcome: RecordedRequest['outcome']): void {
    if (record.outcome === 'pending') record.outcome = outcome
    lookAgain()
  }

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, scenario = '', rest = ''] = /^\/([^/?]*)([^?]*)/.exec(message.url ?? '') ?? []
    const body = parsed(await readBody(message))
    const record: RecordedRequest = {
      scenario: decodeURIComponent(scenario),
      method: message.method ?? '',
      path: rest,
      headers: message.headers,
      body,
      status: 200,
      outcome: 'pending',
    }
    const protocol = message.method === 'POST' ? protocolOf(rest) : undefined
    const url = message.url ?? ''
    const userAgent = message.headers['user-agent'] ?? ''
    if (protocol) record.request = protocol.read(body, { url, userAgent })
    requests.push(record)
    lookAgain()
    response.on('close', () => {
      settle(record, 'dropped')
    })
    if (!protocol || !record.request) return serveRest(record, response)
    await reply(record, record.request, protocol, response)
  }

  /** Probes, token counts and model lists: what clients ask beside the model. */
  function serveRest(record: RecordedRequest, response: ServerResponse): void {
    settle(record, 'answered')
    const known = besideTheModel(record)
    record.status = known === undefined ? 404 : 200
    json(response, record.status, {}, known ?? {})
  }

  async function answerOf(scenario: string, request: ModelRequest): Promise<Answer> {
    const handler = table.get(scenario)
    if (!handler) return { kind: 'error', status: 404, reason: 'missing' }
    if (!request.aside) {
      const count = counts.get(scenario) ?? 0
      counts.set(scenario, count + 1)
      return handler(request, count)
    }
    // A side errand must neither use up a scripted answer nor succeed where the scenario fails.
    const builtin = scenarios[scenario] === handler ? await handler(request, 0) : undefined
    return builtin && builtin.kind !== 'turn' ? builtin : aside(request)
  }

  async function reply(
    record: RecordedRequest,
    request: ModelRequest,
    protocol: Protocol,
    response: ServerResponse,
  ): Promise<void> {
    const answer = await answerOf(record.scenario, request)
    if (answer.kind === 'hang') {
      settle(record, 'hung')
      return
    }
    if (answer.kind === 'error') {
      const error = protocol.error(answer)
      record.status = error.status
      settle(record, 'failed')
      json(response, error.status, { 'request-id': `req_${requests.length}`, ...error.headers }, error.body)
      return
    }
    serial += 1
    const billing = { ...usualBilling(serial), ...answer.billing }
    const wire = { serial, model: request.model, billing }
    const finished = request.stream
      ? await stream(response, protocol.events(answer, wire), answer)
      : whole(response, protocol.whole(answer, wire), answer.cutAfter !== undefined)
    if (finished === 'answered') record.billed = billing
    settle(record, finished)
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const url = (scenario: string) => `http://127.0.0.1:${port}/${encodeURIComponent(scenario)}`

  return {
    port,
    requests,
    url,
    billed: (scenario) =>
      billOf(requests.filter((one) => scenario === undefined || one.scenario === scenario)),
    script(scenario, answers) {
      counts.delete(scenario)
      table.set(scenario, typeof answers === 'function' ? answers : inTurn(answers))
    },
    play(handler) {
      counts.delete('play')
      table.set('play', handler)
      return url('play')
    },
    seen: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = requests.find(fits)
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function inTurn(answers: readonly Answer[]): Scenario {
  return (_request, count) =>
    answers[Math.min(count, answers.length - 1)] ?? { kind: 'error', status: 404, reason: 'missing' }
}

function besideTheModel({ method, path }: RecordedRequest): unknown {
  if (path.endsWith('/count_tokens')) return { input_tokens: 1_000 }
  if (path.endsWith(':countTokens')) return { totalTokens: 1_000 }
  if (path.endsWith('/models')) return { object: 'list', data: [] }
  return method === 'HEAD' || path === '' || path === '/' ? {} : undefined
}

/** A title, a summary or a choice, whatever the client wanted from its small model. */
function aside(request: ModelRequest): Answer {
  const schema = request.answerSchema
  return turn({ text: schema === undefined ? exampleTitle : JSON.stringify(exampleOf(schema)) })
}

function usualBilling(serial: number): Billing {
  return { input: 1_000 + serial, cacheRead: 4_000 + 3 * serial, cacheWrite: 0, output: 100 + 7 * serial }
}

function billOf(records: readonly RecordedRequest[]): Bill {
  const bill: Bill = { answers: 0, inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }
  for (const { billed } of records) {
    if (!billed) continue
    bill.answers += 1
    bill.inputTokens += billed.input
    bill.cacheReadTokens += billed.cacheRead
    bill.cacheWriteTokens += billed.cacheWrite
    bill.outputTokens += billed.output
  }
  return bill
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function json(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: unknown,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

function whole(response: ServerResponse, body: unknown, cut: boolean): RecordedRequest['outcome'] {
  if (!cut) {
    json(response, 200, {}, body)
    return 'answered'
  }
  const text = JSON.stringify(body)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(text.length + 1) })
  response.write(text.slice(0, text.length / 2), () => response.destroy())
  return 'cut'
}

async function stream(
  response: ServerResponse,
  events: readonly WireEvent[],
  { paceMs = 0, cutAfter }: { paceMs?: number; cutAfter?: number },
): Promise<RecordedRequest['outcome']> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  let said = 0
  for (const event of events) {
    if (response.destroyed) return 'dropped'
    if (event.piece) {
      if (said === cutAfter) return cutOff(response)
      said += 1
      if (paceMs > 0) await pause(paceMs)
    }
    const data = typeof event.data === 'string' ? event.data : JSON.stringify(event.data)
    const free = response.write(`${event.name ? `event: ${event.name}\n` : ''}data: ${data}\n\n`)
    if (!free) await drained(response)
  }
  response.end()
  return 'answered'
}

/** What was said goes out first, then the connection breaks in the middle of a line. */
function cutOff(response: ServerResponse): 'cut' {
  response.write('data: {"type":', () => response.destroy())
  return 'cut'
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go)
      resolve()
    }
    response.on('drain', go).on('close', go)
  })
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
