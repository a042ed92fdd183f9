import { describe, expect, it } from 'vitest'
import { addBlocker, addCompleted, addDecision, setCurrent } from '../../source/documents/lifecycle-edit.js'
import { readLifecycleState } from '../../source/documents/lifecycle-state.js'
import { stateInspector } from '../../source/workflows/lifecycle/inspectors.js'

// State files as people and agents write them beside the format, and what is read of each (docs/lifecycle.md, "Reading").

const plan = { flow: 'greenfield', step: 3, name: 'Plan', status: 'in_progress', retryCount: 1 }
const keys = 'flow: greenfield\nstep: 3\nname: Plan\nstatus: in_progress\nretry_count: 1\n'
const file = (current: string, rest = '') => `# Autopilot State\n\n## Current Step\n${current}${rest}`

const positions: Record<string, string> = {
  'bold keys in a list, a sign before the status, a count of a total': file(
    '- **Flow**: greenfield\n- **Step**: 3\n- **Name**: Plan\n- **Status**: 🔄 in progress\n- **Retry count**: 1 of 3\n',
  ),
  'bold values': file(
    'flow: **greenfield**\nstep: "3"\nname: `Plan`\nstatus: **in_progress**\nretry_count: **1**\n',
  ),
  'emoji in headings': `# 🤖 Autopilot State\n\n## 📍 Current Step\n${keys}`,
  'numbered headings': `# Autopilot State\n\n## 1. Current Step\n${keys}\n## 2) Key Decisions\n- a\n`,
  'deeper headings, and the name of the project in the title': `# Autopilot State — Bakery\n\n### Current Step:\n${keys}`,
  'a table of keys': file(
    '| Key | Value |\n|---|---|\n| flow | greenfield |\n| **Step** | 3 |\n| Name | Plan |\n| status | in_progress |\n| retry_count | 1 |\n',
  ),
  'number and name in one line': file(
    'flow: greenfield\nstep: 3 — Plan\nstatus: In-Progress\nretry_count: 1/3\n',
  ),
  'the number of all steps': file(
    'flow: greenfield\nstep: 3 of 10\nname: Plan\nstatus: in_progress\nretry_count: 1\n',
  ),
  'underlined headings': `Autopilot State\n===============\n\nCurrent Step\n------------\n${keys}`,
  'comments behind values': file(
    'flow: greenfield\nstep: 3 <!-- was 2 -->\nname: Plan\nstatus: in_progress <!-- really -->\nretry_count: 1\n',
  ),
  'notes behind a status': file(
    'flow: greenfield\nstep: 3\nname: Plan\nstatus: \u25b6\ufe0f In progress (waits for Ann) \u2014 since Monday\nretry_count: 1\n',
  ),
  'CRLF and a byte order mark': `\uFEFF${file(keys)}`.replaceAll('\n', '\r\n'),
}

describe('the position', () => {
  for (const [name, text] of Object.entries(positions)) {
    it(`is read from ${name}`, () => {
      const { current, warnings } = readLifecycleState(text)
      expect(current).toEqual(plan)
      expect(warnings).toEqual([])
      expect(stateInspector.matches({ path: 'notes.md', text } as never)).toBe('sure')
      // Saying the same again changes no byte, and another status changes one line.
      const { retryCount, ...rest } = plan
      expect(setCurrent(text, { ...rest, retryCount })).toBe(text)
      const failed = setCurrent(text, { status: 'failed' })
      expect(readLifecycleState(failed).current.status).toBe('failed')
      const [before, after] = [text.split('\n'), failed.split('\n')]
      expect(after.filter((line, at) => line !== before[at])).toHaveLength(1)
    })
  }

  it('with underlined headings, is edited and added to below its line, and merged by its sections', () => {
    const text = `Autopilot State\n====\n\nCurrent Step\n----\n${keys}\nKey Decisions\n----\n- a\n`
    const added = addBlocker(
      addDecision(
        addCompleted(text, { step: 2, name: 'Research', completed: '2026-01-03', outcome: 'ok' }),
        'b',
      ),
      'c',
    )
    const read = readLifecycleState(added)
    expect([read.decisions, read.blockers, read.completed.length]).toEqual([['a', 'b'], ['c'], 1])
    expect(read.warnings).toEqual([])
    // Every line of before is still there, in its order.
    const lines = added.split('\n')
    let at = -1
    for (const line of text.split('\n').filter((each) => each !== '')) {
      at = lines.indexOf(line, at + 1)
      expect(at, line).toBeGreaterThan(-1)
    }
  })

  it('is not read out of a value that a rule follows without a blank line', () => {
    const text = `${file(keys)}---\n\n## Key Decisions\n- a\n`
    expect(readLifecycleState(text)).toMatchObject({ current: plan, decisions: ['a'], warnings: [] })
  })

  it('gets a new key as a row where the keys are rows', () => {
    const text = positions['a table of keys'] ?? ''
    const changed = setCurrent(text, { subStep: { id: '4', name: 'a | b' } })
    expect(changed).toContain('| status | in_progress |\n| sub_step | 4 — a \\| b |\n| retry_count | 1 |\n')
    expect(readLifecycleState(changed).current.subStep?.id).toBe('4')
  })

  it('in another language, or in a single line, is asked about where there is doubt: nothing is guessed', () => {
    for (const text of [
      '# Состояние\n\n## Текущий шаг\nпоток: greenfield\n',
      '# Состояние\n\n## Текущий шаг\nпоток: greenfield\nавтор: Ann\nшаг: Plan\nстатус: failed\n',
      file('- flow is greenfield, step 3\n'),
    ]) {
      const { current, warnings } = readLifecycleState(text)
      expect(current).toMatchObject({ flow: '', step: null })
      expect(warnings.length).toBeGreaterThan(0)
    }
  })
})

describe('tables', () => {
  const section = (body: string) => file(keys, `\n## Completed Steps\n${body}`)
  const head = '| Step | Name | Completed | Key Outcome |\n|---|---|---|---|\n'
  const [first, second] = ['| 1 | Problem | 2026-01-02 | ok |\n', '| 2 | Research | 2026-01-03 | ok |\n']

  it('that begin again under the same head go on; under another head they are told', () => {
    const same = readLifecycleState(section(`Loop 1\n\n${head}${first}\nLoop 2\n\n${head}${second}`))
    expect(same.completed.map(({ name }) => name)).toEqual(['Problem', 'Research'])
    expect(same.warnings).toEqual([])
    const other = readLifecycleState(section(`${head}${first}\n| Who | What |\n|---|---|\n| Ann | all |\n`))
    expect(other.completed.map(({ name }) => name)).toEqual(['Problem'])
    expect(other.warnings).toEqual(['Line 15: another table begins here; its rows are not read.'])
  })

  it('that are none are told line by line: bullets, and cells without a bar in front', () => {
    for (const body of [
      '- [x] 1. Problem (2026-01-02): ok\n',
      '1. Problem, ok\n',
      '1 | Problem | 2026-01-02 | ok\n',
    ]) {
      const read = readLifecycleState(section(body))
      expect(read.completed).toEqual([])
      expect(read.warnings).toEqual([
        'Line 11: this line of "Completed Steps" stands in no table; it does not count.',
      ])
    }
    for (const body of ['- none\n', '_None yet._\n', '(none)\n', `${head}${first}`])
      expect(readLifecycleState(section(body)).warnings).toEqual([])
  })

  const other = `\n## Completed Steps ✅

| # | Step Name | Date | Outcome |
|---|---|---|---|
| **1** | **Problem** | 2026-03-01 | scope |
| 2 | Research
`
  it('with other heads are read, and added to', () => {
    const read = readLifecycleState(file(keys, other))
    expect(read.completed).toEqual([{ step: 1, name: 'Problem', completed: '2026-03-01', outcome: 'scope' }])
    expect(read.warnings).toEqual(['Line 15: the row has 2 of 4 cells; it does not count.'])
    const added = addCompleted(file(keys, other), {
      step: 3,
      name: 'Plan',
      completed: '2026-03-02',
      outcome: 'done',
    })
    expect(added).toContain('| 2 | Research\n| 3 | Plan | 2026-03-02 | done |\n')
    expect(readLifecycleState(added).completed).toHaveLength(2)
  })
})

describe('tables of others', () => {
  it('with a number and the name below `Step` are read, and added to', () => {
    const text = file(
      keys,
      '\n## Completed Steps\n\n| # | Step | Completed on | Notes |\n|---|---|---|---|\n| 1 | Problem | 2026-03-01 | scope |\n',
    )
    const read = readLifecycleState(text)
    expect(read.completed).toEqual([{ step: 1, name: 'Problem', completed: '2026-03-01', outcome: 'scope' }])
    expect(read.warnings).toEqual([])
    const row = { step: 2, name: 'Research', completed: '2026-03-02', outcome: 'done' }
    expect(addCompleted(text, row)).toContain('| 2 | Research | 2026-03-02 | done |\n')
  })

  it('with a bar in words lose nothing: it is a part of what was said, and told', () => {
    const read = readLifecycleState(
      file(
        keys,
        '\n## Retry Log\n\n| Attempt | Step | Name | SubStep | Failure Reason | Timestamp |\n|---|---|---|---|---|---|\n| 1 | 3 | Plan | | `a | b` fails | 2026-03-01T10:00 |\n',
      ),
    )
    expect(read.retryLog).toMatchObject([{ reason: '`a | b` fails', timestamp: '2026-03-01T10:00' }])
    expect(read.warnings).toEqual([
      'Line 14: the row has a bar too many; it is taken for a part of "Failure Reason".',
    ])
  })
})

describe('lists', () => {
  it('that are numbered have an entry for each number', () => {
    const read = readLifecycleState(file(keys, '\n## Key Decisions\n1. first\n2) second\n   goes on\n'))
    expect(read.decisions).toEqual(['first', 'second goes on'])
  })

  it('of boxes: a ticked blocker is none', () => {
    const read = readLifecycleState(file(keys, '\n## Blockers\n- [ ] the key is missing\n- [x] no disk\n'))
    expect(read.blockers).toEqual(['the key is missing'])
  })

  it('keep what a person decides whole, and cut a blocker', () => {
    const long = `begin ${'x'.repeat(20_000)} end`
    const text = addBlocker(addDecision(file(keys), long), long)
    const { decisions, blockers } = readLifecycleState(text)
    expect(decisions).toEqual([long])
    expect(blockers[0]).toMatch(/^begin x{1990,}\u2026$/)
  })

  it('that say in words that there is nothing are empty', () => {
    for (const word of [
      'None at this time.',
      '**None**',
      '_none_',
      '- N/A',
      'No open blockers.',
      '—',
      '(nothing)',
    ]) {
      const text = file(keys, `\n## Blockers\n${word}\n`)
      expect(readLifecycleState(text).blockers, word).toEqual([])
      expect(readLifecycleState(addBlocker(text, 'red')).blockers, word).toEqual(['red'])
    }
    expect(readLifecycleState(file(keys, '\n## Blockers\nNone of the tests run\n')).blockers).toHaveLength(1)
  })
})

it('a file of another tool with a like title is none of ours', () => {
  const matches = (text: string) => stateInspector.matches({ path: 'notes.md', text } as never)
  expect(matches('# Autopilot State Machine\n\ntext\n')).toBeUndefined()
  expect(matches('# AUTOPILOT STATE — Fishery\n\nSTATUS: OK\n')).toBeUndefined()
  expect(matches('# Autopilot State: Feedback\n\n## Exit Condition\n')).toBeUndefined()
})
