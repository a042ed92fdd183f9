import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runCommand } from '../../source/processes/commands.js'
import { childEnvironment } from '../../source/processes/environment.js'
import { findOnPath } from '../../source/processes/find-program.js'
import { runningProcess } from '../../source/processes/process-identity.js'
import { findMarked } from '../../source/processes/process-marker.js'
import { hasEnded, parseProcessStat, readProcessStat } from '../../source/processes/process-stat.js'
import { splitArgv } from '../../source/processes/split-argv.js'
import { runValidation } from '../../source/workflows/harness/validate.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'autopilot-test-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

const node = process.execPath
const usual = { timeoutMs: 30_000, outputCap: 100_000 }

async function script(name: string, body: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\n${body}\n`)
  await chmod(path, 0o755)
  return path
}

async function isRunning(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return (await runningProcess(pid)) !== undefined
  const stat = readProcessStat(pid)
  return stat !== undefined && stat.state !== 'Z'
}

describe('runCommand', () => {
  test('gives exit code, output and arguments as they are, without a shell', async () => {
    const code =
      'process.stdout.write(JSON.stringify(process.argv.slice(1))); process.stderr.write("e"); process.exitCode = 3'
    const args = ['$(id)', '`id`', 'a; b', '| x', '*', '']
    const result = await runCommand([node, '-e', code, '--', ...args], { ...usual, cwd: folder })
    expect(result).toMatchObject({
      code: 3,
      signal: null,
      stderr: 'e',
      timedOut: false,
      missing: false,
      truncated: false,
    })
    expect(JSON.parse(result.stdout)).toEqual(args)
  })

  test('a missing program, a directory and a file without the executable bit', async () => {
    await writeFile(join(folder, 'plain'), 'x')
    for (const argv of [['no-such-program-here'], ['./plain'], [folder], ['./absent'], [''], []]) {
      expect(await runCommand(argv, { ...usual, cwd: folder })).toMatchObject({ missing: true, code: null })
    }
  })

  test('a program in the project is not found by its bare name', async () => {
    await script('tool', 'echo planted')
    const env = { PATH: `.::${process.env.PATH}` }
    expect((await runCommand(['tool'], { ...usual, cwd: folder, env })).missing).toBe(true)
    expect((await runCommand(['./tool'], { ...usual, cwd: folder, env })).stdout).toBe('planted\n')
  })

  test('a timeout ends the group, also where SIGTERM is ignored', async () => {
    const path = await script('hang', "trap '' TERM; sleep 600 & echo $! > child; wait; wait")
    const result = await runCommand([path], { ...usual, cwd: folder, timeoutMs: 1_000, graceMs: 200 })
    expect(result).toMatchObject({ timedOut: true, code: null, signal: 'SIGKILL' })
    expect(await isRunning(Number(await readFile(join(folder, 'child'), 'utf8')))).toBe(false)
  })

  test('an abort ends it; an abort before the start starts nothing', async () => {
    const stop = new AbortController()
    const path = await script('hang', 'echo started > started; exec sleep 600')
    const running = runCommand([path], { ...usual, cwd: folder, signal: stop.signal })
    await vi.waitFor(
      async () => expect(await readFile(join(folder, 'started'), 'utf8')).toBe('started\n'),
      10_000,
    )
    stop.abort()
    expect(await running).toMatchObject({ code: null, signal: 'SIGTERM', timedOut: false })
    await rm(join(folder, 'started'))
    await runCommand([path], { ...usual, cwd: folder, signal: stop.signal })
    await expect(readFile(join(folder, 'started'))).rejects.toThrow()
  })

  test('a child that keeps the pipes open does not keep us, and is ended', async () => {
    const path = await script('leave', 'sleep 600 & echo $! > child; echo done')
    const result = await runCommand([path], { ...usual, cwd: folder })
    expect(result).toMatchObject({ code: 0, stdout: 'done\n', timedOut: false })
    expect(await isRunning(Number(await readFile(join(folder, 'child'), 'utf8')))).toBe(false)
  })

  test('keeps the tail or the head of too much output, at whole characters', async () => {
    const code = 'for (let n = 0; n < 20000; n += 1) process.stdout.write("é" + n + "\\n")'
    const tail = await runCommand([node, '-e', code], { ...usual, cwd: folder, outputCap: 999 })
    expect(tail.truncated).toBe(true)
    expect(tail.stdout.endsWith('é19999\n')).toBe(true)
    expect(Buffer.byteLength(tail.stdout)).toBeLessThanOrEqual(999)
    const head = await runCommand([node, '-e', code], {
      ...usual,
      cwd: folder,
      outputCap: 1_000,
      keep: 'head',
    })
    expect(head.stdout.startsWith('é0\né1\n')).toBe(true)
    expect(Buffer.byteLength(head.stdout)).toBeLessThanOrEqual(1_000)
    expect(tail.stdout + head.stdout).not.toContain('\uFFFD')
  })

  test('input reaches the program, and closing it early is no failure', async () => {
    expect((await runCommand(['cat'], { ...usual, cwd: folder, input: 'hello' })).stdout).toBe('hello')
    expect((await runCommand(['cat'], { ...usual, cwd: folder })).stdout).toBe('')
    const result = await runCommand(['true'], { ...usual, cwd: folder, input: 'x'.repeat(1_000_000) })
    expect(result.code).toBe(0)
  })
})

describe('splitArgv', () => {
  test.each([
    ['npm  test', ['npm', 'test']],
    [`node 'a b' "c d" e\\ f`, ['node', 'a b', 'c d', 'e f']],
    [`say "it's \\"so\\" \\n"`, ['say', `it's "so" \\n`]],
    [`x '' ""`, ['x', '', '']],
    [`a'b'"c"d`, ['abcd']],
    ['echo $HOME `id` $(id) *', ['echo', '$HOME', '`id`', '$(id)', '*']],
    [`grep '|' "&&"`, ['grep', '|', '&&']],
    ['  ', []],
  ])('%s', (text, argv) => {
    expect(splitArgv(text)).toEqual(argv)
  })

  test.each([`a 'b`, `a "b`, 'a \\', 'a && b', 'a | b', 'a ; b', 'a > b', 'a\0b'])(
    '%j is refused',
    (text) => {
      expect(() => splitArgv(text)).toThrowError(expect.objectContaining({ code: 'usage' }))
    },
  )

  test('quoted words come back as they were', () => {
    const word = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'))
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const line = words.map((text) => `'${text.replaceAll("'", `'\\''`)}'`).join(' ')
        expect(splitArgv(line)).toEqual(words)
      }),
    )
  })
})

test('the environment of a child is a short list, and some names never pass', () => {
  vi.stubEnv('SOME_TOKEN', 'secret')
  vi.stubEnv('NODE_OPTIONS', '--inspect')
  vi.stubEnv('LC_TIME', 'C')
  vi.stubEnv('TZ', 'Asia/Kolkata')
  vi.stubEnv('PATH', `/usr/bin:.::node_modules/.bin:/bin`)
  const env = childEnvironment({
    AUTOPILOT_RUN_ID: 'r',
    LD_PRELOAD: 'x',
    GIT_DIR: 'x',
    npm_config_x: 'x',
    ENV: 'x',
    NONE: undefined,
  })
  expect(env).toMatchObject({
    AUTOPILOT_RUN_ID: 'r',
    LC_TIME: 'C',
    TZ: 'Asia/Kolkata',
    PATH: '/usr/bin:/bin',
  })
  for (const name of ['SOME_TOKEN', 'NODE_OPTIONS', 'LD_PRELOAD', 'GIT_DIR', 'npm_config_x', 'ENV', 'NONE']) {
    expect(Object.keys(env)).not.toContain(name)
  }
})

test('findOnPath names an executable file, never a path or a relative entry', async () => {
  await script('tool', 'true')
  await mkdir(join(folder, 'directory'))
  expect(await findOnPath('tool', `/nonexistent:${folder}`)).toBe(join(folder, 'tool'))
  for (const name of ['directory', './tool', '', 'absent', join(folder, 'tool')]) {
    expect(await findOnPath(name, folder)).toBeUndefined()
  }
})

test('marked processes are found, exactly, and told apart by their start time', async () => {
  const path = await script('wait', 'echo $$ > pid; exec sleep 600')
  const stop = new AbortController()
  const marker = `run-${process.pid}-${Date.now()}`
  const env = { ...childEnvironment(), AUTOPILOT_RUN_ID: marker }
  const running = runCommand([path], { ...usual, cwd: folder, env, signal: stop.signal })
  try {
    await vi.waitFor(async () => expect(await readFile(join(folder, 'pid'), 'utf8')).toMatch(/\n/), 10_000)
    const pid = Number(await readFile(join(folder, 'pid'), 'utf8'))
    expect(await findMarked(marker)).toEqual([pid])
    expect(await findMarked(marker.slice(0, -1))).toEqual([])
    expect(await findMarked(marker, 'AUTOPILOT_ATTEMPT_ID')).toEqual([])
    expect(await findMarked('')).toEqual([])
    const started = await runningProcess(pid)
    expect(started).toEqual(await runningProcess(pid))
    expect(started).toMatchObject({ startTime: expect.stringMatching(/\d/), ended: false })
  } finally {
    stop.abort()
    await running
  }
  expect(await findMarked(marker)).toEqual([])
  for (const pid of [-1, 0, 1e9, Number.NaN]) expect(await runningProcess(pid)).toBeUndefined()
})

test('a program name with parentheses does not shift the fields', () => {
  const fields = Array.from({ length: 30 }, (_, index) => String(index + 4)).join(' ')
  expect(parseProcessStat(`7 (a) R 1 (b) S ${fields}`)).toMatchObject({
    state: 'S',
    group: 5,
    startTime: '22',
  })
  expect(hasEnded(parseProcessStat(`7 (node) Z ${fields}`)!)).toBe(true)
  expect(hasEnded(parseProcessStat(`7 (node) S ${fields}`)!)).toBe(false)
  for (const text of ['', '7 (node']) expect(parseProcessStat(text)).toBeUndefined()
})

describe('runValidation', () => {
  async function harness(body: string) {
    await mkdir(join(folder, 'bin'), { recursive: true })
    await script('bin/harness', body)
    vi.stubEnv('PATH', `${join(folder, 'bin')}:${process.env.PATH}`)
    return await runValidation(folder)
  }

  test('not installed', async () => {
    vi.stubEnv('PATH', folder)
    expect(await runValidation(folder)).toEqual({ kind: 'not-installed' })
    expect(await runValidation(folder, [])).toEqual({ kind: 'not-installed' })
  })

  test('the five outcomes of harness validate', async () => {
    expect(
      await harness('[ "$*" = "validate --json" ] || exit 9; echo \'{"valid":true,"issues":[]}\''),
    ).toEqual({ kind: 'pass' })
    const issue = '{"check":"lint","file":"a.ts","message":"bad","suggestion":"mend"}'
    expect(await harness(`echo notice; echo '{"valid":false,"issues":[${issue}]}'; exit 1`)).toEqual({
      kind: 'failed',
      issues: [JSON.parse(issue)],
    })
    expect(await harness(`echo '{"error":"no harness.config.json"}'; exit 2`)).toEqual({
      kind: 'cannot-run',
      reason: 'no harness.config.json',
    })
    expect(await harness(`echo '{"unavailableChecks":["types"]}'; exit 3`)).toEqual({
      kind: 'unavailable',
      checks: ['types'],
    })
  })

  test('odd answers are never a pass', async () => {
    expect(await harness(`echo '{"valid":false,"issues":[]}'`)).toMatchObject({ kind: 'failed' })
    expect(await harness('echo garbage; exit 1')).toEqual({
      kind: 'failed',
      issues: [{ check: 'validate', message: 'garbage' }],
    })
    expect(await harness('exit 139')).toMatchObject({ kind: 'cannot-run' })
    expect(await harness('kill -9 $$')).toMatchObject({
      kind: 'cannot-run',
      reason: expect.stringContaining('SIGKILL'),
    })
    expect(await harness('exit 3')).toEqual({ kind: 'unavailable', checks: [] })
  })

  test('a configured command decides by its exit code', async () => {
    expect(await runValidation(folder, ['true'])).toEqual({ kind: 'pass' })
    const failing = await script(
      'check',
      'for n in $(seq 100); do echo "line $n"; done; echo oops >&2; exit 4',
    )
    const outcome = await runValidation(folder, [failing, 'a b'])
    expect(outcome).toMatchObject({ kind: 'failed', issues: [{ check: `${failing} "a b"` }] })
    const message = outcome.kind === 'failed' ? (outcome.issues[0]?.message ?? '') : ''
    expect(message).toContain('line 100\noops')
    expect(message).not.toContain('line 50\n')
    expect(await runValidation(folder, ['./absent'])).toMatchObject({ kind: 'cannot-run' })
    const hang = await script('hang', 'sleep 600')
    expect(await runValidation(folder, [hang], { timeoutMs: 300 })).toMatchObject({ kind: 'cannot-run' })
  })
})
