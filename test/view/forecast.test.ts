import { describe, expect, test } from 'vitest'
import { forecastOf, type PhaseSample } from '../../source/view/forecast.js'
import { forecastOfRun } from '../../source/view/forecast-of-run.js'
import { snapshotOf } from '../ui/fixtures.js'

// docs/terminal.md "Forecast".

const minute = 60_000
const none = { samples: [], sessions: 0 }
const sample = (minutes: number, tokens: number, more: Partial<PhaseSample> = {}): PhaseSample => ({
  workMs: minutes * minute,
  tokens,
  ...more,
})
const fresh = { used: sample(0, 0) }

function rangeOf(own: readonly PhaseSample[], open = [fresh]) {
  const forecast = forecastOf({ own, history: none, open })
  if (forecast.kind !== 'range') throw new Error(forecast.kind)
  return forecast
}

describe('what is still to come', () => {
  test('nothing is said where nothing was ever finished, and no range of one phase alone', () => {
    expect(forecastOf({ own: [], history: none, open: [] })).toEqual({ kind: 'finished' })
    expect(forecastOf({ own: [], history: none, open: [fresh] })).toEqual({ kind: 'unknown' })
    expect(forecastOf({ own: [sample(12, 0)], history: none, open: [fresh, fresh] })).toEqual({
      kind: 'single',
      open: 2,
      each: { workMs: 12 * minute },
      basis: { own: 1, earlier: 0, sessions: 0 },
    })
  })

  test('the likely amount is that of the phases before; the range is narrower the more there are', () => {
    const few = rangeOf([sample(10, 1000), sample(20, 3000)])
    const many = rangeOf(
      Array.from({ length: 12 }, (_, at) => (at % 2 ? sample(10, 1000) : sample(20, 3000))),
    )
    for (const { left } of [few, many]) {
      expect(left.workMs?.likely).toBeCloseTo(15 * minute)
      expect(left.tokens?.likely).toBeCloseTo(2000)
      expect(left.usd).toBeUndefined()
    }
    const width = ({ left }: typeof few) => (left.workMs?.high ?? 0) / (left.workMs?.low ?? 1)
    expect(width(few)).toBeGreaterThan(width(many))
    expect([few.sure, many.sure]).toEqual(['low', 'high'])
  })

  test('phases that happen to be alike are no proof: the range is never a point', () => {
    const { left } = rangeOf([sample(10, 1000), sample(10, 1000), sample(10, 1000)])
    expect(left.workMs?.low).toBeLessThan(9 * minute)
    expect(left.workMs?.high).toBeGreaterThan(11 * minute)
  })

  test('of 10 random runs at least 7 end within the range, and not all of them by its width', () => {
    let seed = 7
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return seed / 2 ** 31
    }
    // Sums of three: most phases are near 15 minutes.
    const phase = () => sample(5 * (random() + random() + random()) * 2, 1)
    let within = 0
    const runs = 2000
    for (let run = 0; run < runs; run += 1) {
      const { workMs } = rangeOf([phase(), phase(), phase(), phase(), phase()], [fresh, fresh, fresh]).left
      const came = phase().workMs + phase().workMs + phase().workMs
      if (workMs && came >= workMs.low && came <= workMs.high) within += 1
    }
    expect(within / runs).toBeGreaterThan(0.7)
    expect(within / runs).toBeLessThan(0.95)
  })

  test('what the phase in work has used is no longer to come; one that used more takes nothing from the others', () => {
    const own = [sample(10, 1000), sample(20, 1000), sample(15, 1000)]
    const half = rangeOf(own, [{ used: sample(6, 400) }]).left
    expect(half.workMs?.likely).toBeCloseTo(9 * minute)
    expect(half.tokens?.likely).toBeCloseTo(600)
    const over = rangeOf(own, [{ used: sample(90, 9000) }, fresh]).left
    expect(over.workMs?.likely).toBeCloseTo(15 * minute)
    expect(rangeOf(own, [{ used: sample(90, 9000) }]).left.workMs).toEqual({ low: 0, likely: 0, high: 0 })
  })

  test('a plan with more tasks than usual is larger', () => {
    const own = [sample(10, 1000, { tasks: 4 }), sample(10, 1000, { tasks: 4 })]
    const { left } = rangeOf(own, [{ used: sample(0, 0, { tasks: 8 }) }])
    expect(left.workMs?.likely).toBeCloseTo(20 * minute)
    const huge = rangeOf(own, [{ used: sample(0, 0, { tasks: 400 }) }])
    expect(huge.left.workMs?.likely).toBeCloseTo(40 * minute)
  })

  test('earlier sessions count until the run has enough phases of its own', () => {
    const history = { samples: [sample(100, 1), sample(100, 1)], sessions: 2 }
    const own = [sample(10, 1), sample(10, 1), sample(10, 1)]
    const mixed = forecastOf({ own, history, open: [fresh] })
    expect(mixed).toMatchObject({ basis: { own: 3, earlier: 2, sessions: 2 }, sure: 'medium' })
    const alone = forecastOf({ own: [...own, sample(10, 1)], history, open: [fresh] })
    expect(alone).toMatchObject({ basis: { own: 4, earlier: 0, sessions: 0 } })
    if (alone.kind === 'range') expect(alone.left.workMs?.likely).toBeCloseTo(10 * minute)
  })
})

describe('of a run', () => {
  const { view } = snapshotOf()
  const phases = [
    { id: '1', name: 'One', status: 'complete' as const, facts: [] },
    { id: '2', name: 'Two', status: 'in-progress' as const, facts: [] },
    { id: '3', name: 'Three', status: 'pending' as const, facts: [] },
    { id: '4', name: 'Four', status: 'skipped' as const, facts: [] },
  ]
  const base = snapshotOf({
    view: { ...view, phases, currentPhase: '2', work: [] },
    tasks: [],
    panes: snapshotOf().panes.map((pane) => ({ ...pane, phase: '2' })),
    timesAt: 1_000_000,
    phaseWork: new Map([
      ['1', 10 * minute],
      ['2', 4 * minute],
    ]),
    history: { samples: [sample(20, 40_000)], sessions: 1 },
  })

  test('finished phases are its measure, skipped ones are not to come, and time goes on while agents work', () => {
    const at = (now: number, change = {}) => {
      const forecast = forecastOfRun({ ...base, ...change }, now)
      return forecast.kind === 'range' ? forecast : undefined
    }
    const first = at(1_000_000)
    expect(first).toMatchObject({ open: 2, basis: { own: 1, earlier: 1, sessions: 1 } })
    // Two phases of 15 minutes each, 4 of them worked.
    expect(first?.left.workMs?.likely).toBeCloseTo(26 * minute)
    expect(at(1_000_000 + 3 * minute)?.left.workMs?.likely).toBeCloseTo(23 * minute)
    const idle = at(1_000_000 + 3 * minute, { panes: [] })
    expect(idle?.left.workMs?.likely).toBeCloseTo(26 * minute)
  })

  test('what comes after the last phase is in it where its like was measured, and said where it was not', () => {
    const [pane] = base.panes
    if (!pane) throw new Error('no pane')
    const reviews = [1, 2].map((at) => ({
      ...pane,
      id: `review-${at}`,
      persona: 'reviewer',
      phase: '1',
      status: 'ok' as const,
      startedAt: 0,
      endedAt: 3 * minute,
    }))
    const closing = { name: 'final review', persona: 'reviewer' }
    const without = forecastOfRun({ ...base, panes: [] }, 1_000_000)
    const told = { ...base, view: { ...base.view, closing } }
    const measured = forecastOfRun({ ...told, panes: reviews }, 1_000_000)
    expect(measured.closing).toEqual({ name: 'final review', isIn: true })
    if (measured.kind !== 'range' || without.kind !== 'range') throw new Error('no range')
    const likely = ({ left }: typeof without) => left.workMs?.likely ?? 0
    expect(likely(measured)).toBeCloseTo(likely(without) + 3 * minute)
    const unmeasured = forecastOfRun({ ...told, panes: reviews.slice(1) }, 1_000_000)
    expect(unmeasured.closing).toEqual({ name: 'final review', isIn: false })
    const last = told.view.phases.slice(0, 1)
    expect(forecastOfRun({ ...told, view: { ...told.view, phases: last } }, 0)).toEqual({
      kind: 'finished',
      closing: { name: 'final review', isIn: false },
    })
  })

  test('without anything finished it says so', () => {
    const { history: _, ...unread } = base
    const none = { ...unread, view: { ...base.view, phases: phases.slice(1) } }
    expect(forecastOfRun(none, 0)).toEqual({ kind: 'unknown' })
  })
})
