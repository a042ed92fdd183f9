import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Access } from '../../source/agents/agent.js'
import { createOutputRecord, modelPart } from '../../source/embedded/output-record.js'
import { openToolset } from '../../source/embedded/tools/toolset.js'
import { findMarked } from '../../source/processes/process-marker.js'
import { temporaryDirectory } from './serving.js'

interface Ran {
  output: string
  failure?: string
}

async function bench(options: { access?: Access; project?: string; commandMs?: number } = {}) {
  const project = options.project ?? temporaryDirectory()
  const mark = randomUUID()
  const tools = await openToolset({
    access: options.access ?? 'full',
    cwd: project,
    env: { PATH: process.env.PATH ?? '', TOOL_TEST: mark },
    commandMs: options.commandMs ?? 60_000,
  })
  const stop = new AbortController()
  const file = join(project, '.harness', 'out.txt')

  async function run(name: string, input: unknown): Promise<Ran> {
    const tool = tools.find((each) => each.name === name)
    if (!tool) throw new Error(`no tool ${name}`)
    const output = createOutputRecord({ file, shownAs: '.harness/out.txt', keys: [] })
    try {
      await tool.wish?.(input)
      await tool.run(input, { signal: stop.signal, output })
      return { output: output.forModel() }
    } catch (error) {
      return { output: output.forModel(), failure: error instanceof Error ? error.message : String(error) }
    } finally {
      output.close()
    }
  }
  return { project, run, stop, file, left: () => findMarked(mark, 'TOOL_TEST') }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(condition, { timeout: 30_000 }).toBe(true)
}

describe('confinement', () => {
  it.each(['../secret.txt', 'a/../../secret.txt', 'link-out/secret.txt', 'link-file', '/etc/passwd'])(
    'no file tool gets out by %s',
    async (path) => {
      const outside = temporaryDirectory()
      const project = join(outside, 'project')
      mkdirSync(join(project, 'a'), { recursive: true })
      writeFileSync(join(outside, 'secret.txt'), 'top secret')
      symlinkSync(outside, join(project, 'link-out'))
      symlinkSync(join(outside, 'secret.txt'), join(project, 'link-file'))
      const { run } = await bench({ project })
      const tries = [
        await run('read', { file_path: path }),
        await run('write', { file_path: path, content: 'mine' }),
        await run('edit', { file_path: path, old_string: 'secret', new_string: 'mine' }),
        await run('grep', { pattern: 'secret', path }),
        await run('glob', { pattern: '*', path }),
      ]
      expect(tries.map((each) => each.failure !== undefined)).toEqual([true, true, true, true, true])
      expect(JSON.stringify(tries)).not.toContain('top secret')
      expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('top secret')
    },
  )

  it('a link that leads nowhere is not written through', async () => {
    const outside = temporaryDirectory()
    const { run, project } = await bench()
    symlinkSync(join(outside, 'new.txt'), join(project, 'link'))
    expect((await run('write', { file_path: 'link', content: 'x' })).failure).toBeDefined()
    expect(existsSync(join(outside, 'new.txt'))).toBe(false)
  })

  it.each(['../*', '/etc/*', '{..,a}/*', 'link-out/**'])(
    'glob finds nothing outside by %s',
    async (pattern) => {
      const outside = temporaryDirectory()
      const project = join(outside, 'project')
      mkdirSync(project)
      writeFileSync(join(outside, 'secret.txt'), '')
      symlinkSync(outside, join(project, 'link-out'))
      const { run } = await bench({ project })
      expect(JSON.stringify(await run('glob', { pattern }))).not.toContain('secret.txt')
    },
  )

  it.each(['.git/hooks/pre-commit', 'sub/.git/config', '.git'])(
    'git itself is not written to: %s',
    async (path) => {
      const { run, project } = await bench()
      mkdirSync(join(project, '.git', 'hooks'), { recursive: true })
      mkdirSync(join(project, 'sub', '.git'), { recursive: true })
      expect((await run('write', { file_path: path, content: 'x' })).failure).toMatch(/git/)
      writeFileSync(join(project, 'sub', '.git', 'config'), 'a')
      expect(
        (await run('edit', { file_path: 'sub/.git/config', old_string: 'a', new_string: 'b' })).failure,
      ).toMatch(/git/)
    },
  )

  it('a project that is reached through a link works as usual', async () => {
    const real = temporaryDirectory()
    const link = join(temporaryDirectory(), 'link')
    symlinkSync(real, link)
    const { run } = await bench({ project: link })
    expect(await run('write', { file_path: 'a.txt', content: 'x' })).toEqual({
      output: 'wrote 1 byte to a.txt',
    })
    expect((await run('read', { file_path: join(link, 'a.txt') })).output).toBe('x')
    expect((await run('glob', { pattern: '*.txt' })).output).toBe('a.txt')
  })
})

describe('file tools', () => {
  it('find by pattern, the newest first, without git and node_modules', async () => {
    const { run, project } = await bench()
    for (const [index, name] of [
      'src/a.ts',
      'src/deep/b.ts',
      'src/c.js',
      '.git/d.ts',
      'node_modules/e.ts',
    ].entries()) {
      mkdirSync(join(project, name, '..'), { recursive: true })
      writeFileSync(join(project, name), '')
      utimesSync(join(project, name), 1000 + index, 1000 + index)
    }
    expect((await run('glob', { pattern: '**/*.ts' })).output).toBe('src/deep/b.ts\nsrc/a.ts')
    expect((await run('glob', { pattern: '*.{js,ts}', path: 'src' })).output).toBe('src/c.js\nsrc/a.ts')
    expect((await run('glob', { pattern: 'nothing*' })).output).toBe('no files match')
  })

  it('search and edit', async () => {
    const { run, project } = await bench()
    writeFileSync(join(project, 'a.txt'), 'one\ntwo\n')
    expect((await run('grep', { pattern: 'tw.' })).output).toContain('a.txt')
    await run('edit', { file_path: 'a.txt', old_string: 'two', new_string: '$& three' })
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('one\n$& three\n')
    expect(
      (await run('edit', { file_path: 'a.txt', old_string: 'four', new_string: '' })).failure,
    ).toBeDefined()
  })

  it('leave no half file and no draft where writing fails', async () => {
    const { run, project } = await bench()
    mkdirSync(join(project, 'dir'))
    expect((await run('write', { file_path: 'dir', content: 'x' })).failure).toBeDefined()
    expect(readdirSync(project)).toEqual(['dir'])
  })

  it.each(['write', 'edit', 'glob', 'bash', 'read', 'grep'])(
    '%s refuses an input that is none',
    async (name) => {
      const { run, project } = await bench()
      for (const input of [{}, null, 7, { file_path: '', pattern: '', command: '' }, []]) {
        expect((await run(name, input)).failure).toBeDefined()
      }
      expect(readdirSync(project)).toEqual([])
    },
  )

  it('read a FIFO as little as anything else that is no file', async () => {
    const { run, project } = await bench()
    execFileSync('mkfifo', [join(project, 'pipe')])
    expect((await run('read', { file_path: 'pipe' })).failure).toBeDefined()
    expect((await run('write', { file_path: 'pipe', content: '' })).failure).toBeDefined()
  })
})

describe('bash', () => {
  it('runs in the project, with both outputs, and tells an exit code', async () => {
    const { run, project } = await bench()
    expect(await run('bash', { command: 'pwd -P; echo oh >&2' })).toEqual({
      output: `${realpathSync(project)}\noh\n`,
    })
    expect(await run('bash', { command: 'echo half; exit 3' })).toMatchObject({
      output: 'half\n',
      failure: expect.stringContaining('exit code 3'),
    })
    expect((await run('bash', { command: 'kill -9 $$' })).failure).toContain('SIGKILL')
  })

  it('has no input to wait for', async () => {
    const { run } = await bench()
    expect((await run('bash', { command: 'cat; echo end' })).output).toBe('end\n')
  })

  it('shows beginning and end of a huge output, and keeps all of it', async () => {
    const { run, file } = await bench()
    const command = 'echo first; head -c 8000000 /dev/zero | tr "\\0" "x" | fold -w 99; echo; echo last'
    const { output } = await run('bash', { command })
    expect(output.length).toBeLessThan(modelPart * 2 + 200)
    expect(output).toMatch(/^first\nx/)
    expect(output).toMatch(/x\nlast\n$/)
    expect(output).toContain('all of it is in .harness/out.txt')
    const size = statSync(file).size
    expect(size).toBe('first\n'.length + 8_000_000 + Math.floor((8_000_000 - 1) / 99) + '\nlast\n'.length)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  const stubborn = [
    ['ignores SIGTERM', 'trap "" TERM INT HUP; echo ready > ready; while true; do sleep 1; done'],
    [
      'has a child in a session of its own',
      'setsid bash -c "trap \\"\\" TERM; echo ready > ready; sleep 600; :" & sleep 600',
    ],
    ['left a daemon behind', '(setsid bash -c "echo ready > ready; sleep 600; :" &); sleep 600'],
  ] as const

  it.each(stubborn)('an interrupt ends a command that %s', async (_, command) => {
    const { run, project, stop, left } = await bench()
    const ran = run('bash', { command })
    await until(() => existsSync(join(project, 'ready')))
    stop.abort()
    expect((await ran).failure).toContain('interrupted')
    expect(await left()).toEqual([])
  })

  it.each(stubborn)('the end of its time ends a command that %s', async (_, command) => {
    const { run, left } = await bench({ commandMs: 1500 })
    expect((await run('bash', { command })).failure).toContain('time was up')
    expect(await left()).toEqual([])
  })

  it('takes the time that the model names', async () => {
    const { run } = await bench()
    expect((await run('bash', { command: 'echo a; sleep 600', timeout_seconds: 1 })).output).toBe('a\n')
  })

  it('does not wait for a server that was left running, nor end it', async () => {
    const { run, left, stop, project } = await bench()
    const server = 'while true; do echo tick; echo x >> ticks; sleep 0.05; done'
    expect((await run('bash', { command: `(${server}) & echo started` })).output).toContain('started')
    const ticks = () => readFileSync(join(project, 'ticks'), 'utf8').length
    const before = ticks()
    await until(() => ticks() > before + 10)
    stop.abort()
    // It starts a child every moment, which may be gone by now.
    for (const pid of await left())
      try {
        process.kill(pid, 'SIGKILL')
      } catch {}
  })

  it('a command that was interrupted before it began does not get far', async () => {
    const { run, stop, left } = await bench()
    stop.abort()
    expect((await run('bash', { command: 'sleep 600' })).failure).toContain('interrupted')
    expect(await left()).toEqual([])
  })
})
