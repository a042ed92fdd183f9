import type { FactTone } from '../../view/facts.js'
import type { Evidence } from '../../view/question.js'
import type { DecisionView, FindingView, WorkflowView, WorkView } from '../../view/view.js'
import { badgeFacts } from '../evidence/badges.js'
import { testRunText } from '../evidence/claims/test-run.js'
import { phaseBadges } from './evidence-lines.js'
import { phaseMarkAt } from './phases.js'
import { decisionText, knownDecisions } from './state/decisions.js'
import type { Finding, HarnessState, Phase, Severity } from './state/state.js'

// What a person can read of a session beside its progress, as data for the views of the screen.

type Reading = Pick<WorkflowView, 'documents' | 'findings' | 'decisions' | 'work'>

/** Pure; a part that there is nothing of is absent. */
export function harnessReading(state: HarnessState): Reading {
  const findings = allFindings(state)
  const decisions = allDecisions(state)
  const work = state.phases.flatMap(workOf)
  return {
    documents: documentsOf(state),
    ...(findings.length > 0 ? { findings } : {}),
    ...(decisions.length > 0 ? { decisions } : {}),
    ...(work.length > 0 ? { work } : {}),
  }
}

function documentsOf(state: HarnessState): Evidence[] {
  const { phases, currentPhase, startingCommit, specPath } = state
  const place = Math.min(currentPhase, phases.length - 1)
  const phase = phases[place]
  const mark = phaseMarkAt(state, place)
  const documents: Evidence[] = []
  if (phase?.planPath)
    documents.push({ id: 'plan', kind: 'plan', title: `plan of phase ${mark}`, path: phase.planPath })
  documents.push({ id: 'spec', kind: 'plan', title: 'spec', path: specPath })
  const ofPhase = phase?.startCommit
  const diffs: Evidence[] = []
  if (ofPhase)
    diffs.push({ id: 'phase-diff', kind: 'diff', title: `changes since phase ${mark} began`, since: ofPhase })
  if (startingCommit && startingCommit !== ofPhase)
    diffs.push({
      id: 'all-diff',
      kind: 'diff',
      title: 'changes since the session began',
      since: startingCommit,
      whole: true,
    })
  // Behind the last phase everything is judged, and shown first.
  const isOver = state.currentState === 'FINAL_REVIEW' || state.currentState === 'DONE'
  return [...documents, ...(isOver ? diffs.reverse() : diffs)]
}

const tones: Record<Severity, FactTone> = { blocking: 'bad', warning: 'warn', note: 'plain' }

function lineOf({ line }: Finding): Pick<FindingView, 'line'> {
  if (line === null) return {}
  return { line: typeof line === 'number' ? String(line) : line.join('-') }
}

function findingView(finding: Finding, more: Pick<FindingView, 'phase' | 'fate'>): FindingView {
  const { severity, file, title, rationale } = finding
  return {
    ...more,
    severity,
    tone: tones[severity],
    file,
    ...lineOf(finding),
    title,
    ...(rationale === undefined ? {} : { rationale }),
  }
}

function allFindings(state: HarnessState): FindingView[] {
  const overridden = new Set(
    knownDecisions(state).flatMap((entry) => (entry.decision === 'overridden_review' ? [entry.phase] : [])),
  )
  const fateOf = (isOverridden: boolean, finding: Finding) =>
    isOverridden && finding.severity === 'blocking' ? { fate: 'overridden' } : {}
  const { finalReview, phases } = state
  return [
    ...finalReview.findings.map((one) => findingView(one, fateOf(finalReview.status === 'overridden', one))),
    ...phases.flatMap(({ findings = [] }, index) =>
      findings.map((one) =>
        findingView(one, { phase: String(index + 1), ...fateOf(overridden.has(index), one) }),
      ),
    ),
  ]
}

function allDecisions(state: HarnessState): DecisionView[] {
  return knownDecisions(state).map((entry) => {
    const why = [entry.title, entry.choice, entry.rationale].filter(
      (text) => text !== undefined && text !== '',
    )
    return {
      at: entry.timestamp,
      phase: String(entry.phase + 1),
      text: decisionText(entry).replaceAll('_', ' '),
      ...(why.length > 0 ? { why: why.join(': ') } : {}),
    }
  })
}

function workOf(phase: Phase, index: number): WorkView[] {
  const { evidence } = phase
  if (!evidence) return []
  const id = String(index + 1)
  const { tests, testsBefore } = evidence
  const runs = [
    ...(testsBefore ? [`tests before: ${testRunText(testsBefore)}`] : []),
    ...(tests ? [`tests: ${testRunText(tests)}`, ...(tests.outcome === 'failed' ? tests.tail : [])] : []),
  ]
  const tasks = Object.entries(evidence.tasks)
  if (tasks.length === 0 && runs.length === 0) return []
  return [
    { phase: id, facts: badgeFacts(phaseBadges(phase)), lines: runs },
    ...tasks.map(([task, found]): WorkView => ({ phase: id, task, facts: badgeFacts(found), lines: [] })),
  ]
}
