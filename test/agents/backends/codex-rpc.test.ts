import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRpc } from '../../../source/agents/backends/codex-rpc.js'

describe('JSON-RPC', () => {
  function client() {
    const wrote: unknown[] = []
    const strays: string[] = []
    const notes: string[] = []
    const rpc = createRpc({
      write: (line) => {
        wrote.push(JSON.parse(line))
        return true
      },
      notification: (method) => notes.push(method),
      request: (_id, method) => method === 'known',
      stray: (line) => strays.push(line),
    })
    return { rpc, wrote, strays, notes }
  }

  it('matches answers by id, in any order, and knows errors', async () => {
    const { rpc, wrote } = client()
    const [one, two] = [rpc.ask('a', {}), rpc.ask('b', {})]
    rpc.take('{"id":2,"error":{"code":-32600,"message":"no"}}')
    rpc.take('{"id":1,"result":{"x":1}}')
    rpc.take('{"id":1,"result":{"x":2}}')
    expect(await one).toEqual({ ok: true, result: { x: 1 } })
    expect(await two).toEqual({ ok: false, code: -32600, message: 'no', data: {} })
    expect(wrote).toEqual([
      { method: 'a', id: 1, params: {} },
      { method: 'b', id: 2, params: {} },
    ])
  })

  it.each([
    ['"the server is on fire"', 'the server is on fire'],
    ['{"message":"no code"}', 'no code'],
    ['{"code":0,"message":"zero"}', 'zero'],
    ['true', 'codex refused without giving a reason'],
    ['["odd"]', 'codex refused without giving a reason'],
  ])('takes %s in the place of an error for one, and not for the end of codex', async (error, message) => {
    const { rpc } = client()
    const open = rpc.ask('a', {})
    rpc.take(`{"id":1,"error":${error}}`)
    expect(await open).toEqual({ ok: false, code: -32603, message, data: {} })
  })

  it('takes an answer whose error is null for the answer that it is', async () => {
    const { rpc } = client()
    const open = rpc.ask('a', {})
    rpc.take('{"id":1,"result":{"x":1},"error":null}')
    expect(await open).toEqual({ ok: true, result: { x: 1 } })
  })

  it('answers a request that it does not know with an error, also one with id 0', () => {
    const { rpc, wrote } = client()
    rpc.take('{"method":"strange","id":0,"params":{}}')
    rpc.take('{"method":"known","id":1,"params":{}}')
    expect(wrote).toMatchObject([{ id: 0, error: { code: -32601 } }])
  })

  it('settles what is open at the end, and what is asked after it', async () => {
    const { rpc } = client()
    const open = rpc.ask('a', {})
    rpc.end()
    expect(await open).toMatchObject({ ok: false, code: 0 })
    expect(await rpc.ask('b', {})).toMatchObject({ ok: false, code: 0 })
  })

  it('survives any line', () => {
    const { rpc, strays } = client()
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (line) => rpc.take(line)))
    rpc.take('{"id":1,"resu')
    expect(strays.at(-1)).toBe('{"id":1,"resu')
  })
})
