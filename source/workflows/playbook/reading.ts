import type { Fact } from '../../view/facts.js'
import type { Evidence } from '../../view/question.js'
import type { FindingView, WorkflowView, WorkView } from '../../view/view.js'
import { type Badge, badgeFacts, badges } from '../evidence/badges.js'
import { decisionViews } from './decision-views.js'
import type { Scorecard } from './opinions.js'
import type { DivergenceResult } from './results.js'
import { phaseOf } from './state/phases.js'
import type { CheckOutcome, PhaseRecord, PlaybookState, TaskRecord } from './state/schema.js'

// What a person can read of a run beside its progress, as data for the views of the screen. What it needs of a phase is in
// the record of that phase under keys of our own (docs/playbook.md, "State").

type Reading = Pick<WorkflowView, 'documents' | 'findings' | 'decisions' | 'work'>

/** Pure; a part that there is nothing of is absent. `shown`: the phases of this run; `current`: the one looked at. */
export function playbookReading(
  state: PlaybookState,
  shown: readonly string[],
  current: string | undefined,
): Reading {
  const findings = shown.flatMap((id) => findingsOf(id, phaseOf(state, id)))
  const decisions = decisionViews(state)
  const work = shown.flatMap((id) => workOf(id, phaseOf(state, id)))
  return {
    documents: documentsOf(state, shown, current),
    ...(findings.length > 0 ? { findings } : {}),
    ...(decisions.length > 0 ? { decisions } : {}),
    ...(work.length > 0 ? { work } : {}),
  }
}

const isThere = (status: string) => status !== 'pending' && status !== 'running' && status !== 'skipped'

function documentsOf(
  state: PlaybookState,
  shown: readonly string[],
  current: string | undefined,
): Evidence[] {
  const shared: Evidence[] = [
    { id: 'roadmap', kind: 'plan', title: 'roadmap', path: state.roadmap_path },
    ...(state.spec.path === state.roadmap_path
      ? []
      : [{ id: 'spec', kind: 'plan' as const, title: 'spec', path: state.spec.path }]),
  ]
  const own = current === undefined ? [] : ofPhase(current, phaseOf(state, current))
  const since = beginningOfRun(shown.map((id) => phaseOf(state, id)))
  if (since === undefined || own.some((one) => one.since === since)) return [...own, ...shared]
  const all: Evidence = { id: 'all-diff', kind: 'diff', title: 'changes since the run began', since }
  return [...own, ...shared, all]
}

/** The commit on which the first phase of this run was begun. */
function beginningOfRun(phases: readonly PhaseRecord[]): string | undefined {
  const begun = phases.filter(({ base_sha: sha, started_at: at }) => typeof sha === 'string' && at !== null)
  const [first] = begun.sort((one, other) => ((one.started_at ?? '') < (other.started_at ?? '') ? -1 : 1))
  return first?.base_sha as string | undefined
}

function ofPhase(id: string, { steps, dir, base_sha: since }: PhaseRecord): Evidence[] {
  if (typeof dir !== 'string') return []
  const { plan, judge, rate, execute } = steps
  const file = (name: string, title: string, path: string): Evidence => {
    return { id: name, kind: 'plan', title: `${title} of phase ${id}`, path }
  }
  return [
    ...(plan.output ? [file('plan', 'plan', plan.output)] : []),
    ...(isThere(rate.status) ? [file('scorecard', 'scorecard', `${dir}/SCORECARD.md`)] : []),
    ...(isThere(judge.status)
      ? [
          file('judge-report', "judge's report", `${dir}/JUDGE-REPORT.md`),
          file('verification', 'verification', `${dir}/VERIFICATION.md`),
        ]
      : []),
    ...(Object.keys(execute.tasks).length > 0
      ? [file('execution-log', 'execution log', `${dir}/EXECUTION-LOG.md`)]
      : []),
    ...(typeof since === 'string'
      ? [{ id: 'phase-diff', kind: 'diff' as const, title: `changes since phase ${id} began`, since }]
      : []),
  ]
}

/** A line of a scorecard that is under the threshold, as the record of a phase keeps it. */
export interface WeakCriterion {
  criterion: string
  score: number
  evidence: string
  justification: string
}

const mostKept = 10
const cut = (text: string) => text.replace(/\s+/g, ' ').slice(0, 300)

/** What of a scorecard is under the threshold, the lowest first; texts are cut. */
export function recordedWeak({ rows }: Scorecard, threshold: number): WeakCriterion[] {
  return rows
    .filter(({ score }) => score < threshold)
    .sort((one, other) => one.score - other.score)
    .slice(0, mostKept)
    .map(({ criterion, score, evidence, justification }) => {
      return { criterion: cut(criterion), score, evidence: cut(evidence), justification: cut(justification) }
    })
}

/** What the judge is concerned about, cut. */
export function recordedConcerns({ concerns }: DivergenceResult): string[] {
  return concerns.slice(0, mostKept).map(cut)
}

function findingsOf(phase: string, { steps }: PhaseRecord): FindingView[] {
  const { weak } = steps.rate
  const { concerns } = steps.judge
  return [
    ...(Array.isArray(weak) ? (weak as WeakCriterion[]).map((row) => weakFinding(phase, row)) : []),
    ...(Array.isArray(concerns) ? (concerns as string[]) : []).map((title): FindingView => {
      return { phase, severity: 'concern', tone: 'plain', ...placeIn(title), title }
    }),
    ...steps.verify.scope_creep.map((title): FindingView => {
      return { phase, severity: 'scope', tone: 'warn', ...placeIn(title), title }
    }),
  ]
}

function weakFinding(phase: string, row: WeakCriterion): FindingView {
  const { criterion, score, evidence, justification } = row
  return {
    phase,
    severity: `${score.toFixed(1)}/10`,
    tone: score < 7 ? 'bad' : 'warn',
    ...placeIn(evidence),
    title: criterion,
    ...(justification === '' ? {} : { rationale: justification }),
  }
}

/** The first file and line that a text names. */
function placeIn(text: string): Pick<FindingView, 'file' | 'line'> {
  const found = /(?<![\w./@-])([\w./@-]{1,300}\.[A-Za-z]{1,8}):(\d{1,9})/.exec(text)
  return found ? { file: String(found[1]), line: String(found[2]) } : { file: '' }
}

/** What is known of a task: badges, or why there is none. */
export function taskFacts({ status, badges: found }: TaskRecord): Fact[] {
  if (status === 'deferred') return [{ text: 'for a person', tone: 'warn' }]
  return badgeFacts(Array.isArray(found) ? (found as Badge[]).filter((one) => badges.includes(one)) : [])
}

const checkNames = ['compile', 'lint', 'build', 'test'] as const

function workOf(
  phase: string,
  { steps, automated_checks: checks, human_verdict: said }: PhaseRecord,
): WorkView[] {
  const tasks = Object.entries(steps.execute.tasks)
  const lines = checkNames.flatMap((name) => checkLine(name, checks[name]))
  if (tasks.length === 0 && lines.length === 0) return []
  const found: Badge[] = [
    ...(checks.test === true ? (['tested'] as const) : []),
    ...(steps.verify.status === 'pass' ? (['verified'] as const) : []),
    ...(said?.verdict === 'pass' ? (['approved'] as const) : []),
  ]
  return [
    { phase, facts: badgeFacts(found), lines },
    ...tasks.map(([task, record]): WorkView => ({ phase, task, facts: shownFacts(record), lines: [] })),
  ]
}

function shownFacts(record: TaskRecord): Fact[] {
  return [
    ...taskFacts(record),
    ...(record.status === 'failed' ? [{ text: 'failed', tone: 'bad' as const }] : []),
  ]
}

function checkLine(name: string, outcome: CheckOutcome): string[] {
  if (outcome === null) return []
  return [`${name}: ${outcome === 'n/a' ? 'the project has none' : outcome ? 'passed' : 'failed'}`]
}
