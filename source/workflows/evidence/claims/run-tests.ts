import { RunStopped } from '../../../run/stopped.js'
import type { SessionTools } from '../../tools.js'
import { readTestRun, type TestRun } from './test-run.js'

/** Confined as who works is; `CI` keeps runners from waiting for keys. */
const limits = { timeoutMs: 10 * 60_000, outputCap: 1024 * 1024, isOfProject: true, env: { CI: 'true' } }

/**
 * Runs the test command of the project once (docs/evidence.md, "Tests"). One that a stop has broken off says nothing: it throws
 * RunStopped, so that nothing is recorded and the tests are run again.
 */
export async function runTestCommand(
  tools: Pick<SessionTools, 'command' | 'now'>,
  argv: readonly string[],
  signal: AbortSignal,
): Promise<TestRun> {
  const began = tools.now().getTime()
  const result = await tools.command([...argv], { ...limits, signal })
  if (signal.aborted) throw new RunStopped('key')
  return readTestRun(argv.join(' '), result, tools.now().getTime() - began)
}
