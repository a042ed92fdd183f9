import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findMarked } from '../../source/processes/process-marker.js'
import { makeTemporary } from '../support/temporary.js'
import {
  createSubject,
  doubled,
  openWorkshop,
  outcomeOf,
  records,
  specPath,
  start,
  type Workshop,
} from './crash-run.js'

// A session is taken from another process that lives: it notices, ends its agent and says who took it; one that is stopped
// hears nothing, and its agent is ended by the marker. Either way the session goes on to its end where it was taken to.

const spec = `# Seeds

## Implementation Order

### Phase 1: Seed box
<!-- complexity: low -->

Tasks: box
`

let root = ''
let workshop: Workshop

beforeAll(async () => {
  root = await makeTemporary('taken-over')
  const answers = [{ gate: 'Q-LOCK', answer: { value: 'unlock' } }]
  workshop = { ...(await openWorkshop(root)), answers }
  const sleeper = "console.log('up'); setInterval(() => undefined, 1000)\n"
  await writeFile(join(root, 'sleeper.mjs'), sleeper)
}, 120_000)

afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))

interface Holder {
  child: ChildProcess
  runId: string
  told(): string
  ended: Promise<unknown[]>
}

/** A process that has the session, and whose agent is at work and never comes to its end. */
async function holderOf(dir: string): Promise<Holder> {
  const args = [workshop.driver, dir, specPath, `command:${process.execPath} ${join(root, 'sleeper.mjs')}`]
  const child = spawn(process.execPath, args, {
    cwd: dir,
    env: workshop.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = once(child, 'exit')
  for (;;) {
    const all = await records(dir).catch(() => [])
    const opened = all.findLast((record) => record.type === 'opened')
    const isAtWork = all.some((record) => record.type === 'dispatched')
    if (opened?.type === 'opened' && isAtWork && (await agentsOf(opened.runId, child)).length > 0)
      return { child, runId: opened.runId, told: () => stderr, ended }
    if (child.exitCode !== null) throw new Error(`the holder ended with ${child.exitCode}: ${stderr}`)
    await delay(50)
  }
}

/** Processes of that run which are not the holder itself. */
async function agentsOf(runId: string, { pid }: ChildProcess): Promise<number[]> {
  return (await findMarked(runId)).filter((found) => found !== pid)
}

test.each(['living', 'stopped'] as const)('taken from a %s process', async (kind) => {
  const dir = join(root, kind)
  await createSubject(workshop, dir, { spec })
  const holder = await holderOf(dir)
  if (kind === 'stopped') holder.child.kill('SIGSTOP')

  const ended = await start(workshop, dir)
  expect(ended, ended.stderr).toMatchObject({ code: 0 })
  expect(await agentsOf(holder.runId, holder.child)).toEqual([])
  if (kind === 'stopped') holder.child.kill('SIGCONT')
  await holder.ended
  expect(holder.child.exitCode, holder.told()).toBe(3)
  // One that only wakes when the other has finished finds its lock gone, and cannot know who had taken it.
  expect(holder.told()).toContain(
    kind === 'living' ? 'This session was taken over: it is open in' : 'so this one changes nothing any more',
  )

  const all = await records(dir)
  expect(doubled(all)).toEqual([])
  // What the one that lost it would still have written is nowhere.
  const epochs = all.map(({ epoch }) => epoch)
  expect(epochs).toEqual([...epochs].sort((one, other) => one - other))
  expect((await outcomeOf(workshop, dir)).state).toMatchObject({ currentState: 'DONE' })
})
