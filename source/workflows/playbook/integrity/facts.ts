import type { PhaseType, ProjectCommands } from '../orders/fields.js'
import type { CheckValue, DivergenceResult, RatingResult, VerificationResult } from '../results.js'
import type { CommandsTold } from '../send.js'

// What the integrity checks look at: the return of a pass, and what the program saw itself.

/** A step as the return tells it. */
export interface ReturnedStep {
  status: string
  agent_spawned: boolean
}

/** The part of a return that is checked. */
export interface CheckedReturn {
  status: 'completed' | 'failed' | 'needs_human_verification' | 'split_request'
  alignment_score: number | null
  tasks_completed: string
  commit_shas: readonly string[]
  automated_checks: Readonly<Record<'compile' | 'build' | 'lint' | 'test', CheckValue | null>>
  issues: readonly string[]
  evidence: { files_checked: readonly string[]; commands_run: readonly string[]; git_diff_summary: string }
  pipeline_steps: Readonly<Record<'triage' | 'execute' | 'verify' | 'judge' | 'rate', ReturnedStep>>
  human_verify_justification?:
    | { checkpoint_task_id: string; auto_tasks_passed: number; auto_tasks_total: number }
    | undefined
}

export interface CheckFacts {
  returned: CheckedReturn
  phaseType: PhaseType
  commands: ProjectCommands
  /** Tasks without a person in them. */
  autoTasks: number
  /** Some task is to change a file; false where all of them only look, run something or wait for a person. */
  changesPlanned: boolean
  /** Seconds that the phase and its verification took; a scripted agent is not doubted for being quick. */
  phaseSeconds: number
  verificationSeconds: number | null
  isModel: boolean
  /** Least seconds of a verification by a model; 0 switches it off. */
  verificationMinSeconds: number
  /** Criteria that the phase was checked against. */
  criteria: number
  /** Ids and texts of these criteria; results of others show nothing. Undefined: nobody knows. */
  criterionNames?: readonly string[] | undefined
  /** Commands of ours that passed. */
  passedCommands?: number | undefined
  /** What the program of the verifier tells of the commands that it ran. */
  told?: CommandsTold | undefined
  verification?: VerificationResult | undefined
  /** Evidence of the verifier that names files and lines, none of which is there. */
  unfounded?: readonly string[] | undefined
  divergence?: DivergenceResult | undefined
  rating?: RatingResult | undefined
  /** JUDGE-REPORT.md; undefined where there is none. */
  judgeReport?: string | undefined
  /** Failures with the words that were given to them. */
  failures: readonly string[]
  categories: readonly { failure: string; category: string }[]
  /** Scores of the phases before this one in the run, oldest first. */
  earlierScores: readonly number[]
  passThreshold: number
}

/** What a check does about a violation: send again, once for each phase; warn; write a file. */
export type Act = 'respawn' | 'respawn-or-accept' | 'warn' | 'diagnose'

/** What to send again. */
export type Target = 'phase' | 'verify' | 'judge' | 'rate'

export interface Violation {
  /** One sentence: what was seen, for the person and as `enforcement` for the agent. */
  reason: string
  /** Event that tells of it, where there is one. */
  event?: string
  target?: Target
  /** What is no better the second time is accepted with a warning, whatever the check does about others. */
  isAccepted?: boolean
  /** Marks the phase. */
  suspect?: boolean
  /** The next dispatch is told to look more closely. */
  stricter?: string
}

export interface IntegrityCheck {
  /** `1` to `15`, with `10b` and `11b`. */
  number: string
  name: string
  act: Act
  check(facts: CheckFacts): Violation | undefined
}

export const isCompleted = ({ returned }: CheckFacts) => returned.status === 'completed'

/** Steps 3 to 6 were left out, as the phase was done before. */
export const isVerifyOnly = ({ returned }: CheckFacts) =>
  returned.pipeline_steps.triage.status === 'verify_only'

/** Something was verified, judged and rated: the phase came to its end. */
export const isAssessed = ({ returned }: CheckFacts) =>
  returned.status === 'completed' ||
  (returned.status === 'needs_human_verification' && returned.alignment_score !== null)

/** Whether evidence of the verifier names a file and a line that are there, and that are the work itself. */
export const showsPlace = ({ unfounded = [] }: CheckFacts, evidence: string) =>
  pathLine.test(evidence.replace(address, ' ').replace(tellsOfWork, ' ')) && !unfounded.includes(evidence)

const address = /\b[a-z][a-z0-9+.-]{1,20}:\/\/\S{1,500}/gi

/** Roadmaps, plans and what agents report: they say what is to be there, or that it is. */
const tellsOfWork =
  /(?<![\w/.-])(?:\.planning\/(?:[\w.-]{1,100}\/){0,6})?(?:\d[\d.]{0,9}[A-Za-z]?-){0,2}(?:ROADMAP|REQUIREMENTS|PROJECT|STATE|PLAN|RESEARCH|CONTEXT|SUMMARY|VERIFICATION|JUDGE-REPORT|SCORECARD|EXECUTION-LOG|HANDOFF|TRIAGE)\.(?:md|json):\d/g

/**
 * A file and a line, such as `path/to/file.ts:12` or `file.ts#L12`; looked for from the dot or the last slash on, in linear
 * time. Names are of any language, may end in a bracket (`[id].tsx:3`), open with a dot (`.gitignore:1`) or have no ending
 * (`Makefile:2`); an address of the net is none.
 */
export const pathLine =
  /[\p{L}\p{N}\p{M}_@)\]}$+~-]\.[A-Za-z][A-Za-z0-9]{0,7}(?::L?|#L)\d|(?<!\/)\/[\p{L}\p{N}\p{M}_@.-]{1,100}:\d|(?<![^\s(\x60"'])\.[A-Za-z][\w-]{1,40}:\d|\b(?:[A-Z][a-z]{1,20}|just)file:\d/u
