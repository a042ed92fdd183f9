import type { CommonFields, OrderFields } from '../../../../source/workflows/playbook/orders/fields.js'
import { type Order, type OrderFacts, orderOf } from '../../../../source/workflows/playbook/orders/order.js'
import type { Expects } from '../../../../source/workflows/playbook/results.js'

/** True for every order of these tests. */
export const common: Omit<CommonFields, 'tracePath'> = {
  phase: { id: '2.1', name: 'Rule engine', goal: 'Rules run in order', number: 2, total: 3 },
  phaseDir: '.planning/phases/02.1-rule-engine',
  phaseType: 'mixed',
  roadmapPath: '.planning/ROADMAP.md',
  specPath: '.planning/REQUIREMENTS.md',
  commands: { compile: 'npx tsc --noEmit', lint: null, build: null, test: 'npm test' },
}

const criterion = {
  id: 'C1',
  text: 'mark-criterion',
  commands: ['grep -c mark-command src/a.ts'],
  kind: 'structural',
  expectation: { op: 'atLeast', value: 1 },
} as const

const task: OrderFields['task'] = {
  id: '02.1-01',
  title: 'mark-task',
  type: 'auto',
  complexity: 'simple',
  files: ['src/mark-task-file.ts'],
  criteria: [{ ...criterion, text: 'mark-task-criterion', commands: [], taskId: '02.1-01' }],
}

const report = (mark: string) => ({
  command: `run ${mark}`,
  exitCode: 1,
  output: `out ${mark}`,
  assessment: 'fail' as const,
})

const issue = (mark: string) => ({
  plan: '01',
  dimension: 'coverage',
  severity: 'blocker' as const,
  description: mark,
  fix_hint: '',
})

/** Every field there is, each with words by which it is found again: `mark-` and its name. */
export const everything: OrderFields = {
  description: 'mark-description',
  requirements: ['mark-requirements'],
  completedPhaseDirs: ['.planning/phases/mark-completedPhaseDirs'],
  completedPhaseSummaries: ['mark-completedPhaseSummaries'],
  repoMapPath: '.autopilot/mark-repoMapPath.json',
  contextPaths: ['mark-contextPaths.md'],
  replan: { score: 6.2, issues: ['mark-replan'], missing: ['mark-replan-missing'] },
  researchPath: 'mark-researchPath.md',
  learningsPath: 'mark-learningsPath.md',
  testsDir: 'mark-testsDir',
  checkerIssues: [issue('mark-checkerIssues')],
  planPath: 'mark-planPath.md',
  planPaths: ['mark-planPaths.md'],
  lintIssues: [issue('mark-lintIssues')],
  task,
  tasks: [{ ...task, id: '02.1-02', title: 'mark-tasks' }],
  logPath: 'mark-logPath.md',
  baselineCompile: report('mark-baselineCompile'),
  lastCheckpointSha: 'mark-lastCheckpointSha',
  commitSubject: 'feat(2.1): mark-commitSubject - ',
  remediationCycle: 1,
  remediationFeedback: [
    { criterion: 'C1', deficiency: 'mark-remediationFeedback', current_score: 7.5, source: 'scorecard' },
  ],
  handoff: { path: 'mark-handoff.md', tasksCompleted: ['a'], tasksRemaining: ['mark-handoff-left'] },
  criteria: [{ ...criterion, text: 'mark-criteria', commands: [] }],
  files: ['src/mark-files.ts'],
  commandResults: [report('mark-commandResults')],
  diffCommand: 'git diff mark-diffCommand..HEAD',
  logCommand: 'git log mark-logCommand..HEAD',
  triageEvidence: [report('mark-triageEvidence')],
  executorEvidence: [{ task_id: '02.1-01', criteria_met: ['mark-executorEvidence'], commands_run: [] }],
  reportPath: 'mark-reportPath.md',
  verificationPath: 'mark-verificationPath.md',
  turnOne: {
    recommendation: 'proceed',
    concerns: ['mark-turnOne'],
    independent_evidence: [],
    scope_creep: [],
    missing_requirements: [],
    notes: '',
  },
  issues: ['mark-issues'],
  failingChecks: [report('mark-failingChecks')],
  visualBugsPath: 'mark-visualBugsPath.md',
  remainingIssues: ['mark-remainingIssues'],
  debugAttempt: 2,
}

/** The order of one kind, made from a bag that holds all there is. */
export function orderFromAll<Kind extends Expects>(expects: Kind, more: object = {}): Order<Kind> {
  return orderOf(expects, { ...everything, ...common, ...more } as unknown as OrderFacts<Kind>)
}
