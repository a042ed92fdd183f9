/**
 * Repo-relative paths of a session's files (docs/harness.md, "Session directory"). Phases by their 1-based number.
 */
export function sessionFiles(sessionDir: string) {
  return {
    state: `${sessionDir}/autopilot-state.json`,
    taskState: `${sessionDir}/state.json`,
    archivedTaskState: (phase: number) => `${sessionDir}/archive/state-before-phase-${phase}.json`,
    handoff: `${sessionDir}/handoff.json`,
    review: (phase: number) => `${sessionDir}/phase-${phase}-review.json`,
    baseline: (phase: number) => `${sessionDir}/phase-${phase}-baseline.json`,
    /** A plan or spec as it was approved, by its sha256. */
    frozen: (hash: string) => `${sessionDir}/approved/${hash.slice(0, 32)}.md`,
    summary: `${sessionDir}/summary.md`,
    learnings: `${sessionDir}/learnings.md`,
    scratchpad: `${sessionDir}/scratchpad`,
    pullRequest: `${sessionDir}/pull-request.md`,
    index: '.harness/sessions/index.md',
    globalLearnings: '.harness/learnings.md',
    failures: '.harness/failures.md',
    roadmap: 'docs/roadmap.md',
  }
}

/** Kept for the project by this program; whether and when they are committed is the person's. */
export const ownRecords = ['.harness/learnings.md', '.harness/failures.md', '.harness/.gitignore']
