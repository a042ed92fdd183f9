import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultTaskState, readTaskState, taskIdOfKey } from '../../source/documents/task-state.js'

function read(value: unknown) {
  const reading = readTaskState(JSON.stringify(value))
  if (reading.state === undefined) throw new Error(reading.unreadable)
  return reading
}

describe('progress keys', () => {
  it.each([
    ['Task 3', '3'],
    ['Phase 2 Task 3', '3'],
    ['Phase2-Task 3', '3'],
    ['Phase 2 - Task 3', '3'],
    ['Wave 1.2 Task 3', '3'],
    ['Task 3: Types', '3'],
    ['task-3', '3'],
    ['Task 1.2.3', '1.2.3'],
    ['Task A1', 'A1'],
    ['Task 3a', '3a'],
    ['3', '3'],
    ['T1', 'T1'],
    ['Phase 1 Task 3', undefined],
    ['Phase 21 Task 3', undefined],
    ['Task three', undefined],
    ['Task 3abc', undefined],
    ['verify', undefined],
  ])('%s in phase 2 is %s', (key, id) => {
    expect(taskIdOfKey(key, 2)).toBe(id)
  })
})

describe('state.json', () => {
  it('starts empty, and that reads back equal', () => {
    expect(readTaskState(defaultTaskState())).toEqual({
      state: { schemaVersion: 1, position: {}, progress: {}, decisions: [], blockers: [] },
      warnings: [],
    })
  })

  it('reads words of any spelling, and says so; unknown ones are pending', () => {
    const { state, warnings } = read({
      progress: { 'Task 1': 'complete', 'Task 2': 'in-progress', 'Task 3': 'DONE', 'Task 4': 'odd' },
    })
    expect(state.progress).toEqual({
      'Task 1': 'complete',
      'Task 2': 'in_progress',
      'Task 3': 'complete',
      'Task 4': 'pending',
    })
    expect(warnings).toHaveLength(3)
  })

  it('keeps a blocker open unless it says resolved, and keeps unknown keys', () => {
    const { state } = read({
      blockers: [{ id: 'a', description: 'x', status: 'odd' }, 'text', { status: 'resolved' }],
      mine: 1,
    })
    expect(state.blockers.map(({ status }) => status)).toEqual(['open', 'open', 'resolved'])
    expect(state.blockers[1]?.description).toBe('text')
    expect(state).toHaveProperty('mine', 1)
  })

  it.each(['', '{"a":', '[]', '3'])('says that %j is unreadable, which is not empty', (text) => {
    expect(readTaskState(text)).toHaveProperty('unreadable')
  })

  it('never crashes on any JSON, and what it read reads back equal', () => {
    const key = fc.constantFrom('position', 'progress', 'decisions', 'blockers', 'lastSession', 'other')
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), (value) => {
        const { state } = read(value)
        expect(read(state)).toEqual({ state: JSON.parse(JSON.stringify(state)), warnings: [] })
      }),
    )
  })
})
