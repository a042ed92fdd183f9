import { completeAssessment } from './01-complete-assessment.js'
import { tasksWithoutCommits } from './02-tasks-without-commits.js'
import { tooQuick } from './03-too-quick.js'
import { independentAgents } from './04-independent-agents.js'
import { rubberStamp } from './05-rubber-stamp.js'
import { alreadyImplemented } from './06-already-implemented.js'
import { evidenceGiven } from './07-evidence.js'
import { verifyOnlyEvidence } from './08-verify-only-evidence.js'
import { judgeReport } from './09-judge-report.js'
import { commandsRun } from './10-commands-run.js'
import { verificationTime } from './10b-verification-time.js'
import { judgeAddsSomething } from './11-judge-adds-something.js'
import { crossContamination } from './11b-cross-contamination.js'
import { failureCategories } from './12-categories.js'
import { deferralNamesTask } from './13-deferral-names-task.js'
import { unnecessaryDeferral } from './14-unnecessary-deferral.js'
import { confidenceDiagnostic } from './15-confidence-diagnostic.js'
import type { CheckFacts, IntegrityCheck, Violation } from './facts.js'

/** Everything that a return is held against before it is believed, in order (docs/playbook-checks.md, "Integrity checks"). */
export const integrityChecks: readonly IntegrityCheck[] = [
  completeAssessment,
  tasksWithoutCommits,
  tooQuick,
  independentAgents,
  rubberStamp,
  alreadyImplemented,
  evidenceGiven,
  verifyOnlyEvidence,
  judgeReport,
  commandsRun,
  verificationTime,
  judgeAddsSomething,
  crossContamination,
  failureCategories,
  deferralNamesTask,
  unnecessaryDeferral,
  confidenceDiagnostic,
]

export interface Found extends Violation {
  number: string
  name: string
}

export interface IntegrityOutcome {
  warnings: Found[]
  /** The first thing to be sent again. */
  respawn?: Found
  /** It was sent again once and is no better: the phase failed. */
  failed?: Found
  /** A confidence diagnostic is to be written. */
  diagnose?: Found
}

/**
 * Holds a return against all checks. `respawns` are those of this phase so far, by number: each check sends again once;
 * then what it found fails the phase, or is accepted with a warning.
 */
export function checkIntegrity(
  facts: CheckFacts,
  respawns: Readonly<Record<string, number>>,
): IntegrityOutcome {
  const outcome: IntegrityOutcome = { warnings: [] }
  for (const { number, name, act, check } of integrityChecks) {
    const violation = check(facts)
    if (violation === undefined) continue
    const found = { number, name, ...violation }
    const isAgain = (respawns[number] ?? 0) > 0
    if (act === 'diagnose') outcome.diagnose = found
    else if (act === 'warn' || found.target === undefined) outcome.warnings.push(found)
    else if (!isAgain) outcome.respawn ??= found
    else if (act === 'respawn-or-accept' || found.isAccepted) outcome.warnings.push(found)
    else outcome.failed ??= found
  }
  return outcome
}

/** How a violation is told to the agent that is sent again. */
export function enforcementOf({ number, reason }: Found): { check: string; reason: string } {
  return { check: number, reason }
}
