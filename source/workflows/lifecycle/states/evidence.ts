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

const testMinutes = 10
const shownLines = 20

/** The test command of the project, before a person confirms Run Tests; null where there is none. */
export async function testCommand({
  tools,
  step,
  run,
}: StepWork): Promise<{ ok: boolean; lines: string[] } | null> {
  const argv = tools.config.validate
  if (!/\btests?\b/i.test(step.name) || !argv) return null
  const result = await tools.command(argv, {
    timeoutMs: testMinutes * 60_000,
    outputCap: 64_000,
    signal: run.signal,
  })
  const ok = result.code === 0
  const output = `${result.stdout}\n${result.stderr}`.split('\n').filter((line) => line.trim() !== '')
  return {
    ok,
    lines: [
      `${argv.join(' ')}: ${ok ? 'passed' : `failed (exit ${result.code})`}`,
      ...output.slice(-shownLines),
    ],
  }
}
