// What a lifecycle state file says, as data (docs/lifecycle.md, "The state file").

export const stepStatuses = ['not_started', 'in_progress', 'completed', 'skipped', 'failed'] as const
export type StepStatus = (typeof stepStatuses)[number]

/** A part of a step: `4` and `Architecture Review`. The name may be empty. */
export interface SubStep {
  id: string
  name: string
}

/** Id of a step as the file has it: a number where it is a whole one, `done` behind the last step. */
export type StepId = number | string

export interface CurrentStep {
  flow: string
  step: StepId | null
  name: string
  /** One of `stepStatuses`, or what stands there instead; empty where nothing does. */
  status: string
  subStep?: SubStep
  /** 0 to 3. */
  retryCount: number
}

export interface CompletedRow {
  step: StepId
  name: string
  /** As written. */
  completed: string
  outcome: string
}

export interface RetryRow {
  attempt: string
  step: StepId
  name: string
  subStep: string
  reason: string
  timestamp: string
}

export interface LastSession {
  date?: string
  endedAt?: string
  reason?: string
  notes?: string
}

export interface LifecycleRecord {
  current: CurrentStep
  completed: CompletedRow[]
  decisions: string[]
  lastSession: LastSession
  retryLog: RetryRow[]
  blockers: string[]
  /** Titles of sections that are nobody's. */
  unknownSections: string[]
  /** Everything that is not as it should be, each beginning with its 1-based line. */
  warnings: string[]
  /** 1-based lines of an unfinished merge; the file cannot be gone on with while there are any. */
  conflicts: number[]
}
