import { describe, expect, it, test } from 'vitest'
import { readLifecycleState } from '../../../source/documents/lifecycle-state.js'
import { onlyBuiltIn } from '../../../source/workflows/lifecycle/flow/flow.js'
import { tasksInspector } from '../../../source/workflows/lifecycle/inspectors.js'
import { findings, firstOpen } from '../../../source/workflows/lifecycle/scan/detect.js'
import { compare, positionText } from '../../../source/workflows/lifecycle/scan/drift.js'
import { chooseFlow } from '../../../source/workflows/lifecycle/scan/flow-choice.js'
import type { Listing } from '../../../source/workflows/lifecycle/scan/listing.js'
import { estimate } from '../../../source/workflows/lifecycle/scan/tasks.js'
import { listingOf } from './listing-of.js'

// Trees as people and agents leave them: where they stand, and what lies ahead in them.

const flows = onlyBuiltIn
const files = (paths: string[], text = 'x') => Object.fromEntries(paths.map((path) => [path, text]))

/** Flow and position by the folders alone, and whether the person has to say which flow it is. */
function stands(listing: Listing): string {
  const { flow, ask } = chooseFlow(flows, listing)
  const all = findings(flows, flow, listing, { rows: [], loopFrom: 0, rowsBefore: 0 })
  return `${positionText(flows, firstOpen(flow, all))}${ask ? ', ask' : ''}`
}

const problem = files([
  '00_problem/problem.md',
  '00_problem/restrictions.md',
  '00_problem/acceptance_criteria.md',
  '00_problem/input_data/expected_results/results_report.md',
])
const planned = files([
  '00_research/01_source_registry.md',
  '01_solution/solution_draft01.md',
  '02_document/architecture.md',
  '02_document/epics.md',
  '02_document/risk_mitigations.md',
  '02_document/FINAL_report.md',
])
const documented = files([
  '02_document/00_discovery.md',
  '02_document/04_verification_log.md',
  '02_document/modules/lib_session.md',
  '02_document/FINAL_report.md',
  '02_document/tests/traceability-matrix.md',
])

/** Epics are keys of a tracker, so that files and dependencies alone tell test tasks. */
const shop = `# Dependencies Table

**Date**: 2026-02-27
**Total Tasks**: 16
**Total Complexity Points**: 42
**Epic (tests)**: [SH-1569](https://tracker.example.org/browse/SH-1569)

| Task | Name | Complexity | Dependencies | Epic |
|------|------|-----------|-------------|------|
| SH-70 | test_infrastructure | 3 | None | SH-69 |
| SH-71 | storefront_blackbox | 3 | SH-70 | SH-69 |
| SH-72 | auth_blackbox | 5 | SH-70 | SH-69 |
| SH-73 | image_blackbox | 5 | SH-70 | SH-69 |
| SH-74 | prices_blackbox | 3 | SH-70, SH-72 | SH-69 |
| SH-75 | upload_blackbox | 5 | SH-70, SH-72 | SH-69 |
| SH-76 | security_blackbox | 2 | SH-70, SH-72 | SH-69 |
| SH-77 | performance | 3 | SH-70 | SH-69 |
| SH-78 | resilience_ops | 3 | SH-70, SH-72 | SH-69 |
| SH-79 | resource_cache | 2 | SH-70 | SH-69 |
| SH-81 | dead_files | 1 | None | SH-80 |
| SH-82 | gallery_ids | 2 | None | SH-80 |
| SH-83 | sec_verify | 1 | SH-82 | SH-80 |
| SH-84 | expand | 2 | None | SH-80 |
| SH-85 | default_prices | 1 | None | SH-80 |
| 86_cache_catch | cache_catch | 1 | None | pending |

Recommended order: SH-70 → (SH-71, SH-72) → SH-74. No cycles.
`
const shopTests = [70, 71, 72, 73, 74, 75, 76, 77, 78, 79]

describe('trees of projects without a state file', () => {
  it.each<[string, Listing, string]>([
    ['nothing but a readme', listingOf({}), 'greenfield 1 Problem, not_started'],
    ['a problem half told', listingOf(files(['00_problem/problem.md'])), 'greenfield 1 Problem, not_started'],
    [
      'a problem without data',
      listingOf(files(Object.keys(problem).slice(0, 3))),
      'greenfield 1 Problem, not_started',
    ],
    ['a problem', listingOf(problem), 'greenfield 2 Research, not_started'],
    [
      'a plan, and a marker where there are no screens',
      listingOf({ ...problem, ...planned, '02_document/ui_mockups/.step4-marker': '' }),
      'greenfield 5 Decompose, not_started',
    ],
    [
      'a plan whose report is there, though nothing is in it yet',
      listingOf({ ...problem, ...planned, '02_document/FINAL_report.md': '' }),
      'greenfield 4 UI Design, not_started',
    ],
    [
      'tasks without their table',
      listingOf({
        ...problem,
        ...planned,
        '02_document/ui_mockups/page.html': 'x',
        '02_tasks/todo/01_box.md': 'x',
      }),
      'greenfield 5 Decompose, not_started',
    ],
    [
      'every task done, no report yet',
      listingOf({
        ...problem,
        ...planned,
        '02_document/ui_mockups/page.html': 'x',
        '02_tasks/_dependencies_table.md': shop,
        '02_tasks/done/SH-81_dead_files.md': 'x',
        '02_tasks/todo/.gitkeep': '',
        '03_implementation/batch_01_loop1_report.md': 'x',
      }),
      'greenfield 6 Implement, not_started',
    ],
    [
      'source, and a folder that holds nothing yet',
      listingOf({ '.gitkeep': '' }, { sources: ['a.py'] }),
      'existing-code 1 Document, not_started',
    ],
    [
      'source with a documentation under way',
      listingOf(
        {
          '02_document/00_discovery.md': 'x',
          '02_document/state.json': '{"current_step":"glossary-vision"}',
        },
        { sources: ['a.py'] },
      ),
      'existing-code 1 Document, in_progress',
    ],
    [
      'source, documented and specified',
      listingOf(documented, { sources: ['a.py'] }),
      'existing-code 3 Decompose Tests, not_started',
    ],
    [
      'tests decomposed, each by a key of the tracker',
      listingOf(
        {
          ...documented,
          '02_tasks/_dependencies_table.md': shop,
          ...files([
            '02_tasks/todo/SH-70_test_infrastructure.md',
            '02_tasks/todo/SH-71_storefront_blackbox.md',
          ]),
        },
        { sources: ['a.py'] },
      ),
      'existing-code 4 Implement Tests, not_started',
    ],
    [
      'tests there, and a refactoring behind Run Tests that no scan jumps to',
      listingOf(
        {
          ...documented,
          '02_tasks/_dependencies_table.md': shop,
          '02_tasks/done/SH-70_test_infrastructure.md': 'x',
          '03_implementation/implementation_report_tests.md': 'x',
          '04_refactoring/02-coupling/FINAL_report.md': 'x',
        },
        { sources: ['a.py'] },
      ),
      'existing-code 5 Run Tests, not_started',
    ],
    [
      'signs of both flows',
      listingOf({ ...documented, ...planned }, { sources: ['a.py'] }),
      'existing-code 3 Decompose Tests, not_started, ask',
    ],
    [
      'nothing but a table of tasks is something',
      listingOf({ '02_tasks/_dependencies_table.md': shop }, { sources: ['a.py'] }),
      'existing-code 1 Document, not_started, ask',
    ],
    [
      'the files of the program are nothing',
      listingOf({ '_autopilot_flow.yaml': 'x', '_autopilot_state.md.bak': 'x' }, { sources: ['a.py'] }),
      'existing-code 1 Document, not_started',
    ],
  ])('%s', (_, listing, expected) => {
    expect(stands(listing)).toBe(expected)
  })
})

describe('what lies ahead', () => {
  const tree = (done: number[], more: Record<string, string> = {}) =>
    listingOf({
      '02_tasks/_dependencies_table.md': shop,
      ...Object.fromEntries(
        shopTests.map((id) => {
          const name = id === 70 ? 'test_infrastructure' : 'part'
          return [`02_tasks/${done.includes(id) ? 'done' : 'todo'}/SH-${id}_${name}.md`, 'x']
        }),
      ),
      ...more,
    })

  test('tests and products apart, by files and dependencies where epics are keys', () => {
    expect(estimate(tree([]), 'test', flows.batch)).toEqual({
      tasks: 10,
      points: 34,
      batches: 4,
      warnings: [],
    })
    expect(estimate(tree([]), 'product', flows.batch)).toMatchObject({ tasks: 6, points: 8, batches: 2 })
  })

  test('what is done lies behind, also where an id has words in it', () => {
    const listing = tree(shopTests, {
      '02_tasks/done/SH-81_dead_files.md': 'x',
      '02_tasks/done/86_cache_catch.md': 'x',
      '02_tasks/todo/SH-82_gallery_ids.md': 'x',
    })
    expect(estimate(listing, 'test', flows.batch)).toMatchObject({ tasks: 0, points: 0, batches: 0 })
    expect(estimate(listing, 'product', flows.batch)).toMatchObject({ tasks: 4, points: 6, batches: 2 })
  })

  test('inspect reads the table alone, with the names of its rows', () => {
    const file = { path: '/p/_docs/02_tasks/_dependencies_table.md', text: shop, changedAt: '' }
    expect(tasksInspector.matches(file)).toBe('sure')
    const { json, lines } = tasksInspector.inspect(file)
    expect(json).toMatchObject({
      kind: 'lifecycle-tasks',
      declared: { tasks: 16, points: 42 },
      tasks: 16,
      points: 42,
      test: {
        tasks: 10,
        points: 34,
        batches: [['SH-70'], expect.any(Array), expect.any(Array), expect.any(Array)],
      },
      product: { tasks: 6, points: 8 },
      warnings: [],
    })
    expect(lines.join('\n')).toContain('test tasks')
  })
})

describe('a state file of other hands against its folders', () => {
  const read = (text: string) => readLifecycleState(text)
  const spaced = read(
    `\uFEFF# **Autopilot State**\r\n\r\n##  Current Step:\r\n\r\n- **flow**: existing-code   \u2190 active flow\r\n- **step**: "4"\r\n- **name**: Implement Tests\r\n- **status**: In Progress\r\n- **sub_step**: 2 - batch loop\r\n- **retry_count**: 1/3\r\n\r\n## Completed Steps\r\n\r\n|Step|Name|Completed|Key Outcome|\r\n|-|-|-|-|\r\n|1|Document|27 Feb 2026|29 modules|\r\n|2|Test Spec|2026-02-27|ok|\r\n|3|Decompose Tests|2026-02-27|10 tasks \\| 34 points|\r\n|...|...|...|...|\r\n`,
  )

  test('CRLF, a mark of the byte order, bold keys and loose marks are read', () => {
    expect(spaced.current).toEqual({
      flow: 'existing-code',
      step: 4,
      name: 'Implement Tests',
      status: 'in_progress',
      subStep: { id: '2', name: 'batch loop' },
      retryCount: 1,
    })
    expect(spaced.completed.map(({ outcome }) => outcome)).toEqual([
      '29 modules',
      'ok',
      '10 tasks | 34 points',
    ])
  })

  test('it agrees with its tree', () => {
    const listing = listingOf(
      {
        ...documented,
        '02_tasks/_dependencies_table.md': shop,
        '02_tasks/todo/SH-70_test_infrastructure.md': 'x',
      },
      { sources: ['a.py'] },
    )
    expect(compare(flows, spaced, listing)).toMatchObject({ drift: undefined, nameDiffers: undefined })
  })

  test('one whose table of tasks is gone is earlier', () => {
    const listing = listingOf(documented, { sources: ['a.py'] })
    const { drift, folders } = compare(flows, spaced, listing)
    expect([drift, positionText(flows, folders)]).toEqual([
      'earlier',
      'existing-code 3 Decompose Tests, not_started',
    ])
  })
})
