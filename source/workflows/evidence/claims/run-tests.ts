import { RunStopped } from '../../../run/stopped.js'
import type { SessionTools } from '../../tools.js'
import { readTestRun, type TestRun } from './test-run.js'

/** Confined as who works is; `CI` keeps runners from waiting for keys. */
const usual = { outputCap: 1024 * 1024, isOfProject: true, env: { CI: 'true' } }

const minute = 60_000
const mostMs = 10 * minute
const leastMs = 2 * minute
/** So many times as long as before no suite takes that still goes on. */
const patience = 20

/** How long a run of the tests may take: as the person says, else ten minutes, or less where one before was over soon. */
export function testLimitMs(testMinutes: number | undefined, before: TestRun | undefined): number {
  if (testMinutes !== undefined) return testMinutes * minute
  if (before === undefined || before.hung) return mostMs
  return Math.min(mostMs, Math.max(leastMs, before.durationMs * patience))
}

/**
 * Runs the test command of the project once (docs/evidence.md, "Tests"). One that a stop has broken off says nothing: it throws
 * RunStopped, so that nothing is recorded and the tests are run again. `before`: an earlier run of the same command.
 */
export async function runTestCommand(
  tools: Pick<SessionTools, 'command' | 'now'> & { limits?: SessionTools['limits'] },
  argv: readonly string[],
  signal: AbortSignal,
  before?: TestRun,
): Promise<TestRun> {
  const began = tools.now().getTime()
  const timeoutMs = testLimitMs(tools.limits?.testMinutes, before)
  const result = await tools.command([...argv], { ...usual, timeoutMs, signal })
  if (signal.aborted) throw new RunStopped('key')
  return readTestRun(argv.join(' '), result, tools.now().getTime() - began)
}
