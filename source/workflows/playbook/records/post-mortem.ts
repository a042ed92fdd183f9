import type { AttemptedFix } from '../phase-return.js'
import { type Category, meanings, rootCause, type Seen } from '../taxonomy.js'
import type { Span } from './traces.js'

// Why a phase failed, for people and for the phases after it. Pure.

export interface TimelineEntry {
  timestamp: string
  step: string
  event: string
  status: 'success' | 'failure' | 'partial' | 'skipped'
}

export interface PostMortem {
  phase_id: string
  phase_name: string
  timestamp: string
  status: 'failed'
  root_cause: { category: Category; description: string; first_observed_at: string; step: string }
  timeline: TimelineEntry[]
  evidence: { commands_run: string[]; files_checked: string[] }
  attempted_fixes: AttemptedFix[]
  prevention_rule: string
}

export interface PostMortemFacts {
  phase: { id: string; name: string }
  /** ISO. */
  at: string
  failures: readonly Seen[]
  issues: readonly string[]
  spans: readonly Span[]
  /** What the program itself saw, beside the spans. */
  events: readonly TimelineEntry[]
  evidence: { commands_run: readonly string[]; files_checked: readonly string[] }
  fixes: readonly AttemptedFix[]
}

const longestTimeline = 20

/** Repo-relative path of the post-mortem of a phase. */
export function postMortemPath(phase: string): string {
  return `.autopilot/diagnostics/phase-${phase}-postmortem.json`
}

export function postMortemOf(facts: PostMortemFacts): PostMortem {
  const cause = rootCause(facts.failures) ?? {
    at: facts.at,
    step: 'phase_runner',
    failure: facts.issues[0] ?? 'no reason was told',
    category: 'coordination_failure' as const,
  }
  return {
    phase_id: facts.phase.id,
    phase_name: facts.phase.name,
    timestamp: facts.at,
    status: 'failed',
    root_cause: {
      category: cause.category,
      description: cause.failure,
      first_observed_at: cause.at,
      step: cause.step,
    },
    timeline: timelineOf(facts),
    evidence: {
      commands_run: [...new Set(facts.evidence.commands_run)],
      files_checked: [...new Set(facts.evidence.files_checked)],
    },
    attempted_fixes: [...facts.fixes],
    prevention_rule: preventionRule(facts.phase.id, cause, facts.fixes),
  }
}

/** The most telling events, in the order of time: failures and decisions before what only went well. */
function timelineOf({ spans, events }: PostMortemFacts): TimelineEntry[] {
  const all: TimelineEntry[] = [
    ...events,
    ...spans.map(({ timestamp, step, input_summary, output_summary, status }) => ({
      timestamp,
      step,
      event: [input_summary, output_summary].filter((text) => text !== '').join(' -> '),
      status,
    })),
  ]
  const weight = ({ status, step }: TimelineEntry) =>
    status === 'failure' ? 0 : step === 'phase_runner' ? 1 : 2
  return all
    .map((entry, at) => ({ entry, at }))
    .sort((one, other) => weight(one.entry) - weight(other.entry) || one.at - other.at)
    .slice(0, longestTimeline)
    .map(({ entry }) => entry)
    .sort((one, other) => (one.timestamp < other.timestamp ? -1 : one.timestamp > other.timestamp ? 1 : 0))
}

const advice: Readonly<Record<Category, string>> = {
  executor_incomplete: 'run the command of every criterion before the task is called complete',
  executor_wrong_approach: 'try the way on its hardest criterion first, and plan another one if that fails',
  compilation_failure: 'compile after each file and mend it before the next one is written',
  lint_failure: 'lint before each commit',
  build_failure: 'run the build before the last commit of a task, not only the compiler',
  acceptance_criteria_unmet: 'write the check of this criterion first and see it fail, then make it pass',
  scope_creep: 'leave out what no criterion asks for',
  context_exhaustion: 'split the work into smaller tasks and read only the files that a task names',
  tool_failure: 'check that the program runs here, alone and in time, before a task relies on it',
  coordination_failure: 'hand over what the next step needs as a file or a result of the agreed shape',
}

/** One rule that would have prevented this failure: what failed, where, and what to do instead. */
function preventionRule(phase: string, cause: Seen, fixes: readonly AttemptedFix[]): string {
  const failure = cause.failure.replace(/\s+/g, ' ').trim().slice(0, 240)
  const tried = fixes.map(({ description }) => description).filter((text) => text !== '')
  const last = tried.at(-1)
  const not = last === undefined ? '' : ` Trying it by "${last.slice(0, 120)}" did not do.`
  return `Where work is like that of phase ${phase} (${meanings[cause.category]}: ${failure}), ${advice[cause.category]}.${not}`
}

export function postMortemText(postMortem: PostMortem): string {
  return `${JSON.stringify(postMortem, null, 2)}\n`
}
