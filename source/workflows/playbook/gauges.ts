import type { Budget } from '../../view/budget.js'
import { type Fact, plainFact } from '../../view/facts.js'
import type { BreakerLimits } from './breaker/limits.js'
import { allowancesOf } from './state/allowances.js'
import { phaseOf } from './state/phases.js'
import type { BreakerRecord, PlaybookState } from './state/schema.js'

// Threshold, budget and breaker of a run, as facts: what is near its bound is told with both numbers.

/** From this share of a bound on it is told, and from the second on as a warning. */
const tellFrom = 0.5
const warnFrom = 0.8

/** Pure; what is nowhere near its bound is left out, and so is a breaker that never opened; the threshold never is. */
export function runFacts(state: PlaybookState, limits: BreakerLimits): Fact[] {
  const { circuit_breaker: breaker, _meta, metrics } = state
  const current = _meta.current_phase
  return [
    plainFact(`threshold ${_meta.pass_threshold.toFixed(1)}`),
    ...breakerFacts(breaker),
    ...roundFacts(breaker, limits),
    ...gauge('retries', _meta.total_retries, limits.max_total_retries_per_run, 0),
    ...(current === null
      ? []
      : share(
          `phase ${current} tokens`,
          phaseOf(state, current).tokens_used,
          limits.cost_cap_tokens_per_phase * (1 + (allowancesOf(state, current).phase_tokens ?? 0)),
        )),
    ...share('tokens', metrics.total_tokens_used, limits.cost_cap_tokens_total),
  ]
}

/** The caps on tokens of the run and of its phase, as they are granted now. The facts tell how they fill. Pure. */
export function tokenBudgets(state: PlaybookState, limits: BreakerLimits): Budget[] {
  const { current_phase: current } = state._meta
  const run: Budget = { name: 'tokens', scope: 'run', limit: limits.cost_cap_tokens_total, isTold: true }
  if (current === null) return [run]
  const { phase_tokens: granted = 0 } = allowancesOf(state, current)
  const limit = limits.cost_cap_tokens_per_phase * (1 + granted)
  return [run, { name: 'tokens', scope: 'phase', phase: current, limit, isTold: true }]
}

function breakerFacts({ state, reopen_count: reopened }: BreakerRecord): Fact[] {
  if (state === 'closed' && reopened === 0) return []
  const again = reopened > 0 ? ` (reopened ${reopened})` : ''
  return [
    {
      text: `breaker ${state.replace('_', ' ')}${again}`,
      tone: state === 'closed' ? 'quiet' : state === 'open' ? 'bad' : 'warn',
    },
  ]
}

/** Rounds that came to nothing, as long as they are counted. */
function roundFacts(breaker: BreakerRecord, limits: BreakerLimits): Fact[] {
  return [
    ...gauge('no progress', breaker.consecutive_no_progress, limits.no_progress_threshold, 0),
    ...(breaker.consecutive_same_error > 1
      ? gauge('same error', breaker.consecutive_same_error, limits.same_error_threshold, 0)
      : []),
  ]
}

function gauge(name: string, value: number, bound: number, from: number): Fact[] {
  if (value <= from) return []
  // A probe that failed counts beyond the bound that it was made for.
  return [
    {
      text: `${name} ${Math.min(value, bound)}/${bound}`,
      tone: value / bound >= warnFrom ? 'warn' : 'plain',
    },
  ]
}

function share(name: string, value: number, bound: number): Fact[] {
  const part = value / bound
  if (part < tellFrom) return []
  return [{ text: `${name} ${Math.floor(part * 100)}% of budget`, tone: part >= warnFrom ? 'warn' : 'plain' }]
}
