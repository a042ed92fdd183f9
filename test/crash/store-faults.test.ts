import { execFile } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTemporary, makeTemporary } from '../support/temporary.js'

// docs/durability.md, "How it is tested": a fault at every file operation of a session, in every condition it can
// be opened in.

const injector = fileURLToPath(new URL('../support/fault-injector.mjs', import.meta.url))
const source = fileURLToPath(new URL('../support/fault-driver.ts', import.meta.url))
const run = promisify(execFile)

let workshop = ''
let driver = ''

beforeAll(async () => {
  workshop = await makeTemporary('faults')
  driver = join(workshop, 'driver.mjs')
  await build({
    entryPoints: [source],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: driver,
    logLevel: 'error',
  })
}, 60_000)

afterAll(async () => {
  await rm(workshop, { recursive: true, force: true })
})

async function drive<Answer>(args: string[], env: Record<string, string> = {}): Promise<Answer> {
  const { stdout } = await run(process.execPath, ['--import', injector, driver, ...args], {
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout) as Answer
}

interface Outcome {
  points: number
  failures: string[]
}

const conditions: [string, string[]][] = [
  ['fresh', ['freeze', 'half-freeze', 'ENOSPC', 'EIO', 'EPERM']],
  ['clean', ['freeze', 'half-freeze', 'ENOSPC', 'EIO', 'EACCES', 'full']],
  ['ahead', ['freeze', 'half-freeze', 'ENOSPC', 'EIO']],
  ['torn-tail', ['freeze', 'half-freeze', 'ENOSPC']],
  ['main-torn', ['freeze', 'half-freeze', 'ENOSPC', 'EIO']],
  ['main-empty', ['freeze', 'half-freeze']],
  ['main-missing', ['freeze', 'half-freeze', 'EIO']],
  ['bak-torn', ['freeze', 'half-freeze']],
]

describe('a fault at every operation loses nothing', () => {
  for (const [start, modes] of conditions) {
    it.concurrent(`starting from ${start}`, async () => {
      for (const mode of modes) {
        const { points, failures } = await inTemporary('faults', (root) =>
          drive<Outcome>(['matrix', root, mode, start]),
        )
        expect(failures).toEqual([])
        expect(points).toBeGreaterThan(mode.endsWith('freeze') ? 2 : 50)
      }
    })
  }
})

describe('the fault runs can fail', () => {
  it.concurrent.each(['freeze', 'ENOSPC'])('state before journal is found wrong by %s', async (mode) => {
    const args = (root: string) => ['matrix', root, mode, 'clean', 'state-first']
    const { failures } = await inTemporary('faults', (root) => drive<Outcome>(args(root)))
    expect(failures.length).toBeGreaterThan(1)
    expect(failures.every((failure) => failure.includes('foreign-edit'))).toBe(true)
  })
})

describe('SIGKILL of a real process', () => {
  it.concurrent('at every fifth operation, before it or in the middle of a write', async () => {
    await inTemporary('kills', async (root) => {
      const template = join(root, 'template')
      const base = await drive<number>(['prepare', template, 'clean'])
      let killed = 0
      for (let at = 1; ; at += 5) {
        const dir = join(root, `session-${at}`)
        cpSync(template, dir, { recursive: true })
        const mode = at % 2 === 1 ? 'kill' : 'half-kill'
        const env = { FAULT_DIR: dir, FAULT_AT: String(at), FAULT_MODE: mode }
        const child = await run(process.execPath, ['--import', injector, driver, 'once', dir], {
          env: { ...process.env, ...env },
        }).catch((error: { signal?: string }) => error)
        const { wrong } = await drive<{ wrong: string | null }>(['verdict', dir, String(base)])
        expect(wrong, `${mode} at ${at}`).toBeNull()
        rmSync(dir, { recursive: true })
        if (!('signal' in child) || child.signal !== 'SIGKILL') break
        killed++
      }
      expect(killed).toBeGreaterThan(10)
    })
  })
})
