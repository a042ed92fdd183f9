import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCommand } from '../../../../source/processes/commands.js'
import { machinePorts, statusOf } from '../../../../source/workflows/playbook/visual/machine-ports.js'
import { visualSettings } from '../../../../source/workflows/playbook/visual/settings.js'
import { visualChecks } from '../../../../source/workflows/playbook/visual/visual-checks.js'

let base: string
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'autopilot-visual-test-'))
})
afterEach(async () => await rm(base, { recursive: true, force: true }))

/** A program that calls itself chromium and writes what it is asked for. */
const browser = `#!/bin/sh
for word in "$@"; do case "$word" in --screenshot=*) printf 'picture of %s' "$*" > "\${word#--screenshot=}";; esac; done
`
const server = `require('node:http').createServer((q, a) => { a.statusCode = q.url === '/broken' ? 500 : 200; a.end('x') }).listen(Number(process.argv[1]))`

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

test('a real program is launched, pictures are kept in the project, and nothing is left running', async () => {
  const root = join(base, 'project')
  const bin = join(base, 'bin')
  await mkdir(root)
  await mkdir(bin)
  await writeFile(join(bin, 'chromium'), browser, { mode: 0o755 })
  const port = await freePort()
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: base }
  const { ports, clear } = await machinePorts({
    root,
    environment: env,
    command: async (argv, { timeoutMs, outputCap, signal }) =>
      await runCommand(argv, { cwd: root, env, timeoutMs, outputCap, signal, graceMs: 200 }),
    now: () => new Date('2030-01-01T10:00:00Z'),
  })
  const read = visualSettings({
    launch_command: `'${process.execPath}' -e "${server.replaceAll('"', '\\"')}" ${port}`,
    launch_wait_ms: 50,
    base_url: `http://127.0.0.1:${port}`,
    screenshot_dir: '.autopilot/screenshots',
    routes: [{ path: '/' }, { path: '/broken' }],
  })
  expect(read.ok).toBe(true)
  const { result, notes } = await visualChecks((read.ok && read.settings) as never, ports)
  await clear()
  expect(notes).toEqual([])
  expect(result).toMatchObject({
    screenshots: ['.autopilot/screenshots/home-20300101T100000Z.png'],
    issues_found: [{ route: '/broken', severity: 'critical', description: 'it answers 500' }],
  })
  const picture = await readFile(join(root, '.autopilot/screenshots/home-20300101T100000Z.png'), 'utf8')
  expect(picture).toContain('--window-size=1280,720')
  expect(await statusOf(`http://127.0.0.1:${port}`)).toBeUndefined()
  expect(await readdir(join(base, '.cache'))).toEqual([])
})
