import { describe, expect, it } from 'vitest'
import { addCompleted, addRetry, clearRetries, setCurrent } from '../../source/documents/lifecycle-edit.js'
import { judgeWorkerEdit } from '../../source/documents/lifecycle-merge.js'
import { readLifecycleState, subStepOf } from '../../source/documents/lifecycle-state.js'
import { sessionEnded } from '../../source/workflows/lifecycle/state/changes.js'

// Values, rows and titles of a state file in the forms that agents give them (docs/lifecycle.md, "Reading").

const keys = 'flow: greenfield\nstep: 3\nname: Plan\nstatus: in_progress\nretry_count: 1\n'
const file = (rest = '', current = keys) => `# Autopilot State\n\n## Current Step\n${current}${rest}`
const heads = {
  completed: '| Step | Name | Completed | Key Outcome |\n|---|---|---|---|\n',
  retries: '| Attempt | Step | Name | SubStep | Failure Reason | Timestamp |\n|---|---|---|---|---|---|\n',
}
const position = { flow: 'greenfield', step: 3, name: 'Plan', status: 'in_progress', retryCount: 1 }

describe('keys of the current step', () => {
  it.each([
    [
      'a numbered list',
      '1. flow: greenfield\n2. step: 3\n3. name: Plan\n4. status: in_progress\n5. retry_count: 1\n',
    ],
    ['words joined by capitals', keys.replace('retry_count', 'retryCount')],
    [
      'arrows in ASCII',
      keys.replace('step: 3', 'step: 3 <- was 2').replace('in_progress', 'in_progress <- since Monday'),
    ],
    ['a sign behind the name', keys.replace('Plan', 'Plan \u2705')],
  ])('are read from %s', (_, current) => {
    const text = file('', current)
    expect(readLifecycleState(text)).toMatchObject({ current: position, warnings: [] })
  })

  it('with a count below nothing are told', () => {
    const { current, warnings } = readLifecycleState(file('', keys.replace('count: 1', 'count: -1')))
    expect(current.retryCount).toBe(0)
    expect(warnings).toEqual(['Line 8: "-1" is not a retry count; 0 is taken.'])
  })

  it('without a value say nothing, and that is told', () => {
    const text = file('', 'flow: greenfield\nstep: null\nname:\nstatus: none\n')
    const { current, warnings } = readLifecycleState(text)
    expect(current).toEqual({ flow: 'greenfield', step: null, name: '', status: '', retryCount: 0 })
    expect(warnings).toEqual([
      'Line 5: step says nothing.',
      'Line 6: name says nothing.',
      'Line 7: status says nothing.',
    ])
  })

  it('need no name behind the last step', () => {
    const text = file('', 'flow: greenfield\nstep: done\nname: \u2014\nstatus:\n')
    expect(readLifecycleState(text)).toMatchObject({ current: { step: 'done' }, warnings: [] })
  })

  it.each([
    ['4 \u2014 Review', '4', 'Review'],
    ['Step 4: Review', '4', 'Review'],
    ['Phase 4 - Review', '4', 'Review'],
    ['sub-step 1b \u2014 Review', '1b', 'Review'],
    ['4. Review', '4', 'Review'],
    ['4) Review', '4', 'Review'],
    ['4 (Review)', '4', 'Review'],
    ['`4` \u2014 **Review**', '4', 'Review'],
    ['4.2', '4.2', ''],
    ['phase', 'phase', ''],
    ['Phase \u2014 Review', 'Phase', 'Review'],
    ['writing the risks', 'writing the risks', ''],
  ])('sub-step %s', (value, id, name) => {
    expect(subStepOf(value)).toEqual({ id, name })
    const text = file(`sub_step: ${value}\n`)
    // The same said in the form of the format changes nothing.
    if (name !== '') expect(setCurrent(text, { subStep: { id, name } })).toBe(text)
  })
})

describe('rows', () => {
  it('have their number with a word or a sign beside it, and their name with a sign', () => {
    const text = file(
      `\n## Completed Steps\n${heads.completed}| Step 1 | Problem | 2026-01-02 | ok |\n| \u2705 2 | Research \u2714\ufe0f | 2026-01-03 | \u2705 ok |\n| 3. | Plan | 2026-01-04 | ok |\n| 9.5 | Own | 2026-01-05 | ok |\n`,
    )
    expect(
      readLifecycleState(text).completed.map(({ step, name, outcome }) => [step, name, outcome]),
    ).toEqual([
      [1, 'Problem', 'ok'],
      [2, 'Research', '\u2705 ok'],
      [3, 'Plan', 'ok'],
      ['9.5', 'Own', 'ok'],
    ])
  })

  it('of an empty table say so in many words, and are no rows', () => {
    for (const row of [
      '| \u2014 | \u2014 | \u2014 | \u2014 |',
      '| none | | | |',
      '| _(none yet)_ | | | |',
      '| - | n/a | \u2026 | - |',
      '| none |',
    ]) {
      const text = file(`\n## Completed Steps\n${heads.completed}${row}\n`)
      expect(readLifecycleState(text), row).toMatchObject({ completed: [], warnings: [] })
      const added = addCompleted(text, { step: 1, name: 'Problem', completed: '2026-01-02', outcome: 'ok' })
      expect(readLifecycleState(added).completed, row).toHaveLength(1)
    }
    const retries = file(
      `\n## Retry Log\n${heads.retries}| \u2014 | \u2014 | \u2014 | \u2014 | \u2014 | \u2014 |\n`,
    )
    expect(readLifecycleState(retries).retryLog).toEqual([])
    const row = { attempt: '1', step: 3, name: 'Plan', subStep: '', reason: 'x', timestamp: 't' }
    expect(readLifecycleState(addRetry(retries, row)).retryLog).toEqual([row])
    expect(clearRetries(addRetry(retries, row))).not.toContain('| x |')
  })

  it('with something in them count, also where the rest is a dash', () => {
    const text = file(`\n## Completed Steps\n${heads.completed}| 1 | Problem | 2026-01-02 | \u2014 |\n`)
    expect(readLifecycleState(text).completed).toHaveLength(1)
  })
})

describe('titles', () => {
  it('with something behind a bracket, a colon or a dash are those of the format', () => {
    const text = file(
      `\n## Completed Steps (1/10)\n${heads.completed}| 1 | Problem | 2026-01-02 | ok |\n\n## Key Decisions \u2014 newest last\n- a\n\n## Retry Log: Plan\n${heads.retries}\n## Blockers (none)\n- none\n`,
    )
    const read = readLifecycleState(text)
    expect(read).toMatchObject({ decisions: ['a'], blockers: [], unknownSections: [], warnings: [] })
    expect(read.completed).toHaveLength(1)
    const row = { step: 2, name: 'Research', completed: '2026-01-03', outcome: 'ok' }
    const added = addCompleted(text, row)
    expect(readLifecycleState(added).completed).toHaveLength(2)
    expect(added.match(/## Completed Steps/g)).toHaveLength(1)
  })

  it('as the format has them go before such ones', () => {
    const text = file('\n## Key Decisions (old)\n- old\n\n## Key Decisions\n- new\n')
    expect(readLifecycleState(text)).toMatchObject({
      decisions: ['new'],
      unknownSections: ['Key Decisions (old)'],
    })
  })

  it('that speak of a section that is missing are told', () => {
    const text = file(
      '\n## Key Decisions Log\n- a\n\n## Last Session Summary\ndate: 2026-01-02\n\n## Notes\nretry: no\n',
    )
    expect(readLifecycleState(text)).toMatchObject({
      unknownSections: ['Key Decisions Log', 'Last Session Summary', 'Notes'],
      warnings: [
        'Line 10: "Key Decisions Log" is not "Key Decisions", which is missing; nothing of it is read.',
        'Line 13: "Last Session Summary" is not "Last Session", which is missing; nothing of it is read.',
      ],
    })
    expect(readLifecycleState(file('\n## Key Decisions\n- a\n\n## Old decisions\n- b\n')).warnings).toEqual(
      [],
    )
  })
})

describe('notes of several lines', () => {
  const session = (notes: string, rest = '') =>
    file(`\n## Last Session\ndate: 2026-01-02\nended_at: Step 3 Plan\nreason: context limit\n${notes}${rest}`)

  it.each([
    ['a list below', 'notes:\n  - one: a\n  - two\n', 'one: a two'],
    ['entries that are not indented', 'notes: first\n- one\n- two\n', 'first one two'],
    ['a paragraph', 'notes: first\nsecond\n  third\n', 'first second third'],
    ['a block of YAML', 'notes: |\n  first\n  second\n', 'first second'],
    ['a line that ends before another key', 'notes: first\nmood: good\n', 'first'],
    ['a line that ends at a blank one', 'notes: first\n\nelse\n', 'first'],
  ])('are read: %s', (_, notes, value) => {
    expect(readLifecycleState(session(notes)).lastSession).toEqual({
      date: '2026-01-02',
      endedAt: 'Step 3 Plan',
      reason: 'context limit',
      notes: value,
    })
  })

  it('in a list of keys end at the next key', () => {
    const text = file('\n## Last Session\n- date: 2026-01-02\n- notes: a\n  - b\n- reason: user paused\n')
    expect(readLifecycleState(text).lastSession).toEqual({
      date: '2026-01-02',
      notes: 'a b',
      reason: 'user paused',
    })
  })

  it('stay as they are when another session ends, and below what the program says', () => {
    const text = session('notes:\n  - one\n  - two\n', '\n## Blockers\n- none\n')
    const ended = { at: '2026-02-03T10:00:00Z', reason: 'user paused' as const }
    const step = { id: '3', name: 'Plan' }
    const kept = sessionEnded(text, step, ended)
    expect(kept).toContain('reason: user paused\nnotes:\n  - one\n  - two\n\n## Blockers\n')
    const own = sessionEnded(text, step, { ...ended, notes: 'Decompose complete, implementation ready' })
    expect(own).toContain('notes: Decompose complete, implementation ready\n  - one\n  - two\n')
    expect(sessionEnded(own, step, ended)).toContain('reason: user paused\nnotes:\n  - one\n  - two\n')
  })

  it('of a worker that kept the books stay whole', () => {
    const before = file(`\n## Completed Steps\n${heads.completed}\n## Last Session\ndate: 2026-01-01\n`)
    const found = `${before}ended_at: Step 3 Plan\nreason: completed step\nnotes:\n  - one\n  - two\n`
    const expected = {
      step: { id: '3', name: 'Plan' },
      next: { id: '4', name: 'UI Design' },
      ended: 'complete' as const,
      boundary: false,
      days: ['2026-01-01'],
      isOwnNote: (_: string) => false,
    }
    const { text, touched } = judgeWorkerEdit(before, found, expected)
    expect(touched).toEqual([])
    expect(text).toContain('notes:\n  - one (agent)\n  - two (agent)\n')
    // What a person has written below the notes of the program is nobody's to take away.
    const own = `${before}reason: session boundary\nnotes: own\n- of Ann\n`
    const other = own.replace('notes: own', 'notes: mine').replace('session boundary', 'completed step')
    const kept = judgeWorkerEdit(own, other, { ...expected, isOwnNote: (notes) => notes.startsWith('own') })
    expect(kept.touched).toEqual([])
    expect(kept.text).toContain('notes: mine (agent)\n- of Ann\n')
  })
})
