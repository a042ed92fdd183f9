import { rollbackSubject } from '../orders/commit-subject.js'

// Which commits a rollback takes back, and what it may not (docs/playbook-checks.md, "Rollback"). Pure.

export interface RangeCommit {
  sha: string
  subject: string
}

export interface RollbackPlan {
  /** Commits of this phase, newest first. */
  ours: RangeCommit[]
  /** Commits of the range that this run did not make for the phase. */
  foreign: RangeCommit[]
  /** Subject of the commit that takes them back. */
  subject: string
}

/** The range since the checkpoint, newest first, held against the commits that are recorded for the phase. */
export function rollbackPlan(
  phase: string,
  range: readonly RangeCommit[],
  recorded: readonly string[],
): RollbackPlan {
  const isOurs = ({ sha }: RangeCommit) =>
    recorded.some((one) => sha === one || (one.length >= 7 && sha.startsWith(one)))
  return {
    ours: range.filter(isOurs),
    foreign: range.filter((commit) => !isOurs(commit)),
    subject: rollbackSubject(phase),
  }
}

/** Name of the branch that keeps what is taken back. */
export function diagnosticBranch(phase: string): string {
  return `autopilot-diagnostic-phase-${phase}`
}

/** Folder that stays as it is: plans and reports tell what happened. */
export const keptByRollback = ['.planning']

/** Where a person's uncommitted changes are kept. */
export function asidePrefix(runId: string): string {
  return `refs/autopilot/${runId}`
}

/** The tag before a task. */
export function checkpointTag(phase: string, taskId: string): string {
  return `${checkpointTags(phase)}${taskId}`
}

/** What all tags of a phase begin with. */
export function checkpointTags(phase: string): string {
  return `autopilot-checkpoint-${phase}-`
}
