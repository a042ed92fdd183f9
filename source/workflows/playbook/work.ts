import { join } from 'node:path'
import type { PlaybookCriterion } from '../../documents/playbook-criterion.js'
import type { Git } from '../../project/git.js'
import type { Run } from '../../run/run.js'
import type { CommonFields, PhaseType } from './orders/fields.js'
import { type EventDraft, withEvents } from './state/events.js'
import { withPhase } from './state/phases.js'
import type { PhaseRecord, PlaybookState } from './state/schema.js'
import type { PlaybookTools } from './tools.js'

/** A visit of a state of this workflow. */
export interface PlaybookWork {
  run: Run<PlaybookState>
  tools: PlaybookTools
}

/** What is known of a phase when it begins; it stays as it was then for the whole visit. */
export interface PhaseFacts {
  id: string
  name: string
  goal: string
  description: string
  requirements: string[]
  /** The roadmap says that it is done. */
  isDone: boolean
  /** Of the roadmap. */
  criteria: PlaybookCriterion[]
  /** What it depends on, and whether that is done. */
  dependencies: { id: string; met: boolean; why: string }[]
  /** Directories of the phases that are done, for agents to read. */
  completedDirs: string[]
  /** One line each of what they came to. */
  completedSummaries: string[]
  /** What people said of the phase, strongest first; repo-relative. */
  contextPaths: string[]
  /** Repo-relative. */
  dir: string
  type: PhaseType
  /** 1-based place in the run. */
  number: number
  total: number
}

/** The work on one phase. */
export interface PhaseWork extends PlaybookWork {
  facts: PhaseFacts
  /** Repository of the project, or of the worktree. */
  git: Git
  /** What keys of the visit begin with: one pass over the phase has keys of its own. */
  at: string
  /** Repo-relative worktree, where the work is not done in the project itself. */
  cwd?: string
  /** Id of the part of the phase that is worked on there: `20a`. */
  part?: string
  /** Commit that the work of the phase is compared with; undefined outside of a pass over it. */
  since?: string
}

/** What is worked on, for a title: `phase 20`, or one of the parts that are at work beside each other. */
export function subjectOf({ facts, part }: Pick<PhaseWork, 'facts' | 'part'>): string {
  return part === undefined ? `phase ${facts.id}` : `part ${part}`
}

/** Where the work is done: the project, or a worktree of it. */
export function rootOf({ tools, cwd }: Pick<PhaseWork, 'tools' | 'cwd'>): { root: string } {
  return { root: cwd === undefined ? tools.root : join(tools.root, cwd) }
}

/** The same work, with further keys of its own. */
export function under<Work extends PhaseWork>(work: Work, prefix: string): Work {
  return { ...work, at: `${work.at}${prefix}-` }
}

/** What every order of a phase says. */
export function commonFields({ facts, run, tools }: PhaseWork): Omit<CommonFields, 'tracePath'> {
  const { id, name, goal, number, total, dir, type } = facts
  return {
    phase: { id, name, goal, number, total },
    phaseDir: dir,
    phaseType: type,
    roadmapPath: run.state.roadmap_path,
    specPath: run.state.spec.path,
    commands: tools.commands(),
  }
}

/**
 * One change of the state, with what happened as events. The time is that of the first save, on a replay too: it is
 * `_meta.last_checkpoint` of what comes back.
 */
export function save(
  { run, tools }: PlaybookWork,
  key: string,
  change: (state: PlaybookState, at: string) => PlaybookState,
  events: readonly EventDraft[] = [],
): Promise<PlaybookState> {
  return run.update(key, (state) => {
    const at = tools.now().toISOString()
    const next = withEvents(change(state, at), at, events)
    return withTokens({ ...next, _meta: { ...next._meta, last_checkpoint: at } }, run)
  })
}

/** The same, of the record of the phase at work. */
export function savePhase(
  work: PhaseWork,
  key: string,
  change: (phase: PhaseRecord, at: string) => PhaseRecord,
  events: readonly Omit<EventDraft, 'phase'>[] = [],
): Promise<PlaybookState> {
  const { id } = work.facts
  return save(
    work,
    `${work.at}${key}`,
    (state, at) => withPhase(state, id, (phase) => change(phase, at)),
    events.map((event) => ({ ...event, phase: id })),
  )
}

/** What agents have used so far, all restarts included. */
function withTokens(state: PlaybookState, run: Run<PlaybookState>): PlaybookState {
  const { total, byPhase } = run.spent
  const tokens = (usage: { inputTokens: number; outputTokens: number } | undefined) =>
    usage === undefined ? 0 : usage.inputTokens + usage.outputTokens
  const id = state._meta.current_phase
  const metrics = { ...state.metrics, total_tokens_used: tokens(total) }
  const counted = { ...state, metrics }
  return id === null
    ? counted
    : withPhase(counted, id, (phase) => ({ ...phase, tokens_used: tokens(byPhase.get(id)) }))
}

/** The time between two saves, in milliseconds. */
export function msBetween(from: PlaybookState, to: PlaybookState): number {
  return Math.max(0, Date.parse(to._meta.last_checkpoint) - Date.parse(from._meta.last_checkpoint))
}
