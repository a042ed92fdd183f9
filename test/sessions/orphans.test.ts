import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { settleOrphans } from '../../source/sessions/orphans.js'
import type { Question } from '../../source/view/question.js'

// Processes that an earlier run has left (docs/durability.md, "Processes").

const onLinux = process.platform === 'linux'
const alive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** A process that carries the marker of a run and would live for ever. */
async function leftover(runId: string): Promise<number> {
  const script = 'setInterval(() => {}, 1000); console.log("up")'
  const child = spawn(process.execPath, ['-e', script], {
    detached: true,
    env: { PATH: process.env.PATH ?? '', AUTOPILOT_RUN_ID: runId },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child.pid as number
}

async function settle(runIds: string[], value: string, patienceMs = 0) {
  const asked: Question[] = []
  const ask = async (question: Question) => {
    asked.push(question)
    return { value }
  }
  return { goesOn: await settleOrphans(runIds, 'seeds', ask, patienceMs), asked }
}

test.runIf(onLinux)(
  'Q-ORPHANS names them; on "end" they are gone, and those of other runs live',
  async () => {
    const [runId, other] = [randomUUID(), randomUUID()]
    const [pid, stranger] = [await leftover(runId), await leftover(other)]
    const { goesOn, asked } = await settle([runId], 'end')
    expect(asked.map(({ gate }) => gate)).toEqual(['Q-ORPHANS'])
    expect(asked[0]?.body.join(' ')).toContain(String(pid))
    expect(asked[0]?.body.join(' ')).not.toContain(String(stranger))
    expect(goesOn).toBe(true)
    expect(alive(pid)).toBe(false)
    expect(alive(stranger)).toBe(true)
  },
)

test.runIf(onLinux).each([
  ['leave', true],
  ['close', false],
])('"%s" ends nobody', async (value, goesOn) => {
  const runId = randomUUID()
  const pid = await leftover(runId)
  expect(await settle([runId], value)).toMatchObject({ goesOn, asked: [{ gate: 'Q-ORPHANS' }] })
  expect(alive(pid)).toBe(true)
})

test('nobody left: no question', async () => {
  expect(await settle([randomUUID()], 'end')).toEqual({ goesOn: true, asked: [] })
})

test.runIf(onLinux)('what its guard ends meanwhile is not asked about', async () => {
  const runId = randomUUID()
  const pid = await leftover(runId)
  const settled = settle([runId], 'end', 60_000)
  process.kill(pid, 'SIGKILL')
  expect(await settled).toEqual({ goesOn: true, asked: [] })
})
