import { expect, test } from 'vitest'
import { createTextRedactor, redacted, redactValue } from '../../source/secrets/redact.js'

const key = `-----BEGIN OPENSSH PRIVATE KEY-----\nabc\ndef\n-----END OPENSSH PRIVATE KEY-----`
const token = 'ghp_abcdefghijklmnopqrstuvwxyz0123'
const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${'c'.repeat(20)}`

test('hides exact values, tokens and keys over several lines, wherever they are in a text', () => {
  const redact = createTextRedactor(['own-secret-value'])
  expect(redact(`a own-secret-value b\n${key} c ${key}\n${token}, "${jwt}"`)).toBe(
    `a ${redacted} b\n${redacted} c ${redacted}\n${redacted}, "${redacted}"`,
  )
  expect(redact('nothing here, task-0123456789')).toBe('nothing here, task-0123456789')
  // The same for every call: nothing is carried over from one text into the next.
  expect(redact('-----BEGIN PRIVATE KEY-----\nabc')).toBe(redacted)
  expect(redact('def')).toBe('def')
})

test('hides texts within a value, and leaves the rest as it is', () => {
  const redact = createTextRedactor([])
  const value = { at: 1, none: null, list: [token, { [token]: `see ${key}` }], yes: true }
  expect(redactValue(redact, value)).toEqual({
    at: 1,
    none: null,
    list: [redacted, { [redacted]: `see ${redacted}` }],
    yes: true,
  })
})

test.each([
  ['beginnings of keys without an end', '-----BEGIN RSA PRIVATE KEY-----\n'],
  ['ends of keys without a beginning', '-----END RSA PRIVATE KEY-----\n'],
  ['half a web token', 'eyJaaaaaaaaa_-'],
  ['dashes', '-----BEGIN '],
])('a megabyte of %s takes a moment', (_what, piece) => {
  const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
  const redact = createTextRedactor([])
  const once = timed(() => redact(text))
  const four = timed(() => redact(text.repeat(4)))
  // Quadratic work would take sixteen times as long.
  expect(four).toBeLessThan(Math.max(200, once * 12))
})

function timed(action: () => void): number {
  const before = process.cpuUsage()
  action()
  const { user } = process.cpuUsage(before)
  return user / 1000
}
