import { expect, it } from 'vitest'
import { formatTime } from '../../../source/ui/format.js'
import { createRunTeller } from '../../../source/ui/plain/run-teller.js'
import type { PaneLine } from '../../../source/view/panes.js'
import { pane, questionOf, snapshotOf } from '../fixtures.js'

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

const at = '2030-04-03T09:05:00.000Z'
const time = formatTime(at)

it('says what can be typed only where somebody can type', () => {
  const teller = createRunTeller(snapshotOf({ panes: [], timeline: [] }))
  expect(teller.opening(true).join('\n')).toContain('? and Enter')
  expect(teller.opening(false).join('\n')).not.toContain('Enter')
})

it('tells the beginning of a long error, and how much more there is', () => {
  const teller = createRunTeller(snapshotOf({ panes: [], timeline: [] }))
  const text = `Task 2 failed: ${'expected 30 to be 29 '.repeat(60)}`
  const [told = ''] = teller.news(snapshotOf({ panes: [], timeline: [{ at, kind: 'warning', text }] }), true)
  expect(told.length).toBeLessThan(400)
  expect(told).toMatch(/^\d\d:\d\d warning: Task 2 failed: .*\w \.\.\. \(\d+ more characters in its log\)$/)
})

it('tells a report once, whether its entry comes with it, before it or after it', () => {
  const report = ['Auto-approved Phase 1: Plant list', '  Review mode: auto', '  Tasks: 3 (threshold: 15)']
  const entry = {
    at,
    kind: 'note' as const,
    text: 'Auto-approved Phase 1: Plant list; Review mode: auto; Tasks: 3 (threshold: 15)',
  }
  const next = { at, kind: 'state' as const, text: 'EXECUTE' }
  const none = snapshotOf({ panes: [], timeline: [], reports: [] })
  const all = { ...none, timeline: [entry, next], reports: report }
  const apart = [`${time} ${report[0]}`, ...report.slice(1), `${time} EXECUTE`]
  expect(createRunTeller(none).news(all, true)).toEqual(apart)
  for (const between of [
    { ...none, timeline: [entry] },
    { ...none, reports: report },
  ]) {
    const teller = createRunTeller(none)
    const told = [...teller.news(between, true), ...teller.news(all, true)].join('\n')
    expect(told.match(/Review mode: auto/g)).toHaveLength(1)
  }
})

it('tells what an agent said last before its end, also where a question comes with it', () => {
  const lines = [{ kind: 'text' as const, text: 'Verdict: PASS' }]
  const panes = [pane('p', 'Verify', 'ok', lines)]
  const timeline = [{ at, kind: 'agent' as const, text: 'Verify: finished' }]
  for (const agents of [true, false]) {
    const before = snapshotOf({ panes: [], timeline: [] })
    const told = createRunTeller(before).news({ ...before, panes, timeline }, agents)
    expect(told).toEqual(['  | Verdict: PASS', `${time} Verify: finished`])
  }
})

it('tells a call once where its end is known, and at once where it is not', () => {
  const begun = { kind: 'tool' as const, text: 'write: a.js', call: '1' }
  const ended = { ...begun, text: 'write: a.js ok', outcome: 'ok' as const }
  const before = snapshotOf({ panes: [], timeline: [] })
  const tell = (lines: readonly PaneLine[]) =>
    createRunTeller(before).news({ ...before, panes: [pane('p', 'Execute', 'running', [...lines])] }, true)
  expect(tell([begun, ended])).toEqual(['  | write: a.js ok'])
  expect(tell([begun])).toEqual(['  | write: a.js'])
})

it('tells a question, its answer and the report that it shows once: the question is shown whole', () => {
  const report = ['Phase 1: Rules - COMPLETE', 'Tasks: 3 | Retries: 1']
  const question = { ...questionOf('Q-NEXT'), title: 'Continue?', body: ['', ...report] }
  const none = snapshotOf({ panes: [], timeline: [], reports: [], question: undefined })
  const teller = createRunTeller(none)
  const entry = (text: string) => ({ at, kind: 'gate' as const, text })
  const [note, asked] = [{ at, kind: 'note' as const, text: report.join(' | ') }, entry('asked: Continue?')]
  const open = { ...none, question, timeline: [note, asked], reports: report }
  expect(teller.news(open, false)).toEqual([`${time} ${report[0]}`, report[1]])
  teller.answered()
  const answer = entry('answered: yes')
  const over = { ...none, reports: [...report], timeline: [note, asked, answer] }
  expect(teller.news(over, true)).toEqual([])
  // What somebody else has asked and answered is told.
  const others = [entry('asked: Skip phase 2?'), entry('answered: no')]
  expect(teller.news({ ...over, timeline: [...over.timeline, ...others] }, true)).toEqual([
    `${time} asked: Skip phase 2?`,
    `${time} answered: no`,
  ])
})

it('tells of a report that goes on what is new', () => {
  const none = snapshotOf({ panes: [], timeline: [], reports: [], question: undefined })
  const teller = createRunTeller(none)
  const report = ['All phases complete.', 'Total: 3 phases']
  expect(teller.news({ ...none, reports: report }, true)).toEqual(report)
  expect(teller.news({ ...none, reports: [...report, 'Promoted 1 learning.'] }, true)).toEqual([
    'Promoted 1 learning.',
  ])
  expect(teller.news({ ...none, reports: ['All phases complete.'] }, true)).toEqual(['All phases complete.'])
})
