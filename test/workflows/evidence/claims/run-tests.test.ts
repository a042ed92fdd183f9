import { expect, test } from 'vitest'
import type { CommandResult } from '../../../../source/processes/commands.js'
import { RunStopped } from '../../../../source/run/stopped.js'
import { runTestCommand, testLimitMs } from '../../../../source/workflows/evidence/claims/run-tests.js'

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

test('a run that does not end is told as such; how long it is waited for is said, or goes by the run before', async () => {
  const waited: number[] = []
  const command = async (_: unknown, { timeoutMs }: { timeoutMs: number }) => {
    waited.push(timeoutMs)
    return { ...result, code: null, timedOut: true }
  }
  const run = (limits: { testMinutes?: number }) =>
    runTestCommand({ command, now, limits }, ['npm', 'test'], new AbortController().signal)
  expect(await run({ testMinutes: 0.5 })).toMatchObject({ outcome: 'cannot-run', hung: true })
  await run({})
  expect(waited).toEqual([30_000, 600_000])
  const before = { command: 'npm test', outcome: 'passed', durationMs: 1_000, tail: [] as string[] } as const
  expect(
    [1_000, 20_000, 60_000].map((durationMs) => testLimitMs(undefined, { ...before, durationMs })),
  ).toEqual([120_000, 400_000, 600_000])
  expect(testLimitMs(undefined, { ...before, hung: true })).toBe(600_000)
})
