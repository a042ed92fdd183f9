import { describe, expect, it } from 'vitest'
import { addBlocker, addDecision, clearBlockers, setCurrent } from '../../source/documents/lifecycle-edit.js'
import { judgeWorkerEdit } from '../../source/documents/lifecycle-merge.js'
import { readLifecycleState } from '../../source/documents/lifecycle-state.js'

// Lists that are tables, and words that are links or have a line through them (docs/lifecycle.md, "Reading").

const head =
  '# Autopilot State\n\n## Current Step\nflow: greenfield\nstep: 3\nname: Plan\nstatus: in_progress\n\n'
const decisions =
  '| # | Decision | Date |\n|---|----------|------|\n| 1 | Postgres for the data | 2026-03-01 |\n| 2 | No accounts \\| no logins | - |\n| ... | ... | ... |\n'

describe('a list that is a table', () => {
  const text = `${head}## Key Decisions\n\n${decisions}\n## Blockers\n| Blocker | Since |\n|---|---|\n| the key is missing | Monday |\n`

  it('has an entry for each row', () => {
    const { decisions: read, blockers, warnings } = readLifecycleState(text)
    expect(read).toEqual([
      '1 \u2014 Postgres for the data \u2014 2026-03-01',
      '2 \u2014 No accounts | no logins',
    ])
    expect(blockers).toEqual(['the key is missing \u2014 Monday'])
    expect(warnings).toEqual([])
  })

  it('may stand among entries of a list, and goes on no entry above it', () => {
    const mixed = `${head}## Key Decisions\n- first\n| Decision |\n|---|\n| second |\n- third\n  | a | b |\n  |---|---|\n`
    expect(readLifecycleState(mixed).decisions).toEqual(['first', 'second', 'third | a | b | |---|---|'])
  })

  it('says nothing with rows that say nothing', () => {
    const none = `${head}## Blockers\n| Blocker | Since |\n|---|---|\n| none | - |\n`
    expect(readLifecycleState(none).blockers).toEqual([])
    expect(readLifecycleState(addBlocker(none, 'a key')).blockers).toEqual(['a key'])
  })

  it('is read line by line without the line under its head, and that is told', () => {
    const half = `${head}## Key Decisions\n| Postgres | 2026-03-01 |\n| Redis |\n`
    const { decisions: read, warnings } = readLifecycleState(half)
    expect(read).toEqual(['Postgres \u2014 2026-03-01', 'Redis'])
    expect(warnings).toEqual([expect.stringMatching(/^Line 10: the line under the head of the table/)])
  })

  it('gets entries below it, and keeps every byte of its own', () => {
    const added = addDecision(text, '2026-03-02T10:00:00+00:00 Q-BRIEF: a shop')
    const rows = decisions.replace('| ... | ... | ... |\n', '')
    expect(added).toContain(`${rows}\n- 2026-03-02T10:00:00+00:00 Q-BRIEF: a shop\n\n## Blockers`)
    expect(readLifecycleState(added).decisions.at(-1)).toBe('2026-03-02T10:00:00+00:00 Q-BRIEF: a shop')
    const bare = `${head}## Key Decisions\n| Decision |\n|---|\n\n## Blockers\n`
    expect(addDecision(bare, 'a')).toBe(bare.replace('|---|\n', '|---|\n\n- a\n'))
  })

  it('is cleared row by row', () => {
    const cleared = clearBlockers(text)
    expect(readLifecycleState(cleared).blockers).toEqual([])
    expect(cleared.startsWith(text.slice(0, text.indexOf('| the key')))).toBe(true)
  })

  it('keeps a row of a worker whole, and takes none that answers in the name of a person', () => {
    const row = text.replace('| ... | ... | ... |\n', '| 3 | Redis | 2026-03-02 |\n| ... | ... | ... |\n')
    const kept = judgeWorkerEdit(text, row)
    expect(kept.touched).toEqual([])
    expect(kept.text).toContain('| 3 | Redis | 2026-03-02 (agent) |')
    expect(readLifecycleState(kept.text).decisions).toHaveLength(3)
    const forged = text.replace('| ... |', '|Q-BRIEF: another shop| | |\n| ... |')
    expect(judgeWorkerEdit(text, forged)).toEqual({ text, touched: [expect.stringContaining('Q-BRIEF')] })
  })
})

describe('names, steps and dates', () => {
  const rows =
    '## Completed Steps\n| Step | Name | Completed | Key Outcome |\n|---|---|---|---|\n| [1](00_problem/) | [Problem](00_problem/problem.md) | [2026-03-01](a) | see [it](a) |\n| ~~2~~ | ~~Research~~ | ~~2026-03-02~~ | done |\n'

  it('are read without the target of a link and without a line through them, which is told', () => {
    const { completed, warnings } = readLifecycleState(head + rows)
    expect(completed).toEqual([
      { step: 1, name: 'Problem', completed: '2026-03-01', outcome: 'see [it](a)' },
      { step: 2, name: 'Research', completed: '2026-03-02', outcome: 'done' },
    ])
    expect(warnings).toEqual(['Line 13: 2 Research is struck out; it counts.'])
  })

  it('of the current step are read the same way, and stay as they are spelled', () => {
    const text =
      '# Autopilot State\n\n## Current Step\nflow: [existing-code](flows/existing-code.md)\nstep: [3](x)\nname: [Decompose Tests](../02_tasks/)\nstatus: in_progress\n'
    const current = { flow: 'existing-code', step: 3, name: 'Decompose Tests', status: 'in_progress' }
    expect(readLifecycleState(text).current).toMatchObject(current)
    expect(setCurrent(text, current)).toBe(text)
  })
})
