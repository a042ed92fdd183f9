import { type Fields, fieldsOf, numberIn, parseFields, textIn } from '../fields.js'
import { errorOf } from './codex-values.js'

// JSON-RPC over lines as codex app-server speaks it: without the `jsonrpc` field, both sides ask (docs/agents.md,
// "Codex").

export type RpcId = string | number

export type RpcReply =
  | { ok: true; result: Fields }
  | { ok: false; code: number; message: string; data: Fields }

export interface RpcHost {
  /** False when the pipe is closed. */
  write(line: string): boolean
  notification(method: string, params: Fields): void
  /** A request of the server. False: not known here, and answered with an error. */
  request(id: RpcId, method: string, params: Fields): boolean
  /** A line that is no message. */
  stray(line: string): void
}

export interface Rpc {
  /** Settles with the answer, or with a failure when the connection ends first. Never rejects. */
  ask(method: string, params: unknown): Promise<RpcReply>
  notify(method: string): void
  answer(id: RpcId, result: unknown): void
  /** One line of the server. */
  take(line: string): void
  /** No answer will come any more. */
  end(): void
}

const methodNotFound = -32601
const internalError = -32603
const gone: RpcReply = { ok: false, code: 0, message: 'codex is gone', data: {} }

export function createRpc(host: RpcHost): Rpc {
  const waiting = new Map<RpcId, (reply: RpcReply) => void>()
  let lastId = 0
  let ended = false
  const send = (message: unknown) => host.write(`${JSON.stringify(message)}\n`)

  function settle(id: RpcId, message: Fields): void {
    const done = waiting.get(id)
    if (!done) return
    waiting.delete(id)
    if (message.error === undefined || message.error === null) {
      done({ ok: true, result: fieldsOf(message.result) })
      return
    }
    const error = errorOf(message.error)
    done({
      ok: false,
      // 0 means that codex is gone.
      code: numberIn(error, 'code') || internalError,
      message: textIn(error, 'message') ?? 'codex refused without giving a reason',
      data: fieldsOf(error.data),
    })
  }

  return {
    ask(method, params) {
      if (ended) return Promise.resolve(gone)
      lastId += 1
      const id = lastId
      return new Promise((resolve) => {
        waiting.set(id, resolve)
        if (send({ method, id, params })) return
        waiting.delete(id)
        resolve(gone)
      })
    },
    notify(method) {
      send({ method })
    },
    answer(id, result) {
      send({ id, result })
    },
    take(line) {
      const message = parseFields(line)
      const method = message && textIn(message, 'method')
      const id = idOf(message?.id)
      if (message === undefined || (method === undefined && id === undefined)) {
        if (line.trim() !== '') host.stray(line)
        return
      }
      const params = fieldsOf(message.params)
      if (method === undefined) {
        if (id !== undefined && isReply(message)) settle(id, message)
      } else if (id === undefined) host.notification(method, params)
      else if (!host.request(id, method, params)) {
        send({ id, error: { code: methodNotFound, message: `autopilot does not know ${method}` } })
      }
    },
    end() {
      ended = true
      for (const done of waiting.values()) done(gone)
      waiting.clear()
    },
  }
}

/** Whatever stands in the place of an error is one: who waits for the answer would wait for ever. */
function isReply(message: Fields): boolean {
  return message.result !== undefined || (message.error !== undefined && message.error !== null)
}

function idOf(value: unknown): RpcId | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}
