import { expect, test } from 'vitest'
import { headerLines } from '../../source/ui/layout/header.js'
import { createTheme } from '../../source/ui/theme.js'
import type { RunSnapshot } from '../../source/view/view.js'
import { questionOf, snapshotOf, startOfRun } from './fixtures.js'

// The header tells time at work, waiting for a person and away apart (docs/durability.md, "Times").

const minute = 60_000
const times = { workMs: 10 * minute, waitingMs: 30 * minute, awayMs: 120 * minute }

function header(change: Partial<RunSnapshot>): string[] {
  const snapshot = snapshotOf({ times, timesAt: startOfRun, panes: [], question: undefined, ...change })
  const lines = headerLines({ snapshot, now: startOfRun + 5 * minute } as never, 160, 2, createTheme(true))
  return lines.map((line) => line.map(({ text }) => text).join(''))
}

test('what goes by counts for work', () => {
  const [first, second] = header({})
  expect(first).toContain('15m 0s')
  expect(second).toContain('waited 30m 0s')
  expect(second).toContain('away 2h 0m')
})

test('while a question is open and nobody works it counts for waiting', () => {
  const question = { ...questionOf('Q-APPROVE'), askedAt: new Date(startOfRun + minute).toISOString() }
  const [head, second] = header({ question })
  // The number beside the word is how long that has been so; the time at work is named as such.
  expect(head).toMatch(/waits for you {2}4m 0s$/)
  expect(second).toContain('worked 10m 0s')
  // What was waited for it is told beside the word, and here what was waited before.
  expect(second).toContain('waited 31m 0s before')
  const first = { ...question, askedAt: new Date(startOfRun).toISOString() }
  expect(header({ question: first, times: { ...times, waitingMs: 0 } })[1]).not.toContain('waited')
  const agents = header({ question, panes: snapshotOf().panes })
  expect(agents[0]).toMatch(/waits for you {2}4m 0s$/)
  expect(agents[1]).toContain('worked 15m 0s')
})

test('what is held waits too, and no number beside its word looks like how long', () => {
  expect(header({ status: 'holding' })[0]).toMatch(/holding after this step$/)
  for (const status of ['held', 'suspended'] as const) {
    const [first, second] = header({ status })
    expect(first).toMatch(/(?:HELD|SUSPENDED)$/)
    expect(second).toContain('worked 10m 0s')
    expect(second).toContain('waited 35m 0s')
  }
  expect(header({ status: 'running' })[1]).not.toContain('worked')
})

test('a run that is to be held waits for the person first, as long as a question is open', () => {
  const [first] = header({ question: questionOf('Q-APPROVE'), status: 'holding' })
  expect(first).toContain('waits for you, then holds')
  expect(header({ status: 'holding' })[0]).toContain('holding after this step')
})

test('what autopilot itself runs is told while no agent works', () => {
  const doing = { text: 'npm test', since: startOfRun + 4 * minute }
  const [first, second] = header({ doing })
  expect(first).toMatch(/runs npm test {2}1m 0s$/)
  expect(second).toContain('worked 15m 0s')
  expect(header({ doing, panes: snapshotOf().panes.slice(-1) })[0]).not.toContain('npm test')
  expect(header({})[0]).toMatch(/running {2}15m 0s$/)
})
