/**
 * Something in a project that a dispatch can change. Paths of the areas are the workflow's; the words are the same for
 * all.
 */
export type Area =
  /** Files of the project that were not dirty before. */
  | 'project files'
  /** The plan or research file that was asked for. */
  | 'its plan'
  /** Boxes ticked in the plan that it works on, and nothing else there. */
  | 'ticks in its plan'
  /** What it hands on and writes about itself. */
  | 'handoff'
  | 'trace'
  | 'scratchpad'
  /** The task state: position, progress of open tasks of this plan, decisions, blockers, the last session. */
  | 'task state'
  | 'session learnings'
  /** The file in which its own finding is kept. */
  | 'its own record'
  /** Commits on the same branch, on top of the HEAD of before. */
  | 'commits'
  /** One commit of nothing but its plan. */
  | 'a commit of its plan'
  /** Markdown below docs/, other than spec and plans. */
  | 'other documents'
  /** New refs, fetched tags, branches of other work trees moving forward. */
  | 'new refs'
  /** Coverage, snapshots, lock files, build output. */
  | 'products of a run'

/**
 * What a dispatch of a persona may change. What is noted is told and not asked about; everything else is a question
 * (docs/evidence.md, "What is compared").
 */
export interface Contract {
  may: readonly Area[]
  noted: readonly Area[]
}

/** Who judges the work of others: it has no work of its own in the project. */
export const isChecking = ({ may }: Contract): boolean =>
  !may.includes('project files') && !may.includes('its plan')
