// How much is still to come, from what phases of this run and of earlier ones came to (docs/terminal.md "Forecast").
// Pure: the same facts give the same forecast. Where nothing is known, nothing is said.

/** What a finished phase came to. */
export interface PhaseSample {
  /** Milliseconds at work, without waiting for a person. */
  workMs: number
  /** In and out; 0 where agents do not say. */
  tokens: number
  usd?: number
  /** Tasks of its plan, if that is known. */
  tasks?: number
}

/** What earlier sessions of the project came to. */
export interface History {
  samples: readonly PhaseSample[]
  /** How many sessions they are from. */
  sessions: number
}

/** A phase that is not finished. */
export interface OpenPhase {
  /** What it has come to so far. */
  used: PhaseSample
}

/** What comes after the last phase, with what its like came to in this run. */
export interface ClosingWork {
  /** Such as `final review`. */
  name: string
  samples: readonly PhaseSample[]
}

export interface ForecastInput {
  closing?: ClosingWork | undefined
  /** Finished phases of this run. */
  own: readonly PhaseSample[]
  history: History
  open: readonly OpenPhase[]
}

/** What is still to come of something: 8 of 10 times it lies between `low` and `high`. */
export interface Range {
  low: number
  likely: number
  high: number
}

export type Sureness = 'low' | 'medium' | 'high'

export type Measure = 'workMs' | 'tokens' | 'usd'

/** With what comes after the last phase, and whether the ranges hold it. */
export type Forecast = PhaseForecast & { closing?: { name: string; isIn: boolean } }

type PhaseForecast =
  /** All phases are finished. */
  | { kind: 'finished' }
  /** What there is to do has not been read yet. */
  | { kind: 'unread' }
  /** No phase has ever been finished here. */
  | { kind: 'unknown' }
  /** One phase only: how much others differ from it nobody knows. */
  | { kind: 'single'; open: number; each: Partial<Record<Measure, number>>; basis: Basis }
  | { kind: 'range'; open: number; left: Partial<Record<Measure, Range>>; basis: Basis; sure: Sureness }

/** Where it comes from: finished phases of this run, and of how many earlier sessions. */
export interface Basis {
  own: number
  earlier: number
  sessions: number
}

/** From so many phases of its own on, a run is compared with itself alone. */
const enoughOwn = 4

/** Student's t for 80 percent between both ends, by degrees of freedom from 1 on. */
const quantiles = [3.08, 1.89, 1.64, 1.53, 1.48, 1.44, 1.42, 1.4, 1.38, 1.37]
const manyQuantile = 1.28

/** Phases that happen to be alike are no proof that the next one is. */
const leastSpread = 0.15

/** From so many known plans on a plan with more tasks than usual is larger, but not without bounds. */
const leastPlanned = 2
const [leastSize, mostSize] = [0.25, 4]

const measures: readonly Measure[] = ['workMs', 'tokens', 'usd']

/** What is still to come of a run. */
export function forecastOf({ closing, ...input }: ForecastInput): Forecast {
  const phases = forecastOfPhases(input)
  if (!closing) return phases
  const isIn = phases.kind === 'range' && closing.samples.length >= 2
  return { ...(isIn ? withClosing(phases, closing.samples) : phases), closing: { name: closing.name, isIn } }
}

/** Both ends of both ranges added up: wider than the sum of two that know nothing of each other. */
function withClosing(
  forecast: Extract<PhaseForecast, { kind: 'range' }>,
  samples: readonly PhaseSample[],
): PhaseForecast {
  const left: typeof forecast.left = {}
  for (const measure of measures) {
    const range = forecast.left[measure]
    const values = samples.map((sample) => sample[measure] ?? 0).filter((value) => value > 0)
    if (!range) continue
    const more = values.length < 2 ? { low: 0, likely: 0, high: 0 } : totalOf(values, [1])
    left[measure] = {
      low: range.low + more.low,
      likely: range.likely + more.likely,
      high: range.high + more.high,
    }
  }
  return { ...forecast, left }
}

function forecastOfPhases({ own, history, open }: Omit<ForecastInput, 'closing'>): PhaseForecast {
  if (open.length === 0) return { kind: 'finished' }
  const alone = own.length >= enoughOwn
  const samples = alone ? own : [...own, ...history.samples]
  const [only] = samples
  if (!only) return { kind: 'unknown' }
  const basis = {
    own: own.length,
    earlier: alone ? 0 : history.samples.length,
    sessions: alone ? 0 : history.sessions,
  }
  if (samples.length === 1) return { kind: 'single', open: open.length, each: knownOf(only), basis }
  const left: Partial<Record<Measure, Range>> = {}
  for (const measure of measures) {
    const range = rangeOf(measure, samples, open)
    if (range) left[measure] = range
  }
  return { kind: 'range', open: open.length, left, basis, sure: surenessOf(samples.length) }
}

function surenessOf(samples: number): Sureness {
  if (samples < 4) return 'low'
  return samples < 10 ? 'medium' : 'high'
}

function knownOf(sample: PhaseSample): Partial<Record<Measure, number>> {
  const known: Partial<Record<Measure, number>> = {}
  for (const measure of measures) {
    const value = sample[measure]
    if (value !== undefined && value > 0) known[measure] = value
  }
  return known
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** How large a phase is beside the usual one, where both plans are known. */
function sizeOf({ used }: OpenPhase, samples: readonly PhaseSample[]): number {
  const planned = samples.flatMap(({ tasks = 0 }) => (tasks > 0 ? [tasks] : []))
  if (!used.tasks || planned.length < leastPlanned) return 1
  return Math.min(mostSize, Math.max(leastSize, used.tasks / mean(planned)))
}

/**
 * The prediction interval for the sum of the open phases, less what is used of them. Phases that are not begun yet are a
 * lower bound of it: one that has used more than its like takes nothing from the others.
 */
function rangeOf(
  measure: Measure,
  samples: readonly PhaseSample[],
  open: readonly OpenPhase[],
): Range | undefined {
  const values = samples.map((sample) => sample[measure] ?? 0).filter((value) => value > 0)
  if (values.length < 2) return undefined
  const sizes = open.map((one) => ({ size: sizeOf(one, samples), used: one.used[measure] ?? 0 }))
  const used = sizes.reduce((sum, one) => sum + one.used, 0)
  const all = totalOf(
    values,
    sizes.map(({ size }) => size),
  )
  const rest = totalOf(
    values,
    sizes.filter((one) => one.used === 0).map(({ size }) => size),
  )
  const less = (end: keyof Range) => Math.max(all[end] - used, rest[end])
  return { low: less('low'), likely: less('likely'), high: less('high') }
}

/** What phases of these sizes come to together, as a range that is never below zero. */
function totalOf(values: readonly number[], sizes: readonly number[]): Range {
  const whole = sizes.reduce((sum, size) => sum + size, 0)
  if (whole === 0) return { low: 0, likely: 0, high: 0 }
  const middle = mean(values)
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0)
  const spread = Math.max(leastSpread, Math.sqrt(squares / (values.length - 1)) / middle)
  const shares = sizes.reduce((sum, size) => sum + size ** 2, 0) / whole ** 2
  const deviation = Math.sqrt(Math.log(1 + spread ** 2 * (shares + 1 / values.length)))
  const quantile = quantiles[values.length - 2] ?? manyQuantile
  const likely = middle * whole
  const factor = Math.exp(quantile * deviation)
  return { low: likely / factor, likely, high: likely * factor }
}
