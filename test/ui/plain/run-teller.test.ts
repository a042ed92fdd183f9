import { expect, it } from 'vitest'
import { createRunTeller } from '../../../source/ui/plain/run-teller.js'
import { pane, snapshotOf } from '../fixtures.js'

it('counts all lines that are in the log alone, also those that the pane has forgotten', () => {
  const lines = Array.from({ length: 12_000 }, (_, index) => ({
    kind: 'text' as const,
    text: `line ${index}`,
  }))
  const flooded = pane('p', 'Execute', 'running', lines, { logPath: 'logs/p.log' })
  const teller = createRunTeller(snapshotOf({ panes: [], timeline: [] }))
  const next = snapshotOf({ panes: [flooded], timeline: [] })
  const news = teller.news(next, true)
  expect(news).toContain('  | (11988 more lines are in logs/p.log)')
  expect(news.at(-1)).toBe('  | line 11999')
  expect(teller.news(next, true)).toEqual([])
})
