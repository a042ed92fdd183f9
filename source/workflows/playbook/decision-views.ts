import type { DecisionView } from '../../view/view.js'
import { exhaustedWords } from './decisions/remediation.js'
import type { PlaybookState, StateEvent } from './state/schema.js'

// What was decided in a run, by people and by the rules that decide where nobody is asked.

type Telling = (details: Record<string, unknown>) => { text: string; why?: string | undefined }

const said = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : String(value)
const listed = (value: unknown): string | undefined =>
  Array.isArray(value) && value.length > 0 ? value.map(String).join('; ') : undefined

/** Reason of `phase_skipped` where it was no rule. */
export const skippedByPerson = 'skipped by a person'

/** Events that tell of a decision, each in words. Others are progress. */
const tellings: Readonly<Record<string, Telling>> = {
  human_verdict_recorded: ({ verdict, issues }) => ({
    text: `verdict: ${String(verdict).replaceAll('_', ' ')}`,
    why: listed(issues),
  }),
  spec_relocked: ({ by }) => ({ text: 'the spec as it is now was locked', why: `by: ${said(by)}` }),
  run_resumed: ({ by }) => ({ text: `went on: ${said(by)}` }),
  circuit_breaker_opened: ({ reason, value, threshold }) => ({
    text: 'the circuit breaker opened',
    why: `${String(reason).replaceAll('_', ' ')}: ${said(value)} of ${said(threshold)}`,
  }),
  circuit_breaker_closed: () => ({ text: 'the circuit breaker closed' }),
  debug_attempt: ({ attempt }) => ({ text: `debug attempt ${said(attempt)}` }),
  replan_attempt: () => ({ text: 'planned anew' }),
  remediation_started: ({ cycle, score }) => ({
    text: `mended, cycle ${said(cycle)}`,
    why: typeof score === 'number' ? `from ${score.toFixed(1)}` : undefined,
  }),
  remediation_completed: ({ cycle, old_score: before, new_score: after, improved }) => ({
    text: `cycle ${said(cycle)} ${improved === true ? 'made it better' : 'came to nothing'}`,
    why: `${score(before)} -> ${score(after)}`,
  }),
  rollback_initiated: () => ({ text: 'taken back' }),
  force_incomplete_marked: ({ score: reached, why }) => ({
    text: 'passed below the threshold',
    why: `${score(reached)}: ${exhaustedWords(why)}`,
  }),
  split_started: () => ({ text: 'split into parts' }),
  // Left out by a rule is another thing than skipped by a person, who let something pass.
  phase_skipped: ({ reason }) => ({
    text: reason === skippedByPerson ? 'skipped' : 'left out',
    why: said(reason)?.replaceAll('_', ' '),
  }),
  unnecessary_deferral_warning: () => ({ text: 'a deferral was doubted' }),
  deferral_threshold_adjusted: ({ from, to }) => ({
    text: 'how sure a verifier must be was adjusted',
    why: `${score(from)} -> ${score(to)}`,
  }),
}

const score = (value: unknown) => (typeof value === 'number' ? value.toFixed(1) : 'no score')

/** Oldest first; of the events that the state still holds, and of what people accepted or raised. Pure. */
export function decisionViews(state: PlaybookState): DecisionView[] {
  const { decisions } = state._meta
  const own = Array.isArray(decisions) ? decisions.flatMap(ownDecision) : []
  return [...state.event_log.flatMap(eventDecision), ...own].sort((one, other) =>
    one.at.localeCompare(other.at),
  )
}

function eventDecision({ event, timestamp: at, phase, details }: StateEvent): DecisionView[] {
  const told = tellings[event]?.(details)
  if (!told) return []
  const { text, why } = told
  return [{ at, text, ...(phase === null ? {} : { phase }), ...(why === undefined ? {} : { why }) }]
}

/** Budgets that were raised, and changes of agents that were accepted (state/decisions.ts). */
function ownDecision(value: unknown): DecisionView[] {
  const { timestamp: at, decision, choice, names } = value as Record<string, unknown>
  if (typeof at !== 'string' || typeof decision !== 'string') return []
  const why = [said(choice), listed(names)].filter((text) => text !== undefined).join(': ')
  return [{ at, text: decision.replaceAll('_', ' '), ...(why === '' ? {} : { why }) }]
}
