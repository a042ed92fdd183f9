import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { waitForLetGo } from '../../source/sessions/take-over.js'
import { lockWorktree } from '../../source/sessions/worktree-lock.js'
import type { LockOwner } from '../../source/storage/lock.js'
import { readOwner } from '../../source/storage/lock.js'
import { createProject } from '../support/project.js'

// A session that was taken from a living process (docs/durability.md, "The lock"). Time is counted, not waited for.

const onLinux = process.platform === 'linux'

/** An agent of that run, which would live for ever. */
async function agentOf(runId: string) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log("up")'], {
    detached: true,
    env: { PATH: process.env.PATH ?? '', AUTOPILOT_RUN_ID: runId },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

/** A project whose work tree is held, and by whom: this process stands for the one that had the session. */
async function held() {
  const project = await createProject({ files: { 'a.txt': 'a\n' } })
  const release = await lockWorktree(project.dir)
  onTestFinished(release)
  const found = await readOwner(project.path('.git/autopilot'), 'worktree.lock.json')
  return { root: project.dir, owner: found?.owner as LockOwner, release }
}

test.runIf(onLinux)('it has let go and its agents are gone: nothing is waited for or ended', async () => {
  const { root, owner, release } = await held()
  await release()
  const stranger = await agentOf(randomUUID())
  let waited = 0
  await waitForLetGo(root, owner, [randomUUID()], async (ms) => {
    waited += ms
  })
  expect(waited).toBe(0)
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
})

test.runIf(onLinux)('it lets go meanwhile: the session goes on at once', async () => {
  const { root, owner, release } = await held()
  const runId = randomUUID()
  const agent = await agentOf(runId)
  const gone = once(agent, 'exit')
  let waited = 0
  await waitForLetGo(root, owner, [runId], async (ms) => {
    waited += ms
    if (waited !== 300) return
    agent.kill('SIGTERM')
    await gone
    await release()
  })
  expect(waited).toBe(300)
  expect(agent.signalCode).toBe('SIGTERM')
})

test.runIf(onLinux)(
  'it has not let go after five seconds: its agents are ended by their marker, nobody else',
  async () => {
    const { root, owner } = await held()
    const runId = randomUUID()
    const [agent, stranger] = [await agentOf(runId), await agentOf(randomUUID())]
    const gone = once(agent, 'exit')
    let waited = 0
    await waitForLetGo(root, owner, [runId], async (ms) => {
      expect(agent.signalCode).toBeNull()
      waited += ms
    })
    await gone
    expect(waited).toBe(5000)
    expect(agent.signalCode).toBe('SIGKILL')
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  },
)
