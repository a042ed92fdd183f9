import type { SplitDetails } from './decisions/split.js'
import type { AutomatedChecks, Opinions } from './opinions.js'
import type { CommandReport, Deficiency } from './orders/fields.js'
import type { Band, Recommendation, VerificationResult } from './results.js'
import type { PhaseParts } from './split/plan-parts.js'
import type { Seen } from './taxonomy.js'

// What one pass over a phase comes to: what the orchestrator decides by, and what post-mortems are made of.

/** Every step, whether an agent was sent for it, and why not. */
export interface PipelineStep {
  status: 'full_pipeline' | 'verify_only' | 'pass' | 'fail' | 'completed' | 'partial' | 'skipped'
  agent_spawned: boolean
  skip_reason?: string
}

export interface PipelineSteps {
  preflight: PipelineStep
  triage: PipelineStep & { pass_ratio?: number }
  research: PipelineStep
  plan: PipelineStep
  plan_check: PipelineStep & { confidence?: number }
  execute: PipelineStep
  verify: PipelineStep
  judge: PipelineStep
  rate: PipelineStep & { alignment_score?: number; score_band?: Band }
}

export type ReturnStatus = 'completed' | 'failed' | 'needs_human_verification' | 'split_request'

export interface HumanJustification {
  checkpoint_task_id: string
  task_description: string
  auto_tasks_passed: number
  auto_tasks_total: number
}

/** One attempt at mending, for the post-mortem. */
export interface AttemptedFix {
  attempt: number
  description: string
  commit_sha: string | null
  resolved: string[]
  remaining: string[]
}

export interface PhaseReturn {
  phase: string
  status: ReturnStatus
  alignment_score: number | null
  tasks_completed: string
  tasks_failed: string
  commit_shas: string[]
  automated_checks: AutomatedChecks
  issues: string[]
  debug_attempts: number
  replan_attempts: number
  recommendation: Recommendation
  summary: string
  checkpoint_sha: string | null
  verification_duration_seconds: number | null
  evidence: { files_checked: string[]; commands_run: string[]; git_diff_summary: string }
  pipeline_steps: PipelineSteps
  human_verify_justification?: HumanJustification
  split_details?: SplitDetails
  deferral_evidence?: VerificationResult['deferral_evidence']
  diagnostic_branch?: string
  rollback_performed?: boolean
  rollback_from?: string
  rollback_to?: string
  /** The verifier's own word of how sure it is without a person. */
  autonomous_confidence?: number
}

/** The return, and what else the orchestrator needs of the pass: never part of a record that agents write. */
export interface PassResult {
  returned: PhaseReturn
  /** Of a phase that came to its assessment. */
  opinions?: Opinions
  /** What would have to be mended, by whoever noticed it. */
  deficiencies: Deficiency[]
  failures: Seen[]
  fixes: AttemptedFix[]
  failingChecks: CommandReport[]
  /** Of a split request: the parts that it asks for. */
  split?: PhaseParts
}

const untaken = (): PipelineStep => ({ status: 'skipped', agent_spawned: false })

/** Nothing has been done yet. */
export function untakenSteps(): PipelineSteps {
  return {
    preflight: untaken(),
    triage: untaken(),
    research: untaken(),
    plan: untaken(),
    plan_check: untaken(),
    execute: untaken(),
    verify: untaken(),
    judge: untaken(),
    rate: untaken(),
  }
}
