import { type Committed, commitChanges } from '../../commits/checkpoint-commit.js'
import { ownRecords, sessionFiles } from '../artifacts/files.js'
import type { PhaseWork } from '../work.js'

/** Commits what changed since the phase began (docs/harness.md, "Commits"). `key` is unique in the visit. */
export function commitPhase(
  { run, tools, phase }: PhaseWork,
  key: string,
  message: string,
): Promise<Committed> {
  const baseline = sessionFiles(tools.sessionDir).baseline(phase.number)
  return commitChanges(run, tools, { key, message, baseline, leaveOut: ownRecords })
}
