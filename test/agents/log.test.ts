import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDispatchLog } from '../../source/agents/log.js'
import { createRedactor, redacted, secretValues } from '../../source/secrets/redact.js'
import { temporaryDirectory } from './agent-kit.js'

function logged(
  secrets: string[],
  write: (log: ReturnType<typeof openDispatchLog>) => void,
  cap?: number,
): Buffer {
  const path = join(temporaryDirectory(), 'logs', 'd.log')
  const log = openDispatchLog(path, secrets, (message) => expect.fail(message), cap)
  write(log)
  log.close()
  return readFileSync(path)
}

describe('the log of a dispatch', () => {
  it('keeps every byte, by stream and line, a half last line too', () => {
    const odd = Buffer.from([0xff, 0x00, 0x1b, 0x0a, 0xc3])
    const bytes = logged([], (log) => {
      log.raw('stdin', Buffer.from('go\n'))
      log.raw('stdout', odd)
      log.raw('stderr', Buffer.from('warn\n'))
      log.raw('stdout', Buffer.from([0xa4, 0x0a, 0x68]))
    })
    const expected = [Buffer.from('> go\n  '), odd.subarray(0, 4), Buffer.from('! warn\n  ä\n  h\n')]
    expect(bytes).toEqual(Buffer.concat(expected))
  })

  it('hides a secret that comes in two chunks', () => {
    const bytes = logged(['grüne-katze'], (log) => {
      const [head, tail] = [Buffer.from('x grün'), Buffer.from('e-katze y\n')]
      log.raw('stdout', head)
      log.raw('stdout', tail)
    })
    expect(String(bytes)).toBe('  x [redacted] y\n')
  })

  it('stops at its cap with a note', () => {
    const bytes = logged(
      [],
      (log) => {
        for (let count = 0; count < 100; count += 1) log.raw('stdout', Buffer.from('0123456789\n'))
      },
      65,
    )
    expect(String(bytes)).toBe(
      `${'  0123456789\n'.repeat(5)}# log full at 65 bytes, 1047 more bytes not kept\n`,
    )
  })

  it('tells once when it cannot be written, and follows no symbolic link', () => {
    const directory = temporaryDirectory()
    const target = join(directory, 'target')
    writeFileSync(target, 'untouched')
    symlinkSync(target, join(directory, 'd.log'))
    const failures: string[] = []
    const log = openDispatchLog(join(directory, 'd.log'), [], (message) => failures.push(message))
    log.raw('stdout', Buffer.from('x\n'))
    log.note('y')
    log.close()
    expect(failures).toHaveLength(1)
    expect(readFileSync(target, 'utf8')).toBe('untouched')
  })
})

describe('createRedactor', () => {
  it.each([
    'AKIAABCDEFGHIJKLMNOP',
    'ghp_0123456789abcdefghijABCDEFGHIJ012345',
    'github_pat_11ABCDEFG0123456789_abcdef',
    ['sk', 'proj', 'Ab3dEf6hIj9kLm2n'].join('-'),
    'xoxb-123456789012-abcdef',
    'AIzaSyA0123456789abcdefghijABCDEFGHIJ012',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl',
    '-----BEGIN RSA PRIVATE KEY-----\\nabc\\n-----END RSA PRIVATE KEY-----',
  ])('hides %s', (secret) => {
    expect(createRedactor([])(`a "${secret}" b`)).toBe(`a "${redacted}" b`)
  })

  it('leaves ordinary text alone', () => {
    const text = 'risk-free task-1 in src/AKIA.ts, commit 0123456789abcdef0123456789abcdef01234567'
    expect(createRedactor(['short', 'a.c+d(e)'])(text)).toBe(text)
    expect(createRedactor(['a.c+d(e)'])('x a.c+d(e) y')).toBe(`x ${redacted} y`)
  })

  it('hides a key over several lines, and not the rest of the log if it never ends', () => {
    const redact = createRedactor([])
    const lines = ['see -----BEGIN PRIVATE KEY-----', 'MIIE', '-----END PRIVATE KEY----- done', 'after']
    expect(lines.map(redact)).toEqual([`see ${redacted}`, redacted, `${redacted} done`, 'after'])
    redact('-----BEGIN PRIVATE KEY-----')
    const rest = Array.from({ length: 300 }, () => redact('text'))
    expect(rest.at(-1)).toBe('text')
  })
})

it('secretValues: what is kept from the agent or has a name of a secret, but no paths and nothing short', () => {
  const environment = {
    PATH: '/usr/bin:/bin',
    PWD: '/home/ada/mail',
    GOPATH: '/home/ada/go-path',
    MY_TOKEN: 'token-value-1',
    ODD: 'dropped-value',
    SHORT_KEY: '1234567',
    EDITOR: 'vim --noplugin',
    KEPT: 'a kept harmless value',
  }
  const passedOn = { PATH: environment.PATH, KEPT: environment.KEPT, MODEL_API_KEY: 'passed-on-key' }
  expect(secretValues(environment, passedOn)).toEqual(['token-value-1', 'dropped-value', 'passed-on-key'])
})

it('secretValues: the time zone is no secret, also where the agent does not get it', () => {
  expect(secretValues({ TZ: 'America/Chicago' }, {})).toEqual([])
})
