import type { Detector, FlowFile, FlowStep } from './schema.js'

// The two flows that come with the program, in the form of a flow file (docs/lifecycle.md, "The flows").

const exists = (glob: string): Detector => ({ exists: glob })
const row: Detector = { row: true }
const anyTask: Detector = { any: [exists('02_tasks/todo/*.md'), exists('02_tasks/done/*.md')] }
const noTaskLeft: Detector = { empty: '02_tasks/todo' }

const audit: Omit<FlowStep, 'id'> = {
  name: 'Security Audit',
  skill: 'security',
  optional: true,
  done: exists('05_security/security_report.md'),
}
const performance: Omit<FlowStep, 'id'> = {
  name: 'Performance Test',
  skill: 'performance-test',
  optional: true,
  done: exists('06_metrics/perf_*.md'),
}
const deploy: Omit<FlowStep, 'id'> = {
  name: 'Deploy',
  skill: 'deploy',
  resumable: true,
  done: {
    any: [
      exists('04_deploy/reports/deploy_status_report.md'),
      { all: [exists('04_deploy/deployment_procedures.md'), exists('04_deploy/deploy_scripts.md')] },
    ],
  },
}
const runTests: Omit<FlowStep, 'id'> = { name: 'Run Tests', skill: 'test-run', done: row }

export const builtInFlows = {
  version: 1,
  maxAutoRetries: 3,
  planDoneMarker: 'strict',
  batch: { maxTasks: 4, maxPoints: 20 },
  flows: {
    greenfield: {
      discriminators: [
        '00_research/',
        '01_solution/solution_draft*.md',
        '02_document/epics.md',
        '02_document/risk_mitigations.md',
      ],
      afterDone: { flow: 'existing-code', step: '7' },
      steps: [
        {
          id: '1',
          name: 'Problem',
          skill: 'problem',
          done: {
            all: [
              { filled: '00_problem/problem.md' },
              { filled: '00_problem/restrictions.md' },
              { filled: '00_problem/acceptance_criteria.md' },
              { filled: '00_problem/input_data' },
            ],
          },
        },
        {
          id: '2',
          name: 'Research',
          skill: 'research',
          done: { any: [exists('01_solution/solution.md'), exists('01_solution/solution_draft*.md')] },
        },
        {
          id: '3',
          name: 'Plan',
          skill: 'plan',
          resumable: true,
          subSteps: [
            { id: '1', name: 'Test Outline' },
            { id: '2', name: 'Architecture' },
            { id: '3', name: 'Components' },
            { id: '4', name: 'Architecture Review & Risk Assessment' },
            { id: '5', name: 'Component Tests' },
            { id: '6', name: 'Epics' },
          ],
          done: { all: [exists('02_document/architecture.md'), exists('02_document/FINAL_report.md')] },
          partial: exists('02_document/architecture.md'),
        },
        {
          id: '4',
          name: 'UI Design',
          skill: 'ui-design',
          optional: true,
          done: { filled: '02_document/ui_mockups' },
        },
        {
          id: '5',
          name: 'Decompose',
          skill: 'decompose',
          resumable: true,
          boundaryAfter: true,
          done: { all: [exists('02_tasks/_dependencies_table.md'), anyTask] },
        },
        {
          id: '6',
          name: 'Implement',
          skill: 'implement',
          resumable: true,
          done: { all: [noTaskLeft, exists('03_implementation/implementation_report_*.md')] },
        },
        { id: '7', ...runTests },
        { id: '8', ...audit },
        { id: '9', ...performance },
        { id: '10', ...deploy },
      ],
    },
    'existing-code': {
      discriminators: [
        '02_document/00_discovery.md',
        '02_document/modules/',
        '02_document/04_verification_log.md',
        '02_document/state.json',
      ],
      afterDone: { flow: 'existing-code', step: '7' },
      steps: [
        {
          id: '1',
          name: 'Document',
          skill: 'document',
          resumable: true,
          done: exists('02_document/FINAL_report.md'),
          partial: exists('02_document/state.json'),
        },
        {
          id: '2',
          name: 'Test Spec',
          skill: 'test-spec',
          subSteps: [{ id: '1b', name: 'Test Case Generation' }],
          done: exists('02_document/tests/traceability-matrix.md'),
        },
        {
          id: '3',
          name: 'Decompose Tests',
          skill: 'decompose',
          resumable: true,
          boundaryAfter: true,
          done: { all: [exists('02_tasks/_dependencies_table.md'), { task: 'test' }] },
        },
        {
          id: '4',
          name: 'Implement Tests',
          skill: 'implement',
          resumable: true,
          done: exists('03_implementation/implementation_report_tests.md'),
        },
        { id: '5', ...runTests },
        {
          id: '6',
          name: 'Refactor',
          skill: 'refactor',
          optional: true,
          done: exists('04_refactoring/*/FINAL_report.md'),
        },
        {
          id: '7',
          name: 'New Task',
          skill: 'new-task',
          repeat: true,
          boundaryAfter: true,
          done: { task: 'product' },
        },
        {
          id: '8',
          name: 'Implement',
          skill: 'implement',
          resumable: true,
          repeat: true,
          done: {
            all: [
              noTaskLeft,
              exists('03_implementation/implementation_report_*.md'),
              { newer: { file: '03_implementation/implementation_report_*.md', than: '02_tasks/done/*.md' } },
            ],
          },
        },
        { id: '9', ...runTests, repeat: true },
        { id: '10', ...audit, repeat: true },
        { id: '11', ...performance, repeat: true },
        { id: '12', ...deploy, repeat: true },
      ],
    },
  },
} satisfies FlowFile
