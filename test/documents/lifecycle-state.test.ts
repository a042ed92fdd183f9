import { describe, expect, it, test } from 'vitest'
import {
  addBlocker,
  addCompleted,
  addDecision,
  addRetry,
  clearBlockers,
  clearRetries,
  newLifecycleState,
  setCurrent,
  setLastSession,
} from '../../source/documents/lifecycle-edit.js'
import { readLifecycleState } from '../../source/documents/lifecycle-state.js'
import { failed, planning } from './lifecycle-samples.js'

const current = (lines: string) => `# Autopilot State\n\n## Current Step\n${lines}\n`

test('vector 1: both examples are read, and saying the same again changes no byte', () => {
  expect(readLifecycleState(planning)).toMatchObject({
    current: {
      flow: 'greenfield',
      step: 3,
      name: 'Plan',
      status: 'in_progress',
      subStep: { id: '4', name: 'Architecture Review & Risk Assessment' },
      retryCount: 0,
    },
    completed: [{ step: 1, name: 'Problem', completed: '2026-03-01', outcome: 'scope agreed' }, { step: 2 }],
    decisions: ['Tech stack: Python, Postgres'],
    lastSession: { date: '2026-03-04', reason: 'user paused', notes: 'risks are half done' },
    retryLog: [],
    blockers: [],
    warnings: [],
  })
  const second = readLifecycleState(failed)
  expect(second).toMatchObject({
    current: { flow: 'existing-code', step: 2, status: 'failed', subStep: { id: '1b' }, retryCount: 3 },
    blockers: ['Test Spec failed after 3 retries: no data'],
  })
  expect(second.retryLog).toHaveLength(3)
  for (const text of [planning, failed]) {
    const { current } = readLifecycleState(text)
    const { flow, step, name, status, subStep, retryCount } = current
    expect(
      setCurrent(text, { flow, step: step ?? 'done', name, status, subStep: subStep ?? null, retryCount }),
    ).toBe(text)
    expect(setLastSession(text, readLifecycleState(text).lastSession)).toBe(text)
  }
})

describe('what is tolerated', () => {
  it('reads CRLF, a BOM, a hyphen for the long dash, blanks and quotes', () => {
    const odd = `\uFEFF${current('flow :  greenfield  \n\n step: "4" \n- **name**: UI Design\nstatus: In Progress\nsub_step: 1b - Cases\nretry_count: 1')}`
    const { current: read, warnings } = readLifecycleState(odd.replaceAll('\n', '\r\n'))
    expect(read).toEqual({
      flow: 'greenfield',
      step: 4,
      name: 'UI Design',
      status: 'in_progress',
      subStep: { id: '1b', name: 'Cases' },
      retryCount: 1,
    })
    expect(warnings).toEqual([])
  })

  it('drops arrow comments and rows of dots, and missing sections are empty', () => {
    const text = `${current('flow: greenfield   \u2190 active flow\nstep: done\nname: Deploy\nstatus: completed')}
## Completed Steps
| Step | Name | Completed | Key Outcome |
|------|------|-----------|-------------|
| 1 | Problem | 1 March 2026 | x |
| ... | ... | ... | ... |
`
    const read = readLifecycleState(text)
    expect(read.current).toMatchObject({ flow: 'greenfield', step: 'done', retryCount: 0 })
    expect(read.completed).toEqual([{ step: 1, name: 'Problem', completed: '1 March 2026', outcome: 'x' }])
    expect(read.retryLog).toEqual([])
    expect(read.warnings).toEqual([])
  })

  it('reads a state that stands in a fence, and says so', () => {
    const read = readLifecycleState(`Here it is:\n\n\`\`\`markdown\n${planning}\`\`\`\n`)
    expect(read.current).toMatchObject({ step: 3, name: 'Plan' })
    expect(read.warnings).toEqual(['Line 3: the whole state stands in a fence; it is read there.'])
  })

  it('stays with titles in a fence where keys beside them could be taken for the state', () => {
    const state = (keys: string) =>
      `# Autopilot State\n\n## Own\n\`\`\`\n\n## Current Step\n${keys}\n## Key Decisions\n- one\n\`\`\`\n`
    const few = readLifecycleState(state('flow: greenfield\n'))
    const all = readLifecycleState(
      state('flow: greenfield\nstep: 4\nname: UI Design\nstatus: not_started\nretry_count: 0\n'),
    )
    expect([few.decisions, all.decisions]).toEqual([['one'], ['one']])
    expect(all.current).toMatchObject({ flow: 'greenfield', step: 4, status: 'not_started' })
  })

  it('takes nothing from a template in a fence beside the state', () => {
    const text = `${planning}\n## Format\n\`\`\`\n## Current Step\nflow: existing-code\n\`\`\`\n`
    expect(readLifecycleState(text).current.flow).toBe('greenfield')
    expect(readLifecycleState(text).unknownSections).toEqual(['Format'])
  })

  it('reads keys in a fence of their own', () => {
    expect(readLifecycleState(current('```\nflow: greenfield\nstep: 9.5\n```')).current).toMatchObject({
      flow: 'greenfield',
      step: '9.5',
    })
  })
})

describe('what is not right has its line', () => {
  const warningsOf = (text: string) => readLifecycleState(text).warnings

  it('no title, and a table of another kind', () => {
    const text =
      '## Current Step\nflow: a\nstep: 1\nname: b\nstatus: failed\n\n## Completed Steps\n| Day | Work |\n|---|---|\n| 1 | x |\n'
    expect(warningsOf(text)).toEqual([
      'Line 1: the title "# Autopilot State" is missing.',
      'Line 8: the table has no column Step, Name, Completed, Key Outcome; its rows are not read.',
    ])
  })

  it('a half-written row does not count, a date that cannot be read is kept as it is', () => {
    const text = planning
      .replace('| 1 | Problem | 2026-03-01 | scope agreed |', '| 1 | Problem | someday | scope |')
      .replace('| 2 | Research | 2026-03-04 | solution draft 2 |', '| 2 | Resea')
    const read = readLifecycleState(text)
    expect(read.completed).toEqual([{ step: 1, name: 'Problem', completed: 'someday', outcome: 'scope' }])
    expect(read.warnings).toEqual([
      'Line 15: "someday" is not a date that can be read.',
      'Line 16: the row has 2 of 4 cells; it does not count.',
    ])
  })

  it('an unfinished merge', () => {
    const text = planning.replace('step: 3\n', '<<<<<<< HEAD\nstep: 3\n=======\nstep: 4\n>>>>>>> theirs\n')
    expect(readLifecycleState(text).conflicts).toEqual([5, 7, 9])
    expect(warningsOf(text)).toContain('Line 5: a mark of an unfinished merge.')
  })

  it('keys that are missing, unknown words, a count that is too high, a key twice, the template', () => {
    expect(
      warningsOf(
        current('flow: [greenfield | existing-code]\nstep: 2\nstep: 3\nstatus: going\nretry_count: 7'),
      ),
    ).toEqual([
      'Line 3: the current step has no name.',
      'Line 4: flow is still "[greenfield | existing-code]".',
      'Line 6: step is there again; the first one counts.',
      'Line 7: "going" is not a status.',
      'Line 8: a retry count of 7 is more than 3; 3 is taken.',
    ])
    expect(warningsOf('# Autopilot State\n')).toEqual(['Line 1: the section "Current Step" is missing.'])
  })
})

describe('writing', () => {
  it('touches the lines of the change alone', () => {
    const changed = setCurrent(planning, { step: 4, name: 'UI Design', status: 'not_started', subStep: null })
    const [before, after] = [planning.split('\n'), changed.split('\n')]
    expect(before.filter((line) => !after.includes(line))).toEqual([
      'step: 3',
      'name: Plan',
      'status: in_progress',
      'sub_step: 4 \u2014 Architecture Review & Risk Assessment',
    ])
    expect(after.filter((line) => !before.includes(line))).toEqual([
      'step: 4',
      'name: UI Design',
      'status: not_started',
    ])
  })

  it('vector 13: unknown sections and keys survive, and so does CRLF', () => {
    const text =
      `${planning.replace('retry_count: 0', 'mood: good\nretry_count: 0')}\n## Team Notes\n* own words\n`.replaceAll(
        '\n',
        '\r\n',
      )
    const row = { step: 3, name: 'Plan', completed: '2026-03-05', outcome: 'a | b\nc' }
    const written = addDecision(addCompleted(setCurrent(text, { retryCount: 2 }), row), 'more')
    expect(written.replaceAll('\r\n', '')).not.toContain('\n')
    expect(written).toContain('mood: good\r\nretry_count: 2\r\n')
    expect(written).toContain('\r\n## Team Notes\r\n* own words\r\n')
    expect(written).toContain(
      '| 2 | Research | 2026-03-04 | solution draft 2 |\r\n| 3 | Plan | 2026-03-05 | a \\| b c |\r\n',
    )
    expect(written).toContain('- Tech stack: Python, Postgres\r\n- more\r\n')
    expect(readLifecycleState(written).completed.at(-1)?.outcome).toBe('a | b c')
  })

  it('puts in what is missing, where it belongs', () => {
    const bare = '# Autopilot State\n\n## Current Step\nflow: greenfield\nstep: 1\n\n## Blockers\n- none\n'
    let text = setCurrent(bare, { status: 'failed', retryCount: 3, subStep: { id: '2', name: 'x' } })
    text = addRetry(text, {
      attempt: '3',
      step: 1,
      name: 'Problem',
      subStep: '',
      reason: 'no',
      timestamp: 't',
    })
    text = addBlocker(setLastSession(text, { reason: 'user paused' }), 'no')
    expect(text).toBe(`# Autopilot State

## Current Step
flow: greenfield
step: 1
status: failed
sub_step: 2 \u2014 x
retry_count: 3

## Last Session
reason: user paused

## Retry Log

| Attempt | Step | Name | SubStep | Failure Reason | Timestamp |
|---------|------|------|---------|----------------|-----------|
| 3 | 1 | Problem |  | no | t |

## Blockers
- no
`)
  })

  it('clears log and blockers', () => {
    const cleared = clearBlockers(clearRetries(failed))
    expect(readLifecycleState(cleared)).toMatchObject({ retryLog: [], blockers: [] })
    expect(cleared.endsWith('## Blockers\n- none\n')).toBe(true)
    expect(clearBlockers(clearRetries(cleared))).toBe(cleared)
  })

  it('takes what is indented below a blocker with it, and no fence or comment beside it', () => {
    const blockers = (lines: string) => `${current('step: 1')}\n## Blockers\n${lines}`
    expect(clearBlockers(blockers('- red\n  ```\n  trace\n\n  more\n  ```\n- two\n'))).toBe(
      blockers('- none\n'),
    )
    expect(clearBlockers(blockers('- red\n```\nkept\n\n```\ngoes on\n'))).toBe(
      blockers('- none\n```\nkept\n\n```\n'),
    )
    expect(clearBlockers(blockers('- red\n<!-- kept -->\n\nwords\n'))).toBe(
      blockers('- none\n<!-- kept -->\n\n'),
    )
  })

  it('makes a file that is read without a warning', () => {
    expect(readLifecycleState(newLifecycleState('greenfield', 1, 'Problem'))).toEqual({
      current: { flow: 'greenfield', step: 1, name: 'Problem', status: 'not_started', retryCount: 0 },
      completed: [],
      decisions: [],
      lastSession: {},
      retryLog: [],
      blockers: [],
      unknownSections: [],
      warnings: [],
      conflicts: [],
    })
  })
})
