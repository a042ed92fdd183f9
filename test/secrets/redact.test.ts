import { expect, test } from 'vitest'
import { createTextRedactor, recordedSecrets, redacted, redactValue } from '../../source/secrets/redact.js'

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

test('names of words are no keys, wherever something like a beginning of one stands in them', () => {
  const redact = createTextRedactor([])
  for (const name of [
    'docs/plans/2030-04-02-task-manager-integration-plan.md',
    'disk-image-with-a-long-name',
    'docs/sk-learn-integration-guide.md',
    'xAKIAABCDEFGHIJKLMNOP',
  ])
    expect(redact(name)).toBe(name)
})

test('records hide what is a secret for certain: they are worked with, so words and paths stay', () => {
  const environment = {
    API_TOKEN: 'a1b2c3d4e5',
    OPENAI_APIKEY: 'k-0123456789',
    DATABASE_URL: 'postgres://ada:pw@host/db',
    POSTGRES_PASSWORD: 'postgres',
    DB_PASSWORD: 'our-own.word',
    GIT_AUTHOR_NAME: 'Ada 4 Lovelace',
    MONKEY_ISLAND: 'two-headed-1234',
    STAGE: 'production-2030',
    SHORT_KEY: 'ab1',
  }
  expect(recordedSecrets(environment, { MODEL_API_KEY: 'passed-on-key-1' })).toEqual([
    'postgres://ada:pw@host/db',
    'passed-on-key-1',
    'k-0123456789',
    'a1b2c3d4e5',
  ])
})

test('what turns itself into JSON is left to do so', () => {
  const value = { at: new Date(0), inner: { list: [new Date(1)] } }
  expect(JSON.stringify(redactValue(createTextRedactor([]), value))).toBe(JSON.stringify(value))
})
