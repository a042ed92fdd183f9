import type { QuestionDraft } from '../../../source/view/question.js'
import { qBreaker } from '../../../source/workflows/playbook/questions/breaker.js'
import { qDirectory } from '../../../source/workflows/playbook/questions/directory.js'
import { qDiscuss, qNoQuestions } from '../../../source/workflows/playbook/questions/discuss.js'
import { qEvery } from '../../../source/workflows/playbook/questions/every.js'
import { qHuman } from '../../../source/workflows/playbook/questions/human.js'
import { qLeftChanges, qLeftWorktree } from '../../../source/workflows/playbook/questions/leftover.js'
import { qMerge } from '../../../source/workflows/playbook/questions/merge.js'
import { qPlan } from '../../../source/workflows/playbook/questions/plan.js'
import { qAnother, qAsTyped, qResume } from '../../../source/workflows/playbook/questions/resume.js'
import { qRevert } from '../../../source/workflows/playbook/questions/revert.js'
import { qSpec } from '../../../source/workflows/playbook/questions/spec.js'
import { qTree } from '../../../source/workflows/playbook/questions/tree.js'
import { qVerdict } from '../../../source/workflows/playbook/questions/verdict.js'
import { pickQuestion } from '../../../source/workflows/playbook/selection/pick-question.js'
import { newState } from '../../../source/workflows/playbook/state/new-state.js'
import { newPhase } from '../../../source/workflows/playbook/state/phases.js'
import { planPath, specPath } from './project.js'

const at = '2030-04-02T10:00:00.000Z'

const state = newState({
  at,
  runId: 'run-2026-02-09-143052',
  spec: { path: specPath, hash: 'a'.repeat(64) },
  roadmapPath: '.planning/ROADMAP.md',
  head: 'f'.repeat(40),
  phases: ['1', '2', '3'],
  queue: ['2', '3'],
  carried: {},
  flags: {},
  threshold: 9,
  skipped: [],
  confidence: 0.8,
})

const selectable = (id: string, name: string, status: 'not_started' | 'completed') => ({
  id,
  name,
  dependsOn: [],
  status,
  score: null,
  begun: false,
})

const task = {
  id: '02-03',
  title: 'the colour of the list',
  type: 'decision' as const,
  complexity: 'simple' as const,
  files: [],
  notes: [],
  line: 1,
  endLine: 4,
  criteria: [],
  tdd: false,
  gate: 'blocking',
  action: 'Which colour has a list that is empty?',
  done: '',
  options: [
    { id: 'grey', name: 'grey', text: 'as everything else that is not there' },
    { id: 'none', name: '', text: '' },
  ],
  missing: [],
  wave: 1,
}

/** Questions of the playbook workflow, in the order of a run. */
export function playbookGates(now: Date): QuestionDraft[] {
  const later = new Date(now.getTime() + 3_600_000).toISOString()
  const phase = { id: '2', name: 'Progress' }
  return [
    pickQuestion([selectable('1', 'Store', 'completed'), selectable('2', 'Progress', 'not_started')]),
    qTree(['src/mail.ts', 'notes.txt']),
    qDirectory('2', ['.planning/phases/02-progress', '.planning/phases/02-reports']),
    qDiscuss(
      { phase, number: 1, total: 2 },
      {
        id: 'q1',
        question: 'What matters most about the list?',
        why: 'the order of the columns',
        options: ['that it is easy to read', 'that it takes any input'],
        recommendation: 'that it is easy to read, as people look at it all day',
      },
    ),
    qNoQuestions(phase, 'The agent ended without a result.'),
    qPlan(
      '2',
      [planPath, specPath],
      [
        {
          plan: '01',
          dimension: 'criteria',
          severity: 'blocker',
          description: 'Task 02-01 has no criterion that a command can show.',
          fix_hint: '',
        },
      ],
    ),
    qHuman('2', task),
    qHuman('2', { ...task, type: 'human-action', action: '', options: [] }),
    qLeftChanges('02-01', ['src/list.ts']),
    qLeftWorktree(
      { part: 'a', path: '.autopilot/parts/2-a', branch: 'autopilot/2-a', isGone: false },
      { canGoOn: true, isDirty: true },
    ),
    qMerge(
      'a',
      { branch: 'autopilot/2-a', worktree: '.autopilot/worktrees/2-a' },
      { kind: 'conflict', paths: ['src/list.ts'], output: 'CONFLICT (content)' },
    ),
    qVerdict('2', 'Progress', {
      ...newPhase(),
      alignment_score: 8.4,
      human_verify_justification: {
        checkpoint_task_id: '02-03',
        task_description: 'Look at the list on a small screen',
        auto_tasks_passed: 4,
        auto_tasks_total: 5,
      },
    }),
    qEvery(2, ['3']),
    qBreaker('2', { reason: 'same_error', threshold: 5, value: 5 }, later),
    qBreaker('2', { reason: 'phase_tokens', threshold: 100_000, value: 104_321 }, null),
    qRevert('2', { foreign: ['89abcde A word of mine'] }),
    qRevert('2', { conflict: ['src/list.ts'] }),
    qSpec(specPath, 'a'.repeat(64), 'b'.repeat(64)),
    qResume('2', state),
    qAnother(state, ['--phase', '3']),
    qAsTyped({ selectors: ['2'], flags: { lenient: true } }, ['3']),
  ]
}
