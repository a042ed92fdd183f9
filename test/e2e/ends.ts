import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { findMarked } from '../../source/processes/process-marker.js'
import { turn } from '../mock-model/turn.js'
import { bashCall } from '../mock-model/vocabulary.js'
import { answer, eventually, waitForGate } from './journey.js'
import { type ModelProject, type ModelProjectOptions, modelProject } from './model-project.js'
import { expectNothingLeft } from './whats-left.js'

// However a run ends, nothing of it lives on, not even what a tool started in a session of its own.

const seconds = 3_917
const command = `setsid sleep ${seconds} > /dev/null 2>&1 & sleep ${seconds}`

/** A real program on a busy machine takes its time to come to its first tool. */
const startMs = 120_000

type AgentUnderTest = Pick<ModelProjectOptions, 'agent' | 'environment'>

const stageWith = (agent: AgentUnderTest, permissions: 'all' | 'ask') =>
  modelProject({
    ...agent,
    config: { permissions },
    model: (request) => {
      const call = bashCall(request, command)
      return call ? turn({ text: 'I start what stays.', calls: [call] }) : turn({ text: 'No shell.' })
    },
  })

/** How many processes of the tool call are alive. */
async function sleepers(stage: ModelProject): Promise<number> {
  const runIds = await stage.runIds()
  const pids = (await Promise.all(runIds.map((runId) => findMarked(runId)))).flat()
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line === `sleep\0${seconds}\0`).length
}

/** Waits until the tool and its child work. */
const working = (stage: ModelProject) =>
  eventually(
    async () => ((await sleepers(stage)) === 2 ? true : undefined),
    'the tool and its child',
    startMs,
  )

/** `twice`: SIGINT from outside, two times. */
export type EndHow = 'q' | 'SIGKILL' | 'close' | 'SIGINT' | 'twice' | 'SIGQUIT' | 'SIGUSR2'

/** Exit codes of the ends that have one. */
const codes: Partial<Record<EndHow, number>> = { q: 3, SIGINT: 3, twice: 130, SIGQUIT: 131, SIGUSR2: 140 }

/** The run ends while a tool works, by the key, by SIGKILL of autopilot, or with the terminal. */
export async function endAtWork(agent: AgentUnderTest, how: EndHow): Promise<void> {
  const stage = await stageWith(agent, 'all')
  const terminal = await stage.startTrusted()
  await working(stage)
  if (how === 'q') await terminal.press('q')
  if (how === 'twice') {
    terminal.kill('SIGINT')
    // Two that come at once are one for the system.
    await terminal.waitFor(/stopping/i)
    terminal.kill('SIGINT')
  } else if (how.startsWith('SIG')) terminal.kill(how as NodeJS.Signals)
  if (how === 'close') terminal.close()
  const { code, signal } = await terminal.exit
  if (codes[how] !== undefined) expect(code).toBe(codes[how])
  if (how === 'SIGKILL') expect(signal).toBe(9)
  await expectNothingLeft(await stage.runIds())
}

/** A tool is allowed and interrupted, then the run ends at the next permission. */
export async function endAtPermission(agent: AgentUnderTest): Promise<void> {
  const stage = await stageWith(agent, 'ask')
  const terminal = await stage.startTrusted()
  await waitForGate(terminal, 'permission', startMs)
  await answer(terminal, { choose: 'allow once' })
  await working(stage)
  await terminal.press('i')
  // The interrupted agent is gone with all it started, while autopilot goes on.
  await waitForGate(terminal, 'Q-AGENT')
  await eventually(
    async () => ((await sleepers(stage)) === 0 ? true : undefined),
    'the tool and its child to be gone',
    5_000,
  )
  await answer(terminal, { choose: 'continue', text: '' })
  await waitForGate(terminal, 'permission', startMs)
  await answer(terminal, { choose: 'stop' })
  expect(await terminal.exit).toEqual({ code: 3, signal: 0 })
  await expectNothingLeft(await stage.runIds())
}
