import type { Position } from './case.js'

// The life of the converter of temperatures: what each step leaves, and the state file at each of them.

export const statePath = '_docs/_autopilot_state.md'

const order = {
  greenfield: [
    'Problem',
    'Research',
    'Plan',
    'UI Design',
    'Decompose',
    'Implement',
    'Run Tests',
    'Security Audit',
    'Performance Test',
    'Deploy',
  ],
  'existing-code': [
    'Document',
    'Test Spec',
    'Decompose Tests',
    'Implement Tests',
    'Run Tests',
    'Refactor',
    'New Task',
    'Implement',
    'Run Tests',
    'Security Audit',
    'Performance Test',
    'Deploy',
  ],
}

export const table = (kind: 'Core' | 'Blackbox Tests' = 'Core') => `# Dependencies

**Total Tasks**: 2
**Total Complexity Points**: 5

| Task | Name | Complexity | Dependencies | Epic |
|------|------|------------|--------------|------|
| T-1 | kelvin | 3 | None | ${kind} |
| T-2 | rankine | 2 | T-1 | ${kind} |
`
export const taskText = (name: string) =>
  `# ${name}\n\nThe converter knows the scale ${name}, and a test says so.\n`

/** What each step leaves, as an honest worker writes it. */
export const artifacts: Record<string, Record<string, string>> = {
  Problem: {
    '_docs/00_problem/problem.md': '# Problem\n\nPeople mix up scales of temperature.\n',
    '_docs/00_problem/restrictions.md': '# Restrictions\n\nNo dependencies.\n',
    '_docs/00_problem/acceptance_criteria.md': '# Acceptance\n\nWater freezes at 273.15 kelvin.\n',
    '_docs/00_problem/input_data/water.csv': 'celsius,kelvin\n0,273.15\n',
  },
  Research: {
    '_docs/01_solution/solution.md': '# Solution\n\nOne function for each scale.\n',
  },
  Plan: {
    '_docs/02_document/architecture.md': '# Architecture\n\nA module for each scale, no state.\n',
    '_docs/02_document/FINAL_report.md': '# Report\n\nTwo modules are planned.\n',
  },
  'UI Design': { '_docs/02_document/ui_mockups/page.html': '<h1>Scales</h1>\n' },
  Decompose: {
    '_docs/02_tasks/_dependencies_table.md': table(),
    '_docs/02_tasks/todo/T-1_kelvin.md': taskText('kelvin'),
    '_docs/02_tasks/todo/T-2_rankine.md': taskText('rankine'),
  },
  Document: { '_docs/02_document/FINAL_report.md': '# Report\n\nA converter with one scale.\n' },
  'Test Spec': {
    '_docs/02_document/tests/traceability-matrix.md':
      '# Traceability\n\n| Criterion | Test |\n|---|---|\n| freezing water | fahrenheit |\n',
  },
  'Decompose Tests': {
    '_docs/02_tasks/_dependencies_table.md': table('Blackbox Tests'),
    '_docs/02_tasks/todo/T-1_kelvin_test.md': taskText('kelvin'),
    '_docs/02_tasks/todo/T-2_rankine_test.md': taskText('rankine'),
  },
  'Implement Tests': {
    '_docs/03_implementation/implementation_report_tests.md': '# Report\n\nBoth tests are there.\n',
  },
  Refactor: { '_docs/04_refactoring/01_names/FINAL_report.md': '# Report\n\nNames are clearer.\n' },
  'Security Audit': { '_docs/05_security/security_report.md': '# Security\n\nNothing is read or sent.\n' },
  'Performance Test': { '_docs/06_metrics/perf_1.md': '# Performance\n\nA million conversions in 3 ms.\n' },
  Deploy: {
    '_docs/04_deploy/reports/deploy_status_report.md': '# Deployed\n\nVersion 1.1 is on the server.\n',
  },
  Implement: {
    '_docs/03_implementation/implementation_report_scales.md': '# Report\n\nBoth scales are there.\n',
  },
}

const namesBefore = ({ flow, step }: Position) => order[flow].slice(0, order[flow].indexOf(step))

/** What lies in the folders when a step begins. */
export function filesAt(position: Position): Record<string, string> {
  const files: Record<string, string> = { [statePath]: stateAt(position) }
  for (const name of namesBefore(position)) {
    if (name === 'Implement' || name === 'Implement Tests')
      for (const path of Object.keys(files).filter((each) => each.includes('/todo/'))) {
        files[path.replace('/todo/', '/done/')] = files[path] ?? ''
        delete files[path]
      }
    Object.assign(files, artifacts[name])
  }
  if (position.flow === 'existing-code' && position.step === 'Implement')
    Object.assign(files, {
      '_docs/02_tasks/_dependencies_table.md': table(),
      '_docs/02_tasks/todo/T-1_kelvin.md': taskText('kelvin'),
      '_docs/02_tasks/todo/T-2_rankine.md': taskText('rankine'),
    })
  return files
}

export function stateAt({ flow, step }: Position): string {
  const before = namesBefore({ flow, step })
  const rows = before.map((name, at) => `| ${at + 1} | ${name} | 2026-01-0${(at % 9) + 1} | it is there |\n`)
  return `# Autopilot State

## Current Step
flow: ${flow}
step: ${before.length + 1}
name: ${step}
status: not_started
retry_count: 0

## Completed Steps

| Step | Name | Completed | Key Outcome |
|------|------|-----------|-------------|
${rows.join('')}
## Key Decisions
- No dependencies.
- 2026-01-01T10:00:00+00:00 Q-BRIEF: more scales

## Last Session
date: 2026-01-09
ended_at: Step ${before.length} ${before.at(-1) ?? ''}
reason: completed step
notes: all is well

## Retry Log

| Attempt | Step | Name | SubStep | Failure Reason | Timestamp |
|---------|------|------|---------|----------------|-----------|

## Blockers
- The second server is not there before June.
`
}
