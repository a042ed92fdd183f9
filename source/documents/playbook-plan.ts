import type { PlaybookCriterion } from './playbook-criterion.js'

export type PlaybookTaskType = 'auto' | 'human-verify' | 'human-action' | 'decision'
export type PlaybookComplexity = 'simple' | 'medium' | 'complex'

/** One task of a plan (docs/playbook.md, "Plans"). */
export interface PlaybookTask {
  /** `02-01`, `02.1-01-03`; unique in its phase. */
  id: string
  title: string
  type: PlaybookTaskType
  complexity: PlaybookComplexity
  /** Repo-relative paths that it names. */
  files: string[]
  /** What its files field says that is no path. */
  notes: string[]
  /** 1-based lines of its beginning and of its last line. */
  line: number
  endLine: number
  criteria: PlaybookCriterion[]
  /** Tests are written first. */
  tdd: boolean
  /** Value of its gate attribute, empty without one: `blocking`. */
  gate: string
  /** What is to be done, as written; empty where the plan does not say. */
  action: string
  /** What is true when it is done, as written; empty where the plan does not say. */
  done: string
  /** Answers that a decision offers. */
  options: { id: string; name: string; text: string }[]
  /** Fields that a task should have and this one has not: `files`, `action`, `verify`, `done`, `complexity`. */
  missing: string[]
  /** Number of the wave that it stands in; of its plan where the plan has no waves of its own. */
  wave: number
}

/** Front matter of a plan, as far as anything is decided by it. */
export interface PlaybookPlanHeader {
  phase: string | undefined
  plan: string | undefined
  wave: number | undefined
  dependsOn: string[]
  filesModified: string[]
  requirements: string[]
}

export interface PlaybookPlan {
  header: PlaybookPlanHeader
  tasks: PlaybookTask[]
  /** Of the plan itself, checked after its last task. */
  criteria: PlaybookCriterion[]
  /** Ids of tasks that do not touch the same files, wave by wave. */
  waves: string[][]
  warnings: string[]
}
