import { expect, test } from 'vitest'
import type { CommandResult } from '../../../../source/processes/commands.js'
import { RunStopped } from '../../../../source/run/stopped.js'
import { runTestCommand } from '../../../../source/workflows/evidence/claims/run-tests.js'

const result: CommandResult = {
  code: 1,
  signal: null,
  stdout: '',
  stderr: '',
  timedOut: false,
  missing: false,
  truncated: false,
}
const now = () => new Date(0)

test('tests that a stop has broken off say nothing; others say what they came to', async () => {
  const stop = new AbortController()
  const command = async () => {
    stop.abort()
    return { ...result, code: null, signal: 'SIGKILL' as const }
  }
  await expect(runTestCommand({ command, now }, ['npm', 'test'], stop.signal)).rejects.toThrow(RunStopped)
  const tools = { command: async () => result, now }
  const run = await runTestCommand(tools, ['npm', 'test'], new AbortController().signal)
  expect(run).toMatchObject({ command: 'npm test', outcome: 'failed' })
})
