import { describe, expect, it } from 'vitest'
import { readRpcError } from '../../../source/agents/backends/acp-errors.js'

const now = Date.UTC(2026, 10, 27, 21)
const hour = 3_600_000

describe('the class of an error answer', () => {
  it.each([
    [401, 'API key not valid', undefined, 'auth', 'never'],
    [403, 'no', undefined, 'auth', 'never'],
    [402, 'pay', undefined, 'billing', 'never'],
    [400, 'prompt is too long', undefined, 'context', 'never'],
    [400, 'bad field', undefined, 'input', 'never'],
    [404, 'no such model', undefined, 'input', 'never'],
    [429, 'Too many requests', undefined, 'overloaded', 'later'],
    [429, 'You have exhausted your daily quota on this model.', undefined, 'limit', 'later'],
    [500, 'oops', undefined, 'overloaded', 'later'],
    [529, 'overloaded', undefined, 'overloaded', 'later'],
    [504, 'gateway', undefined, 'network', 'later'],
    [-32000, 'Authentication required', undefined, 'auth', 'never'],
    [-32602, 'Invalid params', undefined, 'input', 'never'],
    [-32603, 'Internal error', { errorKind: 'authentication_failed' }, 'auth', 'never'],
    [-32603, 'Internal error', { errorKind: 'billing_error' }, 'billing', 'never'],
    [-32603, 'Usage limit reached', { errorKind: 'rate_limit' }, 'limit', 'later'],
    [-32603, 'slow down', { errorKind: 'rate_limit' }, 'overloaded', 'later'],
    [-32603, 'Internal error', { errorKind: 'server_error' }, 'overloaded', 'later'],
    [-32603, 'x', { codexErrorInfo: 'usageLimitExceeded' }, 'limit', 'later'],
    [-32603, 'x', { codexErrorInfo: 'contextWindowExceeded' }, 'context', 'never'],
    [-32603, 'x', { codexErrorInfo: { httpConnectionFailed: {} } }, 'network', 'later'],
    [-32603, 'connect ECONNREFUSED', undefined, 'network', 'later'],
    [-32603, 'Internal error', undefined, 'crash', 'now'],
    [-32603, 'Internal error', 'not an object', 'crash', 'now'],
    [-32603, 'Internal error', 'usage limit reached', 'limit', 'later'],
    [-32603, '', { message: 'You have hit your usage limit.' }, 'limit', 'later'],
    [-32603, 'Internal error', { details: '429 Too Many Requests' }, 'overloaded', 'later'],
    [-32603, 'x', { codexErrorInfo: { httpConnectionFailed: { httpStatusCode: 401 } } }, 'auth', 'never'],
    [-32603, 'x', { codexErrorInfo: { retriesSpent: { httpStatusCode: 429 } } }, 'overloaded', 'later'],
    [-32603, '{"error":{"code":503,"message":"Try later"}}', undefined, 'overloaded', 'later'],
    [-32603, '[{"error":{"code":401,"message":"Who are you?"}}]', undefined, 'auth', 'never'],
    ['429', 'Too many requests', undefined, 'overloaded', 'later'],
  ] as const)('%i %s %j', (code, message, data, error, retry) => {
    expect(readRpcError({ code, message, data }, now)).toMatchObject({ error, retry })
  })

  it('is none for what is no error answer', () => {
    expect(readRpcError(new Error('closed'), now)).toBeUndefined()
  })
})

describe('the end of a limit', () => {
  const resetOf = (message: string, data?: unknown) =>
    readRpcError({ code: 429, message, data }, now)?.resetsAt

  it.each([
    ['Quota exhausted; reset after 3h0m0s', 3 * hour],
    ['Usage limit, resets in 1d2h', 26 * hour],
    ['Quota exceeded, retry in 2.5s', 2500],
  ])('is read from %s', (message, ms) => {
    expect(resetOf(message)).toBe(now + ms)
  })

  it('is read from the data, in seconds or milliseconds', () => {
    const at = now + hour
    expect(resetOf('usage limit', { resetsAt: at / 1000 })).toBe(at)
    expect(resetOf('usage limit', { resetsAt: at })).toBe(at)
  })

  it('is unknown where it is past, too far away or not told', () => {
    expect(resetOf('usage limit', { resetsAt: now / 1000 - 1 })).toBeUndefined()
    expect(resetOf('usage limit, resets in 9d')).toBeUndefined()
    expect(resetOf('usage limit')).toBeUndefined()
  })
})

it('shows the message of the server, not its JSON', () => {
  const message = JSON.stringify({ error: { code: 401, message: 'API key not valid.' } })
  expect(readRpcError({ code: 401, message }, now)?.message).toBe('API key not valid.')
  expect(readRpcError({ code: 500, message: '{"half' }, now)?.message).toBe('{"half')
  expect(
    readRpcError({ code: -32603, message: 'Internal error', data: { details: 'disk full' } }, now)?.message,
  ).toBe('Internal error: disk full')
})
