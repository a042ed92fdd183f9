import { type Flows, onlyBuiltIn } from '../../../source/workflows/lifecycle/flow/flow.js'
import { askedFor } from '../../../source/workflows/lifecycle/scan/detectors.js'
import type { Listing } from '../../../source/workflows/lifecycle/scan/listing.js'

const usual = Date.parse('2026-03-10T12:00:00Z')

/** A project as it was looked at: paths below `_docs/` with their texts, and source files elsewhere. */
export function listingOf(
  docs: Readonly<Record<string, string>>,
  {
    sources = [],
    times = {},
    flows = onlyBuiltIn,
  }: { sources?: string[]; times?: Record<string, string>; flows?: Flows } = {},
): Listing {
  const isAskedFor = askedFor(flows)
  const paths = Object.keys(docs).sort()
  return {
    docs: paths.map((path) => ({
      path: `_docs/${path}`,
      size: (docs[path] ?? '').length,
      mtime: times[path] === undefined ? usual : Date.parse(times[path]),
    })),
    texts: new Map(paths.filter(isAskedFor).map((path) => [`_docs/${path}`, docs[path] ?? ''])),
    sources,
    docsKind: paths.length > 0 ? 'folder' : 'missing',
  }
}

const problem = {
  '00_problem/problem.md': 'x',
  '00_problem/restrictions.md': 'x',
  '00_problem/acceptance_criteria.md': 'x',
  '00_problem/input_data/rows.csv': 'x',
}
/** A greenfield project up to a step. */
export const greenfield = {
  researched: { ...problem, '01_solution/solution.md': 'x' },
  designing: { ...problem, '01_solution/solution.md': 'x', '02_document/architecture.md': 'x' },
  planned: {
    ...problem,
    '01_solution/solution.md': 'x',
    '02_document/architecture.md': 'x',
    '02_document/FINAL_report.md': 'x',
  },
  implemented: {
    ...problem,
    '01_solution/solution.md': 'x',
    '02_document/architecture.md': 'x',
    '02_document/FINAL_report.md': 'x',
    '02_document/ui_mockups/skipped.md': '',
    '02_tasks/_dependencies_table.md': '| Task | Dependencies |\n|---|---|\n| T-1 | None |\n',
    '02_tasks/done/T-1_box.md': 'x',
    '03_implementation/implementation_report_box.md': 'x',
  },
}
