// What a rollback keeps, and what the tags before tasks are called (docs/playbook-checks.md, "Rollback"). Pure.

/** Name of the branch that keeps what is taken back. */
export function diagnosticBranch(phase: string): string {
  return `autopilot-diagnostic-phase-${phase}`
}

/** Folder that stays as it is: plans and reports tell what happened. */
export const keptByRollback = ['.planning']

/** The tag before a task. */
export function checkpointTag(phase: string, taskId: string): string {
  return `${checkpointTags(phase)}${taskId}`
}

/** What all tags of a phase begin with. */
export function checkpointTags(phase: string): string {
  return `autopilot-checkpoint-${phase}-`
}
