import { describe, expect, it, test } from 'vitest'
import { onlyBuiltIn } from '../../../source/workflows/lifecycle/flow/flow.js'
import { findings, firstOpen } from '../../../source/workflows/lifecycle/scan/detect.js'
import { positionText } from '../../../source/workflows/lifecycle/scan/drift.js'
import { chooseFlow } from '../../../source/workflows/lifecycle/scan/flow-choice.js'
import type { Listing } from '../../../source/workflows/lifecycle/scan/listing.js'
import { readTaskTable } from '../../../source/workflows/lifecycle/scan/task-table.js'
import { estimate, testTasks } from '../../../source/workflows/lifecycle/scan/tasks.js'
import { greenfield, listingOf } from './listing-of.js'

// Trees that are laid out in another way than the program would: capitals, folders, rows beside the table.

const flows = onlyBuiltIn

function stands(listing: Listing): string {
  const { flow, ask } = chooseFlow(flows, listing)
  const all = findings(flows, flow, listing, { rows: [], loopFrom: 0, rowsBefore: 0 })
  return `${positionText(flows, firstOpen(flow, all))}${ask ? ', ask' : ''}`
}

const inCapitals = (docs: Record<string, string>) =>
  Object.fromEntries(Object.entries(docs).map(([path, text]) => [path.toUpperCase(), text]))

const head = '| Task | Name | Complexity | Dependencies | Epic |\n|---|---|---|---|---|\n'
const table = `${head}| T-1 | box | 3 | None | Core |\n| T-2 | lid | 5 | T-1 | Core |\n| T-3 | hinge | 2 | T-2 | Core |\n`

describe('capitals', () => {
  it.each(Object.keys(greenfield) as (keyof typeof greenfield)[])('%s stands where it stood', (name) => {
    expect(stands(listingOf(inCapitals(greenfield[name])))).toBe(stands(listingOf(greenfield[name])))
  })

  test('the table and its tasks are found, and what is left in todo/ is left', () => {
    const docs = { ...greenfield.planned, '02_document/ui_mockups/page.html': 'x' }
    const tasks = { '02_Tasks/_Dependencies_Table.md': table, '02_Tasks/Todo/T-2_lid.MD': 'x' }
    const listing = listingOf({ ...docs, ...tasks, '02_Tasks/Done/T-1_box.md': 'x' })
    expect(stands(listing)).toBe('greenfield 6 Implement, not_started')
    expect(estimate(listing, 'product', flows.batch)).toMatchObject({ tasks: 2, points: 7, batches: 2 })
  })

  test('a documentation under way is at the step of its resume file', () => {
    const docs = {
      '02_Document/State.json': '{"current_step":"modules"}',
      '02_Document/00_Discovery.md': 'x',
    }
    const listing = listingOf(docs, { sources: ['a.py'] })
    const [first] = findings(flows, 'existing-code', listing, { rows: [], loopFrom: 0, rowsBefore: 0 })
    expect(first).toMatchObject({ state: 'partial', subStep: { id: 'modules', name: '' } })
  })
})

describe('tasks beside the table', () => {
  const ahead = (docs: Record<string, string>) =>
    estimate(listingOf({ '02_tasks/_dependencies_table.md': table, ...docs }), 'product', flows.batch)

  it('what is parked is not ahead, and named', () => {
    const docs = { '02_tasks/todo/T-2_lid.md': 'x', '02_tasks/backlog/T-3_hinge.md': 'x' }
    expect(ahead({ ...docs, '02_tasks/done/T-1_box.md': 'x' })).toEqual({
      tasks: 1,
      points: 5,
      batches: 1,
      warnings: ['Neither in todo/ nor in done/, and not counted: T-3.'],
    })
  })

  it('a file that no row speaks of is named, and so is one that lies too deep', () => {
    const docs = { '02_tasks/todo/T-9_key.md': 'x', '02_tasks/done/first/T-1_box.md': 'x' }
    expect(ahead(docs)?.warnings).toEqual([
      'In todo/, and in no row of the table: T-9_key.md.',
      'In a folder below todo/ or done/, and not counted: 02_tasks/done/first/T-1_box.md.',
    ])
  })

  it('files of the tool beside the folders are no tasks', () => {
    expect(ahead({ '02_tasks/_plans/T-3.md': 'x', '02_tasks/T-2_lid.md': 'x' })?.warnings).toEqual([])
  })
})

describe('rows', () => {
  it('words that have "test" in them and speak of something else make no test task', () => {
    const names = ['latest_prices', 'contest_page', 'testimonials', 'nodetest', 'unit_tests', 'latest_tests']
    const rows = names.map((name, at) => `| T-${at} | ${name} | 1 | None | Core |`)
    const { tasks } = readTaskTable(`${head}${rows.join('\n')}\n`)
    expect([...testTasks(tasks, [])]).toEqual(['T-3', 'T-4', 'T-5'])
  })

  it('an id where points should stand is no number of points', () => {
    const { tasks, warnings } = readTaskTable(
      `| # | Task | Name | Complexity | Dependencies |\n|---|---|---|---|---|\n| T-1570 | T-1 | box | T-1571 | None |\n| 2 | T-2 | 3 |\n`,
    )
    expect(tasks.map(({ id, points }) => [id, points])).toEqual([
      ['T-1', 0],
      ['T-2', 0],
    ])
    expect(warnings).toEqual([
      'Line 3: task T-1 has no complexity; 0 is taken.',
      'Line 4: the row has 3 of 5 cells.',
      'Line 4: task T-2 has no complexity; 0 is taken.',
    ])
  })
})
