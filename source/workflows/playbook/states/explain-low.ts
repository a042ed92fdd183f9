import { publishDiagnostic } from '../phase-records.js'
import type { PassResult } from '../phase-return.js'
import { phaseOf } from '../state/phases.js'
import { type PhaseWork, savePhase } from '../work.js'

/** From here on nothing has to be explained. */
const explainedBelow = 9

/**
 * What a completed phase lacks, or lacked before it was mended, is in a file (docs/playbook-checks.md, "Integrity
 * checks"); one that passed since its cycles are used up has it already.
 */
export async function explainLow(work: PhaseWork, first: PassResult, last: PassResult): Promise<void> {
  const { alignment_score: score, status } = last.returned
  const isLow = [first, last].some(
    ({ returned }) => returned.alignment_score !== null && returned.alignment_score < explainedBelow,
  )
  if (status !== 'completed' || score === null || !isLow) return
  const { id } = work.facts
  if (await work.run.step('explained', () => phaseOf(work.run.state, id).force_incomplete)) return
  const how = last === first ? { kind: 'passed' as const } : { kind: 'remediated' as const, to: score }
  const path = await publishDiagnostic(work, 'confidence-file', last, how)
  await savePhase(work, 'confidence-kept', (phase) => ({ ...phase, diagnostic_path: path }), [
    { event: 'confidence_diagnostic_written', details: { path } },
  ])
}
