import { testCommand } from '../../../project/test-command.js'
import { RunStopped } from '../../../run/stopped.js'
import { settleTrust } from '../../dispatch/persona.js'
import { readTestRun, type TestRun, testRunText } from '../../evidence/claims/test-run.js'
import { findings, knownOf } from '../scan/detect.js'
import { evidenceLines } from '../scan/drift.js'
import { recordOf } from '../state/state.js'
import { look, type StepWork } from '../work.js'

/** Whether the folders show the current step to be done, with what was looked at. */
export async function stepEvidence(work: StepWork): Promise<{ done: boolean; lines: string[] }> {
  const { run, tools, flowName, index } = work
  const known = knownOf(tools.flows, flowName, recordOf(run.state))
  const found = findings(tools.flows, flowName, await look(tools), known)[index]
  if (!found) return { done: false, lines: [] }
  return { done: found.state === 'done' && found.by === 'folders', lines: evidenceLines([found]) }
}

/** Confined as a worker is; `CI` keeps runners from waiting for keys. */
const limits = { timeoutMs: 10 * 60_000, outputCap: 1024 * 1024, isOfProject: true, env: { CI: 'true' } }
const shownLines = 20

/**
 * Runs the test command of the project before a person confirms Run Tests; null where it has none, or the step is
 * another one. `key` is unique in the visit.
 */
export async function runTests(
  { tools, step, run }: StepWork,
  key: string,
): Promise<{ outcome: TestRun['outcome']; lines: string[] } | null> {
  if (!/\btests?\b/i.test(step.name)) return null
  const argv = await run.step(
    `${key}-command`,
    async () => (await testCommand(tools.root, tools.config)) ?? null,
  )
  if (argv === null) return null
  await settleTrust({ run, tools }, key)
  return run.step(key, async () => {
    const began = tools.now().getTime()
    const result = await tools.command(argv, { ...limits, signal: run.signal })
    // What a stop has broken off says nothing, and is run again.
    if (run.signal.aborted) throw new RunStopped('key')
    const came = readTestRun(argv.join(' '), result, tools.now().getTime() - began)
    return { outcome: came.outcome, lines: [testRunText(came), ...came.tail.slice(-shownLines)] }
  })
}
