import { describe, expect, test } from 'vitest'
import { budgetRows, budgetSpans } from '../../source/ui/layout/budget-rows.js'
import { costRows } from '../../source/ui/layout/cost-rows.js'
import { forecastRows, timeLeftText } from '../../source/ui/layout/forecast-rows.js'
import { headerLines } from '../../source/ui/layout/header.js'
import { createTheme, type Line } from '../../source/ui/theme.js'
import type { Forecast } from '../../source/view/forecast.js'
import { snapshotOf, startOfRun } from './fixtures.js'
import { filledSnapshot } from './view-fixtures.js'

const theme = createTheme(true)
const textOf = (lines: readonly Line[]) => lines.map((row) => row.map(({ text }) => text).join('')).join('\n')
const now = startOfRun + 725_000

describe('the forecast in words', () => {
  const basis = { own: 2, earlier: 3, sessions: 1 }
  const range: Forecast = {
    kind: 'range',
    open: 2,
    left: {
      workMs: { low: 600_000, likely: 1_500_000, high: 4_200_000 },
      tokens: { low: 10_000, likely: 40_000, high: 90_000 },
    },
    basis,
    sure: 'medium',
  }

  test('is a range that says how sure it is and what it comes from', () => {
    const text = textOf(forecastRows(range, { isRead: true }, 200))
    expect(text).toContain('Time at work  10m to 1h 10m, most likely 25m')
    expect(text).toContain('Tokens        10.0k to 90.0k, most likely 40.0k')
    expect(text).toContain('Sureness: medium, from 2 phases of this run and 3 phases of 1 earlier session.')
    expect(timeLeftText(range)).toBe('left 10m to 1h 10m')
    const workMs = { low: 0, likely: 1_500_000, high: 4_200_000 }
    const wide = { ...range, left: { ...range.left, workMs } }
    expect(timeLeftText(wide)).toBe('left up to 1h 10m')
    // By the name that the workflow has for them.
    const steps = textOf(forecastRows(range, { isRead: true, word: 'step' }, 200))
    expect(steps).toContain('from 2 steps of this run and 3 steps of 1 earlier session.')
    expect(steps).not.toContain('phase')
  })

  test('says that nothing is known rather than a number', () => {
    const unknown = textOf(forecastRows({ kind: 'unknown' }, { isRead: false }, 200))
    expect(unknown).toContain('Not known: no phase has been finished in this project yet')
    expect(unknown).toContain('still being read')
    expect(unknown).not.toMatch(/\d/)
    const single: Forecast = {
      kind: 'single',
      open: 3,
      each: { workMs: 720_000 },
      basis: { own: 1, earlier: 0, sessions: 0 },
    }
    const text = textOf(forecastRows(single, { isRead: true }, 200))
    expect(text).toContain('The only finished one came to: time at work 12m.')
    expect(text).toContain('is not known yet')
    expect(timeLeftText(single)).toBeUndefined()
  })
})

test('agents that were before those on the screen are counted', () => {
  const snapshot = filledSnapshot()
  const shown = snapshot.panes.length
  const text = textOf(costRows({ ...snapshot, dispatched: new Map([['1', shown + 3]]) }, now, 100, theme))
  expect(text).toContain(`Agents, newest last (the last ${shown} of ${shown + 3})`)
  expect(textOf(costRows(snapshot, now, 100, theme))).toMatch(/Agents, newest last$/m)
})

describe('budgets', () => {
  test('fill as they are used, with both numbers', () => {
    const text = textOf(budgetRows(filledSnapshot(), now, 100, theme))
    expect(text).toMatch(/run cost +61% +\$1\.23 of \$2\.00 +#{12}\.{8}/)
    expect(text).toMatch(/phase 2 tokens +88% +88\.5k of 100\.0k +#{17}\.{3}/)
  })

  test('stand in the head from half on, as a warning near the end, unless the workflow tells them', () => {
    expect(budgetSpans(filledSnapshot(), now)).toEqual([
      { text: 'run cost 61% of budget' },
      { text: 'phase 2 tokens 88% of budget', tone: 'warn' },
    ])
    const { view } = snapshotOf()
    const budgets = [
      { scope: 'run', name: 'usd', limit: 20 },
      { scope: 'run', name: 'tokens', limit: 100_000, isTold: true },
    ] as const
    expect(budgetSpans(snapshotOf({ view: { ...view, budgets } }), now)).toEqual([])
    const head = (snapshot = filledSnapshot()) =>
      textOf(headerLines({ snapshot, now }, 160, 2, theme)).split('\n')[1]
    expect(head()).toContain('phase 2 tokens 88% of budget')
    expect(head()).toMatch(/left \d+m to /)
    expect(head(snapshotOf())).not.toContain('left')
  })

  test('the time of whoever works fills as it goes on, and turns are told as a bound that agents keep', () => {
    const { view, panes } = snapshotOf()
    const pane = panes.find(({ status }) => status === 'running')
    if (!pane) throw new Error('nobody works')
    const budgets = [
      { scope: 'dispatch', name: 'minutes', persona: pane.persona, limit: 20 },
      { scope: 'dispatch', name: 'minutes', persona: 'somebody-else', limit: 20 },
      { scope: 'dispatch', name: 'turns', limit: 30 },
    ] as const
    const at = pane.startedAt + 18 * 60_000
    const snapshot = snapshotOf({ view: { ...view, budgets }, panes: [pane] })
    const text = textOf(budgetRows(snapshot, at, 100, theme))
    expect(text).toMatch(new RegExp(`${pane.persona} time +90% +18m 0s of 20m 0s +#{18}\\.{2}`))
    expect(text).not.toContain('somebody-else')
    expect(text).toContain('turns of a dispatch: at most 30')
    expect(budgetSpans(snapshot, at)).toEqual([{ text: `${pane.persona} time 90% of budget`, tone: 'warn' }])
  })

  test('where there are none it says how to set them', () => {
    expect(textOf(budgetRows(snapshotOf(), now, 100, theme))).toContain('None is set')
  })
})

test('names are whole where they have room, lose their role before a word, and unknown columns take none of it', () => {
  const base = snapshotOf()
  const title = 'Execute Phase 12: Reader that keeps the order of all rules'
  const panes = base.panes.map((pane) => ({ ...pane, title, persona: 'harness-task-executor' }))
  const snapshot = { ...filledSnapshot({ panes }), usage: base.usage }
  expect(textOf(costRows(snapshot, now, 199, theme))).toContain(`${title} (harness-task-executor)`)
  expect(textOf(costRows(snapshot, now, 105, theme))).toMatch(new RegExp(`${title} {3}`))
  const cheap = {
    ...snapshot,
    usage: { inputTokens: 5, outputTokens: 5 },
    phaseUsage: new Map([['1', { inputTokens: 5, outputTokens: 5 }]]),
  }
  expect(textOf(costRows(cheap, now, 105, theme))).not.toContain('cost')
})

test('phases and agents are told with time, tokens and cost; what nobody said is no zero', () => {
  const base = filledSnapshot()
  const text = textOf(costRows(base, now, 79, theme))
  expect(text).toMatch(/1 Storage layer +5m 0s +38\.0k +2\.0k +\$0\.40/)
  expect(text).toMatch(/All +12m 5s +120\.4k +8\.1k +\$1\.23/)
  expect(text).toMatch(/Execute phase 2 .* 82\.4k +6\.1k +-/)
  expect(text).toMatch(/Plan phase 2 \(harness-planner\) .*1m 2s +- +- +-/)
})
