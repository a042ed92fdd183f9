import { paddedPhaseId } from '../../../source/documents/playbook-id.js'
import type { TestProject } from '../../support/project.js'
import type { Act, Acts, Order } from './stage.js'

// Roles that do what they should, and what they work with.

/** A roadmap of so many phases, each depending on the one before, with a criterion that its file shows. */
export function roadmapOf(count: number, depends: Record<number, string> = {}): string {
  const ids = Array.from({ length: count }, (_, index) => index + 1)
  return [
    '# Roadmap',
    '',
    ...ids.map((id) => `- [ ] **Phase ${id}: Part ${id}** - part ${id}`),
    '',
    ...ids.flatMap((id) => [
      `### Phase ${id}: Part ${id}`,
      '',
      `**Goal**: Part ${id} is there`,
      `**Depends on**: ${depends[id] ?? (id === 1 ? 'Nothing' : `Phase ${id - 1}`)}`,
      '**Success Criteria**:',
      `1. Part ${id} is there -- verified by: \`test -f src/part-${id}.txt\``,
      '',
    ]),
  ].join('\n')
}

export const fileOf = (order: Order) => `src/part-${order.phase.id}.txt`

export interface TaskText {
  id: string
  type?: string
  complexity?: string
  files?: string
  criterion?: string
  action?: string
}

export function planText(order: Order, tasks: TaskText[]): string {
  return [
    `# Plan: phase ${order.phase.id}`,
    '',
    ...tasks.flatMap(({ id, type = 'auto', complexity = 'simple', files, criterion, action }) => [
      `<task id="${id}" type="${type}" complexity="${complexity}">`,
      `<name>Make ${id}</name>`,
      `<files>${files ?? fileOf(order)}</files>`,
      `<action>${action ?? 'Write the file.'}</action>`,
      '<verify>',
      `- The file is there -- verified by: \`${criterion ?? `cat ${files ?? fileOf(order)} && node -e 0`}\``,
      '</verify>',
      '<done>The file is there.</done>',
      '</task>',
      '',
    ]),
  ].join('\n')
}

export const taskId = (order: Order, number: number) =>
  `${paddedPhaseId(order.phase.id)}-${String(number).padStart(2, '0')}`

/** A planner that plans these tasks. */
export const plans =
  (tasks: (order: Order) => TaskText[]): Act =>
  async ({ order }, project) => {
    const planned = tasks(order)
    await project.write(String(order.planPath), planText(order, planned))
    for (const { id, files } of planned)
      await project.write(
        `${String(order.testsDir)}/task-${id}.sh`,
        `if test -f ${files ?? fileOf(order)}; then echo "PASS: there"; else echo "FAIL: there"; exit 1; fi\n`,
      )
    return {
      plans_created: 1,
      waves: 1,
      total_tasks: planned.length,
      complexity: 'simple',
      dependencies: [],
      concerns: [],
    }
  }

/** Writes and commits files with the subject of the order; what an executor that was killed has committed already stays so. */
export async function commitWork(
  project: TestProject,
  order: Order,
  files: Record<string, string>,
): Promise<string> {
  for (const [path, text] of Object.entries(files)) await project.write(path, text)
  const open = await project.git('status', '--porcelain', '--', ...Object.keys(files))
  if (open !== '') await project.commit(`${String(order.commitSubject)}done`, files)
  return project.git('rev-parse', 'HEAD')
}

export const executes =
  (files: (order: Order) => Record<string, string>): Act =>
  async ({ order }, project) => {
    const sha = await commitWork(project, order, files(order))
    const task = order.task as { id: string }
    return {
      tasks_completed: '1/1',
      tasks_failed: '0/1',
      commit_shas: [sha],
      evidence: [
        { task_id: task.id, criteria_met: [`there -- ${fileOf(order)}:1`], commands_run: ['cat -> ok'] },
      ],
      deviations: [],
      confidence: 9,
    }
  }

const check = { status: true, detail: '' }

export function verification(order: Order, more: Record<string, unknown> = {}) {
  const criteria = order.criteria as { id: string }[]
  return {
    pass: true,
    automated_checks: { compile: check, lint: check, build: check, test: check },
    criteria_results: criteria.map(({ id }) => ({
      criterion: id,
      status: 'verified',
      evidence: `${fileOf(order)}:1`,
    })),
    commands_run: ['cat -> ok'],
    failures: [],
    failure_categories: [],
    scope_creep: [],
    execution_results: [],
    autonomous_confidence: 9,
    deferral_evidence: [],
    ...more,
  }
}

export const judgement = {
  recommendation: 'proceed',
  concerns: ['The file is short.'],
  independent_evidence: ['readme.md:1 -- read'],
  scope_creep: [],
  missing_requirements: [],
  notes: 'fine',
}

export const divergence = { ...judgement, verifier_agreement: true, verifier_missed: ['nothing of weight'] }

/** A verifier that says more than that all is well. */
export const verifies =
  (more: object): Act =>
  ({ order }) =>
    verification(order, { ...more })

/** A judge that writes this report. */
export const reports =
  (text: string): Act =>
  async ({ order }, project) => {
    await project.write(String(order.reportPath), text)
    return judgement
  }

/** The same, in the second turn: what it says beside the usual, and what it adds to its report. */
export const compares =
  (more: object, text = '## Divergence Analysis\n\nThe same.\n'): Act =>
  async ({ order }, project) => {
    const path = String(order.reportPath)
    await project.write(path, `${await project.read(path).catch(() => '')}\n${text}`)
    return { ...divergence, ...more }
  }

export function rating(order: Order, score: number) {
  const criteria = order.criteria as { id: string }[]
  return {
    alignment_score: score,
    scorecard: criteria.map(({ id }) => ({
      criterion: id,
      score,
      evidence: `${fileOf(order)}:1`,
      justification: 'read',
      verification_command: 'cat',
      command_output: '',
    })),
    aggregate_justification: 'mean',
    side_effects: [],
    commands_run: ['cat -> ok'],
    test_coverage: { tasks_with_tests: 1, tasks_total: 1, assertions_passed: 1, assertions_total: 1 },
    score_band: 'good',
  }
}

export const rates =
  (score: number): Act =>
  ({ order }) =>
    rating(order, score)

const words = (order: Order) => `Part ${order.phase.id} of ${order.phase.total}\n`

/** Everybody does what the order says. */
export const honest: Acts = {
  research: async ({ order }, project) => {
    await project.write(String(order.researchPath), '# Research\n\nNothing is there yet.\n')
    return { key_findings: ['empty'], recommended_approach: 'write it', risks: [], open_questions: [] }
  },
  plan: plans((order) => [{ id: taskId(order, 1) }]),
  'plan-check': () => ({ pass: true, issues: [], confidence: 9, blocker_count: 0, warning_count: 0 }),
  execution: executes((order) => ({ [fileOf(order)]: words(order) })),
  'mini-verification': ({ order }) => ({
    task_id: (order.task as { id: string }).id,
    pass: true,
    criteria_results: [],
    concerns: [],
    commands_run: ['cat -> ok'],
    gate_validation: { compile: 'skipped', lint: 'skipped', test: 'skipped' },
  }),
  verification: ({ order }) => verification(order),
  judgement: async ({ order }, project) => {
    await project.write(String(order.reportPath), '# Judge report\n\nRead the file.\n')
    return judgement
  },
  'judgement-divergence': async ({ order }, project) => {
    const path = String(order.reportPath)
    await project.write(path, `${await project.read(path)}\n## Divergence Analysis\n\nThe same.\n`)
    return divergence
  },
  rating: rates(9.4),
  debug: async ({ order }, project) => {
    const sha = await commitWork(project, order, { [fileOf(order)]: words(order) })
    return {
      fixed: true,
      changes: ['wrote it'],
      commits: [sha],
      remaining_issues: [],
      failure_categories: [],
    }
  },
  integration: () => ({ pass: true, issues: [], commands_run: ['cat -> ok'] }),
  audit: () => ({ gaps: [], commands_run: ['cat -> ok'] }),
}
