import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readProcessStat } from '../../source/processes/process-stat.js'
import { startProcess } from '../../source/processes/start-process.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'autopilot-test-'))
})
afterEach(async () => await rm(folder, { recursive: true, force: true }))

async function script(name: string, body: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${body}\n`)
  await chmod(join(folder, name), 0o755)
}

const env = { PATH: '/usr/bin:/bin' }

async function output(started: ReturnType<typeof startProcess>): Promise<string> {
  let text = ''
  started.stdout?.on('data', (bytes: Buffer) => {
    text += bytes
  })
  await started.closed
  return text
}

describe('startProcess', () => {
  test('gives the environment it was told, its marks, and nothing else', async () => {
    const marks = [{ name: 'AUTOPILOT_RUN_ID', value: 'r1' }]
    const started = startProcess({ argv: ['env'], cwd: folder, env: { ...env, OWN: 'x' }, marks })
    const seen = (await output(started)).trim().split('\n').sort()
    expect(seen).toEqual(['AUTOPILOT_RUN_ID=r1', 'OWN=x', 'PATH=/usr/bin:/bin'])
    expect(await started.exited).toEqual({ code: 0, signal: null })
  })

  test('the process leads a group of its own', async () => {
    const started = startProcess({ argv: ['sleep', '600'], cwd: folder, env })
    const { pid = 0 } = started
    if (process.platform === 'linux') expect(readProcessStat(pid)).toMatchObject({ group: pid })
    expect(started.isRunning()).toBe(true)
    process.kill(-pid, 'SIGKILL')
    expect(await started.exited).toEqual({ code: null, signal: 'SIGKILL' })
    expect(started.isRunning()).toBe(false)
  })

  test('a bare name is never looked for in the project, a path always from the working directory', async () => {
    await script('planted', 'echo planted > ran')
    const path = { PATH: `.::${folder.slice(1)}:/usr/bin` }
    const bare = startProcess({ argv: ['planted'], cwd: folder, env: path })
    expect(await bare.exited).toMatchObject({ code: null, spawnError: { code: 'ENOENT' } })
    await expect(readFile(join(folder, 'ran'))).rejects.toThrow()
    const named = startProcess({ argv: ['./planted'], cwd: folder, env: path })
    expect(await named.exited).toMatchObject({ code: 0 })
    expect(await readFile(join(folder, 'ran'), 'utf8')).toBe('planted\n')
  })

  test('what cannot be started says why, and never throws', async () => {
    await writeFile(join(folder, 'plain'), 'x')
    const failures: [string[], string, string][] = [
      [['./absent'], folder, 'ENOENT'],
      [['./plain'], folder, 'EACCES'],
      [['env'], join(folder, 'no-directory'), 'ENOENT'],
      [['env', 'x'.repeat(3_000_000)], folder, 'E2BIG'],
      [[], folder, 'ENOENT'],
    ]
    for (const [argv, cwd, code] of failures) {
      const started = startProcess({ argv, cwd, env })
      expect(await started.exited, argv[0]).toMatchObject({ code: null, spawnError: { code } })
      expect(started.pid).toBeUndefined()
      expect(started.isRunning()).toBe(false)
      started.unref()
    }
  })

  test('without input it reads an empty file', async () => {
    expect(await output(startProcess({ argv: ['cat'], cwd: folder, env, stdin: 'none' }))).toBe('')
  })
})
