import { describe, expect, it, test } from 'vitest'
import {
  addCompleted,
  addDecision,
  newLifecycleState,
  setCurrent,
} from '../../../source/documents/lifecycle-edit.js'
import { readLifecycleState } from '../../../source/documents/lifecycle-state.js'
import { onlyBuiltIn } from '../../../source/workflows/lifecycle/flow/flow.js'
import { findings, firstOpen } from '../../../source/workflows/lifecycle/scan/detect.js'
import { compare, evidenceLines, positionText } from '../../../source/workflows/lifecycle/scan/drift.js'
import { chooseFlow } from '../../../source/workflows/lifecycle/scan/flow-choice.js'
import type { Listing } from '../../../source/workflows/lifecycle/scan/listing.js'
import { knownOf } from '../../../source/workflows/lifecycle/scan/rows.js'
import { readTaskTable } from '../../../source/workflows/lifecycle/scan/task-table.js'
import { batchesOf, estimate } from '../../../source/workflows/lifecycle/scan/tasks.js'
import { greenfield, listingOf } from './listing-of.js'

const flows = onlyBuiltIn
const loose = { ...flows, planDoneMarker: 'loose' as const }
const none = { rows: [], loopFrom: 0, rowsBefore: 0 }
const at = (listing: Listing, flow = 'greenfield') =>
  positionText(flows, firstOpen(flow, findings(flows, flow, listing, none)))

function file(
  step: number | string,
  name: string,
  more: { flow?: string; status?: string; rows?: [number, string, string?][] } = {},
) {
  const { flow = 'greenfield', status = 'in_progress', rows = [] } = more
  const begun = setCurrent(newLifecycleState(flow, step, name), { status })
  return readLifecycleState(
    rows.reduce(
      (text, [id, title, outcome = 'done']) =>
        addCompleted(text, { step: id, name: title, completed: '2026-03-01', outcome }),
      begun,
    ),
  )
}

describe('detection', () => {
  test('vector 2: architecture.md alone leaves Plan under way, or ends it where that is set', () => {
    const listing = listingOf(greenfield.designing)
    const record = file(3, 'Plan', {
      rows: [
        [1, 'Problem'],
        [2, 'Research'],
      ],
    })
    const strict = compare(flows, record, listing)
    expect(strict.drift).toBeUndefined()
    expect(positionText(flows, strict.folders)).toBe('greenfield 3 Plan, in_progress')
    expect(evidenceLines(strict.findings).join('\n')).toContain(
      'planDoneMarker is strict: Plan ends with FINAL_report.md.',
    )
    const other = compare(loose, record, listing)
    expect(other.drift).toBe('later')
    expect(positionText(flows, other.folders)).toBe('greenfield 4 UI Design, not_started')
    expect(evidenceLines(other.findings).join('\n')).toContain(
      'planDoneMarker is loose: architecture.md alone ends Plan.',
    )
    const bare = listingOf({ '02_document/architecture.md': 'x' })
    expect(compare(flows, file(3, 'Plan'), bare).drift).toBeUndefined()
    expect(compare(loose, file(3, 'Plan'), bare).drift).toBe('later')
  })

  test('vector 3: nothing is greenfield 1, source without _docs/ is existing code 1', () => {
    expect(chooseFlow(flows, listingOf({}))).toMatchObject({ flow: 'greenfield', ask: false })
    expect(at(listingOf({}))).toBe('greenfield 1 Problem, not_started')
    const code = listingOf({}, { sources: ['src/main.py'] })
    expect(chooseFlow(flows, code)).toMatchObject({ flow: 'existing-code', ask: false })
    expect(at(code, 'existing-code')).toBe('existing-code 1 Document, not_started')
  })

  it.each([
    ['code signs', { '02_document/modules/box.md': 'x' }, [], 'existing-code', false],
    ['greenfield signs', { '02_document/epics.md': 'x' }, ['a.py'], 'greenfield', false],
    ['both', { '02_document/epics.md': 'x', '02_document/state.json': '{}' }, [], 'existing-code', true],
    ['neither, with source', { 'notes.md': 'x' }, ['a.py'], 'existing-code', true],
    ['neither, without', { 'notes.md': 'x' }, [], 'greenfield', false],
  ] as const)('signs of the flow: %s', (_, docs, sources, flow, ask) => {
    expect(chooseFlow(flows, listingOf(docs, { sources: [...sources] }))).toMatchObject({ flow, ask })
  })

  test('vector 9: Run Tests without its row is where it stays, whatever lies behind it', () => {
    const listing = listingOf({ ...greenfield.implemented, '05_security/security_report.md': 'x' })
    expect(at(listing)).toBe('greenfield 7 Run Tests, not_started')
    const record = file(7, 'Run Tests', { status: 'not_started' })
    expect(compare(flows, record, listing).drift).toBeUndefined()
    const rows = [{ step: 7, name: 'Run Tests', completed: '2026-03-02', outcome: 'green' }]
    expect(firstOpen('greenfield', findings(flows, 'greenfield', listing, { ...none, rows })).index).toBe(8)
  })

  it('takes the sub-step of Document from its own file', () => {
    const listing = listingOf({ '02_document/state.json': '{"current_step": "module-analysis"}' })
    const [found] = findings(flows, 'existing-code', listing, none)
    expect(found).toMatchObject({ state: 'partial', subStep: { id: 'module-analysis', name: '' } })
    const broken = listingOf({ '02_document/state.json': '{' })
    expect(findings(flows, 'existing-code', broken, none)[0]).toMatchObject({ state: 'partial' })
  })

  it('an empty problem file fills nothing, a marker that mockups were skipped does', () => {
    const listing = listingOf({ ...greenfield.researched, '00_problem/restrictions.md': '' })
    expect(at(listing)).toBe('greenfield 1 Problem, not_started')
    const mockups = (name: string) =>
      findings(flows, 'greenfield', listingOf({ [`02_document/ui_mockups/${name}`]: '' }), none)[3]?.state
    expect([mockups('.gitkeep'), mockups('page.html'), mockups('SKIPPED')]).toEqual(['open', 'open', 'done'])
  })

  it('in a loop only what is newer counts, and what comes before it is done', () => {
    const since = '2026-03-10T00:00:00.000Z'
    const record = readLifecycleState(
      addDecision(
        setCurrent(newLifecycleState('existing-code', 7, 'New Task'), {}),
        `${since} Q-LOOP: new task (loop 2)`,
      ),
    )
    const known = knownOf(flows, 'existing-code', record)
    expect(known).toMatchObject({ loopSince: since, loopFrom: 6 })
    const listing = (time: string) =>
      listingOf({ '02_tasks/todo/AZ-9_login.md': 'x' }, { times: { '02_tasks/todo/AZ-9_login.md': time } })
    const stateOf = (time: string) =>
      findings(flows, 'existing-code', listing(time), known)
        .slice(0, 8)
        .map(({ state }) => state)
    expect(stateOf('2026-03-01T00:00:00Z')).toEqual([
      'done',
      'done',
      'done',
      'done',
      'done',
      'done',
      'open',
      'open',
    ])
    expect(stateOf('2026-03-11T00:00:00Z')[6]).toBe('done')
  })

  it('a row of the last step begins a loop without anybody saying so', () => {
    const record = file(7, 'New Task', {
      flow: 'existing-code',
      rows: [
        [8, 'Implement'],
        [12, 'Deploy'],
      ],
    })
    expect(knownOf(flows, 'existing-code', record)).toMatchObject({ loopSince: '2026-03-01', rowsBefore: 2 })
  })

  it('an implementation report has to be as new as the tasks; a date in it counts before its time', () => {
    const docs = {
      '02_tasks/done/AZ-9_login.md': 'x',
      '03_implementation/implementation_report_login.md': 'x',
    }
    const old = { '03_implementation/implementation_report_login.md': '2026-03-01T00:00:00Z' }
    const stateOf = (listing: Listing) => findings(flows, 'existing-code', listing, none)[7]?.state
    expect(stateOf(listingOf(docs))).toBe('done')
    expect(stateOf(listingOf(docs, { times: old }))).toBe('open')
    const dated = {
      ...docs,
      '03_implementation/implementation_report_login.md': '# R\n**Date**: 2026-03-10\n',
    }
    expect(stateOf(listingOf(dated, { times: old }))).toBe('done')
  })
})

describe('drift', () => {
  test('vector 10: without the dependencies table the folders are back at 5', () => {
    const { '02_tasks/_dependencies_table.md': _, ...docs } = greenfield.implemented
    const rows: [number, string][] = [
      [1, 'Problem'],
      [2, 'Research'],
      [3, 'Plan'],
      [4, 'UI Design'],
      [5, 'Decompose'],
    ]
    for (const known of [rows, []]) {
      const found = compare(flows, file(6, 'Implement', { rows: known }), listingOf(docs))
      expect(found.drift).toBe('earlier')
      expect(positionText(flows, found.folders)).toBe('greenfield 5 Decompose, not_started')
      expect(evidenceLines(found.findings)).toContain('  missing _docs/02_tasks/_dependencies_table.md')
    }
  })

  it('skipped and accepted rows never contradict', () => {
    const rows: [number, string, string?][] = [
      [4, 'UI Design', 'skipped: no screens'],
      [3, 'Plan', 'accepted without artifacts: told'],
    ]
    const found = compare(flows, file(5, 'Decompose', { rows }), listingOf(greenfield.researched))
    expect(found.drift).toBeUndefined()
  })

  it('is later where the artifacts of the step are there', () => {
    const found = compare(flows, file(2, 'Research'), listingOf(greenfield.planned))
    expect(found.drift).toBe('later')
    expect(positionText(flows, found.folders)).toBe('greenfield 4 UI Design, not_started')
  })

  it('name and number: a unique name is taken, both are told', () => {
    expect(compare(flows, file(3, 'Research'), listingOf({}))).toMatchObject({
      file: { index: 1 },
      nameDiffers: { byName: 1, byNumber: 2 },
    })
    expect(
      compare(flows, file(9, 'Run Tests', { flow: 'existing-code' }), listingOf({})).nameDiffers,
    ).toBeUndefined()
    expect(compare(flows, file(3, 'Nothing'), listingOf({}))).toMatchObject({
      file: { index: 2 },
      nameDiffers: { byName: -1 },
    })
    expect(compare(flows, file(3, 'Plan', { flow: 'other' }), listingOf({})).file).toBeUndefined()
  })

  test('vector 12: done, quoted or not', () => {
    for (const step of ['done', '"done"', "'Done'"]) {
      const record = readLifecycleState(newLifecycleState('greenfield', step, 'Deploy'))
      expect(compare(flows, record, listingOf({})).file).toMatchObject({ index: 10 })
    }
  })
})

describe('tasks', () => {
  const table = (rows: string[]) =>
    `# Dependencies\n**Total Tasks**: ${rows.length}\n**Total Complexity Points**: 30\n\n| Task | Name | Complexity | Dependencies | Epic |\n|---|---|---|---|---|\n${rows.join('\n')}\n`
  const ten = [
    '| AZ-1 | root | 3 | None | Core |',
    ...[2, 3, 4, 5].map((id) => `| AZ-${id} | n | 3 | AZ-1 | Core |`),
    ...[6, 7, 8, 9].map((id) => `| AZ-${id} | n | 3 points | AZ-${id - 4}, AZ-1 | Core |`),
    '| [AZ-10](todo/AZ-10_last.md) | n | 3 | AZ-6; AZ-9 | Core |',
  ]

  test('vector 11: ten tasks, one root, then four, four and one: four batches', () => {
    const { tasks, declared, warnings } = readTaskTable(table(ten))
    expect(warnings).toEqual([])
    expect(declared).toEqual({ tasks: 10, points: 30 })
    const batches = batchesOf(tasks, { maxTasks: 4, maxPoints: 20 })
    expect(batches.map((batch) => batch.length)).toEqual([1, 4, 4, 1])
    const listing = listingOf({ '02_tasks/_dependencies_table.md': table(ten) })
    expect(estimate(listing, 'product', flows.batch)).toEqual({
      tasks: 10,
      points: 30,
      batches: 4,
      warnings: [],
    })
  })

  it('keeps to the points, and cuts a circle', () => {
    const task = (id: string, points: number, dependencies: string[] = []) => ({
      id,
      name: '',
      points,
      dependencies,
      epic: '',
    })
    const limits = { maxTasks: 4, maxPoints: 20 }
    expect(batchesOf([task('a', 13), task('b', 8), task('c', 5), task('d', 40)], limits)).toEqual([
      ['a', 'c'],
      ['b'],
      ['d'],
    ])
    expect(batchesOf([task('a', 1, ['b']), task('b', 1, ['a'])], limits)).toEqual([['a'], ['b']])
  })

  it('tells test tasks by epic, by file name and by what they depend on, each in its own pool', () => {
    const rows = [
      '| AZ-1 | a | 2 | None | Core |',
      '| AZ-2 | b | 2 | AZ-1 | Blackbox Tests |',
      '| AZ-3 | c | 2 | AZ-2 | Core |',
      '| AZ-4 | d | 2 | AZ-1 | Core |',
    ]
    const listing = listingOf({
      '02_tasks/_dependencies_table.md': table(rows),
      '02_tasks/todo/AZ-4_test_data.md': 'x',
    })
    expect(estimate(listing, 'test', flows.batch)).toMatchObject({ tasks: 3, points: 6, batches: 2 })
    expect(estimate(listing, 'product', flows.batch)).toMatchObject({ tasks: 1, points: 2, batches: 1 })
    expect(estimate(listing, 'test', flows.batch)?.warnings).toEqual([
      'The table says 30 points in all, its rows are 8.',
    ])
    expect(estimate(listingOf({}), 'test', flows.batch)).toBeUndefined()
  })
})
