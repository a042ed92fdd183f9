import type { PlaybookCriterion } from '../../../documents/playbook-criterion.js'
import type { PlaybookTaskType } from '../../../documents/playbook-plan.js'
import type { Complexity, JudgementResult, PlanIssue } from '../results.js'

// Everything that an order of this workflow can hold, by the names of the dispatch file. Which persona sees what is
// another matter: may-see.ts. Paths are repo-relative.

export type PhaseType = 'ui' | 'protocol' | 'data' | 'mixed'

/** The four commands of a project; null where it has none, which is no failure. */
export interface ProjectCommands {
  compile: string | null
  lint: string | null
  build: string | null
  test: string | null
}

/** A criterion by a name of its own, so that a result can say which one it means. */
export interface OrderCriterion extends PlaybookCriterion {
  id: string
  /** Absent for a criterion of the phase or of a whole plan. */
  taskId?: string
}

export interface OrderTask {
  id: string
  title: string
  type: PlaybookTaskType
  complexity: Complexity
  files: readonly string[]
  criteria: readonly OrderCriterion[]
}

/** What a command of ours came to. `output` is cut. */
export interface CommandReport {
  criterion?: string
  command: string
  exitCode: number | null
  output: string
  assessment: 'pass' | 'fail' | 'timeout' | 'violation'
}

/** What was wrong with a phase that is planned once more. */
export interface Replan {
  score: number | null
  issues: readonly string[]
  missing: readonly string[]
}

/** One deficiency that is to be mended. */
export interface Deficiency {
  criterion: string
  deficiency: string
  target_file?: string
  current_score?: number
  target_score?: number
  expected_impact?: string
  source: 'scorecard' | 'diagnostic' | 'judge_report' | 'verification' | 'human'
}

/** What an executor said of a task, for the judge alone. */
export interface ExecutorEvidence {
  task_id: string
  criteria_met: readonly string[]
  commands_run: readonly string[]
}

/** Where a full conversation left off. */
export interface HandoffFacts {
  path: string
  tasksCompleted: readonly string[]
  tasksRemaining: readonly string[]
}

/** True for every order. */
export interface CommonFields {
  /** `number` is 1-based in the order of the run. */
  phase: { id: string; name: string; goal: string; number: number; total: number }
  phaseDir: string
  phaseType: PhaseType
  roadmapPath: string
  specPath: string
  commands: ProjectCommands
  tracePath: string
  /** Why the same is asked once more. */
  enforcement?: { check: string; reason: string }
}

export interface OrderFields {
  description: string
  requirements: readonly string[]
  completedPhaseDirs: readonly string[]
  completedPhaseSummaries: readonly string[]
  repoMapPath: string
  /** What people said of the phase, strongest first. */
  contextPaths: readonly string[]
  replan: Replan
  researchPath: string
  learningsPath: string
  /** Where the test specifications of the tasks go. */
  testsDir: string
  /** What the check of the plan found; empty the first time. */
  checkerIssues: readonly PlanIssue[]
  /** The plan that is to be written. */
  planPath: string
  planPaths: readonly string[]
  /** What the program itself found in the plans. */
  lintIssues: readonly PlanIssue[]
  task: OrderTask
  /** More than one task in one conversation. */
  tasks: readonly OrderTask[]
  logPath: string
  /** How the project compiled before the task; null without a command. */
  baselineCompile: CommandReport | null
  lastCheckpointSha: string
  /** The subject of the commit up to and with ` - `; the rest is the agent's. */
  commitSubject: string
  /** From 1. */
  remediationCycle: number
  remediationFeedback: readonly Deficiency[]
  handoff: HandoffFacts
  criteria: readonly OrderCriterion[]
  files: readonly string[]
  commandResults: readonly CommandReport[]
  diffCommand: string
  logCommand: string
  triageEvidence: readonly CommandReport[]
  executorEvidence: readonly ExecutorEvidence[]
  reportPath: string
  verificationPath: string
  /** What the judge found before it saw the verifier's report. */
  turnOne: JudgementResult
  issues: readonly string[]
  failingChecks: readonly CommandReport[]
  visualBugsPath: string
  remainingIssues: readonly string[]
  /** From 1. */
  debugAttempt: number
}

export type Field = keyof OrderFields
