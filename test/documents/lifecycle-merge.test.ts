import { describe, expect, it, test } from 'vitest'
import { addBlocker, addCompleted, addDecision, setCurrent } from '../../source/documents/lifecycle-edit.js'
import { judgeWorkerEdit, mergeLifecycle } from '../../source/documents/lifecycle-merge.js'
import { planning } from './lifecycle-samples.js'

const row = { step: 3, name: 'Plan', completed: '2026-03-05', outcome: 'done' }

describe('vector 15: two hands at one file', () => {
  test('changes of different sections are both kept, byte for byte', () => {
    const ours = setCurrent(planning, { status: 'completed' })
    const theirs = `${planning.replace('- none', '- waiting for a key')}\n## Notes\nours too\n`
    const merged = mergeLifecycle(planning, ours, theirs)
    expect(merged).toEqual({
      kind: 'merged',
      text: theirs.replace('status: in_progress', 'status: completed'),
    })
  })

  test('what both added to a list is kept, theirs first; the same entry once', () => {
    const ours = addDecision(addDecision(addCompleted(planning, row), 'from us'), 'same')
    const theirs = addDecision(addDecision(planning, 'from them'), 'same')
    const merged = mergeLifecycle(planning, ours, theirs)
    expect(merged.kind === 'merged' && merged.text).toContain(
      '- Tech stack: Python, Postgres\n- from them\n- same\n- from us\n',
    )
    expect(merged.kind === 'merged' && merged.text).toContain('| 3 | Plan | 2026-03-05 | done |\n')
  })

  test('other keys of the current step fit together, the same one does not', () => {
    const theirs = planning.replace('sub_step: 4 \u2014 Architecture Review & Risk Assessment', 'sub_step: 5')
    const ours = setCurrent(planning, { retryCount: 1 })
    const merged = mergeLifecycle(planning, ours, theirs)
    expect(merged.kind === 'merged' && merged.text).toContain('sub_step: 5\nretry_count: 1\n')
    expect(mergeLifecycle(planning, setCurrent(planning, { subStep: null }), theirs)).toEqual({
      kind: 'conflict',
      sections: ['Current Step'],
    })
  })

  test('a section that somebody puts behind ours, or takes from behind it, is no change of ours', () => {
    const ours = addBlocker(planning, 'no key')
    const theirs = `${planning}\n## Notes\nof Ann\n`
    expect(mergeLifecycle(planning, ours, theirs)).toEqual({
      kind: 'merged',
      text: `${ours}\n## Notes\nof Ann\n`,
    })
    expect(mergeLifecycle(theirs, addBlocker(theirs, 'no key'), planning)).toEqual({
      kind: 'merged',
      text: ours,
    })
    // What both say of the same section is still asked about.
    expect(mergeLifecycle(planning, ours, theirs.replace('- none', '- no time'))).toEqual({
      kind: 'conflict',
      sections: ['Blockers'],
    })
  })

  test('a section that they removed and we changed is a conflict, as is a row that they changed', () => {
    const ours = addDecision(planning, 'x')
    expect(
      mergeLifecycle(
        planning,
        ours,
        planning.replace('## Key Decisions\n- Tech stack: Python, Postgres\n\n', ''),
      ),
    ).toEqual({
      kind: 'conflict',
      sections: ['Key Decisions'],
    })
    expect(
      mergeLifecycle(planning, addCompleted(planning, row), planning.replace('scope agreed', 'other')),
    ).toEqual({
      kind: 'conflict',
      sections: ['Completed Steps'],
    })
  })

  test('our new section goes where it belongs, in their line endings', () => {
    const base = '# Autopilot State\n\n## Current Step\nflow: a\n\n## Blockers\n- none\n'
    const merged = mergeLifecycle(
      base,
      addDecision(base, 'x'),
      base.replaceAll('\n', '\r\n').replace('flow: a', 'flow: b'),
    )
    expect(merged.kind === 'merged' && merged.text).toBe(
      '# Autopilot State\r\n\r\n## Current Step\r\nflow: b\r\n\r\n## Key Decisions\r\n- x\r\n\r\n## Blockers\r\n- none\r\n',
    )
  })
})

describe('what a worker changed', () => {
  it('its sub-step and its additions stay, marked as its own', () => {
    const found = `${planning
      .replace('sub_step: 4 \u2014 Architecture Review & Risk Assessment', 'sub_step: 5 - tests')
      .replace('- Tech stack: Python, Postgres\n', '- Tech stack: Python, Postgres\n- Cache: none\n')
      .replace('notes: risks are half done\n', 'notes: risks are half done\nrisk 3 is open\n')}
## Own
- mine
`
    const { text, touched } = judgeWorkerEdit(planning, found)
    expect(touched).toEqual([])
    expect(text).toContain('sub_step: 5 - tests\n')
    expect(text).toContain('- Cache: none (agent)\n')
    expect(text).toContain('risk 3 is open (agent)\n')
    expect(text).toContain('## Own\n- mine (agent)\n')
  })

  it.each([
    [
      'a row',
      planning.replace('| 2 | Res', '| 3 | Plan | 2026-03-05 | done |\n| 2 | Res'),
      'Completed Steps: + | 3 | Plan | 2026-03-05 | done |',
    ],
    [
      'the status',
      planning.replace('status: in_progress', 'status: completed'),
      'Current Step: + status: completed',
    ],
    ['a decision', planning.replace('Postgres', 'SQLite'), 'Key Decisions: + - Tech stack: Python, SQLite'],
    ['a blocker', planning.replace('- none', '- none\n- stuck'), 'Blockers: + - stuck'],
    ['the reason', planning.replace('reason: user paused', 'reason: x'), 'Last Session: + reason: x'],
    ['a whole section', planning.slice(0, planning.indexOf('## Retry Log')), 'Retry Log was removed.'],
  ])('%s is told and not taken', (_, found, line) => {
    const { text, touched } = judgeWorkerEdit(planning, found)
    expect(touched).toContain(line)
    expect(text).toBe(planning)
  })

  it('other line endings and nothing else are no change', () => {
    expect(judgeWorkerEdit(planning, planning.replaceAll('\n', '\r\n'))).toEqual({
      text: planning,
      touched: [],
    })
  })
})
