import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startGuard } from '../../source/processes/guard-client.js'
import { eventually, fakeAgent, freshRunId, isAlive } from '../agents/agent-kit.js'

const parentProgram = fileURLToPath(new URL('../fixtures/fake-agents/parent.mjs', import.meta.url))
const started: number[] = []

let folder: string
let guardProgram: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'autopilot-test-'))
  guardProgram = await bundleGuard(join(folder, 'guard.mjs'))
})
afterAll(async () => await rm(folder, { recursive: true, force: true }))

/** True if a process has a handler of its own for a signal. */
function handles(pid: number, signal: number): boolean {
  const mask = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? '0'
  return ((BigInt(`0x${mask}`) >> BigInt(signal - 1)) & 1n) === 1n
}

async function bundleGuard(outfile: string): Promise<string> {
  await build({
    entryPoints: [fileURLToPath(new URL('../../source/processes/guard.ts', import.meta.url))],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  })
  return outfile
}

async function startFamily(): Promise<{ parent: ChildProcess; pids: number[] }> {
  const runId = freshRunId()
  const parent = spawn(process.execPath, [parentProgram, guardProgram, runId, fakeAgent], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let said = ''
  parent.stdout.on('data', (bytes: Buffer) => {
    said += bytes
  })
  await eventually(() => said.endsWith('\n'))
  const pids = said.trim().split(' ').map(Number)
  started.push(...pids)
  expect(pids.map(isAlive)).toEqual([true, true, true])
  return { parent, pids }
}

afterEach(() => {
  for (const pid of started.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
})

describe('the guard', () => {
  it('ends agent and tools of a parent that was killed, and then itself', async () => {
    const { parent, pids } = await startFamily()
    parent.kill('SIGKILL')
    await eventually(() => pids.every((pid) => !isAlive(pid)))
  })

  it('is not ended by the signals of a closed terminal', async () => {
    const { parent, pids } = await startFamily()
    const [guard = 0, ...others] = pids
    // The signals are ignored from its first statement on; its own start is what is waited for here.
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
    await eventually(() => signals.every((signal) => handles(guard, constants.signals[signal])))
    for (const signal of signals) process.kill(guard, signal)
    parent.kill('SIGKILL')
    // Nobody else would end them.
    await eventually(() => others.every((pid) => !isAlive(pid)))
  })

  it('leaves everything alone when it is released', async () => {
    const { parent, pids } = await startFamily()
    const [guard = 0, ...others] = pids
    parent.stdin?.write('x')
    await eventually(() => !isAlive(guard))
    expect(others.map(isAlive)).toEqual([true, true])
    parent.kill('SIGKILL')
  })

  it('is started by its client, which does not wait for it', async () => {
    const guard = startGuard(freshRunId(), guardProgram)
    const pid = guard.pid ?? 0
    started.push(pid)
    expect(isAlive(pid)).toBe(true)
    guard.release()
    await eventually(() => !isAlive(pid))
  })
})
