import type { Deficiency, ExecutorEvidence } from './orders/fields.js'
import type { PartBoard } from './part-board.js'
import type { AttemptedFix, PipelineSteps } from './phase-return.js'
import { untakenSteps } from './phase-return.js'
import type { PhaseRecord } from './state/schema.js'
import type { TraceOffsets } from './step-traces.js'
import type { Seen } from './taxonomy.js'
import type { VisualRound } from './visual/visual-bugs.js'
import type { PhaseWork } from './work.js'

/** Why something is asked for once more: the number of the check, and what it saw. */
export interface Enforcement {
  check: string
  reason: string
}

/** What a phase has used of its attempts when a pass begins. */
export interface Attempts {
  debugs: number
  replans: number
  /** By the number of the integrity check: each sends for something once more, once in a phase. */
  respawns: Record<string, number>
}

/** What the orchestrator wants of one pass over a phase. */
export interface PassInput {
  existingPlan: boolean
  /** Verified work is looked for before anything is planned; not where everything is done from zero. */
  mayShortcut: boolean
  /** An earlier run has completed it, and it is only raised: nothing of it is done anew. */
  isRaised?: boolean
  /** A person has passed it then: as long as nothing of it is changed, nobody is asked to look once more. */
  isApproved?: boolean
  skipResearch: boolean
  /** Only these deficiencies are mended; `part`: in a part of the phase that is called so. */
  remediation?: { cycle: number; feedback: Deficiency[]; part?: string }
  threshold: number
  /** From this confidence of the verifier on nobody is asked. */
  confidence: number
  /** The pass is done once more, or agents are told to look closely, and why. */
  enforcement?: Enforcement
  /** What an earlier visit has done of this phase: steps and tasks that still stand are not done again. */
  before?: PhaseRecord
  /** The commit that the work of this phase is compared with. */
  checkpoint: string
  /** Only these tasks of the plan, in a worktree of their own. */
  only?: readonly string[]
  /** All parts of the phase, of which this pass is one. */
  parts?: PartBoard
}

/** Whether what a person has passed stands as it was: no cycle has changed it. */
export function isApproved({ isApproved: passed, remediation }: PassInput): boolean {
  return passed === true && remediation === undefined
}

/** What a pass has come to so far. It is made again from the journal when a pass goes on after an interruption. */
export interface PassLog {
  /** ISO time of the last step that ended. */
  clock: string
  issues: string[]
  failures: Seen[]
  fixes: AttemptedFix[]
  commits: string[]
  steps: PipelineSteps
  filesChecked: string[]
  commandsRun: string[]
  executorEvidence: ExecutorEvidence[]
  tasks: Map<string, 'completed' | 'failed' | 'deferred'>
  debugs: number
  replans: number
  /** Tests and work that are gone, as they were told to somebody who was sent for them. */
  toldGone: Set<string>
  /** What was wrong on the screens, look by look. */
  visual: VisualRound[]
}

/** One pass over the steps of a phase. */
export interface Pass extends PhaseWork {
  traces: TraceOffsets
  input: PassInput
  log: PassLog
}

export function beginPass(work: PhaseWork, input: PassInput): Pass {
  return {
    ...work,
    since: input.checkpoint,
    input,
    traces: new Map(),
    log: {
      clock: '',
      issues: [],
      failures: [],
      fixes: [],
      commits: [],
      steps: untakenSteps(),
      filesChecked: [],
      commandsRun: [],
      executorEvidence: [],
      tasks: new Map(),
      debugs: 0,
      replans: 0,
      toldGone: new Set(),
      visual: [],
    },
  }
}
