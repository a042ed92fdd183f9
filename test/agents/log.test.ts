import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openDispatchLog } from '../../source/agents/log.js'
import { type LogCaps, settleLog } from '../../source/agents/log-file.js'
import { createRedactor, redacted, secretValues } from '../../source/secrets/redact.js'
import { createBlockRedactor } from '../../source/secrets/redact-block.js'
import { temporaryDirectory } from './agent-kit.js'

function logged(
  secrets: string[],
  write: (log: ReturnType<typeof openDispatchLog>) => void,
  cap?: LogCaps,
): Buffer {
  const path = join(temporaryDirectory(), 'logs', 'd.log')
  const log = openDispatchLog(path, secrets, (message) => expect.fail(message), cap)
  write(log)
  log.close()
  return readFileSync(path)
}

const said = (lines: string[]) => (log: ReturnType<typeof openDispatchLog>) => {
  for (const line of lines) log.raw('stdout', Buffer.from(line))
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

  it('keeps its beginning and its end, and names the gap', () => {
    const caps = { head: 40, tail: 30 }
    const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}\n`)
    const bytes = logged([], said(lines), caps)
    const all = lines.map((line) => `  ${line}`).join('')
    const head = all.slice(0, 36)
    const tail = '  line 998\n  line 999\n'
    const gap = all.length - head.length - tail.length
    const note = `# ${gap} bytes are left out here: the log keeps its beginning and its end\n`
    expect(String(bytes)).toBe(head + note + tail)
  })

  it('is whole at any length, or keeps as much as it may', () => {
    const caps = { head: 60, tail: 90 }
    fc.assert(
      fc.property(fc.array(fc.nat(12), { maxLength: 80 }), (lengths) => {
        const lines = lengths.map((length, index) => `${index}${'x'.repeat(length)}\n`)
        const all = lines.map((line) => `  ${line}`)
        const text = String(logged([], said(lines), caps))
        if (all.join('').length <= caps.head + caps.tail) {
          expect(text).toBe(all.join(''))
          return
        }
        const kept = text.split(/(?<=\n)/)
        const notes = kept.filter((line) => line.startsWith('#'))
        const at = kept.findIndex((line) => line.startsWith('#'))
        expect(notes).toHaveLength(1)
        expect(kept.slice(0, at)).toEqual(all.slice(0, at))
        const tail = kept.slice(at + 1)
        expect(tail).toEqual(all.slice(all.length - tail.length))
        expect(kept.slice(0, at).join('').length).toBeGreaterThan(caps.head - 18)
        expect(tail.join('').length).toBeGreaterThan(caps.tail - 18)
        expect(text.length).toBeLessThanOrEqual(caps.head + caps.tail + (notes[0]?.length ?? 0))
        expect(Number(/\d+/.exec(notes[0] ?? '')?.[0])).toBe(
          all.join('').length - kept.slice(0, at).join('').length - tail.join('').length,
        )
      }),
      { numRuns: 60 },
    )
  })

  it('of a program that died is put together by the next reader', () => {
    const caps = { head: 40, tail: 30 }
    const write = (log: ReturnType<typeof openDispatchLog>) => {
      for (let index = 0; index < 100; index += 1) log.raw('stdout', Buffer.from(`line ${index}\n`))
    }
    const closed = logged([], write, caps)
    const path = join(temporaryDirectory(), 'd.log')
    write(openDispatchLog(path, [], (message) => expect.fail(message), caps))
    expect(readdirSync(dirname(path)).length).toBeGreaterThan(1)
    settleLog(path, caps)
    expect(readFileSync(path)).toEqual(closed)
    expect(readdirSync(dirname(path))).toEqual(['d.log'])
    settleLog(path, caps)
    expect(readFileSync(path)).toEqual(closed)
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

it('a block of lines is redacted like each of its lines', () => {
  const secrets = ['grüne-katze', 'aaaaaaaa', 'sk-like-value']
  const words = fc.constantFrom(
    ...secrets,
    ...[
      'AKIAABCDEFGHIJKLMNOP',
      'ghs_0123456789abcdefghijABCDEFGHIJ012345',
      'github_pat_11ABCDEFG0123456789_abcdef',
    ],
    ...[['sk', 'proj', 'Ab3dEf6hIj9kLm2n'].join('-'), 'xoxb-123456789012-abcdef', `AIza${'a'.repeat(35)}`],
    ...['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl', 'sk-', 'eyJ', 'xox', 'a', ' ', '\n', '\n'],
    ...['-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----', '\n'.repeat(202)],
  )
  fc.assert(
    fc.property(fc.array(fc.array(words), { maxLength: 5 }), fc.nat(3), (blocks, shift) => {
      const byBlock = createBlockRedactor(secrets)
      const byLine = createRedactor(secrets.map((secret) => Buffer.from(secret).toString('latin1')))
      for (const block of blocks) {
        // Wherever in memory it begins.
        const bytes = Buffer.from(`${' '.repeat(shift)}${block.join('')}\n`).subarray(shift)
        const lines = bytes.toString('latin1').slice(0, -1).split('\n').map(byLine)
        expect(byBlock(bytes).toString('latin1')).toBe(`${lines.join('\n')}\n`)
      }
    }),
  )
})
