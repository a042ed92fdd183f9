import { describe, expect, it } from 'vitest'
import {
  addCompleted,
  addDecision,
  clearRetries,
  setCurrent,
  setLastSession,
} from '../../source/documents/lifecycle-edit.js'
import { judgeWorkerEdit } from '../../source/documents/lifecycle-merge.js'
import { readLifecycleState } from '../../source/documents/lifecycle-state.js'

// State files in other languages and with values in parts (docs/lifecycle.md, "Other languages").

const english = `# Autopilot State

## Current Step
flow: greenfield
step: 3
name: Plan
status: in_progress
sub_step: 2 — parts
retry_count: 1

## Completed Steps

| Step | Name | Completed | Key Outcome |
|------|------|-----------|-------------|
| 1 | Problem | 2026-03-01 | scope |
| 2 | Research | 2026-03-02 | SQLite |

## Key Decisions
- one

## Last Session
date: 2026-03-02
ended_at: Step 2 Research
reason: completed step
notes: x

## Retry Log

| Attempt | Step | Name | SubStep | Failure Reason | Timestamp |
|---------|------|------|---------|----------------|-----------|
| 1 | 3 | Plan | 2 | flaky | 2026-03-02T10:00:00+00:00 |

## Blockers
- none
`
const words: [string, string][] = [
  ['# Autopilot State', '# Zustand'],
  ['Current Step', 'Aktueller Schritt'],
  ['Completed Steps', 'Fertige Schritte'],
  ['Key Decisions', 'Entscheidungen'],
  ['Last Session', 'Letzte Sitzung'],
  ['Retry Log', 'Wiederholungen'],
  ['Blockers', 'Hindernisse'],
  ['| Step | Name | Completed | Key Outcome |', '| Schritt | Name | Am | Ergebnis |'],
  [
    '| Attempt | Step | Name | SubStep | Failure Reason | Timestamp |',
    '| Versuch | Schritt | Name | Teil | Grund | Zeit |',
  ],
]
const keyWords: [string, string][] = [
  ['flow:', 'Ablauf:'],
  ['\nstep:', '\nSchritt:'],
  ['\nname:', '\nBezeichnung:'],
  ['\nstatus:', '\nStand:'],
  ['sub_step:', 'Teilschritt:'],
  ['retry_count:', 'Versuche:'],
  ['date:', 'Datum:'],
  ['ended_at:', 'Ende:'],
  ['reason:', 'Grund:'],
  ['notes:', 'Notiz:'],
]
const said = (text: string, all: [string, string][]) =>
  all.reduce((latest, [from, to]) => latest.replace(from, to), text)
const german = said(english, words)
const whole = said(german, keyWords)
const { warnings: _, unknownSections: __, ...plain } = readLifecycleState(english)

describe('another language', () => {
  it.each([
    ['headings and heads', german],
    ['headings, heads and keys', whole],
    ['with full-width colons', whole.replaceAll(/^(\p{L}+): /gmu, '$1\uff1a')],
  ])('%s: what stands in its place is read, and said', (_name, text) => {
    const { warnings, unknownSections, ...record } = readLifecycleState(text)
    expect(record).toEqual(plain)
    expect(unknownSections).toEqual(['Zustand'])
    expect(warnings).toContain(
      'Line 3: "Aktueller Schritt" is read as "Current Step", by its place and what it holds.',
    )
    expect(warnings.filter((line) => line.includes('is read as'))).toHaveLength(6)
  })

  it('keys that are told by their places are named', () => {
    expect(readLifecycleState(whole).warnings).toContain(
      'Line 3: the keys are read by their places: ablauf (flow), schritt (step), bezeichnung (name), stand (status), teilschritt (sub_step), versuche (retry_count).',
    )
  })

  it('changes stay in its words, and change only their lines', () => {
    const changed = setLastSession(
      addDecision(
        addCompleted(setCurrent(whole, { step: 4, name: 'UI Design', retryCount: 0 }), {
          step: 3,
          name: 'Plan',
          completed: '2026-03-03',
          outcome: 'ok',
        }),
        'two',
      ),
      { date: '2026-03-03', endedAt: 'Step 3 Plan', reason: 'completed step', notes: 'x' },
    )
    const expected = said(whole, [
      ['Schritt: 3', 'Schritt: 4'],
      ['Bezeichnung: Plan', 'Bezeichnung: UI Design'],
      ['Versuche: 1', 'Versuche: 0'],
      ['| SQLite |\n', '| SQLite |\n| 3 | Plan | 2026-03-03 | ok |\n'],
      ['- one\n', '- one\n- two\n'],
      ['Datum: 2026-03-02', 'Datum: 2026-03-03'],
      ['Ende: Step 2 Research', 'Ende: Step 3 Plan'],
    ])
    expect(changed).toBe(expected)
    expect(clearRetries(whole).split('\n')).toHaveLength(whole.split('\n').length - 1)
  })

  it('where something stands in another place, only what is beyond doubt is read, and the rest is named', () => {
    const without = german.replace(/## Letzte Sitzung\n(?:.+\n)+\n/, '')
    const { current, completed, warnings } = readLifecycleState(without)
    expect(current).toEqual(plain.current)
    expect(completed).toEqual([])
    expect(warnings).toContain(
      'Line 11: "Fertige Schritte" is none of the sections that are known; nothing of it is read.',
    )
  })

  it.each([
    [
      'two sections that hold a position',
      german.replace(
        '## Entscheidungen\n',
        '## Kopie\nflow: greenfield\nstep: 9\nname: x\nstatus: failed\n\n## Entscheidungen\n',
      ),
    ],
    [
      'keys in another order',
      whole.replace('Ablauf: greenfield\nSchritt: 3\n', 'Schritt: 3\nAblauf: greenfield\n'),
    ],
    ['a flow that nobody knows', whole.replace('greenfield', 'wasserfall')],
  ])('%s: nothing is guessed, and each heading has its line', (_name, text) => {
    const { current, warnings } = readLifecycleState(text)
    expect(current).toMatchObject({ flow: '', step: null })
    expect(warnings).toContain(
      'Line 3: "Aktueller Schritt" is none of the sections that are known; nothing of it is read.',
    )
  })

  it('a table of another shape in an English section is not read by its places', () => {
    const text = english.replace('| Step | Name | Completed | Key Outcome |', '| Wer | Was | Wann | Wo |')
    expect(readLifecycleState(text).completed).toEqual([])
  })
})

describe('spellings', () => {
  const current = (from: string, to: string) => readLifecycleState(english.replace(from, to)).current

  it.each([
    ['flow: greenfield', 'flow: Greenfield'],
    ['flow: greenfield', 'flow = greenfield'],
    ['flow: greenfield', 'flow:\u00a0greenfield\u00a0'],
    ['status: in_progress', 'status: in_progress   # not_started | in_progress'],
    ['retry_count: 1', 'retry_count: 1 # of 3'],
    ['sub_step: 2 — parts', 'sub_step:\n  phase: 2\n  name: parts\n  detail: "x"'],
  ])('%s as %s', (from, to) => {
    expect(current(from, to)).toEqual(plain.current)
  })

  it('a note behind a value stays when the value changes', () => {
    const text = english.replace('retry_count: 1', 'retry_count: 1  # of 3')
    expect(setCurrent(text, { retryCount: 2 })).toContain('retry_count: 2  # of 3\n')
  })

  it('existing_code is existing-code, and is not written again for that', () => {
    const text = english.replace('greenfield', 'existing_code')
    expect(readLifecycleState(text).current.flow).toBe('existing-code')
    expect(setCurrent(text, { flow: 'existing-code' })).toBe(text)
  })

  const parts = english.replace('sub_step: 2 — parts', 'sub_step:\n  id: 2\n  name: parts')
  it('a sub-step in parts is one value: replaced and removed with its parts, and no other line', () => {
    expect(setCurrent(parts, { subStep: { id: '2', name: 'parts' } })).toBe(parts)
    expect(setCurrent(parts, { subStep: { id: '3', name: 'x' } })).toBe(
      english.replace('sub_step: 2 — parts', 'sub_step: 3 — x'),
    )
    expect(setCurrent(parts, { subStep: null })).toBe(english.replace('sub_step: 2 — parts\n', ''))
  })

  it('a worker may change it in parts, and nothing beside it', () => {
    const found = parts.replace('id: 2\n  name: parts', 'id: 3\n  name: x')
    expect(judgeWorkerEdit(parts, found)).toEqual({ text: found, touched: [] })
    expect(judgeWorkerEdit(parts, found.replace('name: Plan', 'name: UI Design')).touched).toEqual([
      'Current Step: - name: Plan',
      'Current Step: + name: UI Design',
    ])
  })
})
