import { describe, expect, test } from 'vitest'
import { readStateSummary, type StateSummary } from '../../source/view/summary.js'

const told: StateSummary = {
  subject: 'docs/seeds.md',
  title: 'Seeds',
  state: 'EXECUTE',
  phase: { id: '2', number: 2, name: 'List', total: 3 },
  progress: { phasesComplete: 1, phasesTotal: 3, tasksComplete: 4, tasksTotal: 9 },
  facts: [{ text: 'standard', tone: 'plain' }],
  rigor: 'standard',
  phases: [{ id: '1', number: 1, name: 'Box', status: 'complete', facts: [], complexity: 'low' }],
}

describe('readStateSummary', () => {
  test('takes what was kept, and drops keys that it does not know', () => {
    expect(readStateSummary(JSON.parse(JSON.stringify(told)))).toEqual(told)
    expect(readStateSummary({ ...told, more: 1 })).toEqual(told)
  })

  test.each([
    ['nothing', undefined],
    ['a list', []],
    ['no state', { ...told, state: null }],
    ['a fact of another tone', { ...told, facts: [{ text: 'x', tone: 'loud' }] }],
    ['a phase without an id', { ...told, phases: [{ number: 1 }] }],
  ])('refuses %s', (_, value) => {
    expect(readStateSummary(value)).toBeUndefined()
  })
})
