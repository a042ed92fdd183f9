// Subjects of commits in this workflow. An agent adds its own words behind ` - `.

/** Kinds of change that begin a subject. */
export type CommitType = 'feat' | 'fix' | 'test' | 'docs' | 'refactor' | 'chore'

/** `feat(2.1): 02.1-01 - ` */
export function taskSubject(type: CommitType, phase: string, taskId: string): string {
  return `${type}(${phase}): ${taskId} - `
}

/** `fix(2.1): debug 2 - ` */
export function debugSubject(phase: string, attempt: number): string {
  return `fix(${phase}): debug ${attempt} - `
}

/** `fix(2.1): R1 - ` */
export function remediationSubject(phase: string, cycle: number): string {
  return `fix(${phase}): R${cycle} - `
}

/** Of the artifacts of a phase and of the tick in the roadmap. */
export function artifactsSubject(phase: string): string {
  return `docs(phase-${phase}): artifacts`
}

export function rollbackSubject(phase: string): string {
  return `rollback: revert to phase ${phase} checkpoint`
}

/** `fix(audit): close REQ-4 gap` */
export function auditSubject(requirement: string): string {
  return `fix(audit): close ${requirement} gap`
}
