import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { notifier } from '../../source/sessions/notify.js'

vi.mock('../../source/processes/commands.js', async (original) => {
  const real = await original<typeof import('../../source/processes/commands.js')>()
  return {
    ...real,
    // Nobody wants to wait as long as a person would.
    runCommand: (argv: string[], options: object) =>
      real.runCommand(argv, { ...options, ...(argv.includes('hang') ? { timeoutMs: 300 } : {}) } as never),
  }
})

let dir = ''
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'notify-'))
})
afterEach(async () => {
  await rm(dir, { recursive: true, force: true })
})

const about = () => ({ session: 'mail-rules', workflow: 'tiny', subject: 'spec.md', project: dir })
const alert = { event: 'done', at: '2030-04-03T09:12:00.000Z', text: 'autopilot is done' } as const

it('gives the event as one line of JSON on stdin', async () => {
  const out = join(dir, 'out.json')
  const told: string[] = []
  const script = 'require("fs").writeFileSync(process.argv[1], require("fs").readFileSync(0))'
  await notifier([process.execPath, '-e', script, out], about(), (text) => told.push(text))(alert)
  expect(told).toEqual([])
  expect(JSON.parse(await readFile(out, 'utf8'))).toEqual({ ...alert, ...about() })
})

it('ends a command that hangs and names what goes wrong once', async () => {
  const told: string[] = []
  const notify = notifier([process.execPath, '-e', 'setInterval(() => {}, 1000)', 'hang'], about(), (text) =>
    told.push(text),
  )
  await notify(alert)
  await notify(alert)
  expect(told).toHaveLength(1)
  expect(told[0]).toContain('took longer than')
})

it('names a command that is not there', async () => {
  const told: string[] = []
  await notifier(['no-such-program-here'], about(), (text) => told.push(text))(alert)
  expect(told[0]).toContain('was not found')
})
